import { MAX_GRAPHQL_ANSWER_BYTES, MAX_GRAPHQL_BULKS, MAX_GRAPHQL_MUTATIONS } from '../../src/limits.ts';
import { startRig, type Rig } from '../rest/harness.ts';

const MIB = 1024 * 1024;
/** More than an answer may have, each with a text of a MiB. */
const FRAMES = 70;

function event(id: string, text: string) {
  return {
    id,
    scope: 'org:a',
    modality: 'm',
    language: 'en',
    content: { kind: 'text', text },
    metadata: { text },
  };
}

const frame = (n: number) => ({
  lifecycle_id: `lce_${n}`,
  ts: 'then',
  scope: 'org:a',
  event: 'captured',
  data: { event_id: 'evt_1' },
});

let rig: Rig;
beforeAll(async () => {
  const large = event('evt_1', 'x'.repeat(MIB));
  rig = await startRig({
    answers: {
      'event.list': () => ({ items: [large, large, large], has_more: false, next_cursor: null }),
      'event.getMany': (_call: unknown, ids: string[]) => ids.map(() => large),
      'lifecycle.list': () => ({
        items: Array.from({ length: FRAMES }, (_, n) => frame(n)),
        has_more: false,
        next_offset: FRAMES,
      }),
      'event.cancel': (_call: unknown, id: string) => ({ event_id: id }),
      'experience.captureBulk': () => ({ accepted: 1 }),
    },
  });
});
afterAll(() => rig.stop());

async function ask(query: string, variables: unknown = {}) {
  const body = JSON.stringify({ query, variables });
  const headers = { 'content-type': 'application/json' };
  const { text } = await rig.send('POST', '/graphql', { body, headers });
  return { bytes: text.length, ...(JSON.parse(text) as { data?: any; errors?: any[] }) };
}

const aliased = (count: number, field: string) =>
  Array.from({ length: count }, (_, i) => `a${i}: ${field}`).join(' ');
const TOO_LARGE = {
  code: 'INVALID_QUERY',
  retriable: false,
  details: { reason: 'answer_bytes', limit: MAX_GRAPHQL_ANSWER_BYTES },
};

describe('the answer of one operation', () => {
  it('may hold what a page holds', async () => {
    const { bytes, errors } = await ask(
      '{ events(scope: "org:a") { nodes { id content { ... on TextContent { text } } metadata } } }',
    );
    expect(errors).toBeUndefined();
    expect(bytes).toBeGreaterThan(6 * MIB);
  });

  it.each([
    [
      'large texts by many names',
      `events(scope: "org:a") { nodes { ${aliased(28, 'content { ... on TextContent { text } }')} } }`,
    ],
    [
      'large values by many names',
      `events(scope: "org:a") { nodes { ${aliased(28, 'metadata')} language } }`,
    ],
    [
      'one event at many frames',
      'lifecycle { nodes { memoryEvent { content { ... on TextContent { text } } } } }',
    ],
    ['one event at many frames that may be null', 'lifecycle { nodes { memoryEvent { metadata } } }'],
  ])('is bounded in bytes: %s', async (_what, fields) => {
    const { bytes, errors } = await ask(`{ ${fields} }`);
    expect(errors?.map(({ extensions }) => extensions)).toEqual([expect.objectContaining(TOO_LARGE)]);
    expect(bytes).toBeLessThan(MAX_GRAPHQL_ANSWER_BYTES + 2 * MIB);
  });
});

describe('the writes of one operation', () => {
  const asked = (method: string) => rig.asked.filter((one) => one.method === method).length;

  it('are bounded in number', async () => {
    const cancels = aliased(MAX_GRAPHQL_MUTATIONS + 1, 'cancelEvent(id: "evt_1") { eventId }');
    const { errors } = await ask(`mutation { ${cancels} }`);
    expect(errors?.map(({ path, extensions }) => [path, extensions.code, extensions.details])).toEqual([
      [[`a${MAX_GRAPHQL_MUTATIONS}`], 'INVALID_QUERY', { reason: 'mutations', limit: MAX_GRAPHQL_MUTATIONS }],
    ]);
    expect(asked('event.cancel')).toBe(MAX_GRAPHQL_MUTATIONS);
  });

  it('hold one bulk', async () => {
    const bulks = aliased(MAX_GRAPHQL_BULKS + 1, 'captureMany(input: $input) { accepted }');
    const { data, errors } = await ask(`mutation ($input: BulkInput!) { ${bulks} }`, {
      input: { items: [] },
    });
    expect(data.a0).toEqual({ accepted: 1 });
    expect(errors?.map(({ extensions }) => extensions.details)).toEqual([
      { reason: 'bulks', limit: MAX_GRAPHQL_BULKS },
    ]);
    expect(asked('experience.captureBulk')).toBe(MAX_GRAPHQL_BULKS);
  });
});
