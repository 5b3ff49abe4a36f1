import type { Integer } from 'neo4j-driver';

import { shardOf } from '../../src/capture/scope-key.ts';
import { entityKey } from '../entity/link.ts';
import type { Reader } from '../driver.ts';
import { nearestInstant, type Instant } from '../instant.ts';
import { int, statement } from '../statement.ts';
import { NOT_ALL_DERIVED } from '../visible.ts';
import { listOf, note, type SweepFinding } from './finding.ts';

/** Names that are looked for in one statement. */
const SOUGHT = 1_000;

/** Syntheses, which have up to a thousand topics each, and events that are looked at in one statement. */
const TOPICS_PAGE = 100;
const EVENTS_PAGE = 1_000;

/** Entities that a scope has no more. */
export interface SoughtEntities {
  readonly ids: ReadonlySet<string>;
  /** Their ids and names. */
  readonly forms: ReadonlySet<string>;
  /** Whether other events of the scope may name one of them beside others for which a name stands. */
  readonly shared: boolean;
}

// A synthesis that is still to be carried out drops at its end what is not there.
const topics = statement<
  { ref: string; names: readonly string[]; after: Instant; page: Integer },
  { last: number; rows: number; count: number }
>(
  'erasure.left_topics',
  'index synthesis_scope, walked in order',
  `CALL () {
     MATCH (s:Synthesis) USING INDEX SEEK s:Synthesis(scope_ref, recorded_at) WHERE s.scope_ref = $ref AND s.recorded_at > $after
     WITH s ORDER BY s.scope_ref, s.recorded_at LIMIT $page
     RETURN max(s.recorded_at) AS last, count(s) AS rows
   }
   MATCH (s:Synthesis) USING INDEX SEEK s:Synthesis(scope_ref, recorded_at) WHERE s.scope_ref = $ref AND s.recorded_at > $after AND s.recorded_at <= last
   RETURN last.epochMillis AS last, rows, count(CASE WHEN s.pending_shard IS NULL AND any(topic IN s.topics WHERE topic IN $names) THEN 1 END) AS count`,
);

const enriched = statement<{ ref: string; names: readonly string[] }, { count: number }>(
  'erasure.left_enriched',
  'constraint enrichment_scope',
  'MATCH (p:EnrichmentProgress {scope_ref: $ref}) WHERE any(id IN p.entities WHERE id IN $names) RETURN count(p) AS count',
);

// Links stay where not all that an event says is derived: how it would be, or was, is told by them.
const linked = statement<{ ref: string; shard: Integer; keys: readonly string[] }, { count: number }>(
  'erasure.left_links',
  'constraints linked_entity_key, shard_number; indexes event_scope, retry_event',
  `MATCH (shard:Shard {number: $shard})
   UNWIND $keys AS key
   MATCH (m:LinkedEntity {key: key})
   WITH shard, count(m) AS count
   RETURN CASE WHEN count > 0 AND EXISTS {
     MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = $ref AND e.wal_offset > 0 AND ${NOT_ALL_DERIVED}
   } THEN 0 ELSE count END AS count`,
);

const ambiguous = statement<
  { ref: string; quoted: readonly string[]; after: Integer; page: Integer },
  { through: number; rows: number; count: number }
>(
  'erasure.left_ambiguous',
  'index event_scope, walked in order',
  `CALL () {
     MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset) WHERE e.scope_ref = $ref AND e.wal_offset > $after
     WITH e ORDER BY e.scope_ref, e.wal_offset LIMIT $page
     RETURN e
   }
   RETURN max(e.wal_offset) AS through, count(*) AS rows,
     count(CASE WHEN any(id IN $quoted WHERE e.ambiguous CONTAINS id) THEN 1 END) AS count`,
);

const TOPICS = ':Synthesis(topics)';
const ENRICHED = ':EnrichmentProgress(entities)';
const LINKED = ':LinkedEntity(key)';
const AMBIGUOUS = ':Event(ambiguous)';

/** Where entities may be named that are not there, as receipts name the places. */
export const NAMING_PLACES: readonly string[] = [TOPICS, ENRICHED, LINKED, AMBIGUOUS];

/** What of a scope still names entities that it has no more. */
export async function namesLeft(
  reader: Reader,
  ref: string,
  { ids, forms, shared }: SoughtEntities,
): Promise<SweepFinding[]> {
  const findings = new Map<string, number>();
  for (const names of parts([...forms])) {
    note(findings, ENRICHED, await reader.read(enriched, { ref, names }));
    for (let after = Number.NEGATIVE_INFINITY; ;) {
      const from = { after: nearestInstant(after), page: int(TOPICS_PAGE) };
      const [found] = await reader.read(topics, { ref, names, ...from });
      if (found === undefined) break;
      note(findings, TOPICS, [found]);
      if (found.rows < TOPICS_PAGE) break;
      after = found.last;
    }
  }
  for (const some of parts([...ids])) {
    const keys = some.map((id) => entityKey(ref, id));
    note(findings, LINKED, await reader.read(linked, { ref, shard: int(shardOf(ref)), keys }));
    const quoted = some.map((id) => JSON.stringify(id));
    for (let after = shared ? 0 : null; after !== null;) {
      const [found] = await reader.read(ambiguous, {
        ref,
        quoted,
        after: int(after),
        page: int(EVENTS_PAGE),
      });
      note(findings, AMBIGUOUS, found === undefined ? [] : [found]);
      after = found === undefined || found.rows < EVENTS_PAGE ? null : found.through;
    }
  }
  return listOf(findings);
}

function parts(all: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(all.length / SOUGHT) }, (_, i) =>
    all.slice(i * SOUGHT, (i + 1) * SOUGHT),
  );
}
