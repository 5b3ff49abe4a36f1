import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';

import type { PackStore, StoredPack } from '../../graph/pack.ts';
import type { RecallPack } from '../../schemas/recall.ts';
import type { Clock } from '../clock.ts';
import { errorText } from '../errors.ts';
import { PACK_TTL_MS } from '../limits/recall.ts';
import type { Log } from '../log.ts';
import type { Call } from './access.ts';

/** Bytes of packs that wait to be written. Beyond it they are answered, and not kept: a slow database must not fill memory. */
export const MAX_WAITING_PACK_BYTES = 64 * 1024 * 1024;

/** Bytes of the JSON of packs that are written in one transaction, one of them at least: a small part of what a server grants one. */
export const PACK_BATCH_BYTES = 4 * 1024 * 1024;

/** Bytes of the JSON of a pack that is kept: a larger one is answered, and not kept. */
export const MAX_PACK_BYTES = 8 * 1024 * 1024;

/** What the keeping of packs needs. */
export interface RecallPacksParts {
  readonly store: Pick<PackStore, 'keep' | 'byId'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A pack that is found again. */
export interface KeptPack {
  readonly pack: RecallPack;
  /** When it was recalled, epoch milliseconds. */
  readonly recalled_at: number;
}

/** A pack whose answer is leaving, and which is no text yet. */
type NewPack = Omit<StoredPack, 'deflated'> & { readonly pack: RecallPack };

/** A pack that waits to be written, with the bytes of its text. */
type WaitingPack = Omit<StoredPack, 'deflated'> & { readonly body: string; readonly bytes: number };

/** A pack is a tenth then, which is read at most once: better ratios cost more than they save. */
const FAST = { level: 1 };
const [deflated, inflated] = [promisify(deflateRaw), promisify(inflateRaw)];

/**
 * Keeps what recalls brought for a minute, for every process. They are written behind the answers, those that come while some are
 * being written together with the next, in transactions of a few megabytes; this process finds its own at once.
 */
export class RecallPacks {
  private readonly parts: RecallPacksParts;
  private readonly fresh = new Map<string, NewPack>();
  private readonly waiting = new Map<string, WaitingPack>();
  private waitingBytes = 0;
  private writing: Promise<void> | null = null;

  constructor(parts: RecallPacksParts) {
    this.parts = parts;
  }

  /** Keeps a pack from now on, without the entities that names of the query stand for: nothing looks again whether they are to be told. */
  keep({ principal }: Call, scope: string, { ambiguous_entity: _told, ...pack }: RecallPack): void {
    const { tenant, actor } = principal;
    const id = pack.pack_id;
    const expires_at = this.parts.clock.now() + PACK_TTL_MS;
    this.fresh.set(id, { id, tenant, scope, actor, expires_at, pack });
    // The answer leaves first: to make a text of a pack once more takes as long as the answer itself.
    setImmediate(() => {
      this.take(id);
    });
  }

  /** A pack that this caller recalled from this scope, as it was; null where there is none any more. */
  async find({ principal }: Call, id: string, scope: string): Promise<KeptPack | null> {
    const now = this.parts.clock.now();
    const { tenant, actor } = principal;
    this.take(id);
    const pack = this.waiting.get(id) ?? (await this.parts.store.byId(id, tenant, now));
    if (pack === null || pack.expires_at <= now) return null;
    if (pack.tenant !== tenant || pack.actor !== actor || pack.scope !== scope) return null;
    const body = 'body' in pack ? pack.body : (await inflated(pack.deflated)).toString();
    return { pack: JSON.parse(body) as RecallPack, recalled_at: pack.expires_at - PACK_TTL_MS };
  }

  /** Resolves when nothing waits to be written. */
  async stop(): Promise<void> {
    for (const id of [...this.fresh.keys()]) this.take(id);
    await this.writing;
  }

  /** Makes a text of a pack, where that was not done yet, and has it written. */
  private take(id: string): void {
    const taken = this.fresh.get(id);
    if (taken === undefined) return;
    this.fresh.delete(id);
    const { pack, ...stored } = taken;
    const body = JSON.stringify(pack);
    const bytes = Buffer.byteLength(body);
    // A database that is slow must not fill memory: what then finds no place has to be recalled again.
    if (bytes > MAX_PACK_BYTES || this.waitingBytes + bytes > MAX_WAITING_PACK_BYTES) return;
    this.waiting.set(id, { ...stored, body, bytes });
    this.waitingBytes += bytes;
    this.writing ??= this.write();
  }

  private async write(): Promise<void> {
    while (this.waiting.size > 0) {
      const batch = this.batch();
      try {
        await this.parts.store.keep(
          await Promise.all(
            batch.map(async ({ bytes: _, body, ...pack }) => ({
              ...pack,
              deflated: await deflated(body, FAST),
            })),
          ),
        );
      } catch (error) {
        this.parts.log.warn('packs were not kept', { packs: batch.length, error: errorText(error) });
      }
      for (const { id, bytes } of batch) {
        this.waiting.delete(id);
        this.waitingBytes -= bytes;
      }
    }
    this.writing = null;
  }

  /** The packs that are written next, the oldest first: one at least. */
  private batch(): WaitingPack[] {
    let sum = 0;
    const all = [...this.waiting.values()];
    const end = all.findIndex(({ bytes }, i) => (sum += bytes) > PACK_BATCH_BYTES && i > 0);
    return end < 0 ? all : all.slice(0, end);
  }
}
