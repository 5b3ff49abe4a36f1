/** Characters that XML 1.0 cannot hold, and that no reader shows: controls but tab and line ends, and two that are none. */
// oxlint-disable-next-line no-control-regex -- control characters are what is taken out
const UNWRITABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/gu;

/** A text that every format can hold: what is no character, or a control one, is shown as U+FFFD. */
export function writable(text: string): string {
  return text.toWellFormed().replace(UNWRITABLE, '\uFFFD');
}

const XML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** A text as the value of an attribute, or as what stands between tags, of XML. */
export function xmlText(text: string): string {
  return writable(text).replace(/[&<>"\t\n\r]/gu, (found) => XML_ESCAPES[found] ?? found);
}

/** Characters of a block, about: what is smaller waits for more, so that a connection gets no crumbs. */
const BLOCK_CHARS = 32_768;

/** The pieces of a text gathered to blocks. */
export async function* inBlocks(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let block: string[] = [];
  let chars = 0;
  for await (const piece of pieces) {
    block.push(piece);
    chars += piece.length;
    if (chars < BLOCK_CHARS) continue;
    yield block.join('');
    block = [];
    chars = 0;
  }
  if (chars > 0) yield block.join('');
}

/** Items written one after the other with something between any two of them, however they come. */
export async function* separated<T>(
  batches: AsyncIterable<readonly T[]>,
  separator: string,
  textOf: (item: T) => string,
): AsyncGenerator<string> {
  let first = true;
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield (first ? '' : separator) + batch.map(textOf).join(separator);
    first = false;
  }
}
