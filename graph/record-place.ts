import { RULES, type StoredRules } from './access.ts';
import type { Reader } from './driver.ts';
import { statement, type Params, type Statement } from './statement.ts';

/** Where a record lies, with what those levels of its scope that have rules say of one actor: their rosters hold him alone, or nobody. */
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

/** Whether there is a scope, with the rules of those levels of its path that have any. */
export interface StoredScopeRules extends Pick<StoredPlace, 'rules'> {
  readonly there: boolean;
}

interface ScopeOfParams extends Params {
  ids: readonly string[];
  tenant: string | null;
  actor: string;
}

type ScopeOfStatement = Statement<ScopeOfParams, Found>;

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
     RETURN s {.path, ${RULES}}
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
  vocabulary: statement(
    'place.vocabularies',
    'constraint vocabulary_name, index scope_path',
    `UNWIND $ids AS id OPTIONAL MATCH (n:Vocabulary {tenant: $tenant, name: id}) WHERE true ${PLACE}`,
  ),
  legal_hold: statement(
    'place.legal_holds',
    'constraint legal_hold_id, index scope_path',
    `UNWIND $ids AS id OPTIONAL MATCH (n:LegalHold {tenant: $tenant, id: id}) WHERE true ${PLACE}`,
  ),
  suppression: statement(
    'place.suppressions',
    'constraint suppression_id, index scope_path',
    `UNWIND $ids AS id OPTIONAL MATCH (n:Suppression {id: id}) WHERE true ${PLACE}`,
  ),
  frame: statement(
    'place.frames',
    'constraint lifecycle_sequence, index scope_path',
    `UNWIND $ids AS id OPTIONAL MATCH (n:LifecycleEvent {sequence: toInteger(id)}) WHERE true ${PLACE}`,
  ),
  erasure: statement(
    'place.erasures',
    'constraint erasure_id, index scope_path',
    `UNWIND $ids AS id OPTIONAL MATCH (n:Erasure {id: id}) WHERE true ${PLACE}`,
  ),
  manifest: statement(
    'place.manifests',
    'constraint erasure_manifest_id, index scope_path',
    `UNWIND $ids AS id OPTIONAL MATCH (n:ErasureManifest {id: id}) WHERE true ${PLACE}`,
  ),
  // A job is for whoever asked for it.
  job: statement(
    'place.jobs',
    'constraint job_id, index scope_path',
    `UNWIND $ids AS id OPTIONAL MATCH (n:Job {id: id}) WHERE n.actor = $actor ${PLACE}`,
  ),
} satisfies Record<string, ScopeOfStatement>;

const scopePlace = statement<{ ref: string; refs: readonly string[]; actor: string }, StoredScopeRules>(
  'place.scope',
  'constraint scope_ref',
  `RETURN EXISTS { MATCH (s:Scope {ref: $ref}) } AS there, COLLECT {
     UNWIND $refs AS ref
     MATCH (s:Scope) USING INDEX SEEK s:Scope(ref) WHERE s.ref = ref AND s.access_version IS NOT NULL
     RETURN s {.path, ${RULES}}
   } AS rules`,
);

/** What has a place of its own; the id of a frame is its number. */
export type ScopedKind = keyof typeof PLACES;

/** Reads where records lie, and nothing of what they say. */
export class RecordScopeReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /**
   * The places of those of the ids that are records of one tenant or (null) of any, with what their rules say of an actor: one round trip,
   * of the same steps for each id. What lies in no scope has the empty one.
   */
  async of(
    kind: ScopedKind,
    ids: readonly string[],
    { tenant, actor }: { readonly tenant: string | null; readonly actor: string },
  ): Promise<StoredPlace[]> {
    const rows = await this.reader.read(PLACES[kind], { ids, tenant, actor });
    return rows.filter(({ there }) => there);
  }

  /**
   * Whether there is a scope, by the references of every level of its path, the root first, with what their rules say of an actor: one
   * round trip, of the same steps whether there is.
   */
  async ofScope(refs: readonly string[], actor: string): Promise<StoredScopeRules> {
    const [found] = await this.reader.read(scopePlace, { refs, ref: refs.at(-1) ?? '', actor });
    return found ?? { there: false, rules: [] };
  }
}
