import { replayBook } from '../../src/derive/episode/book.ts';
import { consolidateEpisodes, replayScope } from '../../src/pipeline/episodes.ts';
import { knownAt, plainEpisodes } from '../derive/episode-oracle.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';
import { history, Play, talk, WINDOW, type World } from './episode-play.ts';
import { MemoryEpisodes, PLACE } from './episode-store.ts';

const RUNS = inDepth(300, 10_000);

/** A store in memory as a world. */
class MemoryWorld implements World {
  readonly store: MemoryEpisodes;

  constructor(store: MemoryEpisodes) {
    this.store = store;
  }

  capture(): Promise<void> {
    return Promise.resolve();
  }

  cancel(id: string): Promise<void> {
    this.store.excluded.add(id);
    return Promise.resolve();
  }

  consolidate(work: Parameters<World['consolidate']>[0]): ReturnType<World['consolidate']> {
    return consolidateEpisodes(this.store, work, WINDOW);
  }

  seal(entry: Parameters<World['seal']>[0]): ReturnType<World['seal']> {
    this.store.seal(entry);
    return Promise.resolve([entry]);
  }

  episodeOf(id: string): Promise<string | undefined> {
    return Promise.resolve(this.store.placed.get(id)?.episode_id);
  }
}

/** All that is kept of a scope, in one order whatever it came to be by. */
function kept({ episodes, rows, threads, named, placed, position }: MemoryEpisodes): object {
  const inOrder = <T>(all: Iterable<[string, T]>): [string, T][] =>
    [...all].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    episodes: inOrder(episodes).map(([, { rows: _, ...episode }]) => ({
      ...episode,
      rows: rows.get(episode.id),
    })),
    threads: inOrder(threads),
    named: [...named].sort(),
    placed: inOrder(placed).map(([id, { episode_id }]) => [id, episode_id]),
    position,
  };
}

async function played(
  steps: Parameters<Play['run']>[0],
  store = new MemoryEpisodes(),
): Promise<{ play: Play; store: MemoryEpisodes }> {
  const world = new MemoryWorld(store);
  const play = new Play(world, { place: PLACE, prefix: 'e', offset: 0, now: 1000 });
  await play.run(steps);
  return { play, store };
}

/** What the store says of an episode as far as it was known at an instant. */
function storedAt(
  { episodes, rows }: MemoryEpisodes,
  id: string,
  recorded: number,
): Record<string, unknown> | null {
  const row = rows
    .get(id)
    ?.filter(({ recorded_from }) => recorded_from <= recorded)
    .at(-1);
  if (row === undefined) return null;
  const { started_at, ended_at, opening, closing, centrality_score } = row;
  const doubled = Math.round(1 / (1 - centrality_score)) - 1;
  return { id, follows: episodes.get(id)?.follows, started_at, ended_at, opening, closing, doubled };
}

describe('episodes that are added to batch by batch', () => {
  it('are at every recorded instant what the log says, late, held, sealed and cancelled events included', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const { play, store } = await played(steps);
        const expected = plainEpisodes(PLACE.scope_ref, WINDOW, play.remaining);
        expect([...store.episodes.keys()].sort()).toEqual(expected.map(({ id }) => id).sort());
        for (const one of expected) {
          const events = [...store.placed].filter(([, { episode_id }]) => episode_id === one.id);
          expect(events.map(([id]) => id).sort()).toEqual(one.events.map(({ id }) => id).sort());
          const instants = [...one.events.map(({ recorded_at }) => recorded_at), one.sealed_at ?? 0];
          for (const at of instants.flatMap((instant) => [instant - 1, instant, instant + 1]))
            expect(storedAt(store, one.id, at)).toEqual(knownAt(one, at));
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('are after each removal what replaying the scope without the event makes of it', async () => {
    let takenOut = 0;
    let tellings = 0;
    await fc.assert(
      fc.asyncProperty(talk, async (steps) => {
        const { play, store } = await played(steps);
        const fresh = play.remaining.flatMap((entry) => ('event' in entry ? [entry.event] : []));
        if (fresh.length === 0) return;
        const nothing = {
          events: [],
          episodes: [],
          sealed_before: null,
          deleting: false,
          seals: store.seals,
        };
        const replayed = new MemoryEpisodes();
        replayed.write([
          replayScope(PLACE, nothing, { fresh, retracted: [], window: WINDOW, settled: true }).writes,
        ]);
        expect(kept(store)).toEqual(kept(replayed));
        takenOut += store.takenOut;
        tellings += store.tellings;
      }),
      { numRuns: RUNS },
    );
    // Both ways were taken, and often.
    expect(takenOut).toBeGreaterThan(RUNS / 2);
    expect(tellings).toBeGreaterThan(RUNS / 2);
  });

  it('are the same where very many events leave, some at a time, and the replay is left for later', async () => {
    let postponed = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(history, talk), async (steps) => {
        const { play, store } = await played(steps, new MemoryEpisodes({ postpones: true }));
        if (await store.replayPostponed(WINDOW)) postponed += 1;
        const expected = plainEpisodes(PLACE.scope_ref, WINDOW, play.remaining);
        expect([...store.episodes.keys()].sort()).toEqual(expected.map(({ id }) => id).sort());
        for (const one of expected) {
          const events = [...store.placed].filter(([, { episode_id }]) => episode_id === one.id);
          expect(events.map(([id]) => id).sort()).toEqual(one.events.map(({ id }) => id).sort());
          expect(store.episodes.get(one.id)?.count).toBe(one.events.length);
          const instants = [...one.events.map(({ recorded_at }) => recorded_at), one.sealed_at ?? 0];
          for (const at of instants.flatMap((instant) => [instant - 1, instant, instant + 1]))
            expect(storedAt(store, one.id, at)).toEqual(knownAt(one, at));
        }
      }),
      { numRuns: RUNS },
    );
    expect(postponed).toBeGreaterThan(RUNS / 10);
  });

  it('are what replaying them makes of the same log', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const { play, store } = await played(steps);
        const events = play.remaining.flatMap((entry) => ('event' in entry ? [entry.event] : []));
        const { book } = replayBook(PLACE.scope_ref, WINDOW, { events, seals: store.seals });
        for (const { rows, ...episode } of book.episodes) {
          expect(store.rows.get(episode.id)).toEqual(rows);
          expect(store.episodes.get(episode.id)).toMatchObject(episode);
        }
        expect(store.episodes.size).toBe(book.episodes.length);
      }),
      { numRuns: RUNS / 4 },
    );
  });
});
