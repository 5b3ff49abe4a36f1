import { claimsOf, leastSupport } from '../../src/recall/claim.ts';
import { CitationFilter } from '../../src/recall/citation-filter.ts';
import { documentOf, NOTHING_KNOWN, sectionsOf } from '../../src/recall/section.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';

function through(pieces: readonly string[], known = 3, shown = true) {
  const filter = new CitationFilter({ known, prefix: '', shown });
  const out = pieces.map((piece) => filter.push(piece));
  return { text: out.join('') + filter.end(), out, filter };
}

/** Numbers of all that a reader takes for a marker; what stands around one that is taken away is read too. */
function seenMarkers(text: string): Set<number> {
  const seen = new Set<number>();
  const group = /[[【]([^[\]【】]*)[\]】]/u;
  const list = /^[\s\dS#^,;&|–‑\\-]*(and[\s\d,]*)*$/iu;
  let rest = text;
  for (let found = group.exec(rest); found !== null; found = group.exec(rest)) {
    const inside = (found[1] ?? '').replace(/[０-９]/gu, (digit) => digit.normalize('NFKC'));
    const isMarker = /^[^†]*\d/u.test(inside) && list.test(inside.replace(/†.*/su, ''));
    for (const [number] of isMarker ? inside.matchAll(/\d+/gu) : []) seen.add(Number(number));
    // A text in brackets is kept as a word.
    const left = isMarker ? '' : /^\s*$/u.test(inside) ? '' : 'word';
    rest = rest.slice(0, found.index) + left + rest.slice(found.index + found[0].length);
  }
  return seen;
}

describe('a text with markers', () => {
  it.each<[string, string, number[], string[]]>([
    ['A [1] b [2].', 'A [1] b [2].', [1, 2], []],
    ['A [4] b.', 'A b.', [], ['[4]']],
    ['A [3, 1; 9].', 'A [3][1].', [3, 1], ['[9]']],
    ['A [1-3].', 'A [1][2][3].', [1, 2, 3], []],
    ['A [2–7].', 'A.', [], ['[2-7]']],
    ['A 【2】 [S1] [^3].', 'A [2] [1] [3].', [2, 1, 3], []],
    ['A [0] [00000000000000000009].', 'A.', [], ['[0]', '[00000000000000000009]']],
    ['A [[9]99] b [9[8]9] c.', 'A b c.', [], ['[9]', '[99]', '[8]']],
    ['A [[1], [2]] [[3]](http://x).', 'A [1][2] [3](http://x).', [1, 2, 3], []],
    [
      'A [1‑2] [9\u00a0] [1 and 9] [1,\n8] \\[7\\] [６] [５\u200b].',
      'A [1][2] [1] [1].',
      [1, 2],
      ['[9]', '[8]', '[7]', '[6]', '[5]'],
    ],
    ['A 【9†source】 【2†file.txt】 【4:0†a】.', 'A [2].', [2], ['[9]', '[4:0]']],
    ['On [2026-05-01] at [10:30], [-1], [1.5].', 'On ［2026-05-01］ at ［10:30］, ［-1］, [1.5].', [], []],
    ['[[9] foo 99] [[] [[1', '［ foo 99] ［[] ［', [], ['[9]']],
    [
      `A [${Array.from({ length: 30 }, (_, i) => i + 1).join(', ')}].`,
      'A [1][2][3].',
      [1, 2, 3],
      Array.from({ length: 27 }, (_, i) => `[${i + 4}]`),
    ],
    ['[sic] [link](http://x) [ ] [x]', '[sic] [link](http://x) [ ] [x]', [], []],
    ['Cut [1', 'Cut', [], []],
    ['', '', [], []],
  ])('%j becomes %j', (given, text, used, dropped) => {
    const whole = through([given]);
    expect(whole.text).toBe(text);
    expect([whole.filter.used, whole.filter.dropped.map((one) => one.replace('–', '-'))]).toEqual([
      used,
      dropped,
    ]);
    const letters = through(Array.from(given));
    expect(letters.text).toBe(text);
    expect(letters.filter.used).toEqual(used);
  });

  it('shows nothing that is undecided', () => {
    const { out } = through(['It is so [', '9', '] now', ' [', '2', ']']);
    expect(out).toEqual(['It is so', '', ' now', '', '', ' [2]']);
  });

  it('shows none where none is wanted, and still knows them', () => {
    const { text, filter } = through(['A [1]. B [9].'], 3, false);
    expect([text, filter.used, filter.marked]).toEqual(['A. B.', [1], 'A [1]. B.']);
  });

  it('shows no marker but of a source that it tells, however the text is written and cut', () => {
    const piece = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom('[', ']', '【', '】', '1', '2', '3', '9', '12', ' ', ',', '-'),
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          'S',
          'and',
          'an',
          '†x',
          '\\',
          '\u2011',
          '\u00a0',
          '９',
          ':',
          '/',
          ';',
          '#',
          '\n',
        ),
      },
      { weight: 1, arbitrary: fc.constantFrom('foo', '.', '(http://x)', '［', '😀') },
    );
    const cuts = fc.array(fc.nat({ max: 40 }), { maxLength: 8 });
    const texts = fc.array(piece, { maxLength: 40 }).map((all) => all.join(''));
    fc.assert(
      fc.property(texts, cuts, fc.nat({ max: 4 }), fc.boolean(), (text, places, known, shown) => {
        const whole = through([text], known, shown);
        const ends = [...new Set(places)].sort((a, b) => a - b);
        const pieces = [...ends, text.length].map((end, i) => text.slice(i === 0 ? 0 : ends[i - 1], end));
        const cut = through(pieces, known, shown);
        expect([cut.text, cut.filter.used, cut.filter.dropped, cut.filter.marked]).toEqual([
          whole.text,
          whole.filter.used,
          whole.filter.dropped,
          whole.filter.marked,
        ]);
        expect(seenMarkers(whole.text)).toEqual(shown ? new Set(whole.filter.used) : new Set());
        expect(seenMarkers(whole.filter.marked)).toEqual(new Set(whole.filter.used));
        expect(whole.filter.used.every((number) => number >= 1 && number <= known)).toBe(true);
      }),
      { numRuns: inDepth(600, 3000) },
    );
  });

  it('leaves a text alone whose markers are good', () => {
    const word = fc.constantFrom('so', 'it', 'is.', '[1]', '[2]', '[see below]', '\n', '- ');
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const text = words.join(' ').trimEnd();
        expect(through([text]).text).toBe(text);
      }),
    );
  });

  it('shows a list that does not end in other brackets', () => {
    const list = '1, '.repeat(400);
    const { text, filter } = through([`A [${list}].`]);
    expect([text, filter.used]).toEqual([`A ［${list}].`, []]);
  });

  it('takes a long text in its stride', () => {
    const text = `${' '.repeat(100_000)}${'['.repeat(20_000)}`;
    expect(through([text]).text.length).toBeGreaterThan(100_000);
  });
});

describe('claims', () => {
  it('are the sentences that cite something', () => {
    expect(claimsOf('- She runs\n  [1]\n- He swims.\n\n[2] [3]', 10)).toEqual([
      { text: '- She runs', sources: [1] },
      { text: '- He swims.', sources: [2, 3] },
    ]);
    expect(claimsOf('She runs [1]. It rains.\nHe swims. [S2][3] They rest.', 10)).toEqual([
      { text: 'She runs.', sources: [1] },
      { text: 'He swims.', sources: [2, 3] },
    ]);
  });

  it('are supported as little as the least of them', () => {
    const found = [
      { claim: 1, source: 1, support: 0.9 },
      { claim: 2, source: 1, support: 0.2 },
      { claim: 2, source: 2, support: 7 },
    ];
    expect([...leastSupport(found)]).toEqual([
      [1, 0.2],
      [2, 1],
    ]);
  });
});

describe('a document', () => {
  const inSections = (document: string, outline: readonly string[]) =>
    documentOf(sectionsOf(document, outline));

  it('has the sections of its outline, and says where nothing is known', () => {
    expect(inSections('Intro\n## **B**\nbb\n# a:\naa\n## C\ncc', ['A', 'B', 'D'])).toBe(
      `## A\n\nIntro\naa\n## C\ncc\n\n## B\n\nbb\n\n## D\n\n${NOTHING_KNOWN}`,
    );
    expect(inSections('', [])).toBe(NOTHING_KNOWN);
    expect(inSections('Text', [])).toBe('Text');
  });

  it('says each sentence once, though headings differ by a sign alone', () => {
    const outline = ['C', 'C#', 'C: more'];
    const written = '## C#\nsharp\n## **C**\nplain\n## c: More:\nmore';
    const document = '## C\n\nplain\n\n## C#\n\nsharp\n\n## C: more\n\nmore';
    expect(inSections(written, outline)).toBe(document);
    expect(inSections(document, outline)).toBe(document);
    // Which of them is meant is not known: it stays where it stands.
    expect(inSections('## C\na\n## C*#*:\nb', ['C', '#C', 'C:'])).toContain('## C\n\na\n## C*#*:\nb');
  });

  it('leaves code in one piece', () => {
    const code = '```sh\n# Two\nls\n```';
    expect(inSections(`## One\n${code}\n## Two\nx`, ['One', 'Two'])).toBe(`## One\n\n${code}\n\n## Two\n\nx`);
  });
});
