import { Readable } from 'node:stream';

import { readLines, type Line } from '../../src/cli/ingest/lines.ts';
import fc from '../support/property.ts';

async function read(chunks: Buffer[], maxBytes: number): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of readLines(Readable.from(chunks), maxBytes)) lines.push(line);
  return lines;
}

describe('readLines', () => {
  it('gives the same lines however the input is cut into chunks', async () => {
    const text = fc
      .array(fc.constantFrom('a', 'é', '\n', '\r\n', '𝄞'), { maxLength: 40 })
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 7 }), async (input, size) => {
        const bytes = Buffer.from(input);
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        const expected = input.split('\n');
        if (expected.at(-1) === '') expected.pop();
        const lines = await read(chunks, 1000);
        expect(lines.map(({ bytes: line }) => line?.toString())).toEqual(expected);
        expect(lines.map(({ number }) => number)).toEqual(expected.map((_, index) => index + 1));
        expect(lines.at(-1)?.readBytes ?? 0).toBe(bytes.length);
      }),
    );
  });

  it('keeps nothing of a line that is too long, and goes on behind it', async () => {
    const lines = await read([Buffer.from('abc\nabcd'), Buffer.from('efg\nxyz')], 3);
    expect(lines.map(({ bytes }) => bytes?.toString() ?? null)).toEqual(['abc', null, 'xyz']);
  });
});
