import type { Integer } from 'neo4j-driver';

import { appendAuditWithin, type FinishedBatch } from '../audit.ts';
import type { Reader, Transactions, Writer } from '../driver.ts';
import { int, statement } from '../statement.ts';
import { STORED_SUPPRESSION, type StoredSuppression } from './record.ts';

const page = statement<{ ref: string; to: Integer; limit: Integer }, { suppression: StoredSuppression }>(
  'suppression.page',
  'constraint suppression_number, walked in order',
  `MATCH (s:Suppression) USING INDEX SEEK s:Suppression(scope_ref, number) WHERE s.scope_ref = $ref AND s.number <= $to
   WITH s ORDER BY s.scope_ref DESC, s.number DESC LIMIT $limit
   RETURN ${STORED_SUPPRESSION} AS suppression`,
);

// Its forget has an id of its own: once that is over, nothing is suppressed by it any more.
const growing = statement<{ id: string }, { growing: boolean }>(
  'suppression.growing',
  'constraint suppression_id; index forget_plan_scope',
  `MATCH (s:Suppression {id: $id})
   RETURN EXISTS { MATCH (p:ForgetPlan) USING INDEX SEEK p:ForgetPlan(scope_ref) WHERE p.scope_ref = s.scope_ref AND p.suppression_id = $id } AS growing`,
);

// Whoever lifts holds the log, so that no capture comes between; the last one to go tells that there is none.
const lift = statement<{ id: string; tenant: string; change: string; now: Integer }, { lifted: boolean }>(
  'suppression.lift',
  'constraints counter_name, suppression_id; index suppressed_content_of',
  `MATCH (wal:Counter {name: 'wal'})
   SET wal.touched = $now
   WITH wal, wal.lifted_with = $change AS lifted
   OPTIONAL MATCH (s:Suppression {id: $id}) WHERE s.tenant = $tenant
   WITH wal, s, coalesce(lifted, false) OR s IS NOT NULL AS lifted
   FOREACH (gone IN CASE WHEN s IS NULL THEN [] ELSE [s] END | SET wal.lifted_with = $change DELETE gone)
   WITH wal, lifted
   CALL () {
     MATCH (c:SuppressedContent) USING INDEX SEEK c:SuppressedContent(suppression_id) WHERE c.suppression_id = $id
     DELETE c
   }
   WITH wal, lifted, EXISTS { MATCH (other:Suppression) WHERE other.id > '' AND other.id <> $id } AS suppressing
   SET wal.suppressing = CASE WHEN suppressing THEN true END
   RETURN lifted`,
);

const dropContents = statement<{ id: string; limit: Integer }, { dropped: number }>(
  'suppression.drop_contents',
  'index suppressed_content_of',
  `MATCH (c:SuppressedContent) USING INDEX SEEK c:SuppressedContent(suppression_id) WHERE c.suppression_id = $id
   WITH c LIMIT $limit
   DELETE c
   RETURN count(*) AS dropped`,
);

const refuse = statement<{ ids: readonly string[] }, { refused: number }>(
  'suppression.refuse',
  'constraint suppression_id',
  `UNWIND $ids AS id
   MATCH (s:Suppression {id: id})
   SET s.refused = s.refused + 1
   RETURN count(*) AS refused`,
);

/** Contents that are dropped in one transaction at most. */
const DROPPED_AT_ONCE = 5_000;

/** Counts captures that were refused by suppressions, for what was rolled back with its batch. Throws `DATABASE_UNAVAILABLE`. */
export async function countRefused(writer: Writer, ids: readonly string[]): Promise<void> {
  await writer.writeRepeatable(refuse, { ids });
}

/** Reads suppressions and lifts them. */
export class SuppressionStore {
  private readonly database: Reader & Transactions & Writer;

  constructor(database: Reader & Transactions & Writer) {
    this.database = database;
  }

  /** At most so many suppressions of a scope whose number is `to` or less, those first that came last. */
  async page(ref: string, to: number, limit: number): Promise<StoredSuppression[]> {
    const rows = await this.database.read(page, { ref, to: int(to), limit: int(limit) });
    return rows.map(({ suppression }) => suppression);
  }

  /** Whether the forget goes on that suppresses it: contents may still come to it. */
  async isGrowing(id: string): Promise<boolean> {
    return (await this.database.read(growing, { id }))[0]?.growing ?? false;
  }

  /**
   * Lifts a suppression of a tenant that there is, and that does not grow any more: its contents go first, some thousand at a time, then it
   * goes itself, with rows of the audit log. False when there is none any more. May be repeated with the same change. Throws `DATABASE_UNAVAILABLE`.
   */
  async lift(
    { id, tenant, change, now }: { id: string; tenant: string; change: string; now: number },
    batches: readonly FinishedBatch[],
  ): Promise<{ lifted: boolean; newestAudit: number }> {
    await this.dropContents(id);
    return this.database.transactionRepeatable(async (transaction) => {
      const [found] = await transaction.run(lift, { id, tenant, change, now: int(now) });
      const lifted = found?.lifted ?? false;
      const newestAudit = lifted ? await appendAuditWithin(transaction, batches, now) : 0;
      return { lifted, newestAudit };
    });
  }

  private async dropContents(id: string): Promise<void> {
    for (let dropped = DROPPED_AT_ONCE; dropped === DROPPED_AT_ONCE;) {
      const [row] = await this.database.writeRepeatable(dropContents, { id, limit: int(DROPPED_AT_ONCE) });
      dropped = row?.dropped ?? 0;
    }
  }
}
