import { ByteBlocks } from '../../rest/byte-blocks.ts';
import { BODY_BLOCK_BYTES } from '../../src/limits/bodies.ts';
import fc from '../support/property.ts';

const PIECES = fc.array(
  fc.oneof(
    fc.uint8Array({ maxLength: 3 }),
    fc.uint8Array({ maxLength: 3000 }),
    fc.integer({ min: 1, max: 3 * BODY_BLOCK_BYTES }).map((length) => new Uint8Array(length).fill(length)),
  ),
  { maxLength: 40 },
);

describe('bytes that come in pieces', () => {
  it('are gathered as they came, each handed on once, in no more than twice their memory', () => {
    fc.assert(
      fc.property(PIECES, (pieces) => {
        let held = 0;
        const handed: Buffer[] = [];
        const blocks = new ByteBlocks(
          (bytes) => (held += bytes),
          (bytes) => handed.push(Buffer.from(bytes)),
        );
        let came = 0;
        for (const piece of pieces) {
          blocks.add(piece);
          came += piece.length;
          expect(blocks.heldBytes).toBe(held);
          expect(held).toBeGreaterThanOrEqual(came);
          expect(held).toBeLessThan(came + Math.min(came, BODY_BLOCK_BYTES) + 1);
        }
        const all = Buffer.concat(pieces);
        expect(blocks.take().equals(all)).toBe(true);
        expect(Buffer.concat(handed).equals(all)).toBe(true);
        expect(blocks.heldBytes).toBe(0);
      }),
    );
  });

  it('are held in few blocks, however short the pieces are', () => {
    let blocks = 0;
    const gathered = new ByteBlocks(() => (blocks += 1));
    for (let i = 0; i < 10 * BODY_BLOCK_BYTES; i += 1) gathered.add(Buffer.of(i % 256));
    expect(blocks).toBeLessThan(30);
  });

  it('take no memory that is refused', () => {
    const blocks = new ByteBlocks((bytes) => {
      if (bytes > 2) throw new Error('no room');
    });
    for (const byte of [1, 2, 3, 4]) blocks.add(Buffer.of(byte));
    expect(() => {
      blocks.add(Buffer.of(5));
    }).toThrow('no room');
    expect(blocks.heldBytes).toBe(4);
  });
});
