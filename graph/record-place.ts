import type { StoredRules } from './access.ts';
import type { Reader } from './driver.ts';
import { statement, type Statement } from './statement.ts';

/** Where a record lies, with the rules of those levels of its scope that have any. */
export interface StoredPlace {
  /** The id that was asked for. */
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly rules: readonly (Omit<StoredRules, 'ref'> & { readonly path: string })[];
}

/** A place, or that there is none. */
interface Found extends StoredPlace {
  readonly there: boolean;
}

type PlaceStatement = Statement<{ ids: readonly string[]; tenant: string | null }, Found>;

/**
 * Goes on from a record `n` of one tenant with where it lies. For an id that nothing has the rules of a scope are looked for all the same,
 * so that both take the same steps.
 */
const PLACE = `AND ($tenant IS NULL OR n.tenant = $tenant)
   WITH id, n IS NOT NULL AS there, coalesce(n.tenant, '') AS tenant, coalesce(n.scope, '') AS scope
   RETURN id, there, tenant, scope, COLLECT {
     WITH tenant, split(scope, '/') AS segments
     UNWIND range(1, size(segments)) AS level
     WITH tenant, reduce(path = head(segments), segment IN segments[1..level] | path + '/' + segment) AS path
     MATCH (s:Scope) USING INDEX SEEK s:Scope(tenant, path) WHERE s.tenant = tenant AND s.path = path AND s.access_version IS NOT NULL
     RETURN s {.path, .members, .roles, .allow, .deny}
   } AS rules`;

const PLACES = {
  event: statement(
    'place.events',
    'constraint event_id, index scope_path',
    `UNWIND $ids AS id OPTIONAL MATCH (n:Event {id: id}) WHERE n.redacted_at IS NULL ${PLACE}`,
  ),
  fact: statement(
    'place.facts',
    'constraint statement_id, index scope_path',
    `UNWIND $ids AS id OPTIONAL MATCH (n:Statement {id: id}) WHERE n.fact_id IS NOT NULL ${PLACE}`,
  ),
  belief: statement(
    'place.beliefs',
    'constraint belief_id, index scope_path',
    `UNWIND $ids AS id OPTIONAL MATCH (n:Belief {id: id}) WHERE true ${PLACE}`,
  ),
  episode: statement(
    'place.episodes',
    'constraint episode_id, index scope_path',
    `UNWIND $ids AS id OPTIONAL MATCH (n:Episode {id: id}) WHERE true ${PLACE}`,
  ),
  concept: statement(
    'place.concepts',
    'constraint concept_id, index scope_path',
    `UNWIND $ids AS id OPTIONAL MATCH (n:Concept {id: id}) WHERE true ${PLACE}`,
  ),
  conflict: statement(
    'place.conflicts',
    'constraint conflict_id, index scope_path',
    `UNWIND $ids AS id OPTIONAL MATCH (n:Conflict {id: id}) WHERE true ${PLACE}`,
  ),
  link: statement(
    'place.links',
    'constraint log_entry_id, index scope_path',
    `UNWIND $ids AS id OPTIONAL MATCH (n:LogEntry {id: id}) WHERE n:EntityLink ${PLACE}`,
  ),
  frame: statement(
    'place.frames',
    'constraint lifecycle_sequence, index scope_path',
    `UNWIND $ids AS id OPTIONAL MATCH (n:LifecycleEvent {sequence: toInteger(id)}) WHERE true ${PLACE}`,
  ),
} satisfies Record<string, PlaceStatement>;

/** What has a place of its own; the id of a frame is its number. */
export type PlacedKind = keyof typeof PLACES;

/** Reads where records lie, and nothing of what they say. */
export class RecordPlaceReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** The places of those of the ids that are records of one tenant or (null) of any: one round trip, of the same steps for each id. */
  async of(kind: PlacedKind, ids: readonly string[], tenant: string | null): Promise<StoredPlace[]> {
    const rows = await this.reader.read(PLACES[kind], { ids, tenant });
    return rows.filter(({ there }) => there);
  }
}
