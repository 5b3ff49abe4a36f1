import type { Integer } from 'neo4j-driver';

import { formsOf, keptLinks, linkedBy, namedAmong } from '../entity/kept-links.ts';
import { linksOf } from '../entity/link-removal.ts';
import type { Reader } from '../driver.ts';
import { framesNaming } from '../forget/frames.ts';
import { nearestInstant, type Instant } from '../instant.ts';
import { int, statement } from '../statement.ts';
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
  /** The names that they were given, by id. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
  /** Number of the first frame that may name a fact that went with them; null where none does. */
  readonly frames_from: number | null;
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

const linked = statement<{ ref: string; ids: readonly string[] }, { id: string }>(
  'erasure.left_links',
  'constraint linked_entity_key',
  `UNWIND $ids AS id
   MATCH (:LinkedEntity {key: $ref + ' ' + id})
   RETURN id`,
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
const FRAMES = ':LifecycleEvent(data)';

/** Where entities and facts may be named that are not there, as receipts name the places. */
export const NAMING_PLACES: readonly string[] = [TOPICS, ENRICHED, LINKED, AMBIGUOUS, FRAMES];

/** What of a scope still names what it has no more. */
export interface NamesLeft {
  readonly findings: SweepFinding[];
  /** The facts that are not there and that frames name. */
  readonly facts: ReadonlySet<string>;
}

/**
 * What of a scope still names entities and facts that it has no more. Of facts only those of `known` count, where it is given: in a scope that is
 * written to some vanish all the time, which has nothing to do with what is sought.
 */
export async function namesLeft(
  reader: Reader,
  ref: string,
  { ids, forms, shared, names: given, frames_from }: SoughtEntities,
  known: ReadonlySet<string> | null = null,
): Promise<NamesLeft> {
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
    note(findings, LINKED, [{ count: await linksLeft(reader, ref, some, given) }]);
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
  const facts = new Set<string>();
  if (frames_from !== null)
    for await (const frames of framesNaming(reader, ref, frames_from)) {
      for (const id of frames.flatMap(({ gone }) => gone)) facts.add(id);
      const counted = frames.filter(({ gone }) => known === null || gone.some((id) => known.has(id)));
      note(findings, FRAMES, [{ count: counted.length }]);
    }
  return { findings: listOf(findings), facts };
}

/** How many of some entities have links that no event which is there still has need of. */
async function linksLeft(
  reader: Reader,
  ref: string,
  ids: readonly string[],
  names: SoughtEntities['names'],
): Promise<number> {
  const present = (await reader.read(linked, { ref, ids })).map(({ id }) => id);
  if (present.length === 0) return 0;
  const links = await linksOf(reader, ref, present);
  const forms = formsOf(linkedBy(links), names);
  const named = await namedAmong(reader, ref, forms, { after: 0, through: Number.MAX_SAFE_INTEGER });
  const kept = keptLinks(links, [...named.ids, ...named.waiting]);
  return present.filter((id) => {
    const own = links.filter((one) => one.entity === id || one.same_as === id);
    return own.length === 0 || own.some((one) => !kept.has(one.id));
  }).length;
}

function parts(all: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(all.length / SOUGHT) }, (_, i) =>
    all.slice(i * SOUGHT, (i + 1) * SOUGHT),
  );
}
