import type {
  EpisodeLoader,
  EpisodeScope,
  FoundEpisodes,
  LeavingScope,
  ScopeProgress,
  WholeScope,
} from '../../graph/episode/load.ts';
import type { PostponedReplays } from '../../graph/episode/postponed.ts';
import type { EpisodeWrites } from '../../graph/episode/write.ts';
import { EpisodeBook, MAX_LOOKED_AT_THREADS, replayBook, type Admission } from '../derive/episode/book.ts';
import type { EpisodeEvent, SealEntry, Thread } from '../derive/episode/episode.ts';
import { takeOutOfEpisodes, type RemovalStore } from './episode-removal.ts';

/** Events that are taken out of the episodes of a scope in one transaction, at most, where all of them leave for good. */
export const DETACHED_EVENTS = 5_000;

/** An event that is to be put into an episode, and where it lies. */
export interface EpisodeInput {
  readonly place: EpisodeScope;
  readonly event: EpisodeEvent;
}

/** What is to be consolidated in one transaction that holds the shards of the events. */
export interface EpisodeWork {
  /** New events that are not excluded. */
  readonly events: readonly EpisodeInput[];
  /** Ids of events that were taken out: cancelled, replaced or redacted. Unknown ones change nothing. */
  readonly retracted: readonly string[];
}

/** Where episodes are read and written, within one transaction. */
export interface EpisodeStore {
  readonly loader: Pick<EpisodeLoader, 'load' | 'threads' | 'whole'>;
  readonly removals: RemovalStore;
  readonly postponed: Pick<PostponedReplays, 'moreLeave' | 'detach' | 'postpone'>;
  write(writes: readonly EpisodeWrites[]): void;
}

/** What of one scope is to be done. */
interface ScopeWork {
  readonly place: EpisodeScope;
  /** In the order of the log. */
  readonly events: readonly EpisodeEvent[];
  readonly progress: ScopeProgress;
}

/**
 * Puts events into episodes. Two round trips for a batch of several scopes; a third where a session or subject comes to an episode
 * that was begun without it. What is taken out goes first, by what lies around it where that shows that nothing else depends on it. A
 * scope is replayed, from all of its events, when another one is taken out, when one comes in front of others that are known (one that
 * was held), and when an entry that seals stands between events, as in a rebuild. Where very many are taken out it is replayed behind them.
 * Answers the episodes that each new event touched, by its id: first its own, then those that it sealed.
 */
export async function consolidateEpisodes(
  store: EpisodeStore,
  { events, retracted }: EpisodeWork,
  window: number,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (events.length === 0 && retracted.length === 0) return new Map();
  const byScope = inputsByScope(events);
  const again = new Set(events.map(({ event }) => event.id));
  const deleted = retracted.filter((id) => !again.has(id));
  await takeOutOfEpisodes(store.removals, deleted, window);
  const found = await foundFor(store, { events, retracted }, [...byScope.keys()], window);
  const later = await postponedOf(store, found.stale, deleted);
  const stale = new Map<string, EpisodeScope>(found.stale.map((place) => [place.scope_ref, place]));
  const writes: EpisodeWrites[] = [];
  const admissions: Admission[] = [];
  const onwards: ScopeWork[] = [];
  for (const work of worksOf(byScope, found)) {
    const { scope_ref: ref } = work.place;
    if (goesOn(work) && (later.has(ref) || !stale.has(ref))) onwards.push(work);
    else {
      stale.set(ref, work.place);
      later.delete(ref);
    }
  }
  if (later.size > 0) store.postponed.postpone([...later.values()]);
  for (const [ref, place] of stale) {
    if (later.has(ref)) continue;
    const fresh = (byScope.get(ref) ?? []).map(({ event }) => event);
    const admitted = replayScope(place, await store.loader.whole(ref), { fresh, retracted, window });
    writes.push(admitted.writes);
    admissions.push(...admitted.admissions.filter(({ event }) => fresh.includes(event)));
  }
  for (const { work, book, admitted } of await readOn(store, onwards, found, window)) {
    writes.push(writesOf(work, book, admitted));
    admissions.push(...admitted);
  }
  store.write(writes);
  return new Map(admissions.map(({ event, episode_id, sealed }) => [event.id, [episode_id, ...sealed]]));
}

/**
 * Scopes whose replay is left to what comes behind this batch, since more events are still to leave, or more have left than one transaction
 * takes out.
 */
async function postponedOf(
  { postponed }: EpisodeStore,
  stale: readonly LeavingScope[],
  deleted: readonly string[],
): Promise<Map<string, EpisodeScope>> {
  const leaving = stale.filter(({ leaves }) => leaves);
  if (leaving.length === 0) return new Map();
  const refs = leaving.map(({ scope_ref }) => scope_ref);
  const later = new Set(await postponed.moreLeave(refs, deleted));
  for (const ref of refs)
    if (!later.has(ref) && (await postponed.detach(ref, DETACHED_EVENTS)) === DETACHED_EVENTS) later.add(ref);
  return new Map(leaving.flatMap((place) => (later.has(place.scope_ref) ? [[place.scope_ref, place]] : [])));
}

function inputsByScope(events: readonly EpisodeInput[]): Map<string, EpisodeInput[]> {
  const byScope = new Map<string, EpisodeInput[]>();
  for (const input of events) {
    const own = byScope.get(input.place.scope_ref);
    if (own === undefined) byScope.set(input.place.scope_ref, [input]);
    else own.push(input);
  }
  return byScope;
}

/**
 * Reads what a batch needs. A key is asked for once, from the earliest event that has it; only where so many threads lie behind that
 * instant that not all are read, it is asked for at each of its events.
 */
async function foundFor(
  store: EpisodeStore,
  { events, retracted }: EpisodeWork,
  scopes: readonly string[],
  window: number,
): Promise<FoundEpisodes> {
  const limit = MAX_LOOKED_AT_THREADS + events.length;
  const near = nearOf(events, window);
  const linked = [...new Set(events.flatMap(({ event }) => event.preceded_by))];
  const first = [...near].map(([key, instants]) => ({ key, from: Math.min(...instants) }));
  const found = await store.loader.load({ scopes, retracted, linked, near: first, limit });
  const read = new Map<string, number>();
  for (const { key } of found.threads) read.set(key, (read.get(key) ?? 0) + 1);
  const crowded = [...near].filter(([key, instants]) => instants.size > 1 && (read.get(key) ?? 0) >= limit);
  if (crowded.length === 0) return found;
  const each = crowded.flatMap(([key, instants]) => [...instants].map((from) => ({ key, from })));
  const more = await store.loader.load({ scopes: [], retracted: [], linked: [], near: each, limit });
  const known = new Set(found.episodes.map(({ episode }) => episode.id));
  return {
    ...found,
    episodes: [...found.episodes, ...more.episodes.filter(({ episode }) => !known.has(episode.id))],
    threads: [...found.threads, ...more.threads],
  };
}

/** The instants that threads must not end before to be near an event, by their keys. */
function nearOf(events: readonly EpisodeInput[], window: number): Map<string, Set<number>> {
  const near = new Map<string, Set<number>>();
  for (const { event } of events)
    for (const key of event.threads)
      near.set(key, (near.get(key) ?? new Set<number>()).add(event.observed_at - window));
  return near;
}

function worksOf(
  byScope: ReadonlyMap<string, readonly EpisodeInput[]>,
  { progress }: FoundEpisodes,
): ScopeWork[] {
  const progressOf = new Map(progress.map((one) => [one.scope_ref, one]));
  return [...byScope].flatMap(([ref, inputs]) => {
    const [first] = inputs;
    const events = inputs.map(({ event }) => event).sort((a, b) => a.position - b.position);
    const known = progressOf.get(ref) ?? { scope_ref: ref, position: null, seals: [] };
    return first === undefined ? [] : [{ place: first.place, events, progress: known }];
  });
}

/** Whether events can be added to what is there: they come behind it, and no entry between them seals anything. */
function goesOn({ events, progress }: ScopeWork): boolean {
  const first = events[0]?.position ?? 0;
  const last = events.at(-1)?.position ?? 0;
  return (
    first > (progress.position ?? -1) && progress.seals.every(({ after_offset }) => after_offset >= last)
  );
}

interface Read {
  readonly work: ScopeWork;
  readonly book: EpisodeBook;
  readonly admitted: readonly Admission[];
}

/** Adds events to books of what was found; once more with the threads that only the adding shows to be needed. */
async function readOn(
  store: EpisodeStore,
  works: readonly ScopeWork[],
  found: FoundEpisodes,
  window: number,
): Promise<Read[]> {
  const threads = [...found.threads];
  const asked = new Set<string>();
  for (;;) {
    const read = works.map((work) => readBook(work, found, threads, window));
    const missing = read.flatMap(({ book }) => [...book.missing].filter(([pair]) => !asked.has(pair)));
    if (missing.length === 0) return read;
    for (const [pair] of missing) asked.add(pair);
    threads.push(...(await store.loader.threads(missing.map(([, pair]) => pair))));
  }
}

function readBook(work: ScopeWork, found: FoundEpisodes, threads: readonly Thread[], window: number): Read {
  const ref = work.place.scope_ref;
  const episodes = found.episodes.filter(({ scope_ref }) => scope_ref === ref).map(({ episode }) => episode);
  const own = new Set(episodes.map(({ id }) => id));
  const places = found.places.filter(({ episode_id }) => own.has(episode_id));
  const book = new EpisodeBook(ref, window, {
    episodes,
    threads: threads.filter(({ episode_id }) => own.has(episode_id)),
    places: new Map(places.map(({ event_id, episode_id }) => [event_id, episode_id])),
  });
  return { work, book, admitted: work.events.map((event) => book.admit(event)) };
}

function writesOf(
  { place, events }: ScopeWork,
  book: EpisodeBook,
  admitted: readonly Admission[],
): EpisodeWrites {
  return {
    place,
    episodes: [...book.changed.values()],
    threads: book.changedThreads,
    contains: admitted,
    replayed: [],
    deleted: [],
    leaving: [],
    named: [...new Set(admitted.flatMap((one) => one.named))],
    unnamed: [],
    isReplay: false,
    position: events.at(-1)?.position ?? null,
    sealed_before: null,
  };
}

/** What a scope is replayed with. */
interface ReplayInput {
  /** New events; what was known of them counts no longer. */
  readonly fresh: readonly EpisodeEvent[];
  /** Ids of events that were taken out. */
  readonly retracted: readonly string[];
  readonly window: number;
  /** True when nothing of the log is still to come in front of an entry that seals: then all entries are carried out. */
  readonly settled?: boolean;
}

/**
 * Replays a scope and says what of it is not as it was: an episode is as it was when it has the same events and the same end.
 * Whatever was taken out by now goes at once; of a scope that is being deleted that is everything.
 */
export function replayScope(
  place: EpisodeScope,
  stored: WholeScope,
  { fresh, retracted, window, settled = false }: ReplayInput,
): { writes: EpisodeWrites; admissions: readonly Admission[] } {
  const again = new Set(fresh.map(({ id }) => id));
  const out = new Set(retracted.filter((id) => !again.has(id)));
  const isOut = (event: WholeScope['events'][number]): boolean =>
    !again.has(event.id) && (out.has(event.id) || event.excluded || stored.deleting);
  const removed = stored.events.filter(isOut);
  const kept = stored.events.filter((event) => !isOut(event) && !again.has(event.id));
  const events = [...kept, ...fresh];
  const seals = settled ? stored.seals : sealsOf(stored, events);
  const { book, admissions } = replayBook(place.scope_ref, window, { events, seals });
  const placeBefore = new Map(stored.events.map(({ id, episode_id }) => [id, episode_id]));
  const moved = admissions.filter(({ event, episode_id }) => placeBefore.get(event.id) !== episode_id);
  const leaving = [...removed, ...moved.map(({ event }) => event)]
    .map(({ id }) => id)
    .filter((id) => placeBefore.has(id));
  const touched = new Set([
    ...moved.map(({ episode_id }) => episode_id),
    ...leaving.map((id) => placeBefore.get(id)),
  ]);
  const before = new Map(stored.episodes.map((episode) => [episode.id, episode]));
  const changed = book.episodes.filter(({ id, sealed_at, follows, count }) => {
    const old = before.get(id);
    const isSame = old?.sealed_at === sealed_at && old.follows === follows && old.count === count;
    return touched.has(id) || !isSame;
  });
  const ids = new Set(changed.map(({ id }) => id));
  const now = new Set(book.episodes.map(({ id }) => id));
  return {
    admissions,
    writes: {
      place,
      episodes: changed,
      threads: book.changedThreads.filter(({ episode_id }) => ids.has(episode_id)),
      contains: moved,
      replayed: [...ids].filter((id) => before.has(id)),
      deleted: [...before.keys()].filter((id) => !now.has(id)),
      leaving,
      ...namedOf(stored, admissions, new Set(moved.map(({ event }) => event.id))),
      isReplay: true,
      position: lastOf([...events.map(({ position }) => position), ...seals.map((one) => one.after_offset)]),
      sealed_before: lastOf(seals.map(({ idle_before }) => idle_before)),
    },
  };
}

/** Which events are named as what led to others, and are not marked so, or not in the episode that they come to; and the other way round. */
function namedOf(
  { events }: WholeScope,
  admissions: readonly Admission[],
  moved: ReadonlySet<string>,
): Pick<EpisodeWrites, 'named' | 'unnamed'> {
  const now = new Set(admissions.flatMap(({ named }) => named));
  const marked = new Set(events.flatMap(({ id, named }) => (named ? [id] : [])));
  return {
    named: [...now].filter((id) => !marked.has(id) || moved.has(id)),
    unnamed: [...marked].filter((id) => !now.has(id)),
  };
}

/** The entries that seal something of what is told: those that were carried out, and those in front of an event. */
function sealsOf(
  { seals, sealed_before }: WholeScope,
  events: readonly EpisodeEvent[],
): readonly SealEntry[] {
  const last = lastOf(events.map(({ position }) => position)) ?? 0;
  return seals.filter(
    ({ idle_before, after_offset }) =>
      (sealed_before !== null && idle_before <= sealed_before) || after_offset < last,
  );
}

function lastOf(numbers: readonly number[]): number | null {
  return numbers.reduce<number | null>((last, one) => (last === null || one > last ? one : last), null);
}
