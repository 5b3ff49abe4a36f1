import type { PendingEvent } from '../../graph/pending-event.ts';
import type { RebuildAsker } from '../../graph/rebuild-ask.ts';
import type { LeasedShard } from '../../graph/shard.ts';
import { shardOf } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import type { Log } from '../log.ts';
import type { LongClaim } from './long-claim.ts';

/** Who asks for rebuilds that nobody else asked for. */
export const DERIVATION_ACTOR = 'system:derivation';

/** What it needs. */
export interface ClaimRebuildParts {
  readonly asker: Pick<RebuildAsker, 'ask'>;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
}

/** Has the scopes of claims rebuilt that are too long to be told anew in one transaction. */
export class ClaimRebuilds {
  private readonly parts: ClaimRebuildParts;

  constructor(parts: ClaimRebuildParts) {
    this.parts = parts;
  }

  /**
   * Leaves the scope of a claim to a rebuild, with those of some events that lie in it, held ones too: it takes them in the order of the
   * log. False where that cannot be now.
   */
  async leave(
    { place }: LongClaim,
    events: readonly PendingEvent[],
    leases: ReadonlyMap<number, LeasedShard>,
  ): Promise<boolean> {
    const { asker, ids, clock, log } = this.parts;
    const shard = leases.get(shardOf(place.scope_ref));
    if (shard === undefined) return false;
    const { tenant, scope, scope_ref } = place;
    const id = ids.job();
    const job = {
      id,
      active: id,
      of_tenant: tenant,
      scope,
      event_ids: null,
      tenant,
      actor: DERIVATION_ACTOR,
      requested_at: clock.now(),
    };
    const holds = events.flatMap((event) =>
      event.scope_ref === scope_ref && event.hold_id !== null ? [event.hold_id] : [],
    );
    const asked = await asker.ask(shard, place, job, holds);
    if (asked)
      log.warn('a scope is derived again: a claim of it is too long to be told anew', { job_id: id });
    return asked;
  }
}
