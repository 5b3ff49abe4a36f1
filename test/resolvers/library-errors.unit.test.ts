import { startRig, type Rig } from '../rest/harness.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

const CAPTURE = 'mutation ($input: ExperienceInput!) { capture(input: $input) { eventId } }';
const FRAME = 'query ($id: ID!) { lifecycleFrame(id: $id) { event } }';
const LABELS = 'query ($a: [String!]) { events(scope: "org:a", labels: $a) { nodes { id } } }';
const many = Array.from({ length: 100 }, () => 1);

/** What the libraries refuse by themselves: request, code and, where there is one, the field. */
const REFUSED: [what: string, body: Record<string, unknown>, code: string, field?: string][] = [
  ['a body without query', {}, 'INVALID_BODY'],
  ['a query that is a number', { query: 1 }, 'INVALID_BODY'],
  ['variables that are a list', { query: FRAME, variables: [] }, 'INVALID_BODY'],
  ['variables that are a text', { query: FRAME, variables: 'x' }, 'INVALID_BODY'],
  ['an operation name that is a number', { query: FRAME, operationName: 1 }, 'INVALID_BODY'],
  ['an unknown operation', { query: 'query A { __typename }', operationName: 'B' }, 'INVALID_QUERY'],
  [
    'two operations without a name',
    { query: 'query A { __typename } query B { __typename }' },
    'INVALID_QUERY',
  ],
  ['a persisted query', { extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } }, 'INVALID_QUERY'],
  ['a missing variable', { query: FRAME }, 'INVALID_QUERY', 'id'],
  ['a null in place of a value', { query: FRAME, variables: { id: null } }, 'INVALID_QUERY', 'id'],
  ['a missing variable of a mutation', { query: CAPTURE }, 'INVALID_BODY', ''],
  ['a variable of another type', { query: LABELS, variables: { a: { b: 1 } } }, 'INVALID_QUERY', 'labels'],
  ['more faults than are told', { query: LABELS, variables: { a: many } }, 'INVALID_QUERY', 'labels[0]'],
  ['an unknown fragment', { query: '{ ...F }' }, 'GRAPHQL_VALIDATION_FAILED'],
  ['a value of another type', { query: '{ event(id: {}) { id } }' }, 'GRAPHQL_VALIDATION_FAILED'],
  ['half a document', { query: '{ health {' }, 'GRAPHQL_PARSE_FAILED'],
];

describe('a value that reads like a message of the library', () => {
  const READ = 'query ($n: Int) { events(scope: "org:a", first: $n) { nodes { id } } }';

  it.each([
    'of required type x was not provided',
    'x was not provided.',
    'Field "x" is not defined by type "T".',
    'of required type '.repeat(16_000),
  ])('is told as what it is: %.40s', async (n) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ query: READ, variables: { n } });
    const { json } = await rig.send('POST', '/graphql', { headers, body });
    const { code, details } = json.errors[0].extensions;
    expect([code, details.field_path]).toEqual(['INVALID_QUERY', 'limit']);
    expect(details.reason).toMatch(/^Int cannot represent non-integer value: "/);
  });

  it('leaves the name of a field that is not there whole', async () => {
    const name = 'a" of required type "b';
    const input = { scope: 'org:a', modality: 'm', content: { text: { text: 'x' } }, [name]: 1 };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ query: CAPTURE, variables: { input } });
    const { json } = await rig.send('POST', '/graphql', { headers, body });
    expect(json.errors[0].extensions.details).toEqual({
      field_path: expect.stringContaining(name),
      reason: 'unknown field',
    });
  });
});

describe('what the libraries refuse', () => {
  it.each(REFUSED.map((row) => [row[0], row] as const))(
    'is the mistake of the caller: %s',
    async (...row) => {
      const [, [, body, code, field]] = row;
      const before = rig.asked.length;
      const headers = { 'content-type': 'application/json' };
      const { text } = await rig.send('POST', '/graphql', { headers, body: JSON.stringify(body) });
      const { errors } = JSON.parse(text) as { errors: any[] };
      expect(errors.map(({ extensions }) => extensions.code)).toEqual([code]);
      expect(errors[0].extensions).toMatchObject({ retriable: false });
      expect(errors[0].extensions.details?.field_path).toBe(field);
      expect(rig.asked.length).toBe(before);
      expect(rig.logged.filter(({ message }) => message === 'graphql field failed')).toEqual([]);
    },
  );
});
