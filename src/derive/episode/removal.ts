import { centralityOf, type Episode, type EpisodeRow } from './episode.ts';

/** An event of an episode, as far as the removal of another one depends on it. Instants are epoch milliseconds. */
export interface EpisodeNeighbour {
  /** Its place in the log. */
  readonly position: number;
  readonly recorded_at: number;
  readonly observed_at: number;
  readonly threads: readonly string[];
}

/** An event that is to be taken out of its episode, and what lies around it. */
export interface Surroundings {
  readonly event: EpisodeNeighbour & {
    readonly id: string;
    readonly preceded_by: readonly string[];
    /** Whether an event of the scope names it as what led to it. */
    readonly named: boolean;
  };
  /** The episode with the event, without its rows. */
  readonly episode: Episode;
  /** Other events of the episode, those that were observed next to it on both sides, in no order. */
  readonly neighbours: readonly EpisodeNeighbour[];
}

/** The stretch of the log, behind an event, in which its episode ended with it: what happened there has to be looked at. */
export interface RemovalSpan {
  /** Place of the event. */
  readonly after: number;
  /** Place up to which the episode, or one of its threads, ended with the event; `after` where it never did. */
  readonly through: number;
  /** Events behind `after` and up to `through` were related to the episode without the event too when they were observed no later than this. */
  readonly latest: number;
  /** Place before which the event was the newest of its episode. */
  readonly until: number;
  /** An entry that stands there and seals what is idle since an instant behind this one and no later than the event would have sealed the episode. */
  readonly idleAfter: number;
}

/** What happened in a {@link RemovalSpan}. */
export interface WithinSpan {
  /** Events of the scope, at most as many as are counted. */
  readonly events: number;
  /** When the one of them that was observed last was; null for none. */
  readonly latest: number | null;
  /** Whether an entry may have left the episode open for the event alone. */
  readonly seals: boolean;
  /** Threads of one key of the event that they may have been near to, at most as many as are counted. */
  readonly threads: number;
}

/** An event with which the number of events of an episode doubled, and the next of the same episode in the log. */
export interface Doubling {
  readonly position: number;
  readonly recorded_at: number;
  /** Null where there is none near by, or it was not looked for. */
  readonly next: { readonly position: number; readonly recorded_at: number } | null;
}

/** An episode without one of its events. */
export interface Reduced {
  /** With the rows that are new or another. */
  readonly episode: Episode;
  /** Instants of rows that there are no longer. */
  readonly deleted: readonly number[];
}

/** Of an episode of fewer events most of it is at an end. */
const FEWEST_EVENTS = 3;

/**
 * Where it has to be looked whether anything depended on an event of an episode; null where what lies around it does not show that: it
 * opened the episode or was its first, is its last or newest, names what led to it or is named so, or one of its threads has no event
 * on both sides within the window.
 *
 * An event in the middle of its episode changes nothing but where the episode ended for a while: until another one was observed as late.
 */
export function removalSpan(
  { event, episode, neighbours }: Surroundings,
  window: number,
): RemovalSpan | null {
  const { position, observed_at } = event;
  if (event.named || event.preceded_by.length > 0) return null;
  if (episode.doublings === null || episode.count < FEWEST_EVENTS || episode.last.event_id === event.id)
    return null;
  const before = neighbours.filter((one) => one.position < position);
  const behind = neighbours.filter((one) => one.position > position);
  let through = position;
  let latest = Number.POSITIVE_INFINITY;
  for (const key of event.threads) {
    const earlier = ofThread(before, key).filter((one) => one.observed_at <= observed_at);
    const end = Math.max(...earlier.map((one) => one.observed_at));
    if (end + window < observed_at || earlier.length === 0) return null;
    latest = Math.min(latest, end + window);
    if (ofThread(before, key).some((one) => one.observed_at >= observed_at)) continue;
    const later = ofThread(behind, key).filter((one) => one.observed_at >= observed_at);
    if (later.length === 0) return null;
    through = Math.max(through, Math.min(...later.map((one) => one.position)));
  }
  if (behind.length === 0 || before.length === 0) return null;
  return {
    after: position,
    through,
    latest,
    until: Math.max(through, Math.min(...behind.map((one) => one.position))),
    idleAfter: Math.max(...before.map((one) => one.recorded_at)),
  };
}

/**
 * Whether nothing in a span was decided by the event: all was near to the episode without it too. `bounds`: how many events are counted,
 * and of how many threads all are looked at, so that their order does not matter.
 */
export function isUntouched(
  { latest }: RemovalSpan,
  within: WithinSpan,
  bounds: { readonly events: number; readonly threads: number },
): boolean {
  if (within.seals || within.events >= bounds.events || within.threads > bounds.threads) return false;
  return within.latest === null || within.latest <= latest;
}

function ofThread(events: readonly EpisodeNeighbour[], key: string): EpisodeNeighbour[] {
  return events.filter(({ threads }) => threads.includes(key));
}

/**
 * An episode without an event that {@link removalSpan} and what it has looked at show to matter to its number of events alone. The
 * number doubles one event later wherever it doubled with the event or behind it. Null where that event is not known.
 *
 * @param rows all rows of the episode, in recorded order
 * @param doublings as `episode.doublings` names them
 */
export function episodeWithout(
  { event, episode }: Surroundings,
  rows: readonly EpisodeRow[],
  doublings: readonly Doubling[],
): Reduced | null {
  const moved = doublings.flatMap((one, i) => {
    if (one.position < event.position) return [one];
    // It doubled with the newest event, behind which there is none.
    return 2 ** (i + 1) === episode.count ? [] : [one.next];
  });
  const doubled = moved.flatMap((one) => (one === null ? [] : [one]));
  if (doubled.length < moved.length) return null;
  const now = countedRows(
    rows,
    doubled.map(({ recorded_at }) => recorded_at),
  );
  const old = new Map(rows.map((row) => [row.recorded_from, row]));
  const kept = new Set(now.map(({ recorded_from }) => recorded_from));
  return {
    episode: {
      ...episode,
      count: episode.count - 1,
      doublings: doubled.map(({ position }) => position),
      rows: now.filter((row) => old.get(row.recorded_from)?.centrality_score !== row.centrality_score),
    },
    deleted: [...old.keys()].filter((at) => !kept.has(at)),
  };
}

/** Rows as they are when the number of events doubles at these instants. */
function countedRows(rows: readonly EpisodeRow[], doubledAt: readonly number[]): EpisodeRow[] {
  const stated = rows.filter((row, i) => {
    const last = rows[i - 1];
    return last?.started_at !== row.started_at || last.ended_at !== row.ended_at;
  });
  const instants = [...new Set([...stated.map(({ recorded_from }) => recorded_from), ...doubledAt])];
  return instants
    .sort((a, b) => a - b)
    .flatMap((at) => {
      const row = stated.filter(({ recorded_from }) => recorded_from <= at).at(-1);
      const doubled = doubledAt.filter((one) => one <= at).length;
      return row === undefined
        ? []
        : [{ ...row, recorded_from: at, centrality_score: centralityOf(2 ** doubled) }];
    });
}
