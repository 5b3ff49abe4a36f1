/** One line of the input. */
export interface Line {
  /** Counted from 1, blank lines included. */
  readonly number: number;
  /** Without its line break; null when it is longer than allowed. */
  readonly bytes: Buffer | null;
  /** Bytes of the input up to the end of this line. */
  readonly readBytes: number;
}

const LINE_FEED = 0x0a;

/**
 * The lines of a stream, one at a time. Holds at most one line: of one longer than `maxBytes` nothing is kept but that
 * it was there.
 */
export async function* readLines(stream: AsyncIterable<unknown>, maxBytes: number): AsyncGenerator<Line> {
  let kept: Buffer[] = [];
  let length = 0;
  let number = 0;
  let readBytes = 0;
  const keep = (part: Buffer): void => {
    length += part.length;
    readBytes += part.length;
    if (length <= maxBytes) kept.push(part);
    else kept = [];
  };
  const finish = (): Line => {
    number += 1;
    const bytes = length <= maxBytes ? Buffer.concat(kept, length) : null;
    kept = [];
    length = 0;
    return { number, bytes, readBytes };
  };
  for await (const chunk of stream) {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer);
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      keep(rest.subarray(0, end));
      readBytes += 1;
      yield finish();
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) keep(rest);
  }
  if (length > 0) yield finish();
}
