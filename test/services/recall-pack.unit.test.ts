import type { EpisodeItem } from '../../schemas/episode.ts';
import type { EventItem } from '../../schemas/event.ts';
import type { FactItem } from '../../schemas/fact.ts';
import type { RankedLayers } from '../../src/services/recall-layers.ts';
import type { Ranked } from '../../src/services/recall-ranking.ts';
import { packed, packing, type PackRequest } from '../../src/services/recall-pack.ts';
import { turnsWhile } from '../support/turns.ts';

const MIB = 2 ** 20;
const sentence = 'In this chapter they walked along the river and talked. ';
const prose = sentence.repeat(Math.ceil(MIB / sentence.length)).slice(0, MIB);

/** Layers of events that say some texts. */
const saying = (...texts: readonly string[]): RankedLayers => ({
  events: texts.map((text, i) => ({
    item: {
      id: `evt_${i}`,
      content: { kind: 'text', text },
      context: { observed_at: '2026-01-31T00:00:00Z' },
      observed_actor: { id: 'user:ann' },
    } as EventItem,
    score: 1,
    matched_by: ['keyword'],
  })),
  facts: [],
  beliefs: [],
  episodes: [],
  understanding: [],
});

/** How much text each step of a packing goes through. */
const stepsOf = (found: RankedLayers, wish: PackRequest): number[] => {
  const steps = [];
  for (const units of packing(found, wish)) steps.push(units);
  return steps;
};
const sum = (units: readonly number[]): number => units.reduce((all, one) => all + one, 0);

const one = (word: string) => new Map([[word, 1]]);

const episodeOf = (
  events: readonly string[],
  { ended_at = null, _partial = false }: Partial<EpisodeItem> = {},
): Ranked<EpisodeItem> => ({
  item: {
    id: `ep_${events.join('_')}`,
    name: 'We talked',
    summary: `We talked by the river${ended_at === null ? '' : ' … And by the sea'}`,
    started_at: '2026-01-31T00:00:00Z',
    ended_at,
    events: [...events],
    _partial,
  } as EpisodeItem,
  score: 1,
  matched_by: ['keyword'],
});

describe('an episode whose events say the same', () => {
  const over = { ended_at: '2026-01-31T01:00:00Z' };
  const both = ['evt_0', 'evt_1'];
  const lineOf = async (
    episode: Ranked<EpisodeItem>,
    wish: Omit<PackRequest, 'words'> = {},
  ): Promise<string> => {
    const found = { ...saying('We talked by the river', 'And by the sea'), episodes: [episode] };
    const { block } = await packed(found, { words: [one('river')], citation_mode: 'none', ...wish });
    const [line = ''] = block.text
      .split('\n---\n')
      .filter((text) => !/(river|UTC\] And by the sea)$/.test(text));
    return line.replace(/^\[.*\] /, '');
  };

  it('says in the block how many it is of instead', async () => {
    expect(await lineOf(episodeOf(both))).toBe('We talked (episode of 2 events)');
    expect(await lineOf(episodeOf(both, over))).toBe('We talked (episode of 2 events)');
    expect(await lineOf(episodeOf(both, { _partial: true }))).toBe(
      'We talked (episode of more than 2 events)',
    );
  });

  it('says what it came to where an end of it does not come itself', async () => {
    const whole = 'We talked by the river … And by the sea';
    expect(await lineOf(episodeOf(['evt_0', 'evt_other'], over))).toBe(whole);
    expect(await lineOf(episodeOf(both, { ...over, _partial: true }))).toBe(whole);
    expect(await lineOf(episodeOf(both, over), { include: ['episodes'] })).toBe(whole);
  });
});

describe('an episode of a single event', () => {
  const episode = (...events: readonly string[]): Ranked<EpisodeItem> => episodeOf(events);
  const found = {
    ...saying('We talked by the river', 'And by the sea'),
    episodes: [episode('evt_0'), episode('evt_0', 'evt_1'), episode('evt_elsewhere')],
  };
  const shown = async (wish: Omit<PackRequest, 'words'>): Promise<string[]> => {
    const { layers, evicted } = await packed(found, { words: [one('river')], ...wish });
    expect(evicted.episodes).toBe(0);
    return layers.episodes.map(({ id }) => id);
  };

  it('is left out where the event comes itself', async () => {
    expect(await shown({})).toEqual(['ep_evt_0_evt_1', 'ep_evt_elsewhere']);
  });

  it('did not fit where neither it nor the event is there', async () => {
    const { layers, evicted } = await packed(found, { words: [one('river')], budgets: { max_tokens: 0 } });
    expect([layers.episodes, evicted]).toMatchObject([[], { events: 2, episodes: 3 }]);
  });

  it('comes where no events are wanted', async () => {
    const all = found.episodes.map(({ item }) => item.id);
    expect(await shown({ include: ['episodes'] })).toEqual(all);
    expect(await shown({ budgets: { max_events: 0 } })).toEqual(all);
  });
});

describe('the stamps of a pack', () => {
  const [first, second] = saying('I fell ill yesterday', 'I got up').events as [
    Ranked<EventItem>,
    Ranked<EventItem>,
  ];
  const observed = (one: Ranked<EventItem>, context: object): Ranked<EventItem> => ({
    ...one,
    item: { ...one.item, context: context as EventItem['context'] },
  });
  const fact = (id: string, from: string, to: string | null): Ranked<FactItem> => ({
    item: {
      id,
      subject: { type: 'entity', id: 'ent_ann', name: 'Ann' },
      predicate: 'lives_in',
      object: { type: 'literal', datatype: 'string', value: 'Rome' },
      valid_from: from,
      valid_to: to,
    } as unknown as FactItem,
    score: 1,
    matched_by: ['keyword'],
  });
  const found = {
    ...saying(),
    events: [
      observed(first, { observed_at: '2026-06-13T01:00:00+08:00' }),
      observed(second, { observed_at: '2026-06-12T17:00:00Z', timezone: 'Asia/Tokyo' }),
    ],
    facts: [
      fact('fact_1', '2026-06-12T17:00:00.000Z', null),
      fact('fact_2', '2020-01-01T00:00:00.000Z', '2026-06-12T17:00:00.000Z'),
    ],
  };
  const stamps = async (wish: Omit<PackRequest, 'words'>): Promise<string[]> =>
    (await packed(found, { words: [], include: ['events', 'facts'], ...wish })).block.text
      .split('\n---\n')
      .map((line) => `${/^\[([^\]]+)\]/.exec(line)?.[1] ?? ''}${/\(until [^)]+\)/.exec(line)?.[0] ?? ''}`);

  it('are by the clocks of whoever observed', async () => {
    expect(new Set(await stamps({}))).toEqual(
      new Set([
        '2026-06-13 01:00 +08:00',
        '2026-06-13 02:00 +09:00',
        '2026-06-12 17:00 UTC',
        '2020-01-01 00:00 UTC(until 2026-06-12 17:00 UTC)',
      ]),
    );
  });

  it('are by the clocks of whoever asks, where he names his time zone', async () => {
    expect(new Set(await stamps({ temporal: { timezone: 'America/New_York' } }))).toEqual(
      new Set(['2026-06-12 13:00 -04:00', '2020-01-01 00:00 UTC(until 2026-06-12 13:00 -04:00)']),
    );
  });
});

describe('the packing of long events', () => {
  const words = [one('river'), one('talk')];

  it.each([
    ['prose', prose],
    ['a text without blanks', 'x'.repeat(MIB)],
    ['blanks', ' '.repeat(MIB)],
    ['Han', '今日は天気がいい。'.repeat(MIB / 8)],
    ['characters of several parts', '👩‍🚀'.repeat(MIB / 4)],
  ])('stops often, and goes through %s a few times', (_, text) => {
    const steps = stepsOf(saying(text, text), { words });
    expect(Math.max(0, ...steps)).toBeLessThanOrEqual(64 * 1024);
    expect(sum(steps)).toBeLessThan(6 * 2 * text.length);
  });

  it('stops often where all of it is shown', () => {
    const steps = stepsOf(saying(prose), { words, budgets: { max_tokens: 8_000_000 } });
    expect(Math.max(...steps)).toBeLessThanOrEqual(64 * 1024);
  });

  it('looks into none of it where no words are sought', () => {
    expect(sum(stepsOf(saying(prose, prose), { words: [] }))).toBeLessThan(MIB / 4);
  });

  it('takes no excerpt of what has no room beside the name of its speaker', () => {
    const found = saying(prose);
    const [{ item, ...rest } = { item: undefined }] = found.events;
    const content = { kind: 'message' as const, role: 'user' as const, text: prose };
    const spoken = { ...item, content, observed_actor: { id: `user:${'n '.repeat(120)}` } } as EventItem;
    const events = [{ ...(rest as { score: 1; matched_by: [] }), item: spoken }];
    expect(sum(stepsOf({ ...found, events }, { words, budgets: { max_tokens: 100 } }))).toBeLessThan(MIB / 4);
  });

  it('lets others have their turn', async () => {
    const turns = await turnsWhile(async () => {
      const { layers } = await packed(saying(prose, prose), { words });
      expect(layers.events).toHaveLength(2);
    });
    expect(turns).toBeGreaterThan(50);
  });
});
