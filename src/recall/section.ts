/** What is said where memory holds nothing. */
export const NOTHING_KNOWN = 'Nothing is known of this in memory.';

/** What is said where memory holds something, and none of it fits the budget. */
export const NOTHING_FITS = 'What memory holds of this does not fit the budget of tokens.';
/** What is said where memory holds something, and no model may be shown it. */
export const NOTHING_SHOWN = 'What memory holds of this may not be shown to a model here.';

const HEADING = /^#{1,6}[ \t](.*)$/u;
/** What code stands between; a heading in it is a comment. */
const FENCE = /^ {0,3}(?:`{3}|~{3})/u;

/** A part of a document; without a heading where the document has no outline. */
export interface Section {
  readonly heading: string | null;
  readonly text: string;
}

/**
 * The text of a document by the sections of an outline, in its order. Text is sorted under the heading that stands above it; what stands
 * above all of them goes to the first. Without an outline it is one section.
 */
export function sectionsOf(document: string, outline: readonly string[]): Section[] {
  if (outline.length === 0) return [{ heading: null, text: document }];
  const bodies = outline.map((): string[] => []);
  let at = 0;
  let inCode = false;
  for (const line of document.split('\n')) {
    if (FENCE.test(line)) inCode = !inCode;
    const [, heading] = inCode ? [] : (HEADING.exec(line) ?? []);
    const named = heading === undefined ? -1 : placeOf(heading, outline);
    if (named < 0) bodies[at]?.push(line);
    else at = named;
  }
  return outline.map((heading, i) => ({ heading, text: (bodies[i] ?? []).join('\n').trim() }));
}

/** Sections as a document. One without text says what stands for nothing (`empty`). */
export function documentOf(sections: readonly Section[], empty = NOTHING_KNOWN): string {
  return sections
    .map(({ heading, text }) => {
      const said = text.trim() === '' ? empty : text;
      return heading === null ? said : `## ${heading}\n\n${said.trim()}`;
    })
    .join('\n\n');
}

/** How a heading is compared: as it is written, without emphasis and markers, without any sign that models add. */
const NAMES: readonly ((heading: string) => string)[] = [
  plain,
  (heading) => plain(heading.replace(/\[S?\d+\]|[*_]|:\s*$/gu, '')),
  (heading) => plain(heading.replace(/\[S?\d+\]|[*_#:]/gu, '')),
];

/** Which heading of the outline is meant; -1 for none, or where several may be. */
function placeOf(heading: string, outline: readonly string[]): number {
  for (const nameOf of NAMES) {
    const name = nameOf(heading);
    const found = outline.flatMap((one, i) => (nameOf(one) === name ? [i] : []));
    if (name !== '' && found.length === 1) return found[0] ?? -1;
  }
  return -1;
}

function plain(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().toLowerCase();
}
