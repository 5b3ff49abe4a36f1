import {
  centralityOf,
  episodeIdOf,
  isBefore,
  type Episode,
  type EpisodeEnd,
  type EpisodeEvent,
  type EpisodeRow,
  type SealEntry,
  type Thread,
} from './episode.ts';
import { quoteOf } from '../quote.ts';

/** Characters of a name. */
const NAME_LENGTH = 80;
/** Threads of one key that are looked at for an event: of those that end no earlier than its window, the first so many. */
export const MAX_LOOKED_AT_THREADS = 64;

/** What is known of a scope before some more of its log. */
export interface KnownEpisodes {
  readonly episodes: readonly Episode[];
  readonly threads: readonly Thread[];
  /** The episode of an event, by the id of the event. */
  readonly places: ReadonlyMap<string, string>;
}

/** A scope of which nothing is known. */
export const NO_EPISODES: KnownEpisodes = { episodes: [], threads: [], places: new Map() };

/** What an event did: the episode that it belongs to, those that were sealed by it, and the events in episodes that it names as what led to it. */
export interface Admission {
  readonly event: EpisodeEvent;
  readonly episode_id: string;
  readonly sealed: readonly string[];
  readonly named: readonly string[];
}

/** What one thread has to say about an event. */
interface ThreadWindow {
  /** Episodes in which the thread has an event within the window, the one that was opened last first. */
  readonly near: readonly Episode[];
  /** Where there is none: the episode that the thread was in before. */
  readonly before: Episode | undefined;
}

/**
 * The episodes of one scope, told from its log. Two events are related when they share a session or a subject and lie within the window
 * of each other, or when one names the other as what led to it. An event joins the open episode of an event that it names, else
 * of its session, else of its subject; of several the one that was opened last. Where there is none it opens one, which follows the
 * sealed one that it is related to. An episode that an event finds idle for longer than the window is sealed by it.
 *
 * A book can be begun with a part of what is known, as long as that holds what the threads of the next events are asked for; `missing`
 * tells which threads of a known episode would have to be known as well.
 */
export class EpisodeBook {
  private readonly scopeRef: string;
  /** Milliseconds. */
  private readonly window: number;
  private readonly byId: Map<string, Episode>;
  private readonly threads = new Map<string, Map<string, Thread>>();
  private readonly places: Map<string, string>;
  private readonly given: ReadonlySet<string>;
  private readonly moved = new Set<Thread>();
  /** Episodes that are not as they were given, by id. */
  readonly changed = new Map<string, Episode>();
  /** Threads of given episodes that were not given, and would have been asked for. */
  readonly missing = new Map<string, { key: string; episode_id: string }>();

  constructor(scopeRef: string, window: number, known: KnownEpisodes) {
    this.scopeRef = scopeRef;
    this.window = window;
    this.byId = new Map(known.episodes.map((episode) => [episode.id, episode]));
    this.given = new Set(this.byId.keys());
    this.places = new Map(known.places);
    for (const thread of known.threads) this.threadsOf(thread.key).set(thread.episode_id, thread);
  }

  /** All episodes that are known, in no order. */
  get episodes(): Episode[] {
    return [...this.byId.values()];
  }

  /** Threads that are not as they were given. */
  get changedThreads(): Thread[] {
    return [...this.moved].filter(
      (thread) => this.threads.get(thread.key)?.get(thread.episode_id) === thread,
    );
  }

  /** Takes in the next event of the log. */
  admit(event: EpisodeEvent): Admission {
    const named = event.preceded_by.filter((id) => this.places.has(id));
    const linked = [...new Set(named.flatMap((id) => this.places.get(id) ?? []))].flatMap(
      (id) => this.byId.get(id) ?? [],
    );
    const reaches = event.threads.map((key) => this.threadWindow(key, event.observed_at));
    const over = [...linked, ...reaches.flatMap(({ before }) => before ?? [])].filter(
      ({ sealed_at, last }) => sealed_at === null && last.observed_at + this.window < event.observed_at,
    );
    for (const { id } of over) this.seal(id, event.recorded_at);
    const joined =
      linked.find(({ id }) => this.isOpenAt(id, event.observed_at)) ??
      reaches.flatMap(({ near }) => near).find(({ sealed_at }) => sealed_at === null);
    const id = joined ? this.join(joined.id, event) : this.open(event, this.predecessor(linked, reaches));
    this.places.set(event.id, id);
    for (const key of event.threads) this.extend(key, id, event.observed_at);
    return { event, episode_id: id, sealed: [...new Set(over.map((episode) => episode.id))], named };
  }

  /** Seals what has been idle in recorded time. */
  sealIdle({ recorded_at, idle_before }: SealEntry): void {
    for (const { id, sealed_at, newest_at } of this.episodes)
      if (sealed_at === null && newest_at < idle_before) this.seal(id, recorded_at);
  }

  private threadsOf(key: string): Map<string, Thread> {
    let threads = this.threads.get(key);
    if (threads === undefined) this.threads.set(key, (threads = new Map<string, Thread>()));
    return threads;
  }

  private threadWindow(key: string, at: number): ThreadWindow {
    const threads = [...this.threadsOf(key).values()];
    const near = threads
      .filter(({ last }) => last >= at - this.window)
      .sort((a, b) => a.last - b.last || a.position - b.position)
      .slice(0, MAX_LOOKED_AT_THREADS)
      .filter(({ first }) => first <= at + this.window)
      .sort((a, b) => b.position - a.position);
    const earlier = threads.filter(({ last }) => last < at - this.window);
    const [before] = earlier.sort((a, b) => b.last - a.last || b.position - a.position);
    const known = near.flatMap(({ episode_id }) => this.byId.get(episode_id) ?? []);
    return { near: known, before: near.length > 0 || !before ? undefined : this.byId.get(before.episode_id) };
  }

  private isOpenAt(id: string, at: number): boolean {
    const episode = this.byId.get(id);
    if (episode?.sealed_at !== null) return false;
    return at >= episode.first.observed_at - this.window && at <= episode.last.observed_at + this.window;
  }

  /** What a new episode goes on from: what its event names, else what its threads were in and is over. */
  private predecessor(linked: readonly Episode[], reaches: readonly ThreadWindow[]): string | null {
    const related = reaches.flatMap(({ near, before }) => (before === undefined ? near : [before]));
    const over = related.find(({ id }) => this.byId.get(id)?.sealed_at !== null);
    return linked[0]?.id ?? over?.id ?? null;
  }

  private open(event: EpisodeEvent, follows: string | null): string {
    const end = endOf(event);
    const id = episodeIdOf(this.scopeRef, event.id);
    this.note(
      {
        id,
        position: event.position,
        recorded_from: event.recorded_at,
        first: end,
        last: end,
        newest_at: event.recorded_at,
        count: 1,
        doublings: [],
        sealed_at: null,
        follows,
        rows: [],
      },
      event.recorded_at,
    );
    return id;
  }

  private join(id: string, event: EpisodeEvent): string {
    const before = this.known(id);
    const end = endOf(event);
    const earlier = isBefore(end, before.first);
    const count = before.count + 1;
    const doubles = centralityOf(count) !== centralityOf(before.count);
    const after = {
      ...before,
      first: earlier ? end : before.first,
      last: isBefore(before.last, end) ? end : before.last,
      newest_at: event.recorded_at,
      count,
      doublings: doubles && before.doublings ? [...before.doublings, event.position] : before.doublings,
    };
    this.note(after, earlier || doubles ? event.recorded_at : null);
    return id;
  }

  private seal(id: string, at: number): void {
    const episode = this.known(id);
    if (episode.sealed_at === null) this.note({ ...episode, sealed_at: at }, at);
  }

  private known(id: string): Episode {
    const episode = this.byId.get(id);
    if (episode === undefined) throw new Error(`an episode that is not known: ${id}`);
    return episode;
  }

  /** Keeps an episode as it is now; with a recorded instant, also the row that says so. */
  private note(episode: Episode, at: number | null): void {
    const kept = episode.rows.filter(({ recorded_from }) => recorded_from !== at);
    const after = at === null ? episode : { ...episode, rows: [...kept, rowOf(episode, at)] };
    this.byId.set(after.id, after);
    this.changed.set(after.id, after);
  }

  private extend(key: string, id: string, at: number): void {
    const threads = this.threadsOf(key);
    const thread = threads.get(id);
    if (thread === undefined && this.given.has(id)) this.missing.set(`${key} ${id}`, { key, episode_id: id });
    const { position } = this.known(id);
    const next: Thread = {
      key,
      episode_id: id,
      position,
      first: Math.min(at, thread?.first ?? at),
      last: Math.max(at, thread?.last ?? at),
    };
    if (thread?.first === next.first && thread.last === next.last) return;
    threads.set(id, next);
    this.moved.add(next);
  }
}

function endOf({ id, observed_at, position, quote }: EpisodeEvent): EpisodeEnd {
  return { event_id: id, observed_at, position, quote };
}

function rowOf({ first, last, count, sealed_at }: Episode, recorded_from: number): EpisodeRow {
  const over = sealed_at !== null;
  return {
    recorded_from,
    started_at: first.observed_at,
    ended_at: over ? last.observed_at : null,
    name: quoteOf(first.quote, NAME_LENGTH),
    opening: first.quote,
    closing: over && count > 1 ? last.quote : null,
    centrality_score: centralityOf(count),
  };
}

/** The book of a scope whose whole log is this, and what each event did: events and entries in any order. */
export function replayBook(
  scopeRef: string,
  window: number,
  log: { readonly events: readonly EpisodeEvent[]; readonly seals: readonly SealEntry[] },
): { book: EpisodeBook; admissions: Admission[] } {
  const book = new EpisodeBook(scopeRef, window, NO_EPISODES);
  const seals = [...log.seals].sort(
    (a, b) => a.after_offset - b.after_offset || a.recorded_at - b.recorded_at,
  );
  let next = 0;
  const sealUpTo = (position: number): void => {
    for (let seal = seals[next]; seal && seal.after_offset < position; seal = seals[(next += 1)])
      book.sealIdle(seal);
  };
  const admissions = [...log.events]
    .sort((a, b) => a.position - b.position)
    .map((event) => {
      sealUpTo(event.position);
      return book.admit(event);
    });
  sealUpTo(Number.POSITIVE_INFINITY);
  return { book, admissions };
}
