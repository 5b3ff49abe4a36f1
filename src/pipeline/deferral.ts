import type { OpenedEvent } from '../../graph/consolidation.ts';
import { enterDeferrals, knownDeferrals, type NewDeferral } from '../../graph/deferral.ts';
import type { Transaction } from '../../graph/driver.ts';
import type { PolicyLogReader } from '../../graph/policy-log.ts';
import type { DerivationRules } from '../derive/policy-log.ts';
import { grouped } from '../derive/grouped.ts';
import type { EventWithEnvelope } from './stated-events.ts';

/** An event with what is known of it when it is consolidated. */
export interface Due {
  readonly event: EventWithEnvelope;
  readonly state: OpenedEvent;
}

/** Events that could be consolidated, by whether their scope is consolidated later. */
export interface SplitEvents {
  /** Those that are consolidated now, in their order. */
  readonly ready: readonly Due[];
  /** Those that wait. */
  readonly deferred: readonly Due[];
  /** Ids of those consolidated now that waited until now. */
  readonly ended: ReadonlySet<string>;
  /** What holds at the place of each event that is neither taken out nor erased, by id; null where nobody asked. */
  readonly rules: ReadonlyMap<string, DerivationRules> | null;
}

/** The rules at the places of events, by their ids; one round trip for all, none for no event. */
export async function rulesOf(
  transaction: Transaction,
  policies: PolicyLogReader,
  events: readonly EventWithEnvelope[],
): Promise<ReadonlyMap<string, DerivationRules>> {
  const places = events.map(({ tenant, scope, wal_offset: position, recorded_at }) => ({
    ...{ tenant, scope, position, recorded_at },
  }));
  const rules = await policies.policiesAt(transaction, places);
  return new Map(
    events.flatMap(({ event_id }, i) => {
      const rule = rules[i];
      return rule === undefined ? [] : [[event_id, rule] as const];
    }),
  );
}

/**
 * Lets events wait whose scope is consolidated periodically or when somebody asks. The policy at the place of an event decides, and how far the
 * scope was asked for; so an event that comes late to a stretch that was asked for does not wait. Where no scope of the store defers
 * anything, nothing is asked.
 */
export class DeferralKeeper {
  private readonly policies: PolicyLogReader;
  private readonly intervalMs: number;

  /** @param intervalMs after which events of a periodic scope are consolidated, from the first that waits on */
  constructor(policies: PolicyLogReader, intervalMs: number) {
    this.policies = policies;
    this.intervalMs = intervalMs;
  }

  /** Tells events that wait from those that do not. */
  async split(transaction: Transaction, present: readonly Due[]): Promise<SplitEvents> {
    const here = present.filter(({ state: { defers, excluded, erased } }) => defers && !excluded && !erased);
    if (here.length === 0) return { ready: present, deferred: [], ended: new Set(), rules: null };
    const events = here.map(({ event }) => event);
    const rules = await rulesOf(transaction, this.policies, events);
    const slow = events.filter(({ event_id }) => isSlow(rules.get(event_id)));
    if (slow.length === 0) return { ready: present, deferred: [], ended: new Set(), rules };
    const refs = new Set(slow.map(({ scope_ref }) => scope_ref));
    const ids = slow.map(({ event_id }) => event_id);
    const { through, waiting } = await knownDeferrals(transaction, [...refs], ids);
    const later = new Set(
      slow
        .filter(({ scope_ref, wal_offset }) => wal_offset > (through.get(scope_ref) ?? 0))
        .map(({ event_id }) => event_id),
    );
    return {
      ready: present.filter(({ event }) => !later.has(event.event_id)),
      deferred: present.filter(({ event }) => later.has(event.event_id)),
      ended: new Set([...waiting].filter((id) => !later.has(id))),
      rules,
    };
  }

  /** Writes down that events wait. */
  async enter(transaction: Transaction, { deferred, rules }: SplitEvents, now: number): Promise<void> {
    const inOrder = deferred.map(({ event }) => event).sort((a, b) => a.wal_offset - b.wal_offset);
    const byScope = grouped(inOrder, ({ scope_ref }) => scope_ref);
    const deferrals = [...byScope.values()].map((events): NewDeferral => {
      const periodic = events.some(({ event_id }) => rules?.get(event_id)?.consolidation === 'periodic');
      return { events, due_at: periodic ? now + this.intervalMs : null };
    });
    await enterDeferrals(transaction, deferrals, now);
  }
}

function isSlow(rules: DerivationRules | undefined): boolean {
  return rules !== undefined && rules.consolidation !== 'eager';
}
