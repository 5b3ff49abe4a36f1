import type { EpisodeRequest, FoundEpisodes, WholeScope } from '../../graph/episode/load.ts';
import type { EpisodeWrites } from '../../graph/episode/write.ts';
import { EpisodeBook } from '../../src/derive/episode/book.ts';
import { centralityOf } from '../../src/derive/episode/episode.ts';
import type {
  Episode,
  EpisodeEvent,
  EpisodeRow,
  SealEntry,
  Thread,
} from '../../src/derive/episode/episode.ts';
import type { RemovalStore } from '../../src/pipeline/episode-removal.ts';
import { replayScope, type EpisodeStore } from '../../src/pipeline/episodes.ts';

export const PLACE = { tenant: 'default', scope: 'user:a', scope_ref: 'c1' };

/** One scope in memory that gives out no more than the statements do. */
export class MemoryEpisodes implements EpisodeStore {
  readonly episodes = new Map<string, Episode>();
  readonly rows = new Map<string, EpisodeRow[]>();
  readonly seals: SealEntry[] = [];
  readonly placed = new Map<string, { event: EpisodeEvent; episode_id: string }>();
  readonly threads = new Map<string, Thread>();
  position: number | null = null;
  private sealedBefore = Number.NEGATIVE_INFINITY;
  /** Events that were taken out of the log, whether or not that was consolidated. */
  readonly excluded = new Set<string>();
  /** Events that are marked as named by others. */
  readonly named = new Set<string>();
  /** Round trips so far. */
  trips = 0;
  /** How often a scope was replayed, and how many events were taken out without that. */
  tellings = 0;
  takenOut = 0;
  /** Events of an episode that are shown on each side of one. */
  private readonly shown: number;

  /** Whether what leaves for good is taken out some at a time, and replays are left for later. */
  private readonly postpones: boolean;
  private isPostponed = false;
  private asked = 0;

  constructor({ shown = 3, postpones = false }: { shown?: number; postpones?: boolean } = {}) {
    this.shown = shown;
    this.postpones = postpones;
  }

  /** Every other time more events are to leave; one event leaves at a time. */
  readonly postponed: EpisodeStore['postponed'] = {
    moreLeave: (refs) => {
      this.asked += 1;
      return Promise.resolve(new Set(this.asked % 2 === 1 ? refs : []));
    },
    detach: (_ref, limit) => {
      const [first, ...others] = [...this.placed.keys()].filter((id) => this.leaves(id));
      if (first === undefined) return Promise.resolve(0);
      this.placed.delete(first);
      this.named.delete(first);
      return Promise.resolve(others.length > 0 ? limit : 1);
    },
    postpone: () => {
      this.isPostponed = true;
    },
  };

  /** Does what was left for later, and says whether anything was. */
  async replayPostponed(window: number): Promise<boolean> {
    const was = this.isPostponed;
    while (this.isPostponed) {
      if ((await this.postponed.detach(PLACE.scope_ref, 2)) === 2) continue;
      const telling = { fresh: [], retracted: [], window };
      this.write([replayScope(PLACE, await this.loader.whole(PLACE.scope_ref), telling).writes]);
    }
    return was;
  }

  private leaves(id: string): boolean {
    return this.postpones && this.excluded.has(id) && Number(/\d+$/.exec(id)?.[0]) % 2 === 0;
  }

  readonly loader = {
    load: (request: EpisodeRequest): Promise<FoundEpisodes> => Promise.resolve(this.load(request)),
    threads: (pairs: readonly { key: string; episode_id: string }[]): Promise<Thread[]> => {
      this.trips += 1;
      return Promise.resolve(
        pairs.flatMap(({ key, episode_id }) => this.threads.get(`${key} ${episode_id}`) ?? []),
      );
    },
    whole: (_ref: string): Promise<WholeScope> => {
      this.trips += 1;
      this.tellings += 1;
      const events = [...this.placed.values()].map(({ event, episode_id }) => ({
        ...event,
        episode_id,
        excluded: this.excluded.has(event.id),
        named: this.named.has(event.id),
      }));
      return Promise.resolve({
        events,
        seals: this.seals,
        sealed_before: this.sealedBefore,
        deleting: false,
        episodes: [...this.episodes.values()],
      });
    },
  };

  readonly removals: RemovalStore = {
    around: (id) => {
      this.trips += 1;
      const place = this.placed.get(id);
      const episode = place && this.episodes.get(place.episode_id);
      if (place === undefined || episode === undefined) return Promise.resolve(null);
      if (this.isPostponed) return Promise.resolve({ scope_ref: PLACE.scope_ref, surroundings: null });
      const event = neighbour(place.event);
      const others = [...this.placed.values()]
        .filter((one) => one.episode_id === episode.id && one.event.id !== id)
        .map((one) => neighbour(one.event))
        .sort((a, b) => a.observed_at - b.observed_at || a.position - b.position);
      const at = others.filter((one) => order(one, event) < 0).length;
      const surroundings = {
        event: { ...event, id, preceded_by: place.event.preceded_by, named: this.named.has(id) },
        episode: { ...episode, rows: [] },
        neighbours: others.slice(Math.max(0, at - this.shown), at + this.shown),
      };
      return Promise.resolve({ scope_ref: PLACE.scope_ref, surroundings });
    },
    within: (_ref, event, { after, through, until, idleAfter }, window) => {
      this.trips += 1;
      const events = [...this.placed.values()]
        .map((one) => one.event)
        .filter(({ position }) => position > after && position <= through);
      const instants = events.map(({ observed_at }) => observed_at);
      const from = Math.min(event.observed_at, ...instants) - window;
      const near = event.threads.map(
        (key) => [...this.threads.values()].filter((one) => one.key === key && one.last >= from).length,
      );
      return Promise.resolve({
        events: events.length,
        latest: instants.length === 0 ? null : Math.max(...instants),
        threads: Math.max(0, ...near),
        seals: this.seals.some(
          ({ idle_before, after_offset }) =>
            idle_before > idleAfter &&
            idle_before <= event.recorded_at &&
            after_offset >= after &&
            after_offset < until,
        ),
      });
    },
    counted: (_ref, episode, position) => {
      const own = [...this.placed.values()]
        .filter((one) => one.episode_id === episode.id)
        .map((one) => neighbour(one.event))
        .sort((a, b) => a.position - b.position);
      const doublings = (episode.doublings ?? []).map((place) => {
        const at = own.find((one) => one.position === place);
        if (at === undefined) throw new Error(`no event of ${episode.id} at ${place}`);
        const next = place < position ? undefined : own.find((one) => one.position > place);
        return { position: place, recorded_at: at.recorded_at, next: next ?? null };
      });
      return Promise.resolve({ rows: this.rows.get(episode.id) ?? [], doublings });
    },
    takeOut: (id, { episode, deleted }) => {
      this.trips += 1;
      this.takenOut += 1;
      const { rows, count, doublings } = episode;
      const old = this.episodes.get(episode.id);
      if (old === undefined) throw new Error(`no episode ${episode.id}`);
      const kept = (this.rows.get(episode.id) ?? []).filter((row) => !deleted.includes(row.recorded_from));
      this.rows.set(episode.id, kept);
      this.keep({ ...old, count, doublings, rows });
      expect(this.rows.get(episode.id)?.at(-1)?.centrality_score).toBe(centralityOf(count));
      this.placed.delete(id);
    },
  };

  write(writes: readonly EpisodeWrites[]): void {
    this.trips += 1;
    for (const one of writes) this.take(one);
  }

  /** An entry of the log that is carried out where it is written. */
  seal(entry: SealEntry): void {
    this.seals.push(entry);
    const book = new EpisodeBook(PLACE.scope_ref, 0, {
      episodes: [...this.episodes.values()],
      threads: [],
      places: new Map(),
    });
    book.sealIdle(entry);
    for (const episode of book.changed.values()) this.keep(episode);
    this.sealedBefore = entry.idle_before;
    this.position = Math.max(this.position ?? 0, entry.after_offset);
  }

  private load({ retracted, linked, near, limit }: EpisodeRequest): FoundEpisodes {
    this.trips += 1;
    const threads = new Set(near.flatMap((one) => this.near(one, limit)));
    const places = linked.flatMap((id) => {
      const place = this.placed.get(id);
      return place ? [{ event_id: id, episode_id: place.episode_id }] : [];
    });
    const ids = new Set([...threads, ...places].map(({ episode_id }) => episode_id));
    const seals = this.seals.filter(({ idle_before }) => idle_before > this.sealedBefore);
    return {
      progress: [{ scope_ref: PLACE.scope_ref, position: this.position, seals }],
      stale: this.staleOf(retracted.filter((id) => this.placed.has(id))),
      episodes: [...ids].flatMap((id) => {
        const episode = this.episodes.get(id);
        return episode ? [{ ...PLACE, episode: { ...episode, rows: [] } }] : [];
      }),
      threads: [...threads],
      places,
    };
  }

  private staleOf(retracted: readonly string[]): FoundEpisodes['stale'] {
    const leaves = this.isPostponed || retracted.some((id) => this.leaves(id));
    return retracted.length === 0 ? [] : [{ ...PLACE, leaves }];
  }

  private near({ key, from }: { key: string; from: number }, limit: number): Thread[] {
    const all = [...this.threads.values()]
      .filter((thread) => thread.key === key)
      .sort((a, b) => a.last - b.last || a.position - b.position);
    const before = all.filter(({ last }) => last < from).at(-1);
    return [...all.filter(({ last }) => last >= from).slice(0, limit), ...(before ? [before] : [])];
  }

  private take({
    episodes,
    threads,
    contains,
    replayed,
    deleted,
    leaving,
    named,
    unnamed,
    position,
    sealed_before,
    isReplay,
  }: EpisodeWrites): void {
    if (isReplay) this.isPostponed = false;
    const cleared = new Set([...replayed, ...deleted]);
    for (const id of cleared) this.rows.delete(id);
    for (const [pair, thread] of this.threads) if (cleared.has(thread.episode_id)) this.threads.delete(pair);
    for (const id of deleted) this.episodes.delete(id);
    for (const id of leaving) {
      this.placed.delete(id);
      this.named.delete(id);
    }
    for (const episode of episodes) this.keep(episode);
    for (const thread of threads) this.threads.set(`${thread.key} ${thread.episode_id}`, thread);
    for (const { event, episode_id } of contains) {
      if (this.placed.has(event.id)) throw new Error(`${event.id} is in two episodes`);
      this.placed.set(event.id, { event, episode_id });
    }
    for (const id of named) if (this.placed.has(id)) this.named.add(id);
    for (const id of unnamed) this.named.delete(id);
    this.position = position ?? this.position;
    this.sealedBefore = sealed_before ?? this.sealedBefore;
  }

  private keep(episode: Episode): void {
    this.episodes.set(episode.id, episode);
    const at = new Map((this.rows.get(episode.id) ?? []).map((row) => [row.recorded_from, row]));
    for (const row of episode.rows) at.set(row.recorded_from, row);
    this.rows.set(
      episode.id,
      [...at.values()].sort((a, b) => a.recorded_from - b.recorded_from),
    );
  }
}

function neighbour({ position, recorded_at, observed_at, threads }: EpisodeEvent) {
  return { position, recorded_at, observed_at, threads };
}

function order(
  a: { observed_at: number; position: number },
  b: { observed_at: number; position: number },
): number {
  return a.observed_at - b.observed_at || a.position - b.position;
}
