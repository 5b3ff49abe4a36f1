import type { Writer } from '../../graph/driver.ts';
import { EpisodeLoader, type EpisodeScope } from '../../graph/episode/load.ts';
import { PostponedReplays, scopesToReplay } from '../../graph/episode/postponed.ts';
import { writeEpisodes } from '../../graph/episode/write.ts';
import type { ShardLease } from '../../graph/shard.ts';
import { EPISODE_IDLE_MS } from '../limits.ts';
import { DETACHED_EVENTS, replayScope } from './episodes.ts';

/** A scope of which more is to leave is replayed all the same after so long, milliseconds. */
const LONGEST_WAIT_MS = 300_000;

/** Time of a replay beyond that of a usual transaction, milliseconds: it reads all that stays in a scope. */
const REPLAY_EXTRA_MS = 60_000;

/** What became of a scope in one transaction. */
type Outcome = 'replayed' | 'goes on' | 'waits';

/**
 * Replays the episodes of scopes that very many events left: behind the last of them, and what was not taken out with the batches of these
 * some at a time, a transaction each.
 */
export class EpisodeReplays {
  private readonly writer: Writer;
  private readonly worker: string;
  private readonly most: number;

  /** `worker` holds the leases; `most` events are taken out in one transaction. */
  constructor(writer: Writer, worker: string, most = DETACHED_EVENTS) {
    this.writer = writer;
    this.worker = worker;
    this.most = most;
  }

  /**
   * Goes on with each scope in the shards that the worker holds that is to be replayed; `true` when there is more to do at once. Throws what
   * one failed with, when it is through with the others.
   */
  async round(shards: readonly ShardLease[]): Promise<boolean> {
    if (shards.length === 0) return false;
    const leases = new Map(shards.map((shard) => [shard.number, shard]));
    const found = await scopesToReplay(this.writer, [...leases.keys()]);
    let goesOn = false;
    const failures: unknown[] = [];
    for (const { shard, ...place } of found) {
      const lease = leases.get(shard);
      if (lease === undefined) continue;
      try {
        goesOn = (await this.goOn(lease, place)) === 'goes on' || goesOn;
      } catch (error) {
        failures.push(error);
      }
    }
    // One that is done again at once would fail again.
    if (failures.length > 0) throw failures[0];
    return goesOn;
  }

  private goOn(lease: ShardLease, place: EpisodeScope): Promise<Outcome> {
    const { scope_ref: ref } = place;
    return this.writer.transaction(async (transaction) => {
      const replays = new PostponedReplays(transaction);
      const waited = await replays.hold(lease, this.worker, ref);
      if (waited === null) return 'waits';
      // What is still to leave may be held up: what has left shall not be told for ever.
      if (waited < LONGEST_WAIT_MS && (await replays.moreLeave([ref], [])).has(ref)) return 'waits';
      if ((await replays.detach(ref, this.most)) === this.most) return 'goes on';
      const telling = { fresh: [], retracted: [], window: EPISODE_IDLE_MS };
      const stored = await new EpisodeLoader(transaction).whole(ref);
      writeEpisodes(transaction, [replayScope(place, stored, telling).writes]);
      return 'replayed';
    }, REPLAY_EXTRA_MS);
  }
}
