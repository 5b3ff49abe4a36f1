import {
  indexTerms,
  queryWords,
  searchWords,
  soughtTerms,
  wordPlaces,
} from '../../src/capture/search-words.ts';

describe('searchWords', () => {
  it.each([
    ["Don't pay 3.14 to fetch_all", ['don', 't', 'pay', '3', '14', 'to', 'fetch', 'all']],
    ['AND +or -NOT "x*" ~', ['and', 'or', 'not', 'x']],
    ['ΟΔΥΣΣΕΥΣ οδυσσεύς', ['οδυσσευσ', 'οδυσσεύσ']],
    ['cafe\u0301 CAF\u00c9', ['café', 'café']],
    ['Ａｂ１ ﬁn', ['ab1', 'fin']],
    ['東京タワーへ行く', ['東京', '京タ', 'タワ', 'ワー', 'ーへ', 'へ行', '行く']],
    ['C++, C# and Disney+', ['c++', 'c#', 'and', 'disney+']],
    ['नमस्ते', ['नमस्ते']],
    ['again again', ['again', 'again']],
    [' — 🚀 … ', []],
  ])('%j', (text, words) => {
    expect(searchWords(text)).toEqual(words);
  });

  it('leaves out marks that no letter needs, so that putting them in order does not take long', () => {
    const marks = (pairs: number) => '\u0301\u0323'.repeat(pairs);
    expect(searchWords(`x${marks(16)} y`)).toEqual([`x${marks(16)}`.normalize('NFKC'), 'y']);
    expect(searchWords(`x${marks(100_000)} y`)).toEqual(searchWords(`x${marks(16)} y`));
  });
});

describe('indexTerms', () => {
  it.each([
    ['Caroline was ADOPTING; we adopted, adoptions', ['carolin', 'was', 'adopt', 'we', 'adopt', 'adopt']],
    ['marathons generously skies', ['marathon', 'generous', 'sky']],
    ['x2s 3rds', ['x2s', '3rds']],
    [
      'C++é C+++ C++ C#! 7+ é+ don’t x—y',
      ['c', 'é', '_e', 'c', 'c++', 'c#', '7', 'é+', '_e', 'don', 't', 'x', 'y'],
    ],
    ['abc東京def ⺀x', ['abc', '東', '東京', '京', 'def', '⺀', 'x']],
    ['cafés', ['cafés', '_cafe']],
    ['12,500', ['12500']],
    ['', []],
  ])('%j', (text, terms) => {
    expect(indexTerms(text)).toEqual(terms);
  });

  it('leaves what is no word as it is', () => {
    expect(indexTerms(`${'a'.repeat(61)}ing ${'a'.repeat(62)}ing`)).toEqual([
      'a'.repeat(61),
      `${'a'.repeat(62)}ing`,
    ]);
  });

  it('has no blank in a term, and none that a query takes for a sign', () => {
    const text = 'Zoë C++ a_b-c 12\u00a0500 2026-05-05 May 5th กุ้ง 한국어 NullPointerException ½ ㎏ x\u3000y';
    for (const term of indexTerms(text)) expect(term).toMatch(/^[\p{L}\p{M}\p{N}_@][\p{L}\p{M}\p{N}_+#-]*$/u);
  });
});

/** Whether the words of a query are each found in a text: as they are, in another form, or not at all. */
function meeting(text: string, query: string): string[] {
  const held = new Set(indexTerms(text));
  return queryWords(query).map((word) => {
    const weights = [...soughtTerms(word)].flatMap(([term, weight]) => (held.has(term) ? [weight] : []));
    const best = Math.max(0, ...weights);
    return best === 1 ? 'exact' : best > 0 ? 'other' : 'none';
  });
}

describe('a word of a query', () => {
  it.each([
    ['오늘 동생과 끝말잇기 게임을 했다.', '동생'],
    ['ผมแพ้กุ้งและปลาหมึก', 'กุ้ง'],
    ['ຂ້ອຍມັກກິນເຂົ້າໜຽວ', 'ເຂົ້າ'],
    ['ខ្ញុំចូលចិត្តភ្នំពេញ', 'ភ្នំពេញ'],
    ['ကျွန်တော် ရန်ကုန်မှာနေတယ်', 'ရန်ကုန်'],
    ['東京タワーへ行く', 'タワー'],
    ['猫が好きです', '猫'],
    ['I parse logs with InvoiceRenderer', 'invoicerenderer'],
    ['I like C++ more than C#', 'C++'],
    ['the rent is 12,500 a year', '12500'],
    ['the rent is 12500 a year', '12,500'],
  ])('of %s is %s', (text, query) => {
    expect(new Set(meeting(text, query))).toEqual(new Set(['exact']));
  });

  it.each([
    ['Le café préféré de Zoé est à Orléans.', 'cafe orleans'],
    ['a cafe in Orleans', 'café orléans'],
    ['Er wohnt in München', 'munchen'],
    ['Er wohnt in München', 'muenchen'],
    ['in der Friedrichstraße 7', 'Friedrichstrasse'],
    ['in der Friedrichstrasse 7', 'Friedrichstraße'],
    ['we flew to Tromsø', 'Tromso'],
    ['a friend called Nguyễn', 'Nguyen'],
    ['Đặng lives in Łódź', 'dang lodz'],
    ['İstanbul was hot', 'istanbul'],
    ['a trip to ISTANBUL', 'ıstanbul'],
    ['NullPointerException came out of InvoiceRenderer.renderLines', 'null pointer'],
    ['NullPointerException came out of InvoiceRenderer.renderLines', 'render lines'],
    ['the field user_id is null', 'userId'],
    ['the userId is null', 'userid'],
    ['a feature-flag was set', 'featureflag'],
  ])('of %s is another form of %s', (text, query) => {
    expect(meeting(text, query)).not.toContain('none');
  });

  it.each([
    ['the meeting is on 2026-05-05', 'May 5, 2026'],
    ['the meeting is on May 5th, 2026', '2026-05-05'],
    ['the meeting is on 5 May', '2026-05-05'],
    ['the meeting is on 2026-05-05', '5 May'],
    ['the meeting is on 05/06/2026', 'May 6, 2026'],
    ['the meeting is on 05/06/2026', '5 June 2026'],
    ['the meeting is on 5 June 2026', '05/06/2026'],
  ])('%s has the day of %s', (text, query) => {
    expect(new Set(meeting(text, query))).not.toEqual(new Set(['none']));
  });

  it('is a whole date as such, which counts as one', () => {
    expect(meeting('it was on 5 May 2026', '2026-05-05')).toEqual(['exact']);
    expect(meeting('it was in 2026, and 05 of 05', '2026-05-05')).toEqual(['none']);
    expect(meeting('it was on 31/05/2026', 'May 31, 2026')).toEqual(['exact']);
  });

  it.each([
    ['pages 101,102,103 are missing', '102', 'other'],
    ['pages 101,102,103 are missing', '101102103', 'exact'],
    ['the host 192.168.100.200 is down', '168', 'other'],
    ['it cost 250,000 in all', '250000', 'exact'],
    ['it cost 1,25,000 in all', '125000', 'exact'],
    ['it cost 12,500 in all', '500', 'none'],
    ['it cost 1,234,567 in all', '234', 'none'],
  ])('of %s may be a group of a list or not: %s', (text, query, held) => {
    expect(meeting(text, query)).toEqual([held]);
  });

  it('is neither C# nor C where it is C++', () => {
    expect(meeting('I write C# and C', 'C++')).toEqual(['none']);
    expect(meeting('I write C++', 'C')).toEqual(['none']);
  });

  it('is no month where a day of it is asked for', () => {
    expect(meeting('it was in May 2026', 'what about 2026-05-05').at(-1)).toBe('none');
  });
});

describe('wordPlaces', () => {
  it('are those of the words of a text, of pairs where a script has no blanks', () => {
    const text = 'the 東京タ C++!';
    expect([...wordPlaces(text)].map(({ from, to }) => text.slice(from, to))).toEqual([
      'the',
      '東京',
      '京タ',
      'タ',
      'C++',
    ]);
  });
});

it.each(['a-', 'a_', 'a‐', 'a.', 'a '])('takes a name of a hundred thousand words apart: %s', (part) => {
  const times = 100_000;
  expect(indexTerms(part.repeat(times))).toEqual(Array.from({ length: times }, () => 'a'));
});

it.each(['aB', 'é', '-', ' ', '1,', '1-', 'x\u0301'])('takes a hundred thousand times %j apart', (part) => {
  expect(indexTerms(part.repeat(100_000)).length).toBeLessThanOrEqual(200_000);
});
