import type { Integer } from 'neo4j-driver';

import type { ManifestAction, ManifestLine } from '../../schemas/erasure.ts';
import type { ForgetLayer } from '../../schemas/forget.ts';
import { StrataError } from '../../src/errors.ts';
import type { Writer } from '../driver.ts';
import { int, statement, type Param } from '../statement.ts';

/** Ids in one node of a manifest: some tens of kilobytes. */
const PART_IDS = 1_000;

/** Parts that are written, or discarded, together: some megabytes. */
const PARTS = 50;

/** Records of one layer, and what becomes of them. */
export interface ManifestGroup {
  readonly layer: ForgetLayer;
  readonly action: ManifestAction;
  readonly ids: readonly string[];
}

/** Where a manifest belongs, and until when it is kept (epoch milliseconds). */
export interface ManifestHead {
  /** Id of the preview or of the erasure. */
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly expires_at: number;
}

const keepParts = statement<{ parts: readonly Param[] }, { kept: number }>(
  'manifest.keep_parts',
  'constraint erasure_manifest_part',
  `UNWIND $parts AS part
   MERGE (n:ErasureManifestPart {manifest_id: part.manifest_id, number: part.number})
   SET n += part
   RETURN count(*) AS kept`,
);

const keep = statement<{ id: string; manifest: Param }, { id: string }>(
  'manifest.keep',
  'constraint erasure_manifest_id',
  `MERGE (m:ErasureManifest {id: $id})
   SET m += $manifest
   RETURN m.id AS id`,
);

// Its head goes first: what is going is found by nobody.
const discard = statement<{ id: string; limit: Integer }, { discarded: number }>(
  'manifest.discard',
  'constraints erasure_manifest_id, erasure_manifest_part',
  `CALL () {
     MATCH (m:ErasureManifest {id: $id})
     DELETE m
   }
   MATCH (n:ErasureManifestPart) USING INDEX SEEK n:ErasureManifestPart(manifest_id, number) WHERE n.manifest_id = $id AND n.number >= 0
   WITH n LIMIT $limit
   DELETE n
   RETURN count(*) AS discarded`,
);

const byId = statement<{ id: string; now: Integer }, { manifest: ManifestHead & { parts: number } }>(
  'manifest.by_id',
  'constraint erasure_manifest_id',
  `MATCH (m:ErasureManifest {id: $id}) WHERE m.expires_at > $now
   RETURN m {.id, .tenant, .scope, .expires_at, .parts} AS manifest`,
);

const part = statement<{ id: string; number: Integer }, ManifestGroup>(
  'manifest.part',
  'constraint erasure_manifest_part',
  `MATCH (n:ErasureManifestPart {manifest_id: $id, number: $number})
   RETURN n.layer AS layer, n.action AS action, n.ids AS ids`,
);

const over = statement<{ now: Integer }, { id: string }>(
  'manifest.over',
  'indexes erasure_manifest_expiry, erasure_manifest_part_expiry',
  `CALL () {
     MATCH (m:ErasureManifest) USING INDEX SEEK m:ErasureManifest(expires_at) WHERE m.expires_at <= $now
     RETURN m.id AS id LIMIT 1
     UNION
     MATCH (n:ErasureManifestPart) USING INDEX SEEK n:ErasureManifestPart(expires_at) WHERE n.expires_at <= $now
     RETURN n.manifest_id AS id LIMIT 1
   }
   RETURN id LIMIT 1`,
);

const sweep = statement<{ now: Integer; limit: Integer }, { removed: number }>(
  'manifest.sweep',
  'indexes erasure_manifest_expiry, erasure_manifest_part_expiry',
  `CALL () {
     MATCH (m:ErasureManifest) USING INDEX SEEK m:ErasureManifest(expires_at) WHERE m.expires_at <= $now
     RETURN m AS old LIMIT $limit
     UNION
     MATCH (n:ErasureManifestPart) USING INDEX SEEK n:ErasureManifestPart(expires_at) WHERE n.expires_at <= $now
     RETURN n AS old LIMIT $limit
   }
   WITH old LIMIT $limit
   DELETE old
   RETURN count(*) AS removed`,
);

/** Keeps the lists of what erasures concern: ids, and what becomes of each; in nodes of bounded size. */
export class Manifests {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** Keeps a manifest; it is there once all of it is. May be repeated. Throws `DATABASE_UNAVAILABLE`. */
  async keep(head: ManifestHead, groups: readonly ManifestGroup[]): Promise<void> {
    const { id, expires_at } = head;
    const parts = groups.flatMap(partsOf).map((one, number) => ({
      ...one,
      manifest_id: id,
      number: int(number),
      expires_at: int(expires_at),
    }));
    for (let at = 0; at < parts.length; at += PARTS)
      await this.writer.writeRepeatable(keepParts, { parts: parts.slice(at, at + PARTS) });
    const manifest = { ...head, expires_at: int(expires_at), parts: int(parts.length) };
    await this.writer.writeRepeatable(keep, { id, manifest });
  }

  /** Removes the manifest of what did not begin. Throws `DATABASE_UNAVAILABLE`. */
  async discard(id: string): Promise<void> {
    for (let discarded = PARTS; discarded === PARTS;) {
      const [row] = await this.writer.writeRepeatable(discard, { id, limit: int(PARTS) });
      discarded = row?.discarded ?? 0;
    }
  }

  /** Where a manifest belongs; null where it is over by `now` (epoch milliseconds), or never was. */
  async head(id: string, now: number): Promise<(ManifestHead & { readonly parts: number }) | null> {
    return (await this.writer.read(byId, { id, now: int(now) }))[0]?.manifest ?? null;
  }

  /** Its lines, a part at a time. */
  async *lines(id: string, parts: number): AsyncGenerator<ManifestLine[]> {
    for (let number = 0; number < parts; number += 1) {
      const [found] = await this.writer.read(part, { id, number: int(number) });
      // It was swept meanwhile: a list that ends short must not look whole.
      if (found === undefined) throw new StrataError('NOT_FOUND', 'the manifest is over');
      const { layer, action, ids } = found;
      yield ids.map((one) => ({ layer, id: one, action }));
    }
  }

  /** Removes at most `limit` nodes of manifests that are over by `now` (epoch milliseconds); answers how many. Throws `DATABASE_UNAVAILABLE`. */
  async sweep(now: number, limit: number): Promise<number> {
    if ((await this.writer.read(over, { now: int(now) })).length === 0) return 0;
    const [row] = await this.writer.writeRepeatable(sweep, { now: int(now), limit: int(limit) });
    return row?.removed ?? 0;
  }
}

function partsOf({ layer, action, ids }: ManifestGroup): ManifestGroup[] {
  return Array.from({ length: Math.ceil(ids.length / PART_IDS) }, (_, i) => ({
    layer,
    action,
    ids: ids.slice(i * PART_IDS, (i + 1) * PART_IDS),
  }));
}
