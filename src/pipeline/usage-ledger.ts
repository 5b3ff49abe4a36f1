import { failureCode, failureOf } from '../../graph/errors.ts';
import { addedUp, type UsageStore, type UsageSum } from '../../graph/usage.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Spent } from '../models/call-site.ts';

/** Sums of usage that wait to be written while the database is away; one more is counted in the log only. */
const MAX_UNWRITTEN_USAGE = 10_000;

/** For whom a model was asked. */
export interface UsageKey {
  readonly tenant: string;
  readonly scope_ref: string;
}

/**
 * Adds up what models cost and writes it down after each piece of work. While the database is away it is kept and written with the
 * next; a write whose answer was lost may count twice, as a call whose answer was lost was paid for all the same. A sum that the
 * database does not take goes to the log alone, and holds up no other.
 */
export class UsageLedger {
  private readonly store: UsageStore;
  private readonly clock: Clock;
  private readonly log: Log;
  private open = new Map<string, UsageSum>();
  private writing: Promise<void> = Promise.resolve();

  constructor(parts: { store: UsageStore; clock: Clock; log: Log }) {
    this.store = parts.store;
    this.clock = parts.clock;
    this.log = parts.log;
  }

  /** Notes one request to a model; written by the next {@link flush}. */
  spent(
    { tenant, scope_ref }: UsageKey,
    { role, model, ok, inputTokens, outputTokens }: Spent,
    calls = 1,
  ): void {
    this.add({
      tenant,
      scope_ref,
      role,
      model,
      day: toRfc3339(this.clock.now()).slice(0, 10),
      calls,
      failed_calls: ok ? 0 : calls,
      input_tokens: Math.round(inputTokens),
      output_tokens: Math.round(outputTokens),
    });
  }

  /** Notes one request that was about several places: its tokens are shared out by their parts, and it counts once, in the first of them. */
  shared(parts: readonly (UsageKey & { readonly part: number })[], cost: Spent): void {
    const whole = parts.reduce((sum, { part }) => sum + part, 0);
    let left = Math.round(cost.inputTokens);
    for (const [i, { part, ...place }] of parts.entries()) {
      const last = i === parts.length - 1;
      const inputTokens = last ? left : Math.min(left, Math.round((cost.inputTokens * part) / whole));
      left -= inputTokens;
      this.spent(
        place,
        { ...cost, inputTokens, outputTokens: i === 0 ? cost.outputTokens : 0 },
        i === 0 ? 1 : 0,
      );
    }
  }

  /** Writes what is noted; never throws. One write at a time. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  private async write(): Promise<void> {
    const sums = [...this.open.values()];
    this.open = new Map();
    await this.keep(sums);
  }

  /** Writes sums together; where they are refused, in halves, until the one stands alone that is at fault. */
  private async keep(sums: readonly UsageSum[]): Promise<void> {
    if (sums.length === 0) return;
    try {
      await this.store.add(sums);
    } catch (error) {
      const reason = failureCode(error);
      const [first, ...others] = sums;
      if (failureOf(error) !== 'permanent') {
        this.log.warn('the usage of models is written later', { error: reason, sums: sums.length });
        for (const sum of sums) this.add(sum);
      } else if (first !== undefined && others.length === 0) {
        this.lost(first, reason);
      } else {
        const half = Math.ceil(sums.length / 2);
        await this.keep(sums.slice(0, half));
        await this.keep(sums.slice(half));
      }
    }
  }

  private add(sum: UsageSum): void {
    const key = JSON.stringify([sum.tenant, sum.scope_ref, sum.role, sum.model, sum.day]);
    const before = this.open.get(key);
    if (before === undefined && this.open.size >= MAX_UNWRITTEN_USAGE) {
      this.lost(sum, 'too much waits for the database');
      return;
    }
    this.open.set(key, before === undefined ? sum : { ...sum, ...addedUp(before, sum) });
  }

  private lost({ role, calls, input_tokens, output_tokens }: UsageSum, reason: string): void {
    this.log.error('usage of a model is not written down', {
      reason,
      role,
      calls,
      input_tokens,
      output_tokens,
    });
  }
}
