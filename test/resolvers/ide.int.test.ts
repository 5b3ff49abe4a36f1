import { Kind, parse, type OperationDefinitionNode } from 'graphql';

import { IDE_EXAMPLES } from '../../resolvers/ide/examples.ts';
import { operationsOf, type IdeOperation } from '../../resolvers/ide/operations.ts';
import { executableSchema } from '../../resolvers/schema.ts';
import { blobOf, uploadKeyed } from '../api/blobs.ts';
import { contradict } from '../support/contradict.ts';
import { message, operatorHeaders } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { openSocket } from './socket-client.ts';

/** What is asked for by each operation. */
interface Example extends IdeOperation {
  readonly fields: string[];
}

const EXAMPLES: Example[] = operationsOf(IDE_EXAMPLES).map((operation) => {
  const [{ selectionSet }] = parse(operation.document).definitions as [OperationDefinitionNode];
  const fields = selectionSet.selections.flatMap((field) =>
    field.kind === Kind.FIELD ? [field.name.value] : [],
  );
  return { ...operation, fields };
});

let service: SharedService;
let blob: string;
let audit: string;
let fact: string;
let conflict: string;
let record: string;
let belief: string;
let concept: string;
let episode: string;
let job: string;
let link: string;
let suppression: string;
let erasure: string;

beforeAll(async () => {
  service = sharedService();
  blob = await blobOf(service, 'of the IDE');
  await uploadKeyed(service, 'visa', 'of the IDE');
  const { variables, document } = EXAMPLES.find(({ name }) => name === 'State')!;
  const stated = await service.post('/graphql', { query: document, operationName: 'State', variables });
  expect(stated.json.errors).toBeUndefined();
  fact = (await service.get('/v1/facts?scope=user:demo')).json.items[0].id;
  belief = (await service.get('/v1/beliefs?scope=user:demo')).json.items[0].id;
  await service.post('/v1/experience?wait=consolidated', message('user:demo', 'of the IDE'));
  episode = (await service.get('/v1/episodes?scope=user:demo')).json.items[0].id;
  concept = (await service.get('/v1/understanding?scope=user:demo')).json.items[0].id;
  audit = (await service.get('/v1/audit?limit=1')).json.items[0].id;
  job = (await service.post('/v1/episodes/build', { scope: 'user:demo' })).json.job_id;
  const linked = { scope: 'user:demo', entity: 'ent_ada_lovelace', same_as: 'ent_ada' };
  link = (await service.post('/v1/entities/link', linked)).json.link_id;
  await service.post('/v1/experience?wait=consolidated', message('user:demo/app:gone', 'of the IDE'));
  const all = { scope: 'user:demo/app:gone', confirm_all: true, cascade: 'redact_events', suppress: true };
  suppression = (await service.post('/v1/forget', all)).json.suppression_id;
  const nothing = { scope: 'user:demo/app:gone', selector: { memory_ids: [] } };
  erasure = (await service.post('/v1/erasures', nothing)).json.erasure_id;
  conflict = await contradict((method, path, body) => service.request(method, path, { body }), 'user:demo');
  record = (await service.get(`/v1/conflicts/${conflict}`)).json.records[0].id;
});

/** Sends an operation as the IDE does, with the environment filled in. */
async function run({ name, document, variables }: Example, eventId: string): Promise<any> {
  const filled = JSON.parse(
    JSON.stringify(variables)
      .replaceAll('{{event_id}}', eventId)
      .replaceAll('{{blob_id}}', blob)
      .replaceAll('{{audit_id}}', audit)
      .replaceAll('{{fact_id}}', fact)
      .replaceAll('{{conflict_id}}', conflict)
      .replaceAll('{{record_id}}', record)
      .replaceAll('{{belief_id}}', belief)
      .replaceAll('{{concept_id}}', concept)
      .replaceAll('{{episode_id}}', episode)
      .replaceAll('{{job_id}}', job)
      .replaceAll('{{link_id}}', link)
      .replaceAll('{{suppression_id}}', suppression)
      .replaceAll('{{erasure_id}}', erasure),
  );
  const { json } = await service.post('/graphql', {
    query: document,
    operationName: name,
    variables: filled,
  });
  return json;
}

/** Examples that ask for a model, which this service has none of, or to stop what is over: others look at what they answer. */
const REFUSED: Readonly<Record<string, string>> = {
  Answer: 'ANSWER_UNAVAILABLE',
  Compose: 'ANSWER_UNAVAILABLE',
  CancelErasure: 'NOT_FOUND',
};

describe('the examples of the IDE', () => {
  it('show every operation of the schema', () => {
    const schema = executableSchema();
    const declared = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap(
      (type) =>
        Object.keys(type?.getFields() ?? {}).map((field) => `${type?.name.toLowerCase() ?? ''} ${field}`),
    );
    const shown = EXAMPLES.flatMap(({ type, fields }) => fields.map((field) => `${type} ${field}`));
    expect([...new Set(shown)].sort()).toEqual(declared.sort());
  });

  it('work, one after the other', async () => {
    const byName = new Map(EXAMPLES.map((example) => [example.name, example]));
    const follow = byName.get('Follow')!;
    const socket = await openSocket(service.url);
    await socket.init(operatorHeaders());
    socket.subscribe('f', follow.document, follow.variables);
    socket.subscribe('ready', '{ health { status } }');
    await socket.next('the socket to be ready', ({ id }) => id === 'ready');
    const first = await run(byName.get('Capture')!, '');
    const { eventId } = first.data.capture;
    // Frames of what was captured before may still come.
    const frame = await socket.next(
      'the frame of the capture',
      ({ id, payload }) => id === 'f' && payload?.data.lifecycle.data.event_id === eventId,
    );
    expect(frame.payload.data.lifecycle).toMatchObject({ event: 'captured', data: { event_id: eventId } });
    socket.socket.close();
    const others = EXAMPLES.filter(
      ({ type, name }) => type !== 'subscription' && !['Capture', 'Cancel'].includes(name),
    );
    for (const example of [...others, byName.get('Cancel')!]) {
      const { data, errors } = await run(example, eventId);
      const codes = errors?.map(({ extensions }: any) => extensions.code);
      const refusal = REFUSED[example.name];
      const expected = refusal === undefined ? undefined : [refusal];
      expect([example.name, codes]).toEqual([example.name, expected]);
      if (expected !== undefined) continue;
      for (const field of example.fields) expect(data[field]).not.toBeNull();
    }
  });

  it('have something to show', async () => {
    const named = (name: string): Example => EXAMPLES.find((example) => example.name === name)!;
    const { data } = await run(named('Events'), '');
    expect(data.events.nodes.length).toBeGreaterThan(0);
    expect((await run(named('Lifecycle'), '')).data.lifecycle.nodes.length).toBeGreaterThan(0);
  });
});

describe('GET /graphql', () => {
  it('is the page for browsers, open to everybody', async () => {
    const open = { headers: { authorization: null, accept: 'text/html,application/xhtml+xml' } };
    const { status, headers, text } = await service.get('/graphql', open);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toContain("connect-src 'self'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-cache');
    const script = /<base href="([^"]+)">/.exec(text)![1]!;
    const file = await service.get(`${script}main.js`, { headers: { authorization: null } });
    expect(file.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(file.headers.get('cache-control')).toContain('immutable');
    expect((await service.get(`${script}..%2f..%2fpackage.json`, open)).status).toBe(404);
    expect((await service.get(`${script}nothing.js`, open)).status).toBe(404);
  });

  it('asks others for a key and a query', async () => {
    const { status } = await service.get('/graphql', {
      headers: { authorization: null, accept: 'application/json' },
    });
    expect(status).toBe(401);
  });
});
