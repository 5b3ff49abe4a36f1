import { execute, parse } from 'graphql';

import { executableSchema } from '../../resolvers/schema.ts';
import { errorFormatter, withoutRepeats } from '../../resolvers/error-formatter.ts';
import { StrataError } from '../../src/errors.ts';
import { startRig, type Rig } from '../rest/harness.ts';

const schema = executableSchema();
const CAPTURE = 'mutation ($input: ExperienceInput!) { capture(input: $input) { eventId } }';
const BAD_LABELS = 20_000;

function inputWith(labels: Iterable<unknown>) {
  return { scope: 'org:a', modality: 'm', content: { text: { text: 'x' } }, context: { labels } };
}

describe('a variable with many faults', () => {
  it('is looked through once, however many errors there are', async () => {
    let looked = 0;
    const labels = {
      *[Symbol.iterator]() {
        for (let i = 0; i < BAD_LABELS; i += 1) {
          looked += 1;
          yield 1;
        }
      },
    };
    const variables = { input: inputWith(labels) };
    const document = parse(CAPTURE);
    const { errors = [] } = await execute({ schema, document, variableValues: variables });
    expect(errors.length).toBeGreaterThan(10);
    looked = 0;
    const log = { debug: fail, info: fail, warn: fail, error: fail };
    const tell = errorFormatter(schema, log);
    const place = { call: { requestId: 'req_1' }, document, variables };
    const told = errors.map((error) => tell(error, place));
    expect(looked).toBe(1);
    expect(new Set(told.map(({ extensions }) => extensions?.code))).toEqual(new Set(['INVALID_BODY']));
    expect(withoutRepeats(errors)).toEqual([errors[0]]);
  });

  it('is told once for each variable', async () => {
    const document = parse(
      'query ($a: [String!], $b: [String!]) { events(scope: "org:a", labels: $a, modality: $b) { nodes { id } } }',
    );
    const variableValues = { a: [1, 2, 3], b: [4, 5] };
    const { errors = [] } = await execute({ schema, document, variableValues });
    expect(errors).toHaveLength(5);
    expect(withoutRepeats(errors)).toEqual([errors[0], errors[3]]);
  });
});

function fail(message: string): never {
  throw new Error(`logged: ${message}`);
}

describe('over HTTP', () => {
  let rig: Rig;
  beforeAll(async () => {
    const away = () => Promise.reject(new StrataError('SERVER_BUSY', 'full', { cause: new Error('why') }));
    const items = Array.from({ length: 50 }, (_, i) => ({ id: `evt_${i}` }));
    rig = await startRig({
      answers: {
        'event.list': () => ({ items, has_more: false, next_cursor: null }),
        'lifecycle.memoryEvents': away,
      },
    });
  });
  afterAll(() => rig.stop());

  const post = async (query: string, variables: unknown = {}) => {
    const headers = { 'content-type': 'application/json' };
    return (await rig.send('POST', '/graphql', { headers, body: JSON.stringify({ query, variables }) })).json;
  };

  it('twenty thousand bad labels are one error, with its field', async () => {
    const { errors } = await post(CAPTURE, { input: inputWith(Array.from({ length: BAD_LABELS }, () => 1)) });
    expect(errors).toHaveLength(1);
    expect(errors[0].extensions).toMatchObject({
      code: 'INVALID_BODY',
      details: { field_path: 'context.labels[0]' },
    });
  });

  it('a link that fails at every record is told at each, and logged once', async () => {
    const { errors } = await post('{ events(scope: "org:a") { nodes { id trace { eventId } } } }');
    expect(errors).toHaveLength(50);
    expect(errors[0].extensions).toMatchObject({
      code: 'SERVER_BUSY',
      retriable: true,
      retry_after_seconds: 1,
    });
    expect(rig.logged.filter(({ message }) => message === 'graphql field failed')).toHaveLength(1);
  });
});
