import type { EpisodeItem, EpisodeLink, EpisodeRole } from '../../../schemas/episode.ts';
import { OPEN_END, toRfc3339 } from '../../../schemas/time.ts';
import { summaryOf, type StatedRole } from './episode.ts';

/** An episode as it was known at a recorded instant. Instants are epoch milliseconds. */
export interface KnownEpisode {
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  /** Place of the event that opened it. */
  readonly position: number;
  readonly recorded_from: number;
  readonly follows: string | null;
  readonly name: string;
  readonly opening: string;
  readonly closing: string | null;
  readonly started_at: number;
  /** `OPEN_END` while it is open. */
  readonly ended_at: number;
  readonly centrality_score: number;
}

/** An event of an episode, in the order in which they were observed. */
export interface EpisodeContent {
  readonly event: string;
  readonly role: StatedRole;
  readonly summary: string;
}

/** How much of an episode is to be shown. */
export interface ShownEpisode {
  readonly contents: readonly EpisodeContent[];
  /** Whether there are more events than `contents`. */
  readonly cut: boolean;
  readonly chain: boolean;
  /** Valid instant that the episode is read at; null for all that is known. */
  readonly valid: number | null;
}

/** The wire form of an episode. What lies behind the valid instant is not told: there the episode was not over yet. */
export function toEpisodeItem(
  episode: KnownEpisode,
  { contents, cut, chain, valid }: ShownEpisode,
): EpisodeItem {
  const over = episode.ended_at !== OPEN_END && (valid === null || episode.ended_at <= valid);
  const started = toRfc3339(episode.started_at);
  const ended = over ? toRfc3339(episode.ended_at) : null;
  return {
    id: episode.id,
    scope: episode.scope,
    name: episode.name,
    summary: summaryOf(over ? episode : { ...episode, closing: null }),
    events: contents.map(({ event }) => event),
    started_at: started,
    ended_at: ended,
    valid_from: started,
    valid_to: ended,
    recorded_from: toRfc3339(episode.recorded_from),
    centrality_score: episode.centrality_score,
    ...(episode.follows === null ? {} : { follows: episode.follows }),
    ...(chain ? { causal_chain: causalChain(contents, over && !cut) } : {}),
    _partial: cut,
  };
}

/** What each event is: the first triggers, the last of what is over is what is left, and between them it is what it says of itself. */
export function causalChain(contents: readonly EpisodeContent[], whole: boolean): EpisodeLink[] {
  return contents.map(({ event, role, summary }, i) => {
    const last = whole && i === contents.length - 1 && role === 'follow_up';
    const part: EpisodeRole = i === 0 ? 'trigger' : last ? 'current_state' : role;
    return { event, role: part, summary };
  });
}
