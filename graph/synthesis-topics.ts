import type { Integer } from 'neo4j-driver';

import type { Reader, Writer } from './driver.ts';
import { FIRST, nearestInstant, type Instant } from './instant.ts';
import { int, statement, type Param } from './statement.ts';

/** Syntheses that are read together: each has a thousand topics at most. */
const PAGE = 100;

/** A synthesis, and what it is about. */
interface NamedTopics {
  readonly id: string;
  readonly topics: readonly string[];
  /** Whether it is still to be carried out: at its end it drops by itself what is not there. */
  readonly pending: boolean;
}

// Several may be of one instant: all of the last one belong to the page.
const page = statement<
  { ref: string; after: Instant; page: Integer },
  { last: number; rows: number; named: readonly NamedTopics[] }
>(
  'synthesis.topics',
  'index synthesis_scope, walked in order',
  `CALL () {
     MATCH (s:Synthesis) USING INDEX SEEK s:Synthesis(scope_ref, recorded_at) WHERE s.scope_ref = $ref AND s.recorded_at > $after
     WITH s ORDER BY s.scope_ref, s.recorded_at LIMIT $page
     RETURN max(s.recorded_at) AS last, count(s) AS rows
   }
   MATCH (s:Synthesis) USING INDEX SEEK s:Synthesis(scope_ref, recorded_at) WHERE s.scope_ref = $ref AND s.recorded_at > $after AND s.recorded_at <= last
   RETURN last.epochMillis AS last, rows, collect(CASE WHEN size(s.topics) > 0 THEN s {.id, .topics, pending: s.pending_shard IS NOT NULL} END) AS named`,
);

const strip = statement<{ rows: readonly Param[] }, { stripped: number }>(
  'synthesis.strip_topics',
  'constraints log_entry_id, entity_key',
  `UNWIND $rows AS row
   MATCH (s:LogEntry {id: row.id})
   SET s.touched = true
   WITH s, row
   SET s.topics = [topic IN s.topics WHERE NOT topic IN row.topics OR EXISTS { MATCH (:Entity {key: s.scope_ref + ' ' + topic}) }]
   REMOVE s.touched
   RETURN count(s) AS stripped`,
);

const progress = statement<{ ref: string }, { entities: readonly string[] }>(
  'enrichment.named',
  'constraint enrichment_scope',
  'MATCH (p:EnrichmentProgress {scope_ref: $ref}) RETURN p.entities AS entities',
);

const stripProgress = statement<{ ref: string; names: readonly string[] }, { stripped: number }>(
  'enrichment.strip_named',
  'constraint enrichment_scope',
  `MATCH (p:EnrichmentProgress {scope_ref: $ref})
   SET p.touched = true
   WITH p
   SET p.entities = [id IN p.entities WHERE NOT id IN $names]
   REMOVE p.touched
   RETURN count(p) AS stripped`,
);

const naming = statement<{ refs: readonly string[] }, { ref: string }>(
  'synthesis.naming_scopes',
  'index synthesis_scope; constraint enrichment_scope',
  `UNWIND $refs AS ref
   WITH ref
   WHERE EXISTS { MATCH (p:EnrichmentProgress {scope_ref: ref}) WHERE size(p.entities) > 0 }
     OR EXISTS { MATCH (s:Synthesis) USING INDEX SEEK s:Synthesis(scope_ref, recorded_at) WHERE s.scope_ref = ref AND s.recorded_at >= ${FIRST} AND size(s.topics) > 0 }
   RETURN ref`,
);

/** Those of scopes of which a synthesis, or enrichment, names something. One round trip. */
export async function scopesNaming(reader: Reader, refs: readonly string[]): Promise<string[]> {
  return (await reader.read(naming, { refs })).map(({ ref }) => ref);
}

/**
 * Takes topics away from the syntheses of a scope that are over, and from what enrichment will ask to be synthesised: those that `isGone`
 * says and of which no entity is there, a page in each transaction. Such a synthesis stays in the log and is about the rest. `goesOn` is
 * called between pages, and may throw. May be repeated. Throws `DATABASE_UNAVAILABLE`.
 */
export async function stripTopics(
  writer: Writer,
  ref: string,
  isGone: (topic: string) => boolean,
  goesOn: () => void = () => undefined,
): Promise<void> {
  // Enrichment enters what it has named behind the syntheses that are there: it comes first.
  const [named] = await writer.read(progress, { ref });
  const names = named?.entities.filter(isGone) ?? [];
  if (names.length > 0) await writer.writeRepeatable(stripProgress, { ref, names });
  for (let after = Number.NEGATIVE_INFINITY; ;) {
    goesOn();
    const [found] = await writer.read(page, { ref, after: nearestInstant(after), page: int(PAGE) });
    if (found === undefined) return;
    const rows = found.named
      .filter(({ pending }) => !pending)
      .map(({ id, topics }) => ({ id, topics: topics.filter(isGone) }))
      .filter(({ topics }) => topics.length > 0);
    if (rows.length > 0) await writer.writeRepeatable(strip, { rows });
    if (found.rows < PAGE) return;
    after = found.last;
  }
}
