const GROUPED = [
  // 12,500  1,234,567
  String.raw`[1-9]\d{0,2}(?:,\d{3})+`,
  // 1,25,000
  String.raw`[1-9]\d?(?:,\d{2})+,\d{3}`,
  // 12'500  12_500, and blanks that do not break
  String.raw`[1-9]\d{0,2}(?:(?:['’]\d{3})+|(?:_\d{3})+|(?:[\u00a0\u2009\u202f]\d{3})+)`,
  // 1.234.567, and 12.500 where a comma goes before its decimals
  String.raw`[1-9]\d{0,2}(?:(?:\.\d{3}){2,}|\.\d{3}(?=,\d{1,2}(?!\d)))`,
].join('|');

/** A number in groups of digits; nothing of a longer number, a word or a dotted name. */
const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}_]|[\p{N}][.,'’\u00a0\u2009\u202f])(?:${GROUPED})(?![\p{L}\p{M}\p{N}_]|[,'’.]\d{3})`,
  'gu',
);
/** Digits in groups, which most texts do not have. */
const ANY = /\d[,'’_\u00a0\u2009\u202f.]\d{2}/u;

/** A text with its numbers without separators. */
export interface PlainNumbers {
  readonly text: string;
  /** The groups of those numbers that may as well be lists, by the number: of three digits each, or of two as no thousands are. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

const NO_LISTS: ReadonlyMap<string, readonly string[]> = new Map();

/** A text with its numbers written without separators, where these cannot be anything but signs of a number or of a list: `12,500` is 12500, `12.500` alone may be twelve and a half. */
export function withPlainNumbers(text: string): PlainNumbers {
  if (!ANY.test(text)) return { text, lists: NO_LISTS };
  const lists = new Map<string, readonly string[]>();
  const plain = text.replace(NUMBER, (number) => {
    const groups = number.split(/\D/u);
    const whole = groups.join('');
    if (isListLike(groups)) lists.set(whole, groups);
    return whole;
  });
  return { text: plain, lists };
}

/** Whether groups of digits stand in a list as they do in a number: the first has three too, or those in the middle have two. */
function isListLike(groups: readonly string[]): boolean {
  return groups[0]?.length === 3 || groups.slice(1, -1).some(({ length }) => length === 2);
}
