/** Plurals without an s at their end. */
const IRREGULAR = new Set(['children', 'people', 'men', 'women', 'feet', 'teeth', 'mice', 'criteria']);

/** What ends in s like a plural and is one thing at once. */
const SINGULAR = new Set([
  ...['address', 'alias', 'atlas', 'bias', 'canvas', 'christmas', 'gas', 'lens', 'pancreas', 'texas'],
  ...['dns', 'gps', 'https', 'ios', 'kubernetes', 'macos', 'os', 'sms', 'tls'],
  ...['earnings', 'headquarters', 'hours', 'means', 'savings', 'whereabouts'],
  ...['chaos', 'diabetes', 'economics', 'mathematics', 'news', 'physics', 'politics', 'series', 'species'],
]);

/** Whether the last word of a name is a plural, by its form: what ends in `ss`, `us` or `is` is none. */
export function isPlural(name: string): boolean {
  const word = name.slice(name.lastIndexOf('_') + 1);
  if (IRREGULAR.has(word)) return true;
  return word.length > 1 && word.endsWith('s') && !SINGULAR.has(word) && !/[siu]s$/.test(word);
}

/** The plural of a noun as most have it: `skills`, `subsidiaries`, `aliases`. */
export function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}
