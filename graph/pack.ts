import type { Integer } from 'neo4j-driver';

import type { Writer } from './driver.ts';
import { bytes, int, statement, type Param } from './statement.ts';

/** What a recall brought, as it is kept for a while. */
export interface StoredPack {
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  /** Who asked for it: nobody else may use it. */
  readonly actor: string;
  /** Epoch milliseconds. */
  readonly expires_at: number;
  /** The pack as JSON, deflated. */
  readonly deflated: Uint8Array;
}

const keep = statement<{ packs: readonly Param[] }, { kept: number }>(
  'pack.keep',
  'constraint pack_id',
  `UNWIND $packs AS pack
   MERGE (p:Pack {id: pack.id})
   SET p += pack
   RETURN count(*) AS kept`,
);

const over = statement<{ now: Integer }, { id: string }>(
  'pack.over',
  'index pack_expiry',
  `MATCH (old:Pack) USING INDEX SEEK old:Pack(expires_at) WHERE old.expires_at <= $now
   RETURN old.id AS id LIMIT 1`,
);

const sweep = statement<{ now: Integer; limit: Integer }, { removed: number }>(
  'pack.sweep',
  'index pack_expiry',
  `MATCH (old:Pack) USING INDEX SEEK old:Pack(expires_at) WHERE old.expires_at <= $now
   WITH old LIMIT $limit
   DELETE old
   RETURN count(*) AS removed`,
);

const byId = statement<
  { id: string; tenant: string; now: Integer },
  { pack: Omit<StoredPack, 'deflated'> & { readonly deflated: Int8Array } }
>(
  'pack.by_id',
  'constraint pack_id',
  `MATCH (p:Pack {id: $id}) WHERE p.tenant = $tenant AND p.expires_at > $now AND p.deflated IS NOT NULL
   RETURN p {.id, .tenant, .scope, .actor, .expires_at, .deflated} AS pack`,
);

/** Keeps what recalls brought, for every process. */
export class PackStore {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** Keeps packs, all or none. May be repeated. Throws `DATABASE_UNAVAILABLE`. */
  async keep(packs: readonly StoredPack[]): Promise<void> {
    await this.writer.writeRepeatable(keep, {
      packs: packs.map((pack) => ({
        ...pack,
        expires_at: int(pack.expires_at),
        deflated: bytes(pack.deflated),
      })),
    });
  }

  /**
   * Removes at most `limit` packs that are over by `now` (epoch milliseconds), and answers how many. Where none is, nothing is written:
   * an empty write succeeds on a full disk too, and would pass for a database that takes writes. Throws `DATABASE_UNAVAILABLE`.
   */
  async sweep(now: number, limit: number): Promise<number> {
    if ((await this.writer.read(over, { now: int(now) })).length === 0) return 0;
    const [row] = await this.writer.writeRepeatable(sweep, { now: int(now), limit: int(limit) });
    return row?.removed ?? 0;
  }

  /** A pack of a tenant that is not over; null where there is none. */
  async byId(id: string, tenant: string, now: number): Promise<StoredPack | null> {
    const [row] = await this.writer.read(byId, { id, tenant, now: int(now) });
    if (row === undefined) return null;
    const { deflated: body, ...pack } = row.pack;
    return { ...pack, deflated: new Uint8Array(body.buffer, body.byteOffset, body.length) };
  }
}
