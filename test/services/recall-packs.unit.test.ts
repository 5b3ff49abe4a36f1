import { inflateRawSync } from 'node:zlib';

import type { StoredPack } from '../../graph/pack.ts';
import type { RecallPack } from '../../schemas/recall.ts';
import {
  RecallPacks,
  MAX_WAITING_PACK_BYTES,
  PACK_BATCH_BYTES,
  MAX_PACK_BYTES,
} from '../../src/services/recall-packs.ts';
import { OPERATOR } from '../support/principals.ts';

const call = { principal: OPERATOR, requestId: 'req_1', signal: new AbortController().signal };
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A store that writes nothing until it is told to, and what it was handed then. */
class SlowStore {
  readonly batches: (readonly StoredPack[])[] = [];
  go: () => void = () => undefined;
  private readonly gone = new Promise<void>((resolve) => (this.go = resolve));

  async keep(packs: readonly StoredPack[]): Promise<void> {
    await this.gone;
    this.batches.push(packs);
  }

  byId(): Promise<StoredPack | null> {
    return Promise.resolve(null);
  }
}

const packOf = (id: string, bytes: number): RecallPack =>
  ({ pack_id: id, context_block: 'x'.repeat(bytes) }) as RecallPack;

function started(): { packs: RecallPacks; store: SlowStore } {
  const store = new SlowStore();
  return { store, packs: new RecallPacks({ store, log, clock: { now: () => 0 } }) };
}

describe('keeping packs', () => {
  it('finds a pack at once, as it was, and for whom it is', async () => {
    const { packs, store } = started();
    const pack = packOf('pack_1', 5);
    packs.keep(call, 'user:a', pack);
    expect(await packs.find(call, 'pack_1', 'user:a')).toEqual({ pack, recalled_at: 0 });
    expect(await packs.find(call, 'pack_1', 'user:b')).toBeNull();
    const other = { ...call, principal: { ...OPERATOR, actor: 'user:else' } };
    expect(await packs.find(other, 'pack_1', 'user:a')).toBeNull();
    store.go();
    await packs.stop();
    expect(store.batches.flat().map(({ id }) => id)).toEqual(['pack_1']);
    const [stored] = store.batches.flat();
    expect(JSON.parse(inflateRawSync(stored!.deflated).toString())).toEqual(pack);
  });

  it('holds no more bytes than it may, and writes them in small transactions', async () => {
    const { packs, store } = started();
    const bytes = 1024 * 1024;
    const many = MAX_WAITING_PACK_BYTES / bytes + 20;
    for (let i = 0; i < many; i += 1) packs.keep(call, 'user:a', packOf(`pack_${i}`, bytes));
    packs.keep(call, 'user:a', packOf('pack_large', MAX_PACK_BYTES));
    const stopped = packs.stop();
    store.go();
    await stopped;
    const written = store.batches.flat().map(({ id }) => id);
    expect(written).toEqual(Array.from({ length: written.length }, (_, i) => `pack_${i}`));
    expect(written.length).toBe(MAX_WAITING_PACK_BYTES / bytes - 1);
    for (const batch of store.batches)
      expect(
        batch.reduce((sum, { deflated }) => sum + inflateRawSync(deflated).length, 0),
      ).toBeLessThanOrEqual(PACK_BATCH_BYTES);
  });
});
