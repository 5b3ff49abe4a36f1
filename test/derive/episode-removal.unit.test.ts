import type { Episode, EpisodeRow } from '../../src/derive/episode/episode.ts';
import {
  episodeWithout,
  isUntouched,
  removalSpan,
  type EpisodeNeighbour,
  type Surroundings,
} from '../../src/derive/episode/removal.ts';

const WINDOW = 10;

const at = (position: number, observed_at = position, threads = ['s', 'x']): EpisodeNeighbour => ({
  position,
  recorded_at: 1000 + position,
  observed_at,
  threads,
});

const end = (position: number) => ({
  event_id: `e${position}`,
  observed_at: position,
  position,
  quote: `text ${position}`,
});

function episode(count: number, more: Partial<Episode> = {}): Episode {
  const doublings = Array.from({ length: Math.floor(Math.log2(count)) }, (_, i) => 2 ** (i + 1));
  return {
    id: 'ep_1',
    position: 1,
    recorded_from: 1001,
    first: end(1),
    last: end(count),
    newest_at: 1000 + count,
    count,
    doublings,
    sealed_at: null,
    follows: null,
    rows: [],
    ...more,
  };
}

/** The fifth of nine events that were said one after the other. */
function around({
  event = {},
  whole = {},
  neighbours = [3, 4, 6, 7].map((one) => at(one)),
}: {
  event?: Partial<Surroundings['event']>;
  whole?: Partial<Episode>;
  neighbours?: readonly EpisodeNeighbour[];
} = {}): Surroundings {
  return {
    event: { ...at(5), id: 'e5', preceded_by: [], named: false, ...event },
    episode: episode(9, whole),
    neighbours,
  };
}

describe('the span in which something may depend on an event', () => {
  it('reaches to where its threads ended with another one', () => {
    expect(removalSpan(around(), WINDOW)).toEqual({
      after: 5,
      through: 6,
      latest: 4 + WINDOW,
      until: 6,
      idleAfter: 1004,
    });
  });

  it('is empty for what comes late, but for when the episode was idle', () => {
    const event = { observed_at: 3.5 };
    expect(removalSpan(around({ event }), WINDOW)).toMatchObject({ after: 5, through: 5, until: 6 });
  });

  it.each<[string, Parameters<typeof around>[0]]>([
    ['an event that another names', { event: { named: true } }],
    ['an event that names others', { event: { preceded_by: ['e4'] } }],
    ['the one that opened the episode', { event: at(1), neighbours: [at(2), at(3)] }],
    ['the last', { event: { ...at(9), id: 'e9' }, neighbours: [at(7), at(8)] }],
    ['the newest', { event: at(10, 5), neighbours: [at(4), at(6)] }],
    ['the first for a while', { event: at(5, 0), neighbours: [at(1), at(6)] }],
    ['one of two', { whole: { count: 2, doublings: [2] } }],
    ['an episode whose doublings were not kept', { whole: { doublings: null } }],
    ['a thread that is in the episode by it alone', { event: { threads: ['s', 'y'] } }],
    ['a thread that goes no further', { neighbours: [at(3), at(4), at(6, 6, ['s'])] }],
    ['a thread that rested for longer than the window', { neighbours: [at(3, 5, ['s']), at(2, -6), at(6)] }],
  ])('is not known for %s', (_, story) => {
    expect(removalSpan(around(story), WINDOW)).toBeNull();
  });
});

describe('a span', () => {
  const span = { after: 5, through: 6, latest: 14, until: 6, idleAfter: 1004 };
  const bounds = { events: 20, threads: 64 };
  const quiet = { events: 1, latest: 14, seals: false, threads: 64 };

  it('in which all was near without the event holds nothing that depends on it', () => {
    expect(isUntouched(span, quiet, bounds)).toBe(true);
    expect(isUntouched(span, { ...quiet, events: 0, latest: null }, bounds)).toBe(true);
  });

  it.each([
    ['an event that was near to it alone', { latest: 15 }],
    ['more events than are looked at', { events: 20 }],
    ['an entry that seals', { seals: true }],
    ['more threads than are looked at', { threads: 65 }],
  ])('may hold what depends on it with %s', (_, more) => {
    expect(isUntouched(span, { ...quiet, ...more }, bounds)).toBe(false);
  });
});

describe('an episode without an event', () => {
  const row = (
    recorded_from: number,
    centrality_score: number,
    more: Partial<EpisodeRow> = {},
  ): EpisodeRow => ({
    recorded_from,
    started_at: 1,
    ended_at: null,
    name: 'text 1',
    opening: 'text 1',
    closing: null,
    centrality_score,
    ...more,
  });
  const next = (position: number) => ({ position, recorded_at: 1000 + position });
  const doubling = (position: number, behind: number | null = position + 1) => ({
    ...next(position),
    next: behind === null ? null : next(behind),
  });

  it('doubles one event later wherever it doubled with it or behind it', () => {
    const rows = [row(1001, 0), row(1002, 1 / 2), row(1004, 2 / 3), row(1008, 3 / 4)];
    const { episode: after, deleted } =
      episodeWithout(
        around(),
        rows,
        [2, 4, 8].map((one) => doubling(one)),
      ) ?? {};
    expect(after).toMatchObject({ count: 8, doublings: [2, 4, 9] });
    expect(after?.rows).toEqual([row(1009, 3 / 4)]);
    expect(deleted).toEqual([1008]);
  });

  it('has its end counted by what is left', () => {
    const sealed = { ended_at: 8, closing: 'text 8' };
    const rows = [
      row(1001, 0),
      row(1002, 1 / 2),
      row(1004, 2 / 3),
      row(1008, 3 / 4),
      row(1500, 3 / 4, sealed),
    ];
    const story = around({ whole: { ...episode(8), sealed_at: 1500 } });
    const doublings = [doubling(2), doubling(4), doubling(8, null)];
    const { episode: after, deleted } = episodeWithout(story, rows, doublings) ?? {};
    expect(after).toMatchObject({ count: 7, doublings: [2, 4] });
    expect(after?.rows).toEqual([row(1500, 2 / 3, sealed)]);
    expect(deleted).toEqual([1008]);
  });

  it('keeps a row that says something else too', () => {
    const earlier = { started_at: 0, name: 'text 8', opening: 'text 8' };
    const rows = [row(1001, 0), row(1002, 1 / 2), row(1004, 2 / 3), row(1008, 3 / 4, earlier)];
    const { episode: after, deleted } =
      episodeWithout(
        around(),
        rows,
        [2, 4, 8].map((one) => doubling(one)),
      ) ?? {};
    expect(after?.rows).toEqual([row(1008, 2 / 3, earlier), row(1009, 3 / 4, earlier)]);
    expect(deleted).toEqual([]);
  });

  it('is not known where the next event is not', () => {
    expect(
      episodeWithout(around(), [row(1001, 0)], [doubling(2), doubling(4), doubling(8, null)]),
    ).toBeNull();
  });
});
