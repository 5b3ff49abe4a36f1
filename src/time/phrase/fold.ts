/** A text with case and the width of blanks taken out of it: how names of own phrases are compared. */
export function foldName(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

const REPLACED: readonly (readonly [what: RegExp, by: string])[] = [
  [/[‘’ʼ`´]/g, "'"],
  [/[‐‑‒–—−]/g, '-'],
  // Punctuation around the whole.
  [/^[\s"“”«»([{.,;:!?-]+|(?<![\s"'“”«»)\]}.,;:!?-])[\s"'“”«»)\]}.,;:!?-]+$/g, ''],
  [/(\d),(?=\d{3}\b)/g, '$1'],
  [/\.\./g, ' to '],
  [/[,;]/g, ' '],
  // Points of abbreviations, not those between digits.
  [/\.(?!\d)/g, ''],
  [/\b(year|month|week|quarter)'s\b(?! (?:eve|day))/g, '$1'],
  [/'(?!\d\d)/g, ''],
  [/\b(mid|early|late|twenty|thirty|new)-/g, '$1 '],
  [/\bmid(?=(?:week|month|year)\b)/g, 'mid '],
  [/\b(\d{4})[-/ ]?([qh][1-4])\b/g, '$2 $1'],
  [/\b([qh][1-4])[-/](?=\d{4}\b)/g, '$1 '],
  [/(?<!\s)\s+/g, ' '],
];

/** A phrase as the rules read it: lower case, one kind of apostrophe and dash, single blanks, without the punctuation that says nothing. */
export function foldPhrase(text: string): string {
  return REPLACED.reduce((folded, [what, by]) => folded.replace(what, by), foldName(text)).trim();
}
