import type { NewStatement } from '../../graph/claim-writer.ts';
import type { Consolidated } from './consolidation.ts';

/** The data of a `consolidated` frame, beside what every frame says. */
interface ConsolidatedFrame {
  readonly derived: { readonly entities: readonly string[]; readonly facts: readonly string[] };
  readonly beliefs_updated: number;
  readonly conflicts_resolved: number;
  readonly facts_superseded?: readonly {
    readonly old: string;
    readonly new: string;
    readonly predicate: string;
  }[];
}

/** The frames of events, as JSON text: what they state, and what was superseded by it. */
export function consolidatedFrames(
  eventIds: readonly string[],
  { writes, changes }: Consolidated,
): Map<string, string> {
  const predicates = new Map(
    changes.flatMap(({ claim, terms }) => [...terms.values()].map(({ predicate }) => [claim, predicate])),
  );
  const factOf = new Map(writes.belonging.map(({ id, fact_id }) => [id, fact_id]));
  const statements = grouped(writes.statements, ({ event_id }) => event_id);
  const superseding = grouped(
    writes.rows.filter(({ superseded_by }) => superseded_by !== null),
    ({ caused_by }) => caused_by,
  );
  return new Map(
    eventIds.map((id) => {
      const said = statements.get(id) ?? [];
      const superseded = (superseding.get(id) ?? []).map((row) => ({
        old: row.fact_id,
        new: row.superseded_by ?? '',
        predicate: predicates.get(row.claim) ?? '',
      }));
      const frame: ConsolidatedFrame = {
        derived: {
          entities: [...new Set(said.flatMap(entitiesOf))],
          facts: [...new Set(said.flatMap((one) => factOf.get(one.id) ?? []))],
        },
        beliefs_updated: 0,
        conflicts_resolved: 0,
        ...(superseded.length === 0 ? {} : { facts_superseded: superseded }),
      };
      return [id, JSON.stringify(frame)];
    }),
  );
}

function entitiesOf({ subject, object_entity }: NewStatement): string[] {
  return object_entity === null ? [subject.id] : [subject.id, object_entity.id];
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}
