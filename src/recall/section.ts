/** What is said where memory holds nothing. */
export const NOTHING_KNOWN = 'Nothing is known of this in memory.';

/** What is said where memory holds something, and no model may be shown it. */
export const NOTHING_SHOWN = 'What memory holds of this may not be shown to a model here.';

const HEADING = /^#{1,6}[ \t]+(.*)$/u;

/**
 * A document of exactly the sections of an outline, in its order. Text is sorted under the heading that stands above it; what stands
 * above all of them goes to the first. A section without text says what stands for nothing (`empty`). Without an outline the document is left as it is.
 */
export function inSections(document: string, outline: readonly string[], empty = NOTHING_KNOWN): string {
  if (outline.length === 0) return document.trim() === '' ? empty : document;
  const bodies = new Map(outline.map((heading) => [nameOf(heading), [] as string[]]));
  let body = bodies.get(nameOf(outline[0] ?? '')) ?? [];
  for (const line of document.split('\n')) {
    const [, heading] = HEADING.exec(line) ?? [];
    const named = heading === undefined ? undefined : bodies.get(nameOf(heading));
    if (named === undefined) body.push(line);
    else body = named;
  }
  return outline
    .map((heading) => {
      const text = (bodies.get(nameOf(heading)) ?? []).join('\n').trim();
      return `## ${heading}\n\n${text === '' ? empty : text}`;
    })
    .join('\n\n');
}

/** A heading without what models put around it. */
function nameOf(heading: string): string {
  return heading
    .replace(/\[S?\d+\]|[*_#:]/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
    .toLowerCase();
}
