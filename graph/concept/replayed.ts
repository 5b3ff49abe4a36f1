import { OPEN_END } from '../../schemas/time.ts';
import type { ScopeKey } from '../../src/derive/claim/change.ts';
import type { StaleConcept } from '../../src/derive/concept/support.ts';
import type { ConceptEdge } from '../../src/derive/concept/version.ts';
import type { CitingVersion, ConceptVersion } from '../../src/derive/concept/evolve.ts';
import { Columns } from '../columns.ts';
import { SAYS, saysRow } from './version.ts';
import { int, type Param } from '../statement.ts';

/** A concept as it was told from an instant on. */
export interface ReplayedConcept {
  readonly concept: StaleConcept;
  /** Where it lies; null where nothing says so any more, and then it is there already or gone. */
  readonly place: ScopeKey | null;
  readonly last: ConceptVersion | null;
  /** What the last version says of other concepts. */
  readonly edges: readonly ConceptEdge[];
  /** Its versions from the instant on. */
  readonly versions: readonly CitingVersion[];
  /** How many supports it has now. */
  readonly supports: number;
  /** How many versions from the instant on these replace. */
  readonly stored: number;
  /** The other concepts that those may say something of. */
  readonly others: readonly string[];
}

/** Whether a concept has other versions than before, from its instant on. */
export function hasNewVersions({ versions, stored }: ReplayedConcept): boolean {
  return versions.length > 0 || stored > 0;
}

/** What is known of a concept without its versions, and of one that begins, where; of one that stays where it lies the places are null. */
export const HEAD = new Columns(['id', 'says', 'begun', 'placed']);
export const NOW = new Columns(
  ['entity_id', ...SAYS, 'recorded_from', 'fact_count', 'cited_count', 'supports'],
  ['recorded_from'],
);
export const BEGUN = new Columns(['position', 'recorded_at'], ['recorded_at']);
export const PLACED = new Columns(['tenant', 'scope', 'scope_ref']);

/** What a concept that says what it said is counted by. */
export const COUNTED = new Columns(['id', 'supports']);

/** What is sent of a concept of which versions are dropped: from when on, and with which others it has to do then, or before that. */
export const DROPPED = new Columns(['id', 'since', 'others'], ['since']);

/** What is sent of the last version before those that are told: when the next one follows. */
export const ENDED = new Columns(
  ['concept_id', 'recorded_from', 'recorded_to'],
  ['recorded_from', 'recorded_to'],
);

/** What is known of a concept without its versions: where it lies, where it began, and how it is now. */
export function headOf({ concept, place, last, versions, supports }: ReplayedConcept): Param[] {
  const newest = versions.at(-1) ?? last;
  if (newest === null) return [];
  const [first] = last === null ? versions : [];
  const says = NOW.row({
    entity_id: concept.entity_id,
    ...saysRow(newest),
    recorded_from: int(newest.recorded_from),
    fact_count: int(newest.fact_count),
    cited_count: int(newest.cited_count),
    supports: int(supports),
  });
  return [HEAD.row({ id: concept.concept_id, says, ...begunRow(first, place) })];
}

function begunRow(
  first: ConceptVersion | undefined,
  place: ScopeKey | null,
): Record<'begun' | 'placed', Param> {
  if (first === undefined) return { begun: null, placed: null };
  const begun = BEGUN.row({ position: int(first.position), recorded_at: int(first.recorded_from) });
  if (place === null) return { begun, placed: null };
  const { tenant, scope, scope_ref } = place;
  return { begun, placed: PLACED.row({ tenant, scope, scope_ref }) };
}

/** What is sent of a concept that says what it said. */
export function countedParam({ concept, supports }: ReplayedConcept): Param {
  return COUNTED.row({ id: concept.concept_id, supports: int(supports) });
}

/** What is sent of a concept of which stored versions are dropped. */
export function droppedParam({ concept, edges, stored, others }: ReplayedConcept): Param[] {
  if (stored === 0) return [];
  const related = [...new Set([...edges.map(({ to }) => to), ...others])];
  return [DROPPED.row({ id: concept.concept_id, since: int(concept.since), others: related })];
}

/** What is sent of the version that the told ones follow. */
export function endedParam({ concept: { concept_id }, last, versions }: ReplayedConcept): Param[] {
  if (last === null) return [];
  const recorded_to = int(versions[0]?.recorded_from ?? OPEN_END);
  return [ENDED.row({ concept_id, recorded_from: int(last.recorded_from), recorded_to })];
}
