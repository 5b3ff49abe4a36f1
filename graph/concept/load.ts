import type { Integer } from 'neo4j-driver';

import { OPEN_END } from '../../schemas/time.ts';
import type { StaleConcept } from '../../src/derive/concept/support.ts';
import type { Synthesis, LatestVersion } from '../../src/derive/concept/evolve.ts';
import type { FoundConcept } from '../../src/derive/concept/replay-input.ts';
import { Columns } from '../columns.ts';
import { SUPPORT, supportOf, type StoredSupport } from './support.ts';
import { VERSION, versionOf, type StoredVersion } from './version.ts';
import type { Transaction } from '../driver.ts';
import { instant, type Instant } from '../instant.ts';
import { int, statement, type Param } from '../statement.ts';

/** What is sent of a concept that is asked for. */
const WANTED = new Columns(['id', 'scope_ref', 'since'], ['since']);

interface LoadedHead {
  readonly id: string;
  readonly latest_recorded_from: number;
  readonly open: number;
  readonly changed_at: number;
}

const heads = statement<{ concepts: readonly Param[]; open: Instant }, LoadedHead>(
  'concept.heads',
  'constraints concept_id, concept_version; indexes support_begun and support_newest (one row each), synthesis_scope',
  `UNWIND $concepts AS sent
   WITH ${WANTED.map('sent')} AS want
   MATCH (c:Concept {id: want.id})
   CALL (want) {
     MATCH (v:ConceptVersion) USING INDEX SEEK v:ConceptVersion(concept_id, recorded_from)
     WHERE v.concept_id = want.id AND v.recorded_from < $open
     WITH v ORDER BY v.concept_id DESC, v.recorded_from DESC LIMIT 1
     RETURN v
   }
   WITH want, c, v WHERE v.recorded_from < want.since AND c.supports IS NOT NULL
     AND NOT EXISTS { MATCH (s:Synthesis) WHERE s.scope_ref = want.scope_ref AND s.recorded_at >= want.since }
   CALL (want) {
     MATCH ()-[x:SUPPORTED_BY]->() USING INDEX SEEK x:SUPPORTED_BY(concept_id, recorded_from)
     WHERE x.concept_id = want.id AND x.recorded_from < $open
     WITH x ORDER BY x.concept_id DESC, x.recorded_from DESC LIMIT 1
     RETURN x.recorded_from AS begun_at
   }
   OPTIONAL CALL (want) {
     MATCH ()-[x:SUPPORTED_BY]->() USING INDEX SEEK x:SUPPORTED_BY(concept_id, recorded_to, position, fact_id)
     WHERE x.concept_id = want.id AND x.recorded_to < $open AND x.position IS NOT NULL AND x.fact_id IS NOT NULL
     WITH x ORDER BY x.concept_id DESC, x.recorded_to DESC, x.position DESC, x.fact_id DESC LIMIT 1
     RETURN x.recorded_to AS ended_at
   }
   RETURN want.id AS id, v.recorded_from.epochMillis AS latest_recorded_from, c.supports AS open,
     CASE WHEN ended_at > begun_at THEN ended_at.epochMillis ELSE begun_at.epochMillis END AS changed_at`,
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

/** A concept that is there knows how many supports it has: one of thousands is not to be gone through. */
const load = statement<{ concepts: readonly Param[]; open: Instant; most: Integer }, LoadedConcept>(
  'concept.load',
  'constraints concept_id, concept_version; indexes support_newest and support_begun, synthesis_scope',
  `UNWIND $concepts AS sent
   WITH ${WANTED.map('sent')} AS want
   OPTIONAL CALL (want) {
     MATCH (v:ConceptVersion) USING INDEX SEEK v:ConceptVersion(concept_id, recorded_from)
     WHERE v.concept_id = want.id AND v.recorded_from < want.since
     WITH v ORDER BY v.concept_id DESC, v.recorded_from DESC LIMIT 1
     RETURN ${VERSION} AS last
   }
   CALL (want) {
     MATCH ()-[x:SUPPORTED_BY]->() USING INDEX SEEK x:SUPPORTED_BY(concept_id, recorded_to, position, fact_id)
     WHERE x.concept_id = want.id AND x.recorded_to = $open AND x.position > -1 AND x.fact_id > ''
     WITH x, want ORDER BY x.concept_id DESC, x.recorded_to DESC, x.position DESC, x.fact_id DESC
     WITH x WHERE x.recorded_from < want.since
     WITH x LIMIT $most
     RETURN collect(${SUPPORT}) AS newest
   }
   OPTIONAL MATCH (c:Concept {id: want.id})
   CALL (want, c) {
     UNWIND CASE WHEN c.supports IS NULL THEN [want.id] ELSE [] END AS id
     MATCH ()-[x:SUPPORTED_BY]->() USING INDEX SEEK x:SUPPORTED_BY(concept_id, recorded_to, position, fact_id)
     WHERE x.concept_id = id AND x.recorded_to = $open AND x.position > -1 AND x.fact_id > ''
     RETURN count(x) AS counted
   }
   CALL (want) {
     MATCH ()-[x:SUPPORTED_BY]->() USING INDEX SEEK x:SUPPORTED_BY(concept_id, recorded_from)
     WHERE x.concept_id = want.id AND x.recorded_from >= want.since
     RETURN collect(${SUPPORT}) AS begun
   }
   CALL (want) {
     MATCH ()-[x:SUPPORTED_BY]->() USING INDEX SEEK x:SUPPORTED_BY(concept_id, recorded_to, position, fact_id)
     WHERE x.concept_id = want.id AND x.recorded_to >= want.since AND x.recorded_to < $open AND x.position IS NOT NULL AND x.fact_id IS NOT NULL
       AND x.recorded_from < want.since
     RETURN collect(${SUPPORT}) AS ended
   }
   CALL (want) {
     MATCH (s:Synthesis) USING INDEX SEEK s:Synthesis(scope_ref, recorded_at)
     WHERE s.scope_ref = want.scope_ref AND s.recorded_at >= want.since AND (s.through IS NULL OR want.id <= s.through)
     RETURN collect(s {.id, recorded_at: s.recorded_at.epochMillis, .topics, .force}) AS syntheses
   }
   CALL (want) {
     MATCH (v:ConceptVersion) USING INDEX SEEK v:ConceptVersion(concept_id, recorded_from)
     WHERE v.concept_id = want.id AND v.recorded_from >= want.since
     RETURN count(v) AS later
   }
   RETURN want.id AS id, last, later, newest, coalesce(c.supports, counted) AS open, begun + ended AS changing, syntheses`,
);

interface UnchangedConcept {
  readonly id: string;
  readonly last: StoredVersion;
  readonly newest: StoredSupport[];
}

/** Concepts to which nothing happened from their instants on: what would count that is not looked for. */
const loadUnchanged = statement<
  { concepts: readonly Param[]; open: Instant; most: Integer },
  UnchangedConcept
>(
  'concept.load_quiet',
  'constraint concept_version; index support_newest',
  `UNWIND $concepts AS id
   CALL (id) {
     MATCH (v:ConceptVersion) USING INDEX SEEK v:ConceptVersion(concept_id, recorded_from)
     WHERE v.concept_id = id AND v.recorded_from < $open
     WITH v ORDER BY v.concept_id DESC, v.recorded_from DESC LIMIT 1
     RETURN ${VERSION} AS last
   }
   CALL (id) {
     MATCH ()-[x:SUPPORTED_BY]->() USING INDEX SEEK x:SUPPORTED_BY(concept_id, recorded_to, position, fact_id)
     WHERE x.concept_id = id AND x.recorded_to = $open AND x.position > -1 AND x.fact_id > ''
     WITH x ORDER BY x.concept_id DESC, x.recorded_to DESC, x.position DESC, x.fact_id DESC
     WITH x LIMIT $most
     RETURN collect(${SUPPORT}) AS newest
   }
   RETURN id, last, newest`,
);

/** What is stored of a concept, and how many versions of it from its instant on. */
export interface StoredReplayInput extends FoundConcept {
  readonly stored: number;
}

/** Reads what concepts are told from, within the transaction that derives them; one round trip each. */
export class ConceptLoader {
  private readonly transaction: Transaction;

  constructor(transaction: Transaction) {
    this.transaction = transaction;
  }

  /** How concepts were told last, by id, before their supports change; what cannot be known to be told from its newest supports is left out. */
  async heads(concepts: readonly StaleConcept[]): Promise<ReadonlyMap<string, LatestVersion>> {
    if (concepts.length === 0) return new Map();
    const params = { concepts: concepts.map(wantedParam), open: instant(OPEN_END) };
    const rows = await this.transaction.run(heads, params);
    return new Map(
      rows.map(({ id, latest_recorded_from, open, changed_at }) => [
        id,
        { latest_recorded_from, supports: open, changed_at },
      ]),
    );
  }

  /**
   * What concepts are told from before their supports change, by id; of supports that stay the newest, `most` of each. It is asked before
   * those are written: the server looks through what a transaction wrote for every concept again.
   */
  async load(
    concepts: readonly StaleConcept[],
    most: number,
  ): Promise<ReadonlyMap<string, StoredReplayInput>> {
    if (concepts.length === 0) return new Map();
    const params = { concepts: concepts.map(wantedParam), open: instant(OPEN_END), most: int(most) };
    const rows = await this.transaction.run(load, params);
    return replayInputsOf(concepts, rows, ({ last, later, newest, open, changing, syntheses }, concept) => ({
      stored: later,
      last: last === null ? null : versionOf(last),
      newest: newest.map((said) => supportOf(said, concept)),
      open,
      changing: changing.map((said) => supportOf(said, concept)),
      syntheses: syntheses.sort(byRecorded),
    }));
  }

  /** The same of concepts to which nothing happened from their instants on: what their heads tell is not read again. */
  async loadUnchanged(
    concepts: readonly StaleConcept[],
    heads: ReadonlyMap<string, LatestVersion>,
    most: number,
  ): Promise<ReadonlyMap<string, StoredReplayInput>> {
    if (concepts.length === 0) return new Map();
    const ids = concepts.map(({ concept_id }) => concept_id);
    const params = { concepts: ids, open: instant(OPEN_END), most: int(most) };
    const rows = await this.transaction.run(loadUnchanged, params);
    return replayInputsOf(concepts, rows, ({ id, last, newest }, concept) => {
      const head = heads.get(id);
      if (head === undefined) throw new Error('a concept is said to be quiet without a head');
      return {
        stored: 0,
        last: versionOf(last),
        newest: newest.map((said) => supportOf(said, concept)),
        open: head.supports,
        changing: [],
        syntheses: [],
      };
    });
  }
}

/** What was found of concepts, by id; what there is no row of is left out. */
function replayInputsOf<Row extends { readonly id: string }>(
  concepts: readonly StaleConcept[],
  rows: readonly Row[],
  found: (row: Row, concept: StaleConcept) => Omit<StoredReplayInput, 'entity_id' | 'since'>,
): ReadonlyMap<string, StoredReplayInput> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    concepts.flatMap((concept) => {
      const { concept_id, entity_id, since } = concept;
      const row = byId.get(concept_id);
      return row === undefined ? [] : [[concept_id, { ...found(row, concept), entity_id, since }] as const];
    }),
  );
}

function wantedParam({ concept_id: id, scope_ref, since }: StaleConcept): Param {
  return WANTED.row({ id, scope_ref, since: int(since) });
}

function byRecorded(a: Synthesis, b: Synthesis): number {
  return a.recorded_at - b.recorded_at || (a.id < b.id ? -1 : 1);
}

/** Has the server plan the statements of this file by running them on nothing. */
export async function planConceptLoads(transaction: Transaction): Promise<void> {
  await transaction.run(load, { concepts: [], open: instant(OPEN_END), most: int(1) });
  await transaction.run(loadUnchanged, { concepts: [], open: instant(OPEN_END), most: int(1) });
  await transaction.run(heads, { concepts: [], open: instant(OPEN_END) });
}
