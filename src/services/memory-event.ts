import type { DerivationReader } from '../../graph/derivation.ts';
import type { DerivedIds, DerivedReader } from '../../graph/derived.ts';
import type { LifecycleReader } from '../../graph/lifecycle.ts';
import { lifecycleId, memoryEventQuery, type MemoryEventTrace } from '../../schemas/lifecycle.ts';
import { tenantOfReads } from '../access/principal.ts';
import { knownInstants } from '../time/as-of.ts';
import type { AccessService, Call } from './access.ts';
import { stagesCompleted } from './experience-status.ts';
import { parseQuery } from './query-input.ts';

/** What the reading needs. */
export interface MemoryEventParts {
  readonly access: AccessService;
  readonly frames: LifecycleReader;
  readonly derivation: DerivationReader;
  readonly derived: DerivedReader;
}

/**
 * What happened to each of many events, in their order: three statements side by side, however many there are. Null for an
 * unknown event, one that the caller may not read, and one that was not there at the instants of the query. Throws `INVALID_QUERY`.
 */
export async function memoryEvents(
  { access, frames, derivation, derived }: MemoryEventParts,
  call: Call,
  ids: readonly string[],
  query: unknown,
): Promise<(MemoryEventTrace | null)[]> {
  const at = knownInstants(parseQuery(memoryEventQuery, query));
  const tenant = tenantOfReads(call.principal);
  const [progress, sequences, found] = await Promise.all([
    derivation.progress(ids, tenant),
    frames.sequencesOfEvents(ids, tenant),
    derived.ofEvents(ids, tenant, at),
  ]);
  const names = progress.map(({ tenant: of, scope }) => ({ tenant: of, path: scope }));
  const mayRead = await access.readableNow(call, names);
  const readable = progress.filter(({ tenant: of, scope }) => mayRead({ tenant: of, path: scope }));
  const derivedOf = new Map(found.map((of) => [of.event_id, of]));
  const byId = new Map(readable.map((event) => [event.event_id, event]));
  return ids.map((id) => {
    const event = byId.get(id);
    const made = derivedOf.get(id);
    if (event === undefined || made === undefined) return null;
    return {
      event_id: id,
      stages_completed: stagesCompleted(event),
      lifecycle_event_ids: (sequences.get(id) ?? []).map(lifecycleId),
      derived: derivedBy(made),
    };
  });
}

/** The ids by kind; kinds of which there are none are left out. */
function derivedBy({ event_id: _event, ...kinds }: DerivedIds): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, of]) => (of.length === 0 ? [] : [[kind, [...of].sort()]])),
  );
}
