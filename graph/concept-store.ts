import type { Integer } from 'neo4j-driver';

import { OPEN_END } from '../schemas/time.ts';
import type { ClaimPlace } from '../src/derive/claim-change.ts';
import type { Stance } from '../src/derive/belief-weight.ts';
import { INDEPENDENT_SUPPORTS, type Disturbed } from '../src/derive/concept-support.ts';
import {
  isPartial,
  type ToldHead,
  type ConceptEdge,
  type ConceptVersion,
  type Synthesis,
} from '../src/derive/concept.ts';
import type { FoundConcept } from '../src/derive/concept-telling.ts';
import { SUPPORT, supportOf, type StoredSupport } from './concept-support.ts';
import { Columns, levelsOf, type Levels } from './columns.ts';
import type { Transaction } from './driver.ts';
import { int, intOrNull, real, statement, type Param, type Params } from './statement.ts';

/** A version as it is stored. */
export interface StoredVersion extends Omit<ConceptVersion, 'edges' | 'fallen' | 'stances'> {
  /** JSON text, as the next two. */
  readonly edges: string;
  readonly fallen: string;
  readonly stances: string;
}

/** What is read of a version `v`. */
export const VERSION = `v {.number, .recorded_from, .caused_by, .position, .name, .summary, .facts, .stances, .beliefs, .events, .fallen,
     .fact_count, .independent, .stance, .confidence, .newest_at, .edges}`;

interface LoadedHead extends Pick<
  StoredVersion,
  'facts' | 'fallen' | 'stances' | 'fact_count' | 'independent' | 'recorded_from'
> {
  readonly id: string;
  readonly open: number;
  readonly changed_at: number;
}

const heads = statement<{ concepts: readonly Param[]; independent: Integer; open: Integer }, LoadedHead>(
  'concept.heads',
  'constraints concept_id, concept_version; indexes concept_support_from and concept_support_newest (one row each), synthesis_scope',
  `UNWIND $concepts AS want
   MATCH (c:Concept {id: want.id})
   CALL (want) {
     MATCH (v:ConceptVersion) USING INDEX SEEK v:ConceptVersion(concept_id, recorded_from)
     WHERE v.concept_id = want.id AND v.recorded_from < $open
     WITH v ORDER BY v.concept_id DESC, v.recorded_from DESC LIMIT 1
     RETURN v
   }
   WITH want, c, v WHERE v.recorded_from < want.since AND v.independent >= $independent
     AND NOT EXISTS { MATCH (s:Synthesis) WHERE s.scope_ref = want.scope_ref AND s.recorded_at >= want.since }
   CALL (want) {
     MATCH (x:ConceptSupport) USING INDEX SEEK x:ConceptSupport(concept_id, recorded_from)
     WHERE x.concept_id = want.id AND x.recorded_from < $open
     WITH x ORDER BY x.concept_id DESC, x.recorded_from DESC LIMIT 1
     RETURN x.recorded_from AS begun_at
   }
   OPTIONAL CALL (want) {
     MATCH (x:ConceptSupport) USING INDEX SEEK x:ConceptSupport(concept_id, recorded_to, position, fact_id)
     WHERE x.concept_id = want.id AND x.recorded_to < $open AND x.position IS NOT NULL AND x.fact_id IS NOT NULL
     WITH x ORDER BY x.concept_id DESC, x.recorded_to DESC, x.position DESC, x.fact_id DESC LIMIT 1
     RETURN x.recorded_to AS ended_at
   }
   RETURN want.id AS id, v.facts AS facts, v.fallen AS fallen, v.stances AS stances, v.fact_count AS fact_count,
     v.independent AS independent, v.recorded_from AS recorded_from, c.supports AS open,
     CASE WHEN ended_at > begun_at THEN ended_at ELSE begun_at END AS changed_at`,
);

interface LoadedConcept {
  readonly id: string;
  readonly last: StoredVersion | null;
  readonly later: number;
  readonly newest: StoredSupport[];
  readonly open: number;
  readonly changing: StoredSupport[];
  readonly syntheses: Synthesis[];
}

const load = statement<{ concepts: readonly Param[]; open: Integer; most: Integer }, LoadedConcept>(
  'concept.load',
  'constraint concept_version; indexes concept_support_newest and concept_support_from, synthesis_scope',
  `UNWIND $concepts AS want
   OPTIONAL CALL (want) {
     MATCH (v:ConceptVersion) USING INDEX SEEK v:ConceptVersion(concept_id, recorded_from)
     WHERE v.concept_id = want.id AND v.recorded_from < want.since
     WITH v ORDER BY v.concept_id DESC, v.recorded_from DESC LIMIT 1
     RETURN ${VERSION} AS last
   }
   CALL (want) {
     MATCH (x:ConceptSupport) USING INDEX SEEK x:ConceptSupport(concept_id, recorded_to, position, fact_id)
     WHERE x.concept_id = want.id AND x.recorded_to = $open AND x.position > -1 AND x.fact_id > ''
     WITH x, want ORDER BY x.concept_id DESC, x.recorded_to DESC, x.position DESC, x.fact_id DESC
     WITH x WHERE x.recorded_from < want.since
     WITH x LIMIT $most
     RETURN collect(${SUPPORT}) AS newest
   }
   CALL (want) {
     MATCH (x:ConceptSupport) USING INDEX SEEK x:ConceptSupport(concept_id, recorded_to, position, fact_id)
     WHERE x.concept_id = want.id AND x.recorded_to = $open AND x.position > -1 AND x.fact_id > ''
     RETURN count(x) AS open
   }
   CALL (want) {
     MATCH (x:ConceptSupport) USING INDEX SEEK x:ConceptSupport(concept_id, recorded_from)
     WHERE x.concept_id = want.id AND x.recorded_from >= want.since
     RETURN collect(${SUPPORT}) AS begun
   }
   CALL (want) {
     MATCH (x:ConceptSupport) USING INDEX SEEK x:ConceptSupport(concept_id, recorded_to, position, fact_id)
     WHERE x.concept_id = want.id AND x.recorded_to >= want.since AND x.recorded_to < $open AND x.position IS NOT NULL AND x.fact_id IS NOT NULL
       AND x.recorded_from < want.since
     RETURN collect(${SUPPORT}) AS ended
   }
   CALL (want) {
     MATCH (s:Synthesis) USING INDEX SEEK s:Synthesis(scope_ref, recorded_at)
     WHERE s.scope_ref = want.scope_ref AND s.recorded_at >= want.since AND (s.through IS NULL OR want.id <= s.through)
     RETURN collect(s {.id, .recorded_at, .topics, .force}) AS syntheses
   }
   CALL (want) {
     MATCH (v:ConceptVersion) USING INDEX SEEK v:ConceptVersion(concept_id, recorded_from)
     WHERE v.concept_id = want.id AND v.recorded_from >= want.since
     RETURN count(v) AS later
   }
   RETURN want.id AS id, last, later, newest, open, begun + ended AS changing, syntheses`,
);

const HEAD = new Columns([
  'id',
  'entity_id',
  'version',
  'partial',
  'fact_count',
  'cited_count',
  'supports',
  // Null where they stay.
  'position',
  'recorded_at',
  'tenant',
  'scope',
  'scope_ref',
]);

const VERSION_PROPS = new Columns([
  'concept_id',
  'number',
  'recorded_from',
  'caused_by',
  'position',
  'name',
  'summary',
  'facts',
  'stances',
  'beliefs',
  'events',
  'fallen',
  'fact_count',
  'independent',
  'stance',
  'confidence',
  'newest_at',
  'edges',
]);

interface WriteParams extends Params {
  dropped: readonly Param[];
  gone: readonly string[];
  counts: readonly Param[];
  heads: readonly Param[];
  levels: Levels;
  versions: readonly Param[];
}

const write = statement<WriteParams, { done: boolean }>(
  'concept.write',
  'constraints concept_id, concept_version, statement_id',
  `CALL () {
     UNWIND $dropped AS drop
     MATCH (v:ConceptVersion) USING INDEX SEEK v:ConceptVersion(concept_id, recorded_from)
     WHERE v.concept_id = drop.id AND v.recorded_from >= drop.since
     DETACH DELETE v
   }
   CALL () {
     UNWIND $gone AS id
     MATCH (c:Concept {id: id})
     DETACH DELETE c
   }
   CALL () {
     UNWIND $counts AS count
     MATCH (c:Concept {id: count.id})
     SET c.supports = count.supports
   }
   CALL () {
     UNWIND $heads AS sent
     WITH ${HEAD.map('sent')} AS head
     MERGE (c:Concept {id: head.id})
     SET c.entity_id = head.entity_id, c.version = head.version, c.partial = head.partial, c.fact_count = head.fact_count,
       c.cited_count = head.cited_count, c.supports = head.supports
     FOREACH (first IN CASE WHEN head.position IS NULL THEN [] ELSE [c] END |
       SET first.position = head.position, first.recorded_at = head.recorded_at)
     FOREACH (placed IN CASE WHEN head.scope_ref IS NULL THEN [] ELSE [c] END |
       SET placed += $levels[head.scope_ref], placed.tenant = head.tenant, placed.scope = head.scope, placed.scope_ref = head.scope_ref)
   }
   CALL () {
     UNWIND $versions AS row
     WITH row[0] AS props, row[1] AS cites
     MATCH (c:Concept {id: ${VERSION_PROPS.cell('props', 'concept_id')}})
     CREATE (c)-[:VERSION]->(v:ConceptVersion)
     SET ${VERSION_PROPS.set('v', 'props')}
     WITH v, cites
     UNWIND cites AS id
     MATCH (f:Statement {id: id})
     CREATE (v)-[:SUPPORTED_BY]->(f)
   }
   RETURN true AS done`,
);

/** What is stored of a concept, and how many versions of it from its instant on. */
export interface LoadedTelling extends FoundConcept {
  readonly stored: number;
}

/** A concept as it was told from an instant on. */
export interface ToldConcept {
  readonly concept: Disturbed;
  /** Where it lies; null where nothing says so any more, and then it is there already or gone. */
  readonly place: ClaimPlace | null;
  readonly last: ConceptVersion | null;
  /** Its versions from the instant on. */
  readonly versions: readonly ConceptVersion[];
  /** How many supports it has now. */
  readonly supports: number;
  /** How many versions from the instant on these replace. */
  readonly stored: number;
}

/** Reads and writes concepts within the transaction that derives them; one round trip each. */
export class ConceptStore {
  private readonly transaction: Transaction;

  constructor(transaction: Transaction) {
    this.transaction = transaction;
  }

  /** How concepts were told last, by id, before their supports change; what cannot be known to go on as told is left out. */
  async heads(concepts: readonly Disturbed[]): Promise<ReadonlyMap<string, ToldHead>> {
    if (concepts.length === 0) return new Map();
    const independent = int(INDEPENDENT_SUPPORTS);
    const params = { concepts: concepts.map(wantedParam), independent, open: int(OPEN_END) };
    const rows = await this.transaction.run(heads, params);
    return new Map(
      rows.map(({ id, fallen, open, changed_at, ...version }) => [
        id,
        { last: { ...version, fallen: JSON.parse(fallen) as string[] }, supports: open, changed_at },
      ]),
    );
  }

  /**
   * What concepts are told from before their supports change, by id; of supports that stay the newest, `most` of each. It is asked before
   * those are written: the server looks through what a transaction wrote for every concept again.
   */
  async load(concepts: readonly Disturbed[], most: number): Promise<ReadonlyMap<string, LoadedTelling>> {
    if (concepts.length === 0) return new Map();
    const params = { concepts: concepts.map(wantedParam), open: int(OPEN_END), most: int(most) };
    const rows = await this.transaction.run(load, params);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return new Map(
      concepts.flatMap(({ concept_id, entity_id, since }) => {
        const row = byId.get(concept_id);
        if (row === undefined) return [];
        const telling = {
          stored: row.later,
          entity_id,
          since,
          last: row.last === null ? null : versionOf(row.last),
          newest: row.newest.map(supportOf),
          open: row.open,
          changing: row.changing.map(supportOf),
          syntheses: row.syntheses.sort(byRecorded),
        };
        return [[concept_id, telling] as const];
      }),
    );
  }

  /**
   * Stores concepts in place of what they were from their instants on, and how many supports those have that go on as told, by id.
   */
  write(told: readonly ToldConcept[], supports: ReadonlyMap<string, number> = new Map()): void {
    if (told.length + supports.size === 0) return;
    this.transaction.send(write, {
      dropped: told.map(({ concept }) => ({ id: concept.concept_id, since: int(concept.since) })),
      gone: told.flatMap(({ concept, last, versions }) =>
        last === null && versions.length === 0 ? [concept.concept_id] : [],
      ),
      counts: [...supports].map(([id, count]) => ({ id, supports: int(count) })),
      heads: told.flatMap(headOf),
      levels: levelsOf(told.flatMap(({ place }) => place ?? [])),
      versions: told.flatMap(({ concept, last, versions }) =>
        versions.map((version, i) => versionParam(concept, version, versions[i - 1] ?? last)),
      ),
    });
  }
}

function wantedParam({ concept_id: id, scope_ref, since }: Disturbed) {
  return { id, scope_ref, since: int(since) };
}

function byRecorded(a: Synthesis, b: Synthesis): number {
  return a.recorded_at - b.recorded_at || (a.id < b.id ? -1 : 1);
}

/** A version as derivation knows it. */
export function versionOf({ edges, fallen, stances, ...version }: StoredVersion): ConceptVersion {
  return {
    ...version,
    edges: JSON.parse(edges) as ConceptEdge[],
    fallen: JSON.parse(fallen) as string[],
    stances: JSON.parse(stances) as Stance[],
  };
}

/** Has the server plan the statements of this file by running them on nothing. */
export async function planConcepts(transaction: Transaction): Promise<void> {
  await transaction.run(load, { concepts: [], open: int(OPEN_END), most: int(1) });
  await transaction.run(heads, { concepts: [], independent: int(0), open: int(OPEN_END) });
  await transaction.run(write, { dropped: [], gone: [], counts: [], heads: [], levels: {}, versions: [] });
}

/** What is known of a concept without its versions: where it lies, where it began, and how it is now. */
function headOf({ concept, place, last, versions, supports }: ToldConcept): Param[] {
  const newest = versions.at(-1) ?? last;
  if (newest === null) return [];
  const [first] = last === null ? versions : [];
  const begun = first === undefined ? null : place;
  return [
    HEAD.row({
      id: concept.concept_id,
      entity_id: concept.entity_id,
      version: int(newest.number),
      partial: isPartial(newest),
      fact_count: int(newest.fact_count),
      cited_count: int(newest.facts.length),
      supports: int(supports),
      position: intOrNull(first?.position ?? null),
      recorded_at: intOrNull(first?.recorded_from ?? null),
      tenant: begun?.tenant ?? null,
      scope: begun?.scope ?? null,
      scope_ref: begun?.scope_ref ?? null,
    }),
  ];
}

/** An edge goes to each fact from the first of the versions in a row that cite it. */
function versionParam(
  { concept_id }: Disturbed,
  version: ConceptVersion,
  previous: ConceptVersion | null,
): Param {
  const { edges, facts } = version;
  const known = new Set(previous?.facts);
  const props = VERSION_PROPS.row({
    ...version,
    concept_id,
    number: int(version.number),
    recorded_from: int(version.recorded_from),
    position: int(version.position),
    fact_count: int(version.fact_count),
    independent: int(version.independent),
    confidence: real(version.confidence),
    newest_at: intOrNull(version.newest_at),
    edges: JSON.stringify(edges),
    fallen: JSON.stringify(version.fallen),
    stances: JSON.stringify(version.stances),
  });
  return [props, facts.filter((id) => !known.has(id))];
}
