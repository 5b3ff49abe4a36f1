import { LAYERS, recallPack, type Layer, type RecallPack } from '../../schemas/recall.ts';
import { NAMES } from '../../resolvers/names.ts';
import { statement } from '../support/facts.ts';
import { message } from '../support/client.ts';
import { pathInGraphql, withAsOf } from '../support/graphql/as-of.ts';
import { steadily } from '../support/steady.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';

// Recall by GraphQL is recall by REST, with the records behind it; what hangs on them is read at the same instant, and all together.

const SCOPE = 'org:harbour/user:ada';
/** Utterances and statements, each of which holds the word that is looked for: as many as a pack of the test brings, and more. */
const SAID = 30;

let service: SharedService;
/** When the first of two statements of the same was recorded, and its event. */
let first: { id: string; at: string };

beforeAll(async () => {
  service = sharedService();
  const items = Array.from({ length: SAID }, (_, i) => [
    message(SCOPE, `Berth ${i} of the harbour is free`, {
      context: { observed_at: `2026-01-01T00:00:${10 + i}Z` },
    }),
    statement(SCOPE, [`ent_harbour_${i}`, 'lies in', 'ent_lisbon'], { valid_from: '2026-01-01' }),
  ]).flat();
  expect((await service.post('/v1/experience/bulk', { items })).status).toBe(202);
  const states = async (key: string): Promise<string> => {
    const said = statement(SCOPE, ['ent_lighthouse', 'guards', 'ent_harbour'], {
      valid_from: '2026-01-01',
      idempotency_key: key,
    });
    const { status, json } = await service.post('/v1/experience?wait=consolidated', said);
    expect(status).toBe(202);
    return json.event_id as string;
  };
  const id = await states('first');
  first = { id, at: (await service.get(`/v1/events/${id}`)).json.context.recorded_at as string };
  await states('second');
});

/** A body as GraphQL has it: the instants in one, keys in its spelling; filters keep theirs. */
function asInput(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asInput);
  if (typeof value !== 'object' || value === null) return value;
  const named = withAsOf(value as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    Object.entries(named).map(([key, inner]) => [
      NAMES.camel(key),
      key === 'filters' ? inner : asInput(inner),
    ]),
  );
}

const HIT = 'id score matchedBy';
const NESTED: Readonly<Record<Layer, string>> = {
  events:
    'event { id scope walOffset content { __typename } context { observedAt recordedAt } derivedFrom { id } derives { id } }',
  facts:
    'fact { id scope predicate supports derivedFrom { id } derives { id } why { narrative supportGraph { nodes { id } } } }',
  beliefs: 'belief { id scope stance derivedFrom { id } derives { id } why { narrative } }',
  episodes: 'episode { id scope name derivedFrom { id } }',
  understanding: 'concept { id scope name summary derivedFrom { id } }',
};

async function asked(body: object, nested: Partial<Record<Layer, string>> = {}): Promise<any> {
  const layers = LAYERS.map((layer) => `${layer} { ${HIT} ${nested[layer] ?? ''} }`).join(' ');
  const query = `query ($input: RecallInput!) { recall(input: $input) {
    contextBlock layers { ${layers} } provenance { citations trail { phase } } asOf { valid recorded } warnings
    diagnostics { scopesTraversed signals tokens { budget used } evicted items { eventId finalRank channels matchedVia } }
  } }`;
  const { data, errors } = await ask(service, query, { input: asInput(body) });
  expect(errors).toBeUndefined();
  return data.recall;
}

async function recalled(body: object): Promise<RecallPack> {
  const { status, json, text } = await service.post('/v1/recall', body);
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  return recallPack.parse(json);
}

/** What both ways have to say alike. */
function gist(pack: RecallPack): unknown {
  const { layers, provenance, diagnostics, as_of } = pack;
  const hits = LAYERS.map((layer) => [
    layer,
    layers[layer].map(({ id, score, matched_by: matchedBy }) => ({ id, score, matchedBy })),
  ]);
  return {
    contextBlock: pack.context_block,
    layers: Object.fromEntries(hits),
    provenance: { citations: provenance.citations, trail: provenance.trail.map(({ phase }) => ({ phase })) },
    recorded: as_of.recorded,
    warnings: pack.warnings,
    diagnostics: {
      scopesTraversed: diagnostics.scopes_traversed,
      signals: diagnostics.signals,
      tokens: diagnostics.tokens,
      evicted: diagnostics.evicted,
      items: diagnostics.items?.map((item) => ({
        eventId: item.event_id,
        finalRank: item.final_rank,
        channels: item.channels,
        matchedVia: item.matched_via,
      })),
    },
  };
}

/** The same recall by REST and by GraphQL, of one state of the index as far as `told` looks at it. */
function bothWays(
  body: object,
  nested: Partial<Record<Layer, string>> = {},
  told: (pack: RecallPack) => unknown = gist,
): Promise<readonly [RecallPack, any]> {
  return steadily(
    () => recalled(body),
    () => asked(body, nested),
    told,
    ({ asOf, ...pack }) => ({ ...pack, recorded: asOf.recorded }),
  );
}

/** What a pack brings, in order. */
const idsOf = ({ layers }: RecallPack): string[][] =>
  LAYERS.map((layer) => layers[layer].map(({ id }) => id));

const BODIES: [string, object][] = [
  ['words', { query: 'harbour' }],
  ['the newest', {}],
  [
    'a budget',
    { query: 'harbour lisbon', budgets: { max_tokens: 300, per_layer_limits: { facts: 2 }, max_events: 3 } },
  ],
  [
    'layers and order',
    { query: 'harbour', include: ['events', 'beliefs'], order: 'chronological', citation_mode: 'none' },
  ],
  ['a filter', { query: 'harbour', filters: { metadata: { modality: 'conversation' } }, view: 'local' }],
  [
    'a stretch',
    { query: 'harbour', temporal: { valid_during: ['2026-01-01T00:00:10Z', '2026-01-01T00:00:20Z'] } },
  ],
  [
    'a phrase',
    { query: 'harbour', temporal: { natural: 'yesterday', reference_date: '2026-01-02', timezone: 'UTC' } },
  ],
  [
    'a phrase left out',
    { query: 'harbour', temporal: { natural: 'when pigs fly', natural_mode: 'lenient' } },
  ],
  [
    'variants',
    { query: 'harbour', query_variants: [{ text: 'lighthouse', language: 'en' }], exclude_content: true },
  ],
];

describe('recall by GraphQL', () => {
  it.each(BODIES)('brings the same as by REST: %s', async (_what, body) => {
    const request = { scope: SCOPE, diagnostics: 'full', ...body };
    const [rest, { asOf, ...pack }] = await bothWays(request);
    expect({ ...pack, recorded: asOf.recorded }).toEqual(gist(rest));
  });

  it('leads to the records and to what they come from', async () => {
    const request = { scope: SCOPE, query: 'lighthouse harbour', budgets: { max_tokens: 100_000 } };
    const [{ layers }, pack] = await bothWays(request, NESTED, idsOf);
    for (const [i, { event }] of pack.layers.events.entries()) {
      const { id, scope, wal_offset: walOffset, derives } = layers.events[i]!;
      expect(event).toMatchObject({ id, scope, walOffset, derivedFrom: [] });
      expect(event.derives.map(({ id: made }: any) => made).sort()).toEqual([...derives].sort());
    }
    expect(pack.layers.facts.length).toBeGreaterThan(5);
    for (const [i, { fact }] of pack.layers.facts.entries()) {
      const { id, scope, predicate, supports } = layers.facts[i]!;
      expect(fact).toMatchObject({ id, scope, predicate, supports });
      expect(fact.derivedFrom.map(({ id: from }: any) => from)).toEqual(supports);
      expect(fact.why.narrative).toBe((await service.get(`/v1/facts/${id}/why`)).json.narrative);
      expect(fact.why.supportGraph.nodes.map(({ id: node }: any) => node)).toEqual(
        expect.arrayContaining([id, ...supports]),
      );
    }
    for (const [i, { belief }] of pack.layers.beliefs.entries())
      expect(belief).toMatchObject({
        id: layers.beliefs[i]!.id,
        scope: SCOPE,
        stance: layers.beliefs[i]!.stance,
      });
    for (const [i, { episode }] of pack.layers.episodes.entries())
      expect(episode.derivedFrom.map(({ id }: any) => id).sort()).toEqual(
        [...layers.episodes[i]!.events].sort(),
      );
    for (const [i, { concept }] of pack.layers.understanding.entries())
      expect(concept).toMatchObject({ id: layers.understanding[i]!.id, name: layers.understanding[i]!.name });
  });

  it('reads what hangs on the records at the instant of the recall', async () => {
    const request = { scope: SCOPE, query: 'lighthouse guards' };
    const supportsAt = async (temporal: object): Promise<string[]> => {
      const { layers, asOf } = await asked({ ...request, temporal }, NESTED);
      expect(asOf.recorded).toBe('as_of_recorded' in temporal ? first.at : null);
      const guards = layers.facts.find(({ fact }: any) => fact.predicate === 'guards').fact;
      const from = guards.derivedFrom.map(({ id }: any) => id as string);
      expect(from).toEqual(guards.supports);
      for (const { event } of layers.events)
        expect(Date.parse(event.context.recordedAt as string)).toBeLessThanOrEqual(
          Date.parse(asOf.recorded ?? '9999-01-01'),
        );
      const nodes = guards.why.supportGraph.nodes.map(({ id }: any) => id as string);
      expect(nodes.filter((id: string) => id.startsWith('evt_')).sort()).toEqual([...from].sort());
      return from;
    };
    expect(await supportsAt({ as_of_recorded: first.at })).toEqual([first.id]);
    expect(await supportsAt({})).toHaveLength(2);
  });

  it.each<[string, object]>([
    ['a scope that is none', { scope: 'nonsense' }],
    ['too many tokens', { budgets: { max_tokens: 8_000_001 } }],
    ['a limit below nothing', { budgets: { per_layer_limits: { events: -1 } } }],
    ['a phrase that is none', { temporal: { natural: 'when pigs fly' } }],
    ['an instant that is none', { temporal: { as_of: 'noon' } }],
    [
      'instants that do not go together',
      { temporal: { as_of: '2026-01-01T00:00:00Z', as_of_valid: '2026-01-01T00:00:00Z' } },
    ],
    ['a stretch that ends before it begins', { temporal: { valid_during: ['2026-02-01', '2026-01-01'] } }],
    ['a filter of a field that is none', { filters: { metadata: { label: 'x' } } }],
    ['a blank variant', { query_variants: [{ text: ' ' }] }],
    ['a query that is too long', { query: 'x'.repeat(128 * 1024 + 1) }],
  ])('refuses as by REST: %s', async (_what, body) => {
    const request = { scope: SCOPE, query: 'x', ...body };
    const rest = await service.post('/v1/recall', request);
    const query = 'query ($input: RecallInput!) { recall(input: $input) { packId } }';
    const { data, errors } = await ask(service, query, { input: asInput(request) });
    expect(data?.recall ?? null).toBeNull();
    const { code, details, retriable } = errors?.[0].extensions ?? {};
    const inWire = (field: unknown): string => NAMES.wire(String(field));
    expect({ code, retriable, field: inWire(details?.field_path) }).toEqual({
      code: rest.json.error_code,
      retriable: rest.json.retriable,
      field: inWire(pathInGraphql(rest.json.details.field_path as string)),
    });
  });
});
