import type { Reader, Writer } from './driver.ts';
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

/** Packs that are over, removed in the transaction of newer ones at most: twice as many as come with one. */
const SWEPT = 2;

const keep = statement<{ packs: readonly Param[]; now: bigint; swept: bigint }, { kept: number }>(
  'pack.keep',
  'constraint pack_id, index pack_expiry',
  `CALL () {
     MATCH (old:Pack) USING INDEX SEEK old:Pack(expires_at) WHERE old.expires_at < $now
     WITH old LIMIT $swept
     DELETE old
   }
   UNWIND $packs AS pack
   MERGE (p:Pack {id: pack.id})
   SET p += pack
   RETURN count(*) AS kept`,
);

const byId = statement<
  { id: string; tenant: string; now: bigint },
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

  /** Keeps packs, all or none, and removes some of those that are over. May be repeated. Throws `DATABASE_UNAVAILABLE`. */
  async keep(packs: readonly StoredPack[], now: number): Promise<void> {
    await this.writer.writeRepeatable(keep, {
      packs: packs.map((pack) => ({
        ...pack,
        expires_at: int(pack.expires_at),
        deflated: bytes(pack.deflated),
      })),
      now: int(now),
      swept: int(packs.length * SWEPT),
    });
  }

  /** A pack of a tenant that is not over; null where there is none. */
  async byId(id: string, tenant: string, now: number): Promise<StoredPack | null> {
    const [row] = await (this.writer as Reader).read(byId, { id, tenant, now: int(now) });
    if (row === undefined) return null;
    const { deflated: body, ...pack } = row.pack;
    return { ...pack, deflated: new Uint8Array(body.buffer, body.byteOffset, body.length) };
  }
}
