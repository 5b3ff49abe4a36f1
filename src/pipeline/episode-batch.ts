import type { OpenedEvent } from '../../graph/consolidation.ts';
import type { Transaction } from '../../graph/driver.ts';
import { EpisodeLoader } from '../../graph/episode/load.ts';
import { PostponedReplays } from '../../graph/episode/postponed.ts';
import { EpisodeRemovals } from '../../graph/episode/removal.ts';
import { writeEpisodes, type EpisodeWrites } from '../../graph/episode/write.ts';
import { EPISODE_IDLE_MS } from '../limits.ts';
import { episodeEventOf } from './episode-input.ts';
import { consolidateEpisodes, replayScope } from './episodes.ts';
import type { EventWithEnvelope } from './stated-events.ts';

/** Puts the events of a batch into episodes, and takes out those retracted; answers what each touched, by its id. */
export function putIntoEpisodes(
  transaction: Transaction,
  events: readonly { event: EventWithEnvelope; state: OpenedEvent }[],
  retracted: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const inputs = events.flatMap(({ event, state }) => {
    const { event_id: id, wal_offset: position, tenant, scope, scope_ref, envelope } = event;
    const { recorded_at, observed_at, subject } = state;
    const input = episodeEventOf({ id, position, recorded_at, observed_at, scope_ref, subject, envelope });
    return input === null ? [] : [{ place: { tenant, scope, scope_ref }, event: input }];
  });
  const store = {
    loader: new EpisodeLoader(transaction),
    removals: new EpisodeRemovals(transaction),
    postponed: new PostponedReplays(transaction),
    write: (writes: readonly EpisodeWrites[]) => {
      writeEpisodes(transaction, writes);
    },
  };
  return consolidateEpisodes(store, { events: inputs, retracted }, EPISODE_IDLE_MS);
}

/** Carries out the entries that seal episodes of a scope and stand behind all of its events. */
export async function sealBehind(
  transaction: Transaction,
  place: { readonly tenant: string; readonly scope: string; readonly scope_ref: string },
): Promise<void> {
  const loader = new EpisodeLoader(transaction);
  const request = { scopes: [place.scope_ref], retracted: [], linked: [], near: [], limit: 0 };
  const { progress } = await loader.load(request);
  if (progress.every(({ seals }) => seals.length === 0)) return;
  const telling = { fresh: [], retracted: [], window: EPISODE_IDLE_MS, settled: true };
  const { tenant, scope, scope_ref } = place;
  const { writes } = replayScope({ tenant, scope, scope_ref }, await loader.whole(scope_ref), telling);
  writeEpisodes(transaction, [writes]);
}
