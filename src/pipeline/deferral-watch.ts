import type { DeferralStore, DeferralVerdict, LookedAtDeferral } from '../../graph/deferral.ts';
import type { Writer } from '../../graph/driver.ts';
import { PolicyLogReader } from '../../graph/policy-log.ts';
import type { Clock } from '../clock.ts';

/** Scopes of one shard whose policies are looked at together. */
const DEFERRALS_LOOKED_AT = 100;

/** What the watch needs. */
export interface DeferralWatchParts {
  readonly store: Pick<DeferralStore, 'look' | 'judge' | 'close'>;
  readonly writer: Writer;
  readonly clock: Clock;
  /** Milliseconds after which events of a periodic scope are consolidated. */
  readonly intervalMs: number;
}

/**
 * Ends the waiting of scopes: of those that are due, and of those that are consolidated at once since their policies, or policies that
 * they inherit, changed. A change never makes the waiting longer.
 */
export class DeferralWatch {
  private readonly parts: DeferralWatchParts;
  private readonly policies = new PolicyLogReader();

  constructor(parts: DeferralWatchParts) {
    this.parts = parts;
  }

  /** Looks once through the shards that the worker holds; `true` when there may be more to judge. */
  async round(shards: readonly number[]): Promise<boolean> {
    const { store, clock } = this.parts;
    const now = clock.now();
    const found = await store.look(shards, now, DEFERRALS_LOOKED_AT);
    if (found.length === 0) return false;
    await store.judge(await this.verdicts(found, now), now);
    const done = found.filter(({ place }) => place === null).map(({ scope_ref }) => scope_ref);
    if (done.length > 0) await store.close(done, now);
    return found.length >= DEFERRALS_LOOKED_AT;
  }

  private async verdicts(found: readonly LookedAtDeferral[], now: number): Promise<DeferralVerdict[]> {
    const due = found.filter((one) => one.due);
    const changed = found.filter((one) => !one.due);
    const places = changed.map(({ place }) => ({
      tenant: place?.tenant ?? '',
      scope: place?.scope ?? '',
      position: Number.MAX_SAFE_INTEGER,
      recorded_at: now,
    }));
    const rules =
      places.length === 0
        ? []
        : await this.parts.writer.transaction((transaction) => this.policies.policiesAt(transaction, places));
    return [
      ...due.map(({ scope_ref }) => ({ scope_ref, open: true, checked: null, due_at: null })),
      ...changed.map(({ scope_ref, newest }, i): DeferralVerdict => {
        const policy = rules[i]?.consolidation ?? 'eager';
        const due_at = policy === 'periodic' ? now + this.parts.intervalMs : null;
        return { scope_ref, open: policy === 'eager', checked: newest, due_at };
      }),
    ];
  }
}
