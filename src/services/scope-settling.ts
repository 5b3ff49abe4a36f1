import type { DeferralRelease } from '../../graph/deferral.ts';
import type { DerivationReader } from '../../graph/derivation.ts';
import { shardOf } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import { StrataError } from '../errors.ts';
import { WAIT_RETRY_POLL_MS } from '../limits.ts';
import { timeLimit } from '../time-limit.ts';
import { Wakeup } from '../wakeup.ts';

/** What the waiting needs. */
export interface ScopeSettlingParts {
  readonly derivation: Pick<DerivationReader, 'scopeState'>;
  readonly deferrals: Pick<DeferralRelease, 'all'>;
  readonly clock: Clock;
  /** Milliseconds that are waited at most. */
  readonly budgetMs: number;
  /** Told that the waiting of a scope is over. */
  readonly onReleased: () => void;
}

/** Lets what works on all that a scope holds wait until its events are derived. */
export class ScopeSettling {
  private readonly parts: ScopeSettlingParts;

  constructor(parts: ScopeSettlingParts) {
    this.parts = parts;
  }

  /**
   * Resolves when every event of a scope up to a place of the log is consolidated, and no forget is under way in it; those that wait for
   * their scope are asked for. Events that a stage holds back state nothing yet, and are not waited for. Throws `REDERIVE_IN_PROGRESS`, `WAIT_TIMEOUT`.
   */
  async until(
    { ref, through }: { readonly ref: string; readonly through: number },
    signal: AbortSignal,
  ): Promise<void> {
    const { derivation, deferrals, clock, budgetMs, onReleased } = this.parts;
    const shard = shardOf(ref);
    if (await deferrals.all({ ref, shard }, clock.now())) onReleased();
    const started = clock.now();
    const limit = timeLimit(budgetMs, signal);
    try {
      for (;;) {
        const { rebuilding, derived } = await derivation.scopeState(ref, shard, through);
        if (rebuilding)
          throw new StrataError(
            'REDERIVE_IN_PROGRESS',
            'the scope is being derived again; nothing was forgotten',
          );
        if (derived) return;
        if (limit.signal.aborted)
          throw new StrataError(
            'WAIT_TIMEOUT',
            'The scope is still being derived, so that it is not known yet what would go; nothing was forgotten. Send the request again.',
            { details: { waited_ms: clock.now() - started, waiting_on: 'consolidated' } },
          );
        await new Wakeup().wait(WAIT_RETRY_POLL_MS);
      }
    } finally {
      limit.end();
    }
  }
}
