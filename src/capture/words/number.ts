const GROUPED = [
  // 12,500  1,234,567  1,25,000
  String.raw`[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}`,
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

/** A text with its numbers written without separators, where these cannot be anything else: `12,500` is 12500, `12.500` alone may be twelve and a half. */
export function withPlainNumbers(text: string): string {
  return /\d\D\d{3}/u.test(text) ? text.replace(NUMBER, (number) => number.replace(/\D/gu, '')) : text;
}
