import { searchWords, stemmedWords } from '../../src/capture/search-words.ts';

describe('searchWords', () => {
  it.each([
    ["Don't pay 3.14 to fetch_all", ['don', 't', 'pay', '3', '14', 'to', 'fetch', 'all']],
    ['AND +or -NOT "x*" ~', ['and', 'or', 'not', 'x']],
    ['ΟΔΥΣΣΕΥΣ οδυσσεύς', ['οδυσσευσ', 'οδυσσεύσ']],
    ['cafe\u0301 CAF\u00c9', ['café', 'café']],
    ['Ａｂ１ ﬁn', ['ab1', 'fin']],
    ['東京タワーへ行く', ['東', '京', 'タワー', 'へ', '行', 'く']],
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

describe('stemmedWords', () => {
  it.each([
    ['Caroline was ADOPTING; we adopted, adoptions', ['carolin', 'was', 'adopt', 'we', 'adopt', 'adopt']],
    ['marathons generously skies', ['marathon', 'generous', 'sky']],
    ['cafés adopté x2s 3rds Straßen', ['cafés', 'adopté', 'x2s', '3rds', 'straßen']],
    ['', []],
  ])('%j', (text, words) => {
    expect(stemmedWords(text)).toEqual(words);
  });

  it('leaves what is no word as it is', () => {
    expect(stemmedWords(`${'a'.repeat(61)}ing ${'a'.repeat(62)}ing`)).toEqual([
      'a'.repeat(61),
      `${'a'.repeat(62)}ing`,
    ]);
  });
});
