import { claimsOf, leastSupport } from '../../src/recall/claim.ts';
import { CitationFilter } from '../../src/recall/citation-filter.ts';
import { inSections, NOTHING_KNOWN } from '../../src/recall/section.ts';

function through(pieces: readonly string[], known = 3, shown = true) {
  const filter = new CitationFilter({ known, prefix: '', shown });
  const out = pieces.map((piece) => filter.push(piece));
  return { text: out.join('') + filter.end(), out, filter };
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

  it('takes a long text in its stride', () => {
    const text = `${' '.repeat(100_000)}${'['.repeat(20_000)}`;
    expect(through([text]).text.length).toBeGreaterThan(100_000);
  });
});

describe('claims', () => {
  it('are the sentences that cite something', () => {
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
  it('has the sections of its outline, and says where nothing is known', () => {
    expect(inSections('Intro\n## **B**\nbb\n# a:\naa\n## C\ncc', ['A', 'B', 'D'])).toBe(
      `## A\n\nIntro\naa\n## C\ncc\n\n## B\n\nbb\n\n## D\n\n${NOTHING_KNOWN}`,
    );
    expect(inSections('', [])).toBe(NOTHING_KNOWN);
    expect(inSections('Text', [])).toBe('Text');
  });
});
