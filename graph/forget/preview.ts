import type { Integer } from 'neo4j-driver';

import { FORGET_LAYERS, type Cascade, type ForgetLayer } from '../../schemas/forget.ts';
import { byLayer, type ByLayer } from '../../src/forget/layers.ts';
import { FORGET_PREVIEW_PART_IDS } from '../../src/limits/forget.ts';
import type { Writer } from '../driver.ts';
import { int, statement, type Param } from '../statement.ts';

/** What a preview showed, as it is kept until it is over. */
export interface StoredPreview {
  /** `fpvw_` or, of an erasure, `ervw_`, and 32 hex digits. */
  readonly id: string;
  readonly tenant: string;
  /** Path and reference of the scope. */
  readonly scope: string;
  readonly scope_ref: string;
  /** Who asked for it: nobody else may use it. */
  readonly actor: string;
  /** What may be executed by it. */
  readonly operation: 'forget' | 'erasure';
  /** What was asked for, as JSON text. */
  readonly asked: string;
  readonly cascade: Cascade;
  /** Newest offset of the log then: what is selected lies before it. */
  readonly head: number;
  /** Of what forgetting came to then; see `digestOf`. */
  readonly digest: string;
  /** Epoch milliseconds. */
  readonly expires_at: number;
  /** The records that were selected. */
  readonly selected: ByLayer<readonly string[]>;
}

/** Of which preview it has to be; of another one it looks as if there were none. */
export type PreviewOwner = Pick<StoredPreview, 'tenant' | 'scope_ref' | 'actor' | 'operation'>;

/** Parts of one preview that are written or read together: some megabytes. */
const PARTS = 50;

const keepParts = statement<{ parts: readonly Param[] }, { kept: number }>(
  'forget_preview.keep_parts',
  'constraint forget_preview_part',
  `UNWIND $parts AS part
   MERGE (n:ForgetPreviewPart {preview_id: part.preview_id, number: part.number})
   SET n += part
   RETURN count(*) AS kept`,
);

const keep = statement<{ preview: Param }, { id: string }>(
  'forget_preview.keep',
  'constraint forget_preview_id',
  `MERGE (p:ForgetPreview {id: $preview.id})
   SET p += $preview
   RETURN p.id AS id`,
);

type Head = Omit<StoredPreview, 'selected'> & { readonly parts: number };

interface LoadParams {
  readonly [name: string]: Param;
  readonly id: string;
  readonly tenant: string;
  readonly scope_ref: string;
  readonly actor: string;
  readonly operation: string;
  readonly now: Integer;
}

const load = statement<LoadParams, { preview: Head }>(
  'forget_preview.by_id',
  'constraint forget_preview_id',
  `MATCH (p:ForgetPreview {id: $id})
   WHERE p.tenant = $tenant AND p.scope_ref = $scope_ref AND p.actor = $actor AND p.operation = $operation AND p.expires_at > $now
   RETURN p {.id, .tenant, .scope, .scope_ref, .actor, .operation, .asked, .cascade, .head, .digest, .expires_at, .parts} AS preview`,
);

const loadParts = statement<
  { id: string; numbers: readonly Integer[] },
  { layer: ForgetLayer; ids: readonly string[] }
>(
  'forget_preview.parts',
  'constraint forget_preview_part',
  `UNWIND $numbers AS number
   MATCH (n:ForgetPreviewPart {preview_id: $id, number: number})
   RETURN n.layer AS layer, n.ids AS ids`,
);

const over = statement<{ now: Integer }, { id: string }>(
  'forget_preview.over',
  'indexes forget_preview_expiry, forget_preview_part_expiry',
  `CALL () {
     MATCH (p:ForgetPreview) USING INDEX SEEK p:ForgetPreview(expires_at) WHERE p.expires_at <= $now
     RETURN p.id AS id LIMIT 1
     UNION
     MATCH (n:ForgetPreviewPart) USING INDEX SEEK n:ForgetPreviewPart(expires_at) WHERE n.expires_at <= $now
     RETURN n.preview_id AS id LIMIT 1
   }
   RETURN id LIMIT 1`,
);

const sweep = statement<{ now: Integer; limit: Integer }, { removed: number }>(
  'forget_preview.sweep',
  'indexes forget_preview_expiry, forget_preview_part_expiry',
  `CALL () {
     MATCH (p:ForgetPreview) USING INDEX SEEK p:ForgetPreview(expires_at) WHERE p.expires_at <= $now
     RETURN p AS old LIMIT $limit
     UNION
     MATCH (n:ForgetPreviewPart) USING INDEX SEEK n:ForgetPreviewPart(expires_at) WHERE n.expires_at <= $now
     RETURN n AS old LIMIT $limit
   }
   WITH old LIMIT $limit
   DELETE old
   RETURN count(*) AS removed`,
);

/** Keeps what previews of forgetting showed, for every process, across restarts; in nodes of bounded size. */
export class ForgetPreviews {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** Keeps a preview; it is there once all of it is. May be repeated. Throws `DATABASE_UNAVAILABLE`. */
  async keep({ selected, ...preview }: StoredPreview): Promise<void> {
    const { id: preview_id, expires_at } = preview;
    const parts = partsOf(selected).map((part, number) => ({
      ...part,
      preview_id,
      number: int(number),
      expires_at: int(expires_at),
    }));
    for (let at = 0; at < parts.length; at += PARTS)
      await this.writer.writeRepeatable(keepParts, { parts: parts.slice(at, at + PARTS) });
    const head = {
      ...preview,
      head: int(preview.head),
      expires_at: int(expires_at),
      parts: int(parts.length),
    };
    await this.writer.writeRepeatable(keep, { preview: head });
  }

  /** The preview of an id that is not over by `now` (epoch milliseconds); null where it is not there, or is another owner's. */
  async load(id: string, owner: PreviewOwner, now: number): Promise<StoredPreview | null> {
    const { tenant, scope_ref, actor, operation } = owner;
    const params = { id, tenant, scope_ref, actor, operation, now: int(now) };
    const [row] = await this.writer.read(load, params);
    if (row === undefined) return null;
    const { parts, ...preview } = row.preview;
    const ids = new Map<ForgetLayer, string[]>(FORGET_LAYERS.map((layer) => [layer, []]));
    for (let at = 0; at < parts; at += PARTS) {
      const numbers = Array.from({ length: Math.min(PARTS, parts - at) }, (_, i) => int(at + i));
      const found = await this.writer.read(loadParts, { id, numbers });
      // It was swept meanwhile.
      if (found.length < numbers.length) return null;
      for (const part of found) for (const one of part.ids) ids.get(part.layer)?.push(one);
    }
    return { ...preview, selected: byLayer((layer) => ids.get(layer) ?? []) };
  }

  /**
   * Removes at most `limit` nodes of previews that are over by `now` (epoch milliseconds), and answers how many. Where none is, nothing is
   * written: an empty write succeeds on a full disk too, and would pass for a database that takes writes. Throws `DATABASE_UNAVAILABLE`.
   */
  async sweep(now: number, limit: number): Promise<number> {
    if ((await this.writer.read(over, { now: int(now) })).length === 0) return 0;
    const [row] = await this.writer.writeRepeatable(sweep, { now: int(now), limit: int(limit) });
    return row?.removed ?? 0;
  }
}

function partsOf(selected: ByLayer<readonly string[]>): { layer: ForgetLayer; ids: readonly string[] }[] {
  return FORGET_LAYERS.flatMap((layer) => {
    const ids = selected[layer];
    const count = Math.ceil(ids.length / FORGET_PREVIEW_PART_IDS);
    return Array.from({ length: count }, (_, i) => ({
      layer,
      ids: ids.slice(i * FORGET_PREVIEW_PART_IDS, (i + 1) * FORGET_PREVIEW_PART_IDS),
    }));
  });
}
