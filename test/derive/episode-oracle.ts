import { episodeIdOf, type EpisodeEvent, type SealEntry } from '../../src/derive/episode/episode.ts';

/** An episode as the oracle tells it. */
export interface PlainEpisode {
  readonly id: string;
  readonly events: EpisodeEvent[];
  sealed_at: number | null;
  readonly follows: string | null;
}

/**
 * The episodes of a scope straight from its log: for every event all events before it are looked at. It knows no threads, no
 * windows of what is loaded and no order but that of the log.
 */
export function plainEpisodes(
  scopeRef: string,
  window: number,
  log: readonly ({ event: EpisodeEvent } | { seal: SealEntry })[],
): PlainEpisode[] {
  const episodes: PlainEpisode[] = [];
  for (const entry of log) {
    if ('seal' in entry) sealIdle(episodes, entry.seal);
    else take(episodes, scopeRef, window, entry.event);
  }
  return episodes;
}

function sealIdle(episodes: PlainEpisode[], { idle_before, recorded_at }: SealEntry): void {
  for (const episode of episodes) {
    const newest = Math.max(...episode.events.map((event) => event.recorded_at));
    if (episode.sealed_at === null && newest < idle_before) episode.sealed_at = recorded_at;
  }
}

function take(episodes: PlainEpisode[], scopeRef: string, window: number, event: EpisodeEvent): void {
  const at = event.observed_at;
  const named = event.preceded_by.flatMap((id) =>
    episodes.filter((one) => one.events.some((other) => other.id === id)),
  );
  const newestFirst = [...episodes].reverse();
  const ofThread = event.threads.map((key) => {
    const own = newestFirst
      .map((one) => ({
        one,
        at: one.events.filter((other) => other.threads.includes(key)).map((e) => e.observed_at),
      }))
      .filter(({ at: instants }) => instants.length > 0)
      .map(({ one, at: instants }) => ({ one, first: Math.min(...instants), last: Math.max(...instants) }));
    const near = own
      .filter(({ first, last }) => at >= first - window && at <= last + window)
      .map(({ one }) => one);
    const past = own.filter(({ last }) => last < at - window).sort((a, b) => b.last - a.last);
    return { near, past: near.length === 0 ? past[0]?.one : undefined };
  });
  for (const one of [...named, ...ofThread.flatMap(({ past }) => past ?? [])])
    if (lastOf(one) + window < at) one.sealed_at ??= event.recorded_at;
  const open = [
    ...named.filter((one) => within(one, at, window)),
    ...ofThread.flatMap(({ near }) => near),
  ].find(({ sealed_at }) => sealed_at === null);
  if (open) {
    open.events.push(event);
    return;
  }
  const related = ofThread.flatMap(({ near, past }) => (past ? [past] : near));
  const follows = named[0] ?? related.find(({ sealed_at }) => sealed_at !== null);
  const id = episodeIdOf(scopeRef, event.id);
  episodes.push({ id, events: [event], sealed_at: null, follows: follows?.id ?? null });
}

function lastOf({ events }: PlainEpisode): number {
  return Math.max(...events.map(({ observed_at }) => observed_at));
}

function within(one: PlainEpisode, at: number, window: number): boolean {
  const first = Math.min(...one.events.map(({ observed_at }) => observed_at));
  return at >= first - window && at <= lastOf(one) + window;
}

/** What an episode of the oracle says as far as it was known at an instant; null while it was not known. */
export function knownAt(
  { id, events, sealed_at, follows }: PlainEpisode,
  recorded: number,
): Record<string, unknown> | null {
  const known = events
    .filter(({ recorded_at }) => recorded_at <= recorded)
    .sort((a, b) => a.observed_at - b.observed_at || a.position - b.position);
  const [first] = known;
  const last = known.at(-1);
  if (!first || !last) return null;
  const over = sealed_at !== null && sealed_at <= recorded;
  return {
    id,
    follows,
    started_at: first.observed_at,
    ended_at: over ? last.observed_at : null,
    opening: first.quote,
    closing: over && known.length > 1 ? last.quote : null,
    doubled: Math.floor(Math.log2(known.length)),
  };
}
