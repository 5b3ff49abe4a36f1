import type { Transaction, Writer } from '../../graph/driver.ts';
import { EpisodeLoader, type EpisodeScope } from '../../graph/episode/load.ts';
import {
  EpisodeSealer,
  shardsWithIdleEpisodes,
  type IdleEpisode,
  type SealPosition,
} from '../../graph/episode/seal.ts';
import { writeEpisodes, type EpisodeWrites } from '../../graph/episode/write.ts';
import type { LeasedShard } from '../../graph/shard.ts';
import type { Clock } from '../clock.ts';
import { EpisodeBook, NO_EPISODES } from '../derive/episode/book.ts';
import type { SealEntry } from '../derive/episode/episode.ts';
import type { Ids } from '../ids.ts';
import { replayScope } from './episodes.ts';

/** What the sweep needs. */
export interface EpisodeSweepParts {
  readonly writer: Writer;
  /** Id of the worker that holds the leases. */
  readonly worker: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Milliseconds without a recorded event after which an episode is over. */
  readonly window: number;
  /** Idle episodes of one transaction, about as many. */
  readonly batch: number;
}

/**
 * Seals episodes of which no event was recorded for the window. Each scope of a batch gets an entry in the log, in the transaction
 * that seals: replaying the scope seals the same episodes at the same place.
 */
export class EpisodeSweep {
  private readonly parts: EpisodeSweepParts;

  constructor(parts: EpisodeSweepParts) {
    this.parts = parts;
  }

  /** Looks through the shards that the worker holds, once; `true` when there may be more to do at once. Throws what one failed with, when it is through with the others. */
  async round(shards: readonly LeasedShard[]): Promise<boolean> {
    const { writer, clock, window } = this.parts;
    if (shards.length === 0) return false;
    const numbers = shards.map(({ number }) => number);
    const idle = new Set(await shardsWithIdleEpisodes(writer, numbers, clock.now() - window));
    let more = false;
    const failures: unknown[] = [];
    for (const shard of shards.filter(({ number }) => idle.has(number))) {
      try {
        more = (await writer.transaction((transaction) => this.seal(transaction, shard))) || more;
      } catch (error) {
        failures.push(error);
      }
    }
    // One that is done again at once would fail again.
    if (failures.length > 0) throw failures[0];
    return more;
  }

  private async seal(transaction: Transaction, shard: LeasedShard): Promise<boolean> {
    const { worker, clock, window, batch } = this.parts;
    const sealer = new EpisodeSealer(transaction);
    const place = await sealer.begin(shard, worker, clock.now());
    if (place === null) return false;
    const before = place.recorded_at - window;
    const found = await sealer.idle(shard, before, batch + 1);
    const [first] = found;
    if (first === undefined) return false;
    const { newest_at } = found.at(-1)?.episode ?? first.episode;
    const full = found.length > batch;
    // Those that became idle together are sealed together, so that an entry names them by that instant.
    const idleBefore = full ? Math.max(newest_at, first.episode.newest_at + 1) : before;
    const all = full ? await sealer.idle(shard, idleBefore, Number.MAX_SAFE_INTEGER) : found;
    await this.sealScopes(transaction, all, place, idleBefore);
    return full;
  }

  private async sealScopes(
    transaction: Transaction,
    idle: readonly IdleEpisode[],
    { after_offset, recorded_at }: SealPosition,
    idle_before: number,
  ): Promise<void> {
    const { ids, window } = this.parts;
    const entry: SealEntry = { after_offset, recorded_at, idle_before };
    const writes: EpisodeWrites[] = [];
    const entries: { id: string; tenant: string; scope_ref: string }[] = [];
    for (const [place, episodes] of byScope(idle)) {
      if (episodes.some(({ unsealed }) => unsealed)) {
        const loader = new EpisodeLoader(transaction);
        const telling = { fresh: [], retracted: [], window, settled: true };
        writes.push(replayScope(place, await loader.whole(place.scope_ref), telling).writes);
        continue;
      }
      const { tenant, scope_ref } = place;
      entries.push({ id: ids.entry(), tenant, scope_ref });
      writes.push(sealed(place, episodes, entry, window));
    }
    await new EpisodeSealer(transaction).enter(entries, { after_offset, recorded_at }, idle_before);
    writeEpisodes(transaction, writes);
  }
}

function byScope(idle: readonly IdleEpisode[]): Map<EpisodeScope, IdleEpisode[]> {
  const places = new Map<string, EpisodeScope>();
  const groups = new Map<EpisodeScope, IdleEpisode[]>();
  for (const one of idle) {
    const place = places.get(one.scope_ref) ?? one;
    places.set(one.scope_ref, place);
    groups.set(place, [...(groups.get(place) ?? []), one]);
  }
  return groups;
}

function sealed(
  place: EpisodeScope,
  idle: readonly IdleEpisode[],
  entry: SealEntry,
  window: number,
): EpisodeWrites {
  const episodes = idle.map(({ episode }) => episode);
  const book = new EpisodeBook(place.scope_ref, window, { ...NO_EPISODES, episodes });
  book.sealIdle(entry);
  return {
    place,
    episodes: [...book.changed.values()],
    threads: [],
    contains: [],
    replayed: [],
    deleted: [],
    leaving: [],
    named: [],
    unnamed: [],
    isReplay: false,
    position: entry.after_offset,
    sealed_before: entry.idle_before,
  };
}
