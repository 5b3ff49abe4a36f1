import { addedUp, type UsageStore, type UsageSum } from '../../graph/usage.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import type { Clock } from '../clock.ts';
import { errorText } from '../errors.ts';
import { MAX_UNWRITTEN_USAGE } from '../limits/models.ts';
import type { Log } from '../log.ts';
import type { Spent } from '../models/model-lane.ts';

/** For whom a model was asked. */
export interface UsagePlace {
  readonly tenant: string;
  readonly scope_ref: string;
}

/**
 * Adds up what models cost and writes it down after each piece of work. What cannot be written is kept and written with the next;
 * a write whose answer was lost may count twice, as a call whose answer was lost was paid for all the same.
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
  spent({ tenant, scope_ref }: UsagePlace, { role, model, ok, inputTokens, outputTokens }: Spent): void {
    this.add({
      tenant,
      scope_ref,
      role,
      model,
      day: toRfc3339(this.clock.now()).slice(0, 10),
      calls: 1,
      failed_calls: ok ? 0 : 1,
      input_tokens: Math.round(inputTokens),
      output_tokens: Math.round(outputTokens),
    });
  }

  /** Writes what is noted; never throws. One write at a time. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  private async write(): Promise<void> {
    const sums = [...this.open.values()];
    if (sums.length === 0) return;
    this.open = new Map();
    try {
      await this.store.add(sums);
    } catch (error) {
      this.log.warn('the usage of models is written later', { error: errorText(error), sums: sums.length });
      for (const sum of sums) this.add(sum);
    }
  }

  private add(sum: UsageSum): void {
    const key = JSON.stringify([sum.tenant, sum.scope_ref, sum.role, sum.model, sum.day]);
    const before = this.open.get(key);
    if (before === undefined && this.open.size >= MAX_UNWRITTEN_USAGE) {
      this.log.error('usage of a model is not written down: too much waits for the database', {
        role: sum.role,
        calls: sum.calls,
        input_tokens: sum.input_tokens,
        output_tokens: sum.output_tokens,
      });
      return;
    }
    this.open.set(key, before === undefined ? sum : { ...sum, ...addedUp(before, sum) });
  }
}
