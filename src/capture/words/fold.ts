/** Letters that have no composed form, and what they are written as where a keyboard does not have them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ɖ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ĸ: 'k',
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  ƴ: 'y',
  ə: 'e',
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');

/** Two letters for one, as in German and Danish passports. */
const PAIRS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };
const PAIRED = new RegExp(`[${Object.keys(PAIRS).join('')}]`, 'gu');

/** Marks that a word may be written without: those of Latin, Greek, Cyrillic, Hebrew and Arabic letters. Elsewhere they are vowels. */
const MARKS =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640]/gu;

const ASCII = /^[\x20-\x7e]*$/u;

/**
 * The other ways in which a word in lower case is written: without its marks and with plain letters for special ones (`cafe`, `strasse`,
 * `tromso`), and with two letters for one (`muenchen`). None of them is the word itself; empty for most words.
 */
export function foldedForms(word: string): string[] {
  if (ASCII.test(word)) return [];
  const forms = new Set([plain(word), plain(word.replace(PAIRED, (letter) => PAIRS[letter] ?? letter))]);
  forms.delete(word);
  forms.delete('');
  return [...forms];
}

function plain(word: string): string {
  return word
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter);
}
