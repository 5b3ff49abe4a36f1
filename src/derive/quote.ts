const ELLIPSIS = '…';
/** Code units that are looked at for each character that is wanted: room for characters of many, and for runs of blanks. */
const UNITS_PER_CHARACTER = 8;
/** Texts of which every code unit is a character. */
const PLAIN = /^[\x20-\x7e]*$/;
const CHARACTERS = new Intl.Segmenter('und');

/**
 * The beginning of a text on one line, at most `length` characters as a reader counts them: cut behind a word where there is one to
 * cut behind, and then marked with an ellipsis.
 */
export function quoteOf(text: string, length: number): string {
  const whole = text.trim();
  const head = whole.slice(0, UNITS_PER_CHARACTER * length);
  const line = head.replace(/\s+/gu, ' ');
  const characters = PLAIN.test(line)
    ? Array.from(line)
    : [...CHARACTERS.segment(line)].map(({ segment }) => segment);
  // The last character of what was sliced may be half of one.
  if (head.length < whole.length) characters.pop();
  if (head.length === whole.length && characters.length <= length) return line;
  const kept = characters.slice(0, length - ELLIPSIS.length);
  const cut = kept.join('');
  const space = cut.lastIndexOf(' ');
  const behindWord = characters[kept.length] === ' ' || space <= 0;
  return `${(behindWord ? cut : cut.slice(0, space)).trimEnd()}${ELLIPSIS}`;
}
