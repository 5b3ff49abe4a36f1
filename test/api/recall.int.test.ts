import { recallPack, type RecallPack } from '../../schemas/recall.ts';
import { countTokens } from '../../src/recall/token-count.ts';
import { cancelled } from '../support/cancel.ts';
import { message } from '../support/client.ts';
import { eventually } from '../support/wait.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { expectProblem } from './problem.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

async function recall(body: Record<string, unknown>): Promise<RecallPack> {
  const { status, json } = await service.post('/v1/recall', body);
  expect([status, json?.message]).toEqual([200, undefined]);
  return recallPack.parse(json);
}

async function capture(scope: string, text: string, more: Record<string, unknown> = {}): Promise<string> {
  const { status, json } = await service.post('/v1/experience?wait=indexed', message(scope, text, more));
  expect(status).toBe(202);
  return json.event_id as string;
}

const said = ({ layers }: RecallPack): unknown[] =>
  layers.events.map(({ content }) => (content as { text?: string } | undefined)?.text);

const triple = (subject: string, predicate: string, object: string, more: object = {}) => ({
  kind: 'triple',
  triple: {
    subject: { type: 'entity', id: `ent_${subject.toLowerCase()}`, name: subject },
    predicate,
    object: { type: 'entity', id: `ent_${object.toLowerCase()}`, name: object },
    ...more,
  },
});

async function state(scope: string, content: object, more: object = {}): Promise<string> {
  const body = { scope, modality: 'observation', content, ...more };
  const { status, json } = await service.post('/v1/experience?wait=consolidated', body);
  expect(status).toBe(202);
  return json.event_id as string;
}

describe('a recall by words', () => {
  const scope = 'org:words/user:ann';
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    ids.marathon = await capture(scope, 'I am training for the Lisbon marathon in October.');
    ids.dog = await capture(scope, 'My dog is called Rex.');
    ids.adopted = await capture(scope, 'We adopted a second cat yesterday.');
    await capture('org:words/user:bob', 'Marathons bore me.');
  });

  it('brings what holds them, best first, with text, markers and how it came about', async () => {
    const pack = await recall({ scope, query: 'marathon training', view: 'local' });
    expect(pack.layers.events[0]).toMatchObject({ id: ids.marathon, matched_by: ['keyword'] });
    expect(pack.layers.events[0]?.score).toBeGreaterThan(0);
    expect(pack.context_block).toMatch(/^\[\d{4}-\d\d-\d\d \d\d:\d\d UTC\] \[1\] .*Lisbon marathon/);
    expect(Object.values(pack.provenance.citations)[0]).toEqual({
      layer: pack.layers.episodes.length > 0 ? 'episodes' : 'events',
      id: pack.layers.episodes[0]?.id ?? ids.marathon,
    });
    expect(pack.provenance.trail.map(({ phase }) => phase)).toEqual([
      'scopes',
      'temporal',
      'retrieval',
      'expansion',
      'funding',
    ]);
    expect(pack.diagnostics).toMatchObject({
      scopes_traversed: [scope],
      scopes_withheld: 0,
      signals: ['keyword', 'graph'],
    });
  });

  it('meets other forms of the words', async () => {
    const pack = await recall({ scope, query: 'adopting cats', include: ['events'] });
    expect(pack.layers.events[0]?.id).toBe(ids.adopted);
  });

  it('looks only where the view says', async () => {
    const texts = async (view: string | undefined, at: string) =>
      said(await recall({ scope: at, query: 'marathon', include: ['events'], ...(view ? { view } : {}) }));
    expect(await texts('local', 'org:words')).toEqual([]);
    // What stands beside a hit comes after it.
    expect((await texts('descend', 'org:words')).slice(0, 2).sort()).toEqual([
      'I am training for the Lisbon marathon in October.',
      'Marathons bore me.',
    ]);
    const own = await texts(undefined, scope);
    expect(own[0]).toBe('I am training for the Lisbon marathon in October.');
    expect(own).not.toContain('Marathons bore me.');
    expect(await texts('lineage', scope)).toEqual([]);
  });

  it('has nothing, and an empty text, where nothing matches', async () => {
    const pack = await recall({ scope, query: 'zeppelin' });
    expect(pack).toMatchObject({
      context_block: '',
      layers: { events: [], facts: [], beliefs: [], episodes: [], understanding: [] },
      provenance: { citations: {} },
    });
    expect((await recall({ scope: 'org:nowhere', query: 'marathon' })).context_block).toBe('');
  });

  it('brings the newest where nothing is asked in words', async () => {
    for (const query of [undefined, '*', '…?!']) {
      const pack = await recall({ scope, include: ['events'], ...(query === undefined ? {} : { query }) });
      expect(said(pack)[0]).toBe('We adopted a second cat yesterday.');
      expect(said(pack)).toHaveLength(3);
      expect(pack.diagnostics.signals).toEqual(['recency']);
    }
  });

  it('stays within its budget, and says what did not fit', async () => {
    for (const max_tokens of [0, 1, 30, 60, 8_000_000]) {
      const pack = await recall({
        scope,
        query: 'marathon dog cat',
        include: ['events'],
        budgets: { max_tokens },
      });
      expect(countTokens(pack.context_block)).toBeLessThanOrEqual(max_tokens);
      expect(pack.diagnostics.tokens.used).toBe(countTokens(pack.context_block));
      expect(pack.layers.events.length + (pack.diagnostics.evicted.events ?? 0)).toBe(3);
    }
    const one = await recall({
      scope,
      query: 'marathon dog cat',
      budgets: { max_events: 1 },
      include: ['events'],
    });
    expect(one.layers.events).toHaveLength(1);
  });

  it('forgets what was cancelled', async () => {
    const id = await capture(scope, 'The vault code is swordfish.');
    const [first] = said(await recall({ scope, query: 'swordfish', include: ['events'] }));
    expect(first).toBe('The vault code is swordfish.');
    await cancelled(service, id, scope);
    expect(JSON.stringify(await recall({ scope, query: 'swordfish' }))).not.toContain('swordfish');
    // The index forgets a moment later that its neighbours stood beside it.
    await eventually('nothing to be found by it', async () => {
      const { context_block: block } = await recall({ scope, query: 'swordfish' });
      return block === '';
    });
  });

  it('takes hostile queries as words', async () => {
    const hostile = [
      '+ - && || ! ( ) { } [ ] ^ " ~ * ? : \\ / AND OR NOT',
      'scope_ref:* OR text:marathon^1000',
      'marathon~2 lisb* "training for"',
      '🎉🎉🎉 مرحبا بالعالم',
      '\u0000\u0007\u202e marathon',
      Array.from({ length: 10_000 }, (_, i) => `word${i}`).join(' '),
      'm'.repeat(20_000),
    ];
    for (const query of hostile) {
      const { status } = await service.post('/v1/recall', { scope, query });
      expect([query.slice(0, 20), status]).toEqual([
        query.slice(0, 20),
        query.includes('\u0000') ? 422 : 200,
      ]);
    }
  });

  it('refuses what it does not understand, naming the field', async () => {
    const refused = async (body: object, field: string, code = 'INVALID_BODY') => {
      const answer = await service.post('/v1/recall', { scope, ...body });
      expectProblem(answer, { status: 422, code });
      expect(answer.json.details.field_path).toBe(field);
    };
    await refused({ qeury: 'x' }, 'qeury');
    await refused({ query: 7 }, 'query');
    await refused({ query: 'x'.repeat(128 * 1024 + 1) }, 'query');
    await refused({ budgets: { max_tokens: -1 } }, 'budgets.max_tokens');
    await refused({ budgets: { max_tokens: 8_000_001 } }, 'budgets.max_tokens');
    await refused({ view: 'sideways' }, 'view');
    await refused({ include: ['events', 'dreams'] }, 'include[1]');
    await refused({ filters: { metadata: { label: 'x' } } }, 'filters.metadata.label');
    await refused({ temporal: { natural: 'when pigs fly' } }, 'temporal.natural', 'UNPARSEABLE_TEMPORAL');
    await refused({ temporal: { as_of: 'noon' } }, 'temporal.as_of');
    await refused(
      { temporal: { as_of: '2026-01-01T00:00:00Z', as_of_valid: '2026-01-01T00:00:00Z' } },
      'temporal.as_of',
    );
    await refused({ temporal: { valid_during: ['2026-02-01', '2026-01-01'] } }, 'temporal.valid_during');
    await refused({ query_variants: [{ text: ' ' }] }, 'query_variants[0].text');
    await refused({ scope: 'nonsense' }, 'scope');
    const lenient = await recall({
      scope,
      query: 'dog',
      temporal: { natural: 'when pigs fly', natural_mode: 'lenient' },
    });
    expect(lenient.warnings[0]).toContain('temporal.natural');
    expect(said(lenient)).toContain('My dog is called Rex.');
  });
});

describe('a recall in time', () => {
  const scope = 'org:time/user:ann';

  beforeAll(async () => {
    for (const day of ['01', '02', '03'])
      await capture(scope, `Report of day ${day}`, { context: { observed_at: `2026-03-${day}T12:00:00Z` } });
  });

  const reports = async (temporal: object, more: object = {}) =>
    said(
      await recall({
        scope,
        query: 'report',
        include: ['events'],
        order: 'chronological',
        temporal,
        ...more,
      }),
    );

  it('brings what had been observed by an instant', async () => {
    expect(await reports({ as_of_valid: '2026-03-02T12:00:00Z' })).toEqual([
      'Report of day 01',
      'Report of day 02',
    ]);
    expect(await reports({ as_of_valid: '2026-03-02T11:59:59.999Z' })).toEqual(['Report of day 01']);
    expect(await reports({ as_of_recorded: '2026-03-02T12:00:00Z' })).toEqual([]);
  });

  it('knows nothing of words that were said later beside those of an instant', async () => {
    const own = 'org:time/user:later';
    const id = await capture(own, 'How is the crew?');
    const first = await service.get(`/v1/events/${id}?scope=${own}`);
    await capture(own, 'They wait for oxygen.');
    const { recorded_at } = (first.json as { context: { recorded_at: string } }).context;
    const asked = { scope: own, query: 'oxygen', include: ['events'] };
    expect(said(await recall(asked))).toContain('How is the crew?');
    expect(said(await recall({ ...asked, temporal: { as_of_recorded: recorded_at } }))).toEqual([]);
    expect(said(await recall({ ...asked, temporal: { as_of: '9999-01-01T00:00:00Z' } }))).toHaveLength(2);
  });

  it('brings what was observed in a stretch, or when a phrase says', async () => {
    expect(await reports({ valid_during: ['2026-03-02', '2026-03-03'] })).toEqual(['Report of day 02']);
    expect(await reports({ natural: 'yesterday', reference_date: '2026-03-03T09:00:00Z' })).toEqual([
      'Report of day 02',
    ]);
    expect(
      await reports({
        natural: 'yesterday',
        reference_date: '2026-03-03',
        valid_during: ['2026-03-03', '9999'],
      }),
    ).toEqual([]);
    expect(await reports({ recorded_during: ['2026-03-01', '2026-03-04'] })).toEqual([]);
  });

  it('brings it without words as well', async () => {
    const pack = await recall({
      scope,
      include: ['events'],
      temporal: { valid_during: ['2026-03-02', '2026-03-03'] },
    });
    expect(said(pack)).toEqual(['Report of day 02']);
  });

  it('orders the newest first where that is asked for', async () => {
    const pack = await recall({ scope, query: 'report', include: ['events'], order: 'recency' });
    expect(said(pack)).toEqual(['Report of day 03', 'Report of day 02', 'Report of day 01']);
    expect(pack.layers.events[0]?.matched_by).toContain('recency');
  });

  it('brings what content speaks of', async () => {
    await capture(scope, 'The launch report is due', { context: { refers_to: { from: '2026-07-04' } } });
    expect(await reports({ refers_during: { from: '2026-07' } })).toEqual(['The launch report is due']);
    expect(await reports({ refers_during: { from: '2026-08' } })).toEqual([]);
  });
});

describe('a recall through filters', () => {
  const scope = 'org:filters/user:ann';

  beforeAll(async () => {
    await capture(scope, 'Budget meeting one', { context: { labels: ['finance', 'q1'], intent: 'plan' } });
    await capture(scope, 'Budget meeting two', {
      context: { labels: ['finance'] },
      observed_actor: { id: 'user:bob' },
    });
    await capture(scope, 'Budget meeting three', { language: 'en' });
  });

  it.each<[object, string[]]>([
    [{ metadata: { labels: 'finance' } }, ['one', 'two']],
    [{ metadata: { labels: ['q1', 'q2'] } }, ['one']],
    [{ metadata: { labels: 'finance', observed_actor: ['user:bob'] } }, ['two']],
    [{ metadata: { intent: 'plan' } }, ['one']],
    [{ labels: { exists: false } }, ['three']],
    [{ OR: [{ language: { eq: 'en' } }, { intent: { exists: true } }] }, ['one', 'three']],
    [{ AND: [{ labels: { in: ['finance'] } }, { observed_actor: { eq: 'user:bob' } }] }, ['two']],
    [{ observed_at: { lte: '2020-01-01' } }, []],
    [{ observed_at: { gte: '2020-01-01' } }, ['one', 'three', 'two']],
    [{ labels: { in: [] } }, []],
    [{ modality: { exists: true } }, ['one', 'three', 'two']],
    [{ caller: { exists: false } }, []],
    [{ metadata: {} }, ['one', 'three', 'two']],
  ])('%j', async (filters, wanted) => {
    for (const query of ['budget', undefined]) {
      const pack = await recall({
        scope,
        include: ['events'],
        filters,
        ...(query === undefined ? {} : { query }),
      });
      const texts = said(pack).map((text) => String(text).replace('Budget meeting ', ''));
      expect(texts.sort()).toEqual(wanted);
    }
  });
});

describe('a recall of every layer', () => {
  const scope = 'org:layers/user:ann';

  beforeAll(async () => {
    await state(scope, triple('Priya', 'owns', 'Billing', { valid_from: '2026-01-01T00:00:00Z' }));
    await state(scope, triple('Marcus', 'works_at', 'Acme', { valid_from: '2026-01-01T00:00:00Z' }));
    await state(scope, triple('Marcus', 'works_at', 'Globex', { valid_from: '2026-03-01T00:00:00Z' }));
  });

  it('brings the facts and beliefs that hold, and what was derived from where they were said', async () => {
    const pack = await recall({ scope, query: 'where does Marcus work?' });
    expect((pack.layers.facts[0]!.object as { name?: string }).name).toBe('Globex');
    const names = pack.layers.facts.map(({ object }) => (object as { name?: string }).name);
    expect(names).not.toContain('Acme');
    expect(new Set(pack.layers.beliefs.map(({ stance }) => stance))).toEqual(new Set(['supported']));
    expect(pack.layers.facts[0]?.matched_by).toContain('keyword');
    expect(pack.layers.understanding.map(({ name }) => name)).toEqual(expect.arrayContaining(['Marcus']));
    expect(pack.layers.episodes.length).toBeGreaterThan(0);
    expect(pack.context_block).toContain('Marcus works at Globex');
    expect(Object.values(pack.provenance.citations)[0]).toEqual({
      layer: 'facts',
      id: pack.layers.facts[0]?.id,
    });
  });

  it('brings what held at another instant, or whatever ever did', async () => {
    const employers = async (more: object) =>
      (await recall({ scope, query: 'Marcus works', include: ['facts'], ...more })).layers.facts
        .filter(({ predicate }) => predicate === 'works_at')
        .map(({ object }) => (object as { name?: string }).name)
        .sort();
    expect(await employers({ temporal: { as_of_valid: '2026-02-01T00:00:00Z' } })).toEqual(['Acme']);
    expect(await employers({ include_superseded: true })).toEqual(['Acme', 'Globex']);
    expect(await employers({ temporal: { as_of_recorded: '2026-02-01T00:00:00Z' } })).toEqual([]);
  });

  it('brings the layers that are asked for, funded in that order', async () => {
    const pack = await recall({ scope, query: 'Marcus', include: ['events', 'facts'] });
    expect(pack.layers.beliefs).toEqual([]);
    const layers = Object.values(pack.provenance.citations).map(({ layer }) => layer);
    expect(layers).toEqual([...layers].sort());
    expect((await recall({ scope, query: 'Marcus', view: 'structured' })).layers.events).toEqual([]);
    expect((await recall({ scope, query: 'Marcus', view: 'raw' })).layers.facts).toEqual([]);
  });

  it('leaves content and markers out where that is asked for', async () => {
    const bare = await recall({ scope, query: 'Marcus', exclude_content: true, citation_mode: 'none' });
    expect(bare.layers.events.every(({ content }) => content === undefined)).toBe(true);
    expect(bare.provenance.citations).toEqual({});
    expect(bare.context_block).not.toMatch(/\[1\]/);
  });

  it('tells all in full diagnostics', async () => {
    const { diagnostics } = await recall({
      scope,
      query: 'Marcus',
      query_variants: [{ text: 'employment at Globex' }, { text: 'Marcus' }],
      diagnostics: 'full',
    });
    expect(diagnostics.items?.length).toBeGreaterThan(0);
    expect(diagnostics.items?.[0]).toMatchObject({
      fused_rank: 0,
      channels: { bm25: { rank: expect.any(Number) } },
    });
    expect(diagnostics.channel_lists).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ channel: 'bm25' }),
        expect.objectContaining({ variant: 0 }),
      ]),
    );
    expect(diagnostics.channel_lists?.some(({ variant }) => variant === 1)).toBe(false);
    expect(diagnostics.items_truncated).toBe(false);
  });
});
