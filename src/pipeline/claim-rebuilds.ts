import type { RebuildAsker } from '../../graph/rebuild-ask.ts';
import type { LeasedShard } from '../../graph/shard.ts';
import { shardOf } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import type { ScopeKey } from '../derive/claim/change.ts';
import type { Ids } from '../ids.ts';
import type { Log } from '../log.ts';

/** Who asks for rebuilds that nobody else asked for. */
export const DERIVATION_ACTOR = 'system:derivation';

/** What it needs. */
export interface ClaimRebuildParts {
  readonly asker: Pick<RebuildAsker, 'ask'>;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
}

/** Has the scopes of claims rebuilt that are too long to be replayed in one transaction. */
export class ClaimRebuilds {
  private readonly parts: ClaimRebuildParts;

  constructor(parts: ClaimRebuildParts) {
    this.parts = parts;
  }

  /** Leaves a scope to a rebuild, with those of its events that wait to be consolidated again. False where that cannot be now. */
  async leave(place: ScopeKey, leases: ReadonlyMap<number, LeasedShard>): Promise<boolean> {
    const { asker, ids, clock, log } = this.parts;
    const shard = leases.get(shardOf(place.scope_ref));
    if (shard === undefined) return false;
    const { tenant, scope } = place;
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
    const asked = await asker.ask(shard, place, job);
    if (asked) log.warn('a scope is derived again: a claim of it is too long to be replayed', { job_id: id });
    return asked;
  }
}
