import type { NewStatement } from '../../graph/claim/new-statement.ts';
import type { NewFrame } from '../../graph/frame.ts';
import type { Conflict } from '../derive/conflict.ts';
import { isOfItself } from '../derive/belief/declared.ts';
import { grouped } from '../derive/grouped.ts';
import type { AmbiguousName } from '../derive/known-names.ts';
import type { BeliefRevised } from './belief-reviser.ts';
import type { ConceptTouched } from './concept-reviser.ts';
import type { Consolidated } from './consolidation.ts';

/** The data of a `consolidated` frame, beside what every frame says. */
interface ConsolidatedFrame {
  readonly derived: Readonly<Record<'entities' | 'facts' | 'beliefs', readonly string[]>>;
  readonly beliefs_updated: number;
  readonly conflicts_resolved: number;
  /** That it is only assumed of a predicate that the event states how many values it has at once. */
  readonly cardinality_assumed?: true;
  /** Names that stand for one of several entities of the scope: the one that it was told of first. */
  readonly ambiguous_entity?: readonly AmbiguousName[];
  readonly episodes_touched?: readonly string[];
  readonly concepts_touched?: readonly string[];
  readonly facts_superseded?: readonly {
    readonly old: string;
    readonly new: string;
    readonly predicate: string;
    readonly cardinality_assumed?: true;
  }[];
  readonly beliefs_revised?: readonly Omit<BeliefRevised, 'event_id'>[];
}

/** What was revised beside the facts. */
interface Revisions {
  readonly revised: readonly BeliefRevised[];
  readonly concepts: readonly ConceptTouched[];
  readonly episodes: ReadonlyMap<string, readonly string[]>;
  /** The conflicts that ended. */
  readonly ended: readonly Pick<Conflict, 'resolved_by'>[];
  /** The ambiguous names of events, by id. */
  readonly ambiguous: ReadonlyMap<string, readonly AmbiguousName[]>;
}

/**
 * The frames of events: what they state, whether a cardinality was assumed for it and which of its names are ambiguous, what was superseded and which beliefs were revised by it, the episodes that
 * they touched (by id of the event), the concepts that they gave another version, and how many conflicts they ended. A revision that no
 * event of the batch is the newest cause of, as where one was taken out, is told with the last one.
 */
export function consolidatedFrames(
  eventIds: readonly string[],
  { writes, changes }: Consolidated,
  { revised, concepts, episodes, ended, ambiguous }: Revisions,
): NewFrame[] {
  const about = new Map(
    changes.flatMap(({ claim, terms }) =>
      [...terms.values()].map(({ predicate, cardinality_assumed }) => [
        claim,
        { predicate, ...(cardinality_assumed ? { cardinality_assumed } : {}) },
      ]),
    ),
  );
  const factOf = new Map(writes.belonging.map(({ id, fact_id }) => [id, fact_id]));
  const statements = grouped(writes.statements, ({ event_id }) => event_id);
  const superseding = grouped(
    writes.rows.filter(({ is_new_supersession }) => is_new_supersession),
    ({ caused_by }) => caused_by,
  );
  const last = eventIds.at(-1) ?? '';
  const live = new Set(eventIds);
  const revisions = grouped(revised, ({ event_id }) =>
    event_id !== null && live.has(event_id) ? event_id : last,
  );
  const touchedConcepts = grouped(concepts, ({ caused_by }) =>
    caused_by !== null && live.has(caused_by) ? caused_by : last,
  );
  return eventIds.map((event_id) => {
    const beliefs = revisions.get(event_id) ?? [];
    const said = statements.get(event_id) ?? [];
    const superseded = (superseding.get(event_id) ?? []).map((row) => ({
      old: row.fact_id,
      new: row.superseded_by ?? '',
      ...(about.get(row.claim) ?? { predicate: '' }),
    }));
    const touched = episodes.get(event_id);
    const versions = touchedConcepts.get(event_id) ?? [];
    const names = ambiguous.get(event_id) ?? [];
    const frame: ConsolidatedFrame = {
      derived: {
        entities: [...new Set(said.flatMap(entitiesOf))],
        facts: [...new Set(said.flatMap((one) => factOf.get(one.id) ?? []))],
        beliefs: beliefs.filter(({ stance_before }) => stance_before === null).map((one) => one.id),
      },
      beliefs_updated: beliefs.length,
      conflicts_resolved: ended.filter(({ resolved_by }) => resolved_by === event_id).length,
      ...(said.some((one) => one.cardinality_assumed) ? { cardinality_assumed: true as const } : {}),
      ...(names.length === 0 ? {} : { ambiguous_entity: names }),
      ...(touched === undefined ? {} : { episodes_touched: touched }),
      ...(versions.length === 0 ? {} : { concepts_touched: [...new Set(versions.map((one) => one.id))] }),
      ...(superseded.length === 0 ? {} : { facts_superseded: superseded }),
      ...(beliefs.length === 0 ? {} : { beliefs_revised: beliefs.map(withoutEvent) }),
    };
    return { event_id, type: 'consolidated', data: JSON.stringify(frame) };
  });
}

function withoutEvent({ event_id: _, ...revision }: BeliefRevised): Omit<BeliefRevised, 'event_id'> {
  return revision;
}

function entitiesOf(one: NewStatement): string[] {
  const { subject, object_entity } = one;
  if (isOfItself(one, subject.id)) return [];
  return object_entity === null ? [subject.id] : [subject.id, object_entity.id];
}
