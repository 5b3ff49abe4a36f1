import type { ContentHash } from '../../src/capture/content-hash.ts';
import type { Transaction } from '../driver.ts';
import { eventParts } from '../event-parts.ts';
import { int, statement, type Param, type Params } from '../statement.ts';

const sizes = statement<{ ids: readonly string[]; ref: string }, { id: string; bytes: number }>(
  'suppression.event_sizes',
  'constraint event_id',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id}) WHERE e.scope_ref = $ref
   RETURN e.id AS id, e.bytes AS bytes`,
);

const envelopes = statement<{ ids: readonly string[]; ref: string }, { envelope: string }>(
  'suppression.envelopes',
  'constraint event_id',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id}) WHERE e.scope_ref = $ref
   RETURN e.envelope AS envelope`,
);

interface KeepParams extends Params {
  id: string;
  ref: string;
  hashes: readonly string[];
  created: Param;
}

// Behind the lock of the log: a capture either came before, or finds what is suppressed.
const keep = statement<KeepParams, { contents: number }>(
  'suppression.keep',
  'constraints counter_name, suppression_id, suppressed_content',
  `MATCH (wal:Counter {name: 'wal'})
   SET wal.suppressing = true
   WITH wal
   MERGE (s:Suppression {id: $id})
     ON CREATE SET s += $created, s.contents = 0, s.refused = 0, s.number = coalesce(wal.suppressions, 0) + 1
   SET wal.suppressions = CASE WHEN s.number > coalesce(wal.suppressions, 0) THEN s.number ELSE wal.suppressions END
   WITH s
   CALL (s) {
     UNWIND $hashes AS hash
     OPTIONAL MATCH (known:SuppressedContent {scope_ref: $ref, hash: hash, suppression_id: $id})
     WITH hash, known WHERE known IS NULL
     CREATE (:SuppressedContent {scope_ref: $ref, hash: hash, suppression_id: $id})
     RETURN count(*) AS added
   }
   SET s.contents = s.contents + added
   RETURN s.contents AS contents`,
);

/** Whose contents are suppressed, and by whom. */
export interface SuppressionOrigin {
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly scope_ref: string;
  readonly actor: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The hashes of what events of a scope say, before they are redacted: their envelopes are read some megabytes at a time. */
export async function hashesWithin(
  transaction: Transaction,
  ids: readonly string[],
  { ref, hash }: { readonly ref: string; readonly hash: ContentHash },
): Promise<string[]> {
  const found = await transaction.run(sizes, { ids, ref });
  const hashes = new Set<string>();
  for (const page of eventParts(found))
    for (const { envelope } of await transaction.run(envelopes, { ids: page, ref }))
      hashes.add(hash(envelope));
  return [...hashes];
}

/** Keeps contents from being captured again; in the transaction that redacts them, behind the lock of the log. May be repeated. */
export async function suppressWithin(
  transaction: Transaction,
  { id, tenant, scope, scope_ref: ref, actor, now }: SuppressionOrigin,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return;
  const created = { tenant, scope, scope_ref: ref, actor, created_at: int(now) };
  await transaction.run(keep, { id, ref, hashes, created });
}
