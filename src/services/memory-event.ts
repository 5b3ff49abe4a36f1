import type { DerivationReader } from '../../graph/derivation.ts';
import type { DerivedIds, FactReader } from '../../graph/fact.ts';
import type { LifecycleReader } from '../../graph/lifecycle.ts';
import { lifecycleId, type MemoryEventTrace } from '../../schemas/lifecycle.ts';
import { KNOWN_NOW } from '../time/as-of.ts';
import type { AccessService, Call } from './access.ts';
import { stagesCompleted } from './experience-status.ts';

/** What the reading needs. */
export interface MemoryEventParts {
  readonly access: AccessService;
  readonly frames: LifecycleReader;
  readonly derivation: DerivationReader;
  readonly facts: FactReader;
}

/**
 * What happened to each of many events, in their order: three statements side by side, however many there are. Null for an
 * unknown event and one that the caller may not read.
 */
export async function memoryEvents(
  { access, frames, derivation, facts }: MemoryEventParts,
  call: Call,
  ids: readonly string[],
): Promise<(MemoryEventTrace | null)[]> {
  const tenant = call.principal.crossTenantById ? null : call.principal.tenant;
  const [progress, sequences, derived] = await Promise.all([
    derivation.progress(ids, tenant),
    frames.sequencesOfEvents(ids, tenant),
    facts.derivedIds(ids, tenant, KNOWN_NOW),
  ]);
  const names = progress.map(({ tenant: of, scope }) => ({ tenant: of, path: scope }));
  const mayRead = await access.readableNow(call, names);
  const readable = progress.filter(({ tenant: of, scope }) => mayRead({ tenant: of, path: scope }));
  const derivedOf = new Map(derived.map((of) => [of.event_id, of]));
  const byId = new Map(readable.map((event) => [event.event_id, event]));
  return ids.map((id) => {
    const event = byId.get(id);
    if (event === undefined) return null;
    return {
      event_id: id,
      stages_completed: stagesCompleted(event),
      lifecycle_event_ids: (sequences.get(id) ?? []).map(lifecycleId),
      derived: derivedBy(derivedOf.get(id)),
    };
  });
}

/** The ids by kind; kinds of which there are none are left out. */
function derivedBy(ids: DerivedIds | undefined): Record<string, string[]> {
  const kinds = { facts: ids?.facts ?? [], entities: ids?.entities ?? [] };
  return Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, of]) => (of.length === 0 ? [] : [[kind, [...of].sort()]])),
  );
}
