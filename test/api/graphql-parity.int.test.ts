import { message } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { blobOf } from './blobs.ts';
import { ask } from './graphql/ask.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const SCOPE = 'org:parity/user:a';
const EVENTS = 137;

async function restPages(query: string): Promise<any[]> {
  const found: any[] = [];
  let cursor = '';
  for (;;) {
    const { json } = await service.get(`/v1/events?${query}${cursor}`);
    found.push(...json.items);
    if (json.has_more !== true) return found;
    cursor = `&cursor=${encodeURIComponent(json.next_cursor as string)}`;
  }
}

const PAGE = `query ($scope: String!, $first: Int, $after: String, $labels: [String!], $view: View) {
  events(scope: $scope, first: $first, after: $after, labels: $labels, view: $view) {
    edges { cursor node { id walOffset } } nodes { id walOffset context { labels } content { ... on MessageContent { text } } }
    pageInfo { hasNextPage endCursor } } }`;

async function graphqlPages(variables: object, cursorOf: (page: any) => string): Promise<any[]> {
  const found: any[] = [];
  let after: string | undefined;
  for (;;) {
    const { data, errors } = await ask(service, PAGE, { ...variables, after });
    expect(errors).toBeUndefined();
    const { nodes, edges, pageInfo } = data.events;
    expect(edges.map(({ node }: any) => node.id)).toEqual(nodes.map(({ id }: any) => id));
    found.push(...nodes);
    if (pageInfo.hasNextPage !== true) return found;
    after = cursorOf(data.events);
  }
}

describe('the same by GraphQL as by REST', () => {
  beforeAll(async () => {
    const items = Array.from({ length: EVENTS }, (_, i) =>
      message(i % 3 === 0 ? `${SCOPE}/agent:b` : SCOPE, `event ${i}`, {
        context: { labels: [i % 5 === 0 ? 'five' : 'other'] },
      }),
    );
    const { status } = await service.post('/v1/experience/bulk?wait=consolidated', { items });
    expect(status).toBe(202);
  });

  it.each([
    ['one scope', { scope: SCOPE, first: 10 }, `scope=${SCOPE}&limit=10`],
    [
      'below a scope',
      { scope: 'org:parity', first: 7, view: 'descend' },
      'scope=org:parity&limit=7&view=descend',
    ],
    ['a label', { scope: SCOPE, first: 3, labels: ['five'] }, `scope=${SCOPE}&limit=3&labels=five`],
  ])('%s: the same events in the same order over many pages', async (_what, variables, restQuery) => {
    const rest = await restPages(restQuery);
    const byEnd = await graphqlPages(variables, ({ pageInfo }) => pageInfo.endCursor as string);
    const byEdge = await graphqlPages(variables, ({ edges }) => edges.at(-1).cursor as string);
    const seen = rest.map(({ id, wal_offset: walOffset, context, content }) => ({
      id,
      walOffset,
      context: { labels: context.labels },
      content: { text: content.text },
    }));
    expect(rest.length).toBeGreaterThan(15);
    expect(byEnd).toEqual(seen);
    expect(byEdge).toEqual(seen);
  });

  it('a cursor of one transport goes on in the other', async () => {
    const { json } = await service.get(`/v1/events?scope=${SCOPE}&limit=5`);
    const { data } = await ask(service, PAGE, { scope: SCOPE, first: 5, after: json.next_cursor });
    const next = await service.get(`/v1/events?scope=${SCOPE}&limit=5&cursor=${json.next_cursor as string}`);
    expect(data.events.nodes.map(({ id }: any) => id)).toEqual(next.json.items.map(({ id }: any) => id));
  });

  it('frames: the same ids in the same order over many pages', async () => {
    const { json } = await service.get('/v1/lifecycle?limit=1000&events=captured,indexed');
    const found: string[] = [];
    let after: string | null = null;
    for (;;) {
      const { data }: any = await ask(
        service,
        `query ($after: String) { lifecycle(first: 40, after: $after, events: ["captured", "indexed"]) {
          nodes { lifecycleId } pageInfo { hasNextPage endCursor } } }`,
        { after },
      );
      found.push(...data.lifecycle.nodes.map(({ lifecycleId }: any) => lifecycleId as string));
      if (data.lifecycle.pageInfo.hasNextPage !== true) break;
      after = data.lifecycle.pageInfo.endCursor as string;
    }
    expect(found).toHaveLength(2 * EVENTS);
    expect(found).toEqual(json.items.map(({ lifecycle_id }: any) => lifecycle_id as string));
    const frame = await ask(
      service,
      `{ lifecycleFrame(id: "${found[3] ?? ''}") { lifecycleId event data } }`,
    );
    expect(frame.data.lifecycleFrame.data).toEqual(json.items[3].data);
  });
});

describe('what is read behind a link', () => {
  it('a link to what was cancelled is null, and asking for it is NOT_FOUND', async () => {
    const { json } = await service.post('/v1/experience', message('org:gone', 'soon gone'));
    const id = json.event_id as string;
    await ask(service, `mutation { cancelEvent(id: "${id}") { eventId } }`);
    const { data } = await ask(service, `{ lifecycle(eventId: "${id}") { nodes { memoryEvent { id } } } }`);
    expect(data.lifecycle.nodes.map(({ memoryEvent }: any) => memoryEvent)).toContain(null);
    const { errors } = await ask(
      service,
      `{ a: event(id: "${id}") { id } b: memoryEventTrace(id: "evt_none") { eventId } }`,
    );
    expect(errors?.map(({ path, extensions }) => [path[0], extensions.code]).sort()).toEqual([
      ['a', 'NOT_FOUND'],
      ['b', 'NOT_FOUND'],
    ]);
  });

  it('large events are read too, whole', async () => {
    const text = 'x'.repeat(100_000);
    const { json } = await service.post('/v1/experience', message('org:large', text));
    const { data } = await ask(
      service,
      `{ event(id: "${json.event_id as string}") { content { ... on MessageContent { text } } } }`,
    );
    expect(data.event.content.text).toBe(text);
  });
});

describe("what is the caller's own stays as it is", () => {
  const own = JSON.parse(
    '{"some_key":1,"someKey":2,"nested":{"snake_case":{"camelCase":[{"wal_offset":"x"}]}},"__proto__":{"polluted":true},"constructor":null,"e":1e300,"f":0.1,"big":9007199254740991}',
  ) as object;

  it('sent by GraphQL: metadata, data, source, location and values come back as they were, over both', async () => {
    const input = {
      scope: 'org:own',
      modality: 'm',
      content: { json: { data: own } },
      metadata: own,
      source: own,
      context: { location: own, refersTo: [{ from: '2026-01-01', exprOriginal: 'new year' }] },
    };
    const { data, errors } = await ask(
      service,
      'mutation ($input: ExperienceInput!) { capture(input: $input) { eventId } }',
      { input },
    );
    expect(errors).toBeUndefined();
    const id = data.capture.eventId as string;
    const wire = await service.get(`/v1/events/${id}`);
    const read = await ask(
      service,
      `{ event(id: "${id}") { metadata source content { ... on JsonContent { data } } context { location refersTo { from exprOriginal } } } }`,
    );
    for (const found of [wire.json, read.data.event]) {
      expect(JSON.stringify(found.metadata)).toBe(JSON.stringify(own));
      expect(JSON.stringify(found.source)).toBe(JSON.stringify(own));
      expect(JSON.stringify(found.content.data)).toBe(JSON.stringify(own));
      expect(JSON.stringify(found.context.location)).toBe(JSON.stringify(own));
    }
    expect(wire.json.context.refers_to).toEqual({ from: '2026-01-01', expr_original: 'new year' });
    expect(read.data.event.context.refersTo).toEqual([{ from: '2026-01-01', exprOriginal: 'new year' }]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('written in the document', async () => {
    const { data, errors } = await ask(
      service,
      `mutation { capture(input: {scope: "org:own", modality: "m", content: {json: {data: null}},
        metadata: {some_key: 1, someKey: [true, null, "x"], __proto__: {polluted: true}}}) { eventId } }`,
    );
    expect(errors).toBeUndefined();
    const { json } = await service.get(`/v1/events/${data.capture.eventId as string}`);
    expect(json.content).toEqual({ kind: 'json', data: null });
    expect(JSON.stringify(json.metadata)).toBe(
      '{"some_key":1,"someKey":[true,null,"x"],"__proto__":{"polluted":true}}',
    );
  });

  it('the same body by both transports is one body under one key', async () => {
    const key = { idempotency_key: 'both' };
    const first = await service.post('/v1/experience', message('org:both', 'same', key));
    const { data } = await ask(
      service,
      'mutation ($input: ExperienceInput!) { capture(input: $input) { eventId replayedFromIdempotency } }',
      {
        input: {
          scope: 'org:both',
          modality: 'conversation',
          content: { message: { role: 'user', text: 'same' } },
          idempotencyKey: 'both',
        },
      },
    );
    expect(data.capture).toEqual({ eventId: first.json.event_id, replayedFromIdempotency: true });
  });
});

describe('content of every kind', () => {
  /** Stands for the id of the blob. */
  const BLOB = 'blob_crackle';
  let blob: string;
  beforeAll(async () => {
    blob = await blobOf(service, 'crackle');
  });

  const CONTENTS = [
    [{ message: { role: 'tool', text: 't', media: [{ blobId: BLOB }] } }, 'message'],
    [{ text: { text: 't' } }, 'text'],
    [{ json: { data: [1] } }, 'json'],
    [{ blobRef: { blobId: BLOB, transcript: 'words' } }, 'blob_ref'],
    [
      {
        triple: {
          subject: { entity: { id: 'ent_1', name: 'One' } },
          predicate: 'is',
          object: { literal: { datatype: 'boolean', value: true } },
          validFrom: '2026-01-01',
        },
      },
      'triple',
    ],
  ] as const;

  it.each(CONTENTS)('%j', async (named, kind) => {
    const content = JSON.parse(JSON.stringify(named).replaceAll(BLOB, blob)) as object;
    const { data, errors } = await ask(
      service,
      'mutation ($input: ExperienceInput!) { capture(input: $input) { eventId } }',
      { input: { scope: 'org:kinds', modality: 'm', content } },
    );
    expect(errors).toBeUndefined();
    const { json } = await service.get(`/v1/events/${data.capture.eventId as string}`);
    expect(json.content.kind).toBe(kind);
    const read = await ask(
      service,
      `{ event(id: "${data.capture.eventId as string}") { content { kind
        ... on MessageContent { role text media { blobId } } ... on TextContent { text } ... on JsonContent { data }
        ... on BlobRefContent { blobId transcript }
        ... on TripleContent { triple { subject { ...T } predicate object { ...T } validFrom } } } } }
        fragment T on Term { ... on EntityTerm { id name } ... on LiteralTerm { datatype value } }`,
    );
    const [sent] = Object.values<any>(content);
    const flat = (term: any): unknown => term.entity ?? term.literal;
    const expected =
      kind === 'triple'
        ? { triple: { ...sent, subject: flat(sent.subject), object: flat(sent.object) } }
        : sent;
    expect(read.data.event.content).toEqual({ kind, ...expected });
  });
});
