import type { DerivationReader } from '../../graph/derivation.ts';
import type { DerivedIds, DerivedReader } from '../../graph/derived.ts';
import type { LifecycleReader } from '../../graph/lifecycle.ts';
import { lifecycleId, memoryEventQuery, type MemoryEventTrace } from '../../schemas/lifecycle.ts';
import { knownInstants } from '../time/as-of.ts';
import type { Call } from './access.ts';
import { stagesCompleted } from './experience-status.ts';
import { parseQuery } from './query-input.ts';
import type { RecordGate } from './record-gate.ts';

/** What the reading needs. */
export interface MemoryEventParts {
  readonly gate: RecordGate;
  readonly frames: LifecycleReader;
  readonly derivation: DerivationReader;
  readonly derived: DerivedReader;
}

/**
 * What happened to each of many events, in their order: three statements side by side behind the one that decides, however many there are. Null for an
 * unknown event, one that the caller may not read, and one that was not there at the instants of the query. Throws `INVALID_QUERY`.
 */
export async function memoryEvents(
  { gate, frames, derivation, derived }: MemoryEventParts,
  call: Call,
  ids: readonly string[],
  query: unknown,
): Promise<(MemoryEventTrace | null)[]> {
  const at = knownInstants(parseQuery(memoryEventQuery, query));
  const readable = await gate.read(call, { kind: 'event', ids }, async (admitted, tenant) => {
    const [progress, sequences, found] = await Promise.all([
      derivation.progress(admitted, tenant),
      frames.sequencesOfEvents(admitted, tenant),
      derived.ofEvents(admitted, tenant, at),
    ]);
    const derivedOf = new Map(found.map((of) => [of.event_id, of]));
    return progress.map((event) => ({
      ...event,
      made: derivedOf.get(event.event_id),
      sequences: sequences.get(event.event_id) ?? [],
    }));
  });
  const byId = new Map(readable.map((event) => [event.event_id, event]));
  return ids.map((id) => {
    const event = byId.get(id);
    if (event?.made === undefined) return null;
    return {
      event_id: id,
      stages_completed: stagesCompleted(event),
      lifecycle_event_ids: event.sequences.map(lifecycleId),
      derived: derivedBy(event.made),
    };
  });
}

/** The ids by kind; kinds of which there are none are left out. */
function derivedBy({ event_id: _event, ...kinds }: DerivedIds): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, of]) => (of.length === 0 ? [] : [[kind, [...of].sort()]])),
  );
}
