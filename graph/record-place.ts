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

type PlaceStatement = Statement<
  { ids: readonly string[]; tenant: string | null },
  StoredPlace & { readonly there: boolean }
>;

/**
 * What decides on an id and nothing else of the record. For an id that nothing has the rules of a scope are looked for all the same, so
 * that both take the same steps.
 */
function placeOf(kind: string, reliesOn: string, match: string): PlaceStatement {
  return statement(
    `place.${kind}`,
    `constraint ${reliesOn}, index scope_path`,
    `UNWIND $ids AS id
     OPTIONAL MATCH ${match} AND ($tenant IS NULL OR n.tenant = $tenant)
     WITH id, n IS NOT NULL AS there, coalesce(n.tenant, '') AS tenant, coalesce(n.scope, '') AS scope
     RETURN id, there, tenant, scope, COLLECT {
       WITH tenant, split(scope, '/') AS segments
       UNWIND range(1, size(segments)) AS level
       WITH tenant, reduce(path = head(segments), segment IN segments[1..level] | path + '/' + segment) AS path
       MATCH (s:Scope) USING INDEX SEEK s:Scope(tenant, path) WHERE s.tenant = tenant AND s.path = path AND s.access_version IS NOT NULL
       RETURN s {.path, .members, .roles, .allow, .deny}
     } AS rules`,
  );
}

const PLACES = {
  event: placeOf('events', 'event_id', '(n:Event {id: id}) WHERE n.redacted_at IS NULL'),
  fact: placeOf('facts', 'statement_id', '(n:Statement {id: id}) WHERE n.fact_id IS NOT NULL'),
  belief: placeOf('beliefs', 'belief_id', '(n:Belief {id: id}) WHERE true'),
  episode: placeOf('episodes', 'episode_id', '(n:Episode {id: id}) WHERE true'),
  concept: placeOf('concepts', 'concept_id', '(n:Concept {id: id}) WHERE true'),
  conflict: placeOf('conflicts', 'conflict_id', '(n:Conflict {id: id}) WHERE true'),
  link: placeOf('links', 'log_entry_id', '(n:LogEntry {id: id}) WHERE n:EntityLink'),
  frame: placeOf('frames', 'lifecycle_sequence', '(n:LifecycleEvent {sequence: toInteger(id)}) WHERE true'),
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
