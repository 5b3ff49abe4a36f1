import type { Integer } from 'neo4j-driver';

import type { Envelope } from '../../schemas/envelope.ts';
import { blobReferences } from '../../src/capture/blob-refs.ts';
import { commitmentTo } from '../../src/erasure/commitment.ts';
import type { Reader, Transaction } from '../driver.ts';
import { eventParts } from '../event-parts.ts';
import { int, statement, type Params } from '../statement.ts';

/** What is removed with events, by store. */
export const ERASED_STORES = ['passages', 'keys', 'blob_uses', 'answers', 'frames', 'statements'] as const;
export type ErasedStores = Readonly<Record<(typeof ERASED_STORES)[number], number>>;

interface FoundEvent extends ErasedStores {
  readonly id: string;
  readonly offset: number;
  readonly bytes: number;
}

const found = statement<{ ids: readonly string[]; ref: string }, FoundEvent>(
  'erasure.found',
  'constraints event_id, passage_event, idempotency_key, extraction_event; indexes blob_use_event, lifecycle_event, statement_event',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id}) WHERE e.scope_ref = $ref
   RETURN e.id AS id, e.wal_offset AS offset, e.bytes AS bytes,
     COUNT { MATCH (:Passage {event_id: e.id}) } AS passages,
     COUNT { MATCH (k:IdempotencyKey {scope_ref: e.scope_ref, key: e.idempotency_key}) WHERE k.event_id = e.id } AS keys,
     COUNT { MATCH (u:BlobUse) USING INDEX SEEK u:BlobUse(event_id) WHERE u.event_id = e.id } AS blob_uses,
     COUNT { MATCH (:Extraction {event_id: e.id}) } AS answers,
     COUNT { MATCH (f:LifecycleEvent) USING INDEX SEEK f:LifecycleEvent(event_id) WHERE f.event_id = e.id } AS frames,
     COUNT { MATCH (s:Statement) USING INDEX SEEK s:Statement(event_id) WHERE s.event_id = e.id } AS statements`,
);

const contents = statement<{ ids: readonly string[] }, { id: string; envelope: string }>(
  'erasure.contents',
  'constraint event_id',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id})
   RETURN e.id AS id, e.envelope AS envelope`,
);

interface KeepParams extends Params {
  id: string;
  number: Integer;
  ids: readonly string[];
  offsets: readonly Integer[];
  commitments: readonly string[];
  stores: readonly Integer[];
}

const keep = statement<KeepParams, { number: number }>(
  'erasure.keep_part',
  'constraint erased_part',
  `CREATE (p:ErasedPart {erasure_id: $id, number: $number})
   SET p.ids = $ids, p.offsets = $offsets, p.commitments = $commitments, p.stores = $stores
   RETURN p.number AS number`,
);

interface Part {
  readonly number: number;
  readonly ids: readonly string[];
  readonly offsets: readonly number[];
  readonly commitments: readonly string[];
  readonly stores: readonly number[];
}

const nextPart = statement<{ id: string; after: Integer }, Part>(
  'erasure.next_part',
  'constraint erased_part, walked in order',
  `MATCH (p:ErasedPart) USING INDEX SEEK p:ErasedPart(erasure_id, number) WHERE p.erasure_id = $id AND p.number > $after
   WITH p ORDER BY p.erasure_id, p.number LIMIT 1
   RETURN p.number AS number, coalesce(p.ids, []) AS ids, p.offsets AS offsets, p.commitments AS commitments, p.stores AS stores`,
);

// Behind the redaction, which holds the counter of the log: whoever uploads or captures waits.
const letGo = statement<{ blobs: readonly string[]; tenant: string; now: Integer }, { gone: number }>(
  'erasure.let_blobs_go',
  'constraints blob_id, blob_body_id; index blob_use_blob',
  `UNWIND $blobs AS id
   MATCH (b:Blob {id: id}) WHERE b.tenant = $tenant AND NOT EXISTS { MATCH (u:BlobUse) USING INDEX SEEK u:BlobUse(blob_id) WHERE u.blob_id = b.id }
   MATCH (body:BlobBody {id: b.body_id})
   SET body.remove_at = $now
   DELETE b
   RETURN count(*) AS gone`,
);

/** What a step is about to erase. */
export interface NotedStep {
  /** How many events there are. */
  readonly events: number;
  /** The blobs that their envelopes name, whether or not they were cancelled or replaced before. */
  readonly blobs: readonly string[];
}

/**
 * Removes those of some blobs of a tenant that no live event refers to any more, though whoever uploaded them still holds them; within the
 * transaction that redacted the events, behind that.
 */
export async function removeBlobsWithin(
  transaction: Transaction,
  {
    blobs,
    tenant,
    now,
  }: { readonly blobs: readonly string[]; readonly tenant: string; readonly now: number },
): Promise<void> {
  if (blobs.length > 0) await transaction.run(letGo, { blobs, tenant, now: int(now) });
}

/** Events that one step of an erasure has erased. */
export interface ErasedPart {
  readonly number: number;
  /** Empty once the erasure is over. */
  readonly ids: readonly string[];
  /** Their places in the log. */
  readonly offsets: readonly number[];
  /** Commitments to what they held, in the same order. */
  readonly commitments: readonly string[];
  readonly stores: ErasedStores;
}

/**
 * Notes what a step of an erasure is about to redact, within its transaction, before it does: which events, a commitment to what each holds,
 * and how much lies elsewhere for them.
 */
export async function noteErasedWithin(
  transaction: Transaction,
  step: { readonly erasure_id: string; readonly number: number; readonly ref: string },
  ids: readonly string[],
): Promise<NotedStep> {
  const events = await transaction.run(found, { ids, ref: step.ref });
  events.sort((a, b) => a.offset - b.offset);
  if (events.length === 0) return { events: 0, blobs: [] };
  const commitments = new Map<string, string>();
  const blobs = new Set<string>();
  for (const part of eventParts(events))
    for (const { id, envelope } of await transaction.run(contents, { ids: part })) {
      commitments.set(id, commitmentTo(envelope));
      for (const blob of blobsNamed(envelope)) blobs.add(blob);
    }
  await transaction.run(keep, {
    id: step.erasure_id,
    number: int(step.number),
    ids: events.map(({ id }) => id),
    offsets: events.map(({ offset }) => int(offset)),
    commitments: events.map(({ id }) => commitments.get(id) ?? ''),
    stores: ERASED_STORES.map((store) => int(events.reduce((sum, event) => sum + event[store], 0))),
  });
  return { events: events.length, blobs: [...blobs] };
}

/** The blobs that a stored envelope names. */
function blobsNamed(envelope: string): string[] {
  if (!envelope.includes('"blob_id"')) return [];
  const { content } = JSON.parse(envelope) as Envelope;
  return blobReferences(content).map(({ blob_id }) => blob_id);
}

/** What an erasure has erased, a part at a time in the order of the steps. */
export async function* erasedParts(reader: Reader, erasureId: string): AsyncGenerator<ErasedPart> {
  for (let after = -1; ;) {
    const [part] = await reader.read(nextPart, { id: erasureId, after: int(after) });
    if (part === undefined) return;
    const stores = Object.fromEntries(ERASED_STORES.map((store, i) => [store, part.stores[i] ?? 0]));
    yield { ...part, stores: stores as ErasedStores };
    after = part.number;
  }
}
