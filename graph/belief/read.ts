import type { Integer } from 'neo4j-driver';

import type { StoredBeliefItem, StoredOpinion } from '../../src/derive/belief/item.ts';
import { LISTING_INLINE_BYTES, MAX_SCANNED_ROWS } from '../../src/limits.ts';
import type { Instants } from '../../src/time/bitemporal-range.ts';
import { REVISION, revisionOf, type StoredRevision } from './revision.ts';
import { AHEAD, BELIEF, beliefAt, beliefOf, type BeliefAnswer } from './row.ts';
import type { Reader } from '../driver.ts';
import { instant, nearestInstant, type Instant } from '../instant.ts';
import { int, statement, type Params } from '../statement.ts';

interface AtParams extends Params {
  valid: Instant;
  recorded: Instant;
  inline: Integer;
  walk: Integer;
}

const byIds = statement<
  AtParams & { ids: readonly string[]; tenant: string | null; ahead: boolean },
  { belief: BeliefAnswer }
>(
  'belief.by_ids',
  'constraints belief_id and belief_revision_row and index belief_revision_valid, walked downwards to the first visible row; index belief_revision_made',
  `UNWIND $ids AS id
   MATCH (b:Belief {id: id}) WHERE $tenant IS NULL OR b.tenant = $tenant
   ${beliefAt()}
   ${AHEAD}
   RETURN ${BELIEF} AS belief`,
);

const objects = statement<{ ids: readonly string[] }, { id: string; object: string }>(
  'belief.objects',
  'constraint belief_id',
  'UNWIND $ids AS id MATCH (b:Belief {id: id}) RETURN b.id AS id, b.object AS object',
);

/** That a claim of a scope has a value. */
export interface StatedClaim {
  readonly scope_ref: string;
  readonly claim: string;
  readonly value: string;
}

const ofEvent = statement<{ event_id: string }, StatedClaim>(
  'belief.stated_by',
  'index statement_event',
  `MATCH (s:Statement) WHERE s.event_id = $event_id AND s.retracted = false
   RETURN s.scope_ref AS scope_ref, s.claim AS claim, s.value AS value`,
);

/** One row of a walk over the revisions of a belief. */
export interface WalkedRevision {
  readonly key: string;
  readonly revised_at: number;
  /** Null for a row that another one of the same revision is shown for. */
  readonly opinion: StoredOpinion | null;
}

const revisions = statement<
  { belief_id: string; after: Instant; scan: Integer; valid: Instant; recorded: Instant },
  Omit<WalkedRevision, 'opinion'> & { readonly opinion: StoredRevision | null }
>(
  'belief.revisions',
  'index belief_revision_made, walked in order',
  `MATCH (x:BeliefRevision) USING INDEX SEEK x:BeliefRevision(belief_id, revised_at)
   WHERE x.belief_id = $belief_id AND x.revised_at >= $after AND x.revised_at <= $recorded
   WITH x ORDER BY x.belief_id, x.revised_at LIMIT $scan
   WITH x, x.valid_from <= $valid AND $valid < x.valid_to AS here
   RETURN x.belief_id + '/' + toString(x.recorded_from.epochMillis) + '/' + toString(x.valid_from.epochMillis) AS key, x.revised_at.epochMillis AS revised_at,
     CASE WHEN x.recorded_from = x.revised_at AND NOT EXISTS {
       MATCH (y:BeliefRevision) USING INDEX SEEK y:BeliefRevision(belief_id, revised_at)
       WHERE y.belief_id = $belief_id AND y.revised_at = x.revised_at AND y.recorded_from = y.revised_at AND y.valid_from <> x.valid_from
         AND NOT here AND (y.valid_from > x.valid_from OR (y.valid_from <= $valid AND $valid < y.valid_to))
     } THEN ${REVISION} END AS opinion`,
);

/** Parameters that every statement takes which answers beliefs. */
export const BELIEF_SHOWN = { inline: int(LISTING_INLINE_BYTES), walk: int(MAX_SCANNED_ROWS) };

/** Reads beliefs by id; every tenant and scope is authorised before or after by the caller. */
export class BeliefReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** Beliefs by id at a pair of instants; with `ahead`, those that begin later as they will begin. One round trip. */
  async byIds(
    ids: readonly string[],
    tenant: string | null,
    { valid, recorded, ahead }: Instants & { readonly ahead: boolean },
  ): Promise<Map<string, StoredBeliefItem>> {
    if (ids.length === 0) return new Map();
    const at = { valid: instant(valid), recorded: instant(recorded), ahead };
    const rows = await this.reader.read(byIds, { ids, tenant, ...BELIEF_SHOWN, ...at });
    return new Map(rows.map(({ belief }) => [belief.id, beliefOf(belief)]));
  }

  /** What an event states, once it is consolidated: of each there is a belief. */
  async statedBy(eventId: string): Promise<StatedClaim[]> {
    return this.reader.read(ofEvent, { event_id: eventId });
  }

  /** The objects of beliefs, by id; the caller bounds how many bytes that is. */
  async objects(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reader.read(objects, { ids });
    return new Map(rows.map(({ id, object }) => [id, object]));
  }

  /**
   * At most `scan` rows of the revisions of a belief that were made at or after an instant and by the recorded one, oldest first.
   * Of each revision one row has its opinion: what it says of the valid instant, or else of the latest time that it is about.
   */
  async revisions(
    beliefId: string,
    { valid, recorded }: Instants,
    { after, scan }: { readonly after: number; readonly scan: number },
  ): Promise<WalkedRevision[]> {
    const rows = await this.reader.read(revisions, {
      belief_id: beliefId,
      after: nearestInstant(after),
      scan: int(scan),
      valid: instant(valid),
      recorded: instant(recorded),
    });
    return rows.map(({ opinion, ...row }) => ({
      ...row,
      opinion: opinion === null ? null : revisionOf(opinion),
    }));
  }
}
