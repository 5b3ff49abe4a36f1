import { recallPack, type RecallPack } from '../../schemas/recall.ts';
import { message } from '../support/client.ts';
import { statement } from '../support/facts.ts';
import { steadily } from '../support/steady.ts';
import { eventually } from '../support/wait.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

async function recall(body: Record<string, unknown>): Promise<RecallPack> {
  const { status, json } = await service.post('/v1/recall', body);
  expect([status, json?.message]).toEqual([200, undefined]);
  return recallPack.parse(json);
}

const named = (name: string) => ({ type: 'entity', id: `ent_${name.toLowerCase()}`, name });

/** States a triple, and resolves when it is derived. */
async function state(
  scope: string,
  [subject, predicate, object]: readonly [string, string, string],
  more: object = {},
): Promise<string> {
  const triple = { subject: named(subject), predicate, object: named(object) };
  const body = { scope, modality: 'observation', content: { kind: 'triple', triple }, ...more };
  const { status, json } = await service.post('/v1/experience?wait=consolidated', body);
  expect(status).toBe(202);
  return json.event_id as string;
}

const predicatesOf = ({ layers }: RecallPack): string[] =>
  layers.facts.map(({ predicate }) => predicate).sort();

describe('what is stated of an entity that the query names', () => {
  it('comes only from the events that are asked for', async () => {
    const scope = 'org:stated/user:ann';
    const by = (id: string, more: object = {}) => ({ observed_actor: { id }, ...more });
    const july = { context: { refers_to: { from: '2026-07-04' } } };
    await state(scope, ['Dora', 'likes', 'Chess'], by('user:ann'));
    await state(scope, ['Dora', 'owns', 'Boat'], by('user:bob'));
    await state(scope, ['Dora', 'visits', 'Rome'], by('user:bob', july));
    const stated = (more: object) =>
      recall({ scope, query: 'what of Dora?', include: ['facts', 'understanding'], ...more });
    expect(predicatesOf(await stated({}))).toEqual(['likes', 'owns', 'visits']);
    const ann = await stated({ filters: { metadata: { observed_actor: ['user:ann'] } } });
    expect(predicatesOf(ann)).toEqual(['likes']);
    expect(ann.layers.understanding.map(({ name }) => name).sort()).toEqual(['Chess', 'Dora']);
    expect(predicatesOf(await stated({ temporal: { refers_during: { from: '2026-07' } } }))).toEqual([
      'visits',
    ]);
  });
});

describe('facts of a pack', () => {
  it('tell how they were said, as known then, over both transports', async () => {
    const scope = 'org:said/user:ann';
    const say = async (predicate: string, object: string, more: object = {}): Promise<void> => {
      const body = statement(scope, ['ent_olga', predicate, object], { ...more });
      expect((await service.post('/v1/experience?wait=consolidated', body)).status).toBe(202);
    };
    await say('likes', '=chess');
    await say('lives_in', '=Porto', { valid_from: '2026-01-01' });
    await say('likes', '=golf');
    const before = new Date().toISOString();
    await say('likes', '=golf', { polarity: 'negative' });
    const wish = { scope, query: 'olga', include: ['facts'], include_superseded: true };
    const said = async (more: object = {}): Promise<unknown[]> =>
      (await recall({ ...wish, ...more })).layers.facts
        .map(({ object, polarity, date_basis, quote }) => [
          (object as { value?: unknown }).value,
          polarity,
          date_basis,
          quote,
        ])
        .sort();
    const others = [
      ['Porto', 'positive', 'stated', undefined],
      ['chess', 'positive', 'observed', undefined],
    ];
    expect(await said()).toEqual([...others, ['golf', 'negative', 'observed', undefined]]);
    expect(await said({ temporal: { as_of_recorded: before } })).toEqual([
      ...others,
      ['golf', 'positive', 'observed', undefined],
    ]);
    expect(await said({ include_superseded: false })).toEqual(others);
    const { data, errors } = await ask(
      service,
      `{ recall(input: {scope: "${scope}", query: "olga", include: [facts], includeSuperseded: true}) {
         layers { facts { polarity dateBasis quote } } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.recall.layers.facts).toContainEqual({
      polarity: 'negative',
      dateBasis: 'observed',
      quote: null,
    });
  });
});

describe('events of a pack', () => {
  it('tell what derives from each, also from more than are read at once', async () => {
    const scope = 'org:many/user:ann';
    const items = Array.from({ length: 130 }, (_, i) => ({
      scope,
      modality: 'observation',
      content: {
        kind: 'triple',
        triple: { subject: named(`Boat${i}`), predicate: 'moored_at', object: named('Pier') },
      },
    }));
    await service.post('/v1/experience/bulk', { items });
    await state(scope, ['Boat', 'moored_at', 'Pier']);
    const pack = await recall({
      scope,
      query: 'moored boats at the pier',
      view: 'local',
      budgets: { max_tokens: 8_000_000 },
    });
    expect(pack.layers.events).toHaveLength(131);
    const { json } = await service.get(`/v1/events?scope=${encodeURIComponent(scope)}&limit=200`);
    const listed = new Map(
      (json.items as { id: string; derives: string[] }[]).map(({ id, derives }) => [id, [...derives].sort()]),
    );
    for (const { id, derives } of pack.layers.events) expect([...derives].sort()).toEqual(listed.get(id));
  });

  it('are as many as fit, also where more fit than are read at first', async () => {
    const of = (max_tokens: number) =>
      recall({
        scope: 'org:many/user:ann',
        query: 'moored boats at the pier',
        view: 'local',
        include: ['events'],
        budgets: { max_tokens },
      });
    const [all, [few, most]] = await steadily(
      () => of(8_000_000),
      async () => [await of(1000), await of(4000)] as const,
      ({ layers }) => layers.events,
    );
    const idsOf = ({ layers }: RecallPack): string[] => layers.events.map(({ id }) => id);
    expect(idsOf(all)).toHaveLength(131);
    // Only where tokens are left more is read, and it is chosen anew.
    const readings = [few, most, all].map(({ provenance: { trail } }) =>
      trail.filter(({ phase }) => phase === 'expansion').map(({ events }) => events),
    );
    expect(readings).toEqual([[60], [100, 31], [131]]);
    expect(idsOf(most)).toEqual(idsOf(all));
    expect(most.layers.events).toEqual(all.layers.events);
    expect(most.diagnostics.evicted.events).toBe(0);
    const shown = idsOf(few).length;
    expect(idsOf(few)).toEqual(idsOf(all).slice(0, shown));
    expect([shown > 10, few.diagnostics.evicted.events]).toEqual([true, 131 - shown]);
  });
});

describe('a pack that is used again', () => {
  it('is good whatever comes to it, and is not once something of it was taken out', async () => {
    const scope = 'org:again/user:ann';
    await state(scope, ['Dora', 'likes', 'Chess']);
    const taken = await state(scope, ['Dora', 'owns', 'Boat']);
    const query = { scope, query: 'what of Dora?', include: ['understanding', 'episodes'] };
    const pack = await recall(query);
    expect(pack.context_block).toContain('Boat');
    const again = async (): Promise<number> =>
      (
        await service.post('/v1/answer', {
          scope,
          question: 'what of Dora?',
          use_pack_id: pack.pack_id,
          skip_answer_llm: true,
        })
      ).status;
    await state(scope, ['Dora', 'visits', 'Rome']);
    expect((await recall(query)).context_block).toContain('Rome');
    expect(await again()).toBe(200);
    await service.post(`/v1/lifecycle/memory-event/${taken}/cancel`);
    await eventually('the concept to be replayed', async () => {
      return !(await recall(query)).context_block.includes('Boat');
    });
    expect(await again()).toBe(404);
  });
});

describe('a recall in time', () => {
  const scope = 'org:past/user:ann';
  const at = (observed_at: string) => ({ context: { observed_at } });

  let began = '';

  beforeAll(async () => {
    began = new Date().toISOString();
    await state(scope, ['Marcus', 'works_at', 'Acme'], at('2026-01-10T00:00:00Z'));
    await state(scope, ['Marcus', 'works_at', 'Globex'], at('2026-03-01T12:00:00Z'));
  });

  it('brings what was believed in a stretch that is over', async () => {
    const believed = async (temporal: object) =>
      (await recall({ scope, query: 'Marcus', include: ['beliefs'], temporal })).layers.beliefs
        .filter(({ claim }) => claim.predicate === 'works_at')
        .map(({ claim }) => (claim.object as { name?: string }).name);
    expect(await believed({ valid_during: ['2026-01-01', '2026-02-01'] })).toEqual(['Acme']);
    expect(await believed({})).toEqual(['Globex']);
  });

  it('does not tell in diagnostics what was not known yet', async () => {
    const drops = async (temporal: object) =>
      (await recall({ scope, query: 'Marcus', diagnostics: 'full', temporal })).diagnostics.drops?.length;
    expect(await drops({ as_of_recorded: began })).toBe(0);
    // The index knows days: of another day nothing is brought that could be told.
    expect(await drops({ as_of_valid: '2026-03-01T06:00:00Z' })).toBe(1);
    expect(await drops({ as_of_valid: '2026-02-01T00:00:00Z' })).toBe(0);
  });

  it('finds a turn of the past by what stood beside it then', async () => {
    const own = 'org:time/user:beside';
    const texts = [
      'They wait for oxygen.',
      'How is the crew?',
      'Fine.',
      'Good.',
      'Indeed.',
      'And you?',
      'Well.',
    ];
    const ids: string[] = [];
    for (const text of [...texts, 'Tell them of oxygen.']) {
      const { json } = await service.post('/v1/experience?wait=indexed', message(own, text));
      ids.push(json.event_id as string);
    }
    const { json } = await service.get(`/v1/events/${ids[texts.length - 1]}?scope=${own}`);
    const as_of_recorded = json.context.recorded_at as string;
    const { layers } = await recall({
      scope: own,
      query: 'oxygen',
      include: ['events'],
      temporal: { as_of_recorded },
    });
    // The first word reaches four turns, and none of these reaches what came later, as the last three do.
    expect(layers.events.map(({ id }) => id).sort()).toEqual(ids.slice(0, 4).sort());
  });

  it('names the steps and the scopes', async () => {
    const { provenance, diagnostics } = await recall({ scope, query: 'Marcus' });
    expect(provenance.trail.map(({ phase }) => phase)).toEqual([
      'scopes',
      'temporal',
      'retrieval',
      'expansion',
      'funding',
    ]);
    expect(diagnostics.scopes_traversed).toEqual(['org:past', `${scope}/*`]);
  });
});

describe('what a recall leaves out', () => {
  it('is told with its reason', async () => {
    const scope = 'org:reasons/user:ann';
    const capture = async (text: string, context: object): Promise<void> => {
      const { status } = await service.post('/v1/experience?wait=indexed', message(scope, text, { context }));
      expect(status).toBe(202);
    };
    await capture('The report of July', { refers_to: { from: '2026-07-04' }, labels: ['a'] });
    await capture('The report of June', { refers_to: { from: '2026-06-04' }, labels: ['a'] });
    const july = { refers_during: { from: '2026-07' } };
    const reasons = async (more: object): Promise<unknown> => {
      const { diagnostics } = await recall({ scope, query: 'report', diagnostics: 'full', ...more });
      return diagnostics.drops?.map(({ reason }) => reason);
    };
    expect(await reasons({ temporal: july })).toEqual(['time_range']);
    const noon = { observed_at: { lte: '2026-01-01T12:00:00Z' } };
    expect(await reasons({ temporal: july, filters: noon })).toEqual([]);
    expect(await reasons({ temporal: july, filters: { labels: { eq: 'a' } } })).toEqual(['time_range']);
  });

  it('is counted where it is too large', async () => {
    const scope = 'org:large/user:ann';
    const text = 'harbour '.padEnd(1024 * 1024, 'of Lisbon and the sea ');
    const items = Array.from({ length: 18 }, (_, i) =>
      message(scope, text, { idempotency_key: `large${i}` }),
    );
    // What comes last is indexed last.
    for (const [i, item] of items.entries()) {
      const wait = i === items.length - 1 ? '?wait=indexed' : '';
      expect((await service.post(`/v1/experience${wait}`, item)).status).toBe(202);
    }
    const { layers, warnings } = await recall({ scope, query: 'harbour', include: ['events'] });
    expect(warnings).toEqual([expect.stringMatching(/^3 events .* at most 16 MiB/)]);
    expect(layers.events.length).toBeGreaterThan(0);
  });
});
