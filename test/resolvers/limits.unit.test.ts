import { getIntrospectionQuery, Kind, parse, print, type DocumentNode } from 'graphql';

import { Documents } from '../../resolvers/document.ts';
import { withWorstPages } from '../../resolvers/limit-rules.ts';
import { validateDocument } from '../../resolvers/limits.ts';
import { executableSchema } from '../../resolvers/schema.ts';
import {
  MAX_GRAPHQL_ALIAS_LENGTH,
  MAX_GRAPHQL_ALIASES,
  MAX_GRAPHQL_COST,
  MAX_GRAPHQL_DEPTH,
  MAX_GRAPHQL_DIRECTIVES,
  MAX_GRAPHQL_DOCUMENT_BYTES,
  MAX_GRAPHQL_JSON_DEPTH,
  MAX_GRAPHQL_TOKENS,
} from '../../src/limits.ts';
import { KEY, startRig, type Rig } from '../rest/harness.ts';

const schema = executableSchema();
const documents = new Documents(schema, { introspection: true });
const errorsOf = (text: string): Record<string, unknown>[] | undefined =>
  documents.read(text).errors?.map(({ message, extensions }) => ({ message, ...extensions }));
const repeat = (count: number, part: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => part(i)).join(' ');

/** Every field of an event, as a client that wants everything writes it. */
const WHOLE_EVENT = `id scope caller observedActor { id type session } subject { id type } scopeKey modality
  content { kind ... on MessageContent { role text media { blobId } } ... on TextContent { text } ... on JsonContent { data }
    ... on BlobRefContent { blobId transcript }
    ... on TripleContent { triple { subject { ...T } predicate object { ...T } validFrom validTo confidence polarity derivedFrom } } }
  context { observedAt recordedAt intent labels timezone sourceRecordedAt location precededBy
    refersTo { from to zone precision exprOriginal ambiguous confidence
      candidates { from to zone precision exprOriginal ambiguous confidence } } }
  walOffset derives { id } source language scripts languageSource sourceBlobIds metadata
  directives { extract embed confidenceFloor }
  trace { eventId stagesCompleted lifecycleEventIds derived }`;
const TERM =
  'fragment T on Term { type ... on EntityTerm { id name } ... on LiteralTerm { datatype value } }';
const WHOLE_PAGE = `query ($scope: String!) { events(scope: $scope, first: 1000) {
  edges { cursor node { ...E } } nodes { ...E } pageInfo { hasNextPage endCursor } } }
  fragment E on Event { ${WHOLE_EVENT} } ${TERM}`;

const TYPE_REF = 'kind name ofType { kind name ofType { kind name } }';
/** The schema as tools ask for it. */
const WHOLE_SCHEMA = `types { kind name description fields { name description args { name description type { ${TYPE_REF} } }
  type { ${TYPE_REF} } } inputFields { name description type { ${TYPE_REF} } } enumValues { name description } }`;
/** A type with all that its fields answer. */
const DEEP_TYPE =
  'fields { name type { name fields { name description isDeprecated args { name description defaultValue type { name kind description ofType { name kind } } } } ofType { fields { name description } } } }';
const WHOLE_PAGE_FIELDS = 'a: events(first: $n) { edges { node { ...E } } nodes { ...E } }';

describe('documents that are useful', () => {
  it.each([
    ['a full page with every field, twice', WHOLE_PAGE],
    ['the introspection of tools', getIntrospectionQuery()],
    [
      'the introspection with everything',
      getIntrospectionQuery({
        oneOf: true,
        inputValueDeprecation: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
      }),
    ],
    [
      'the whole schema beside other questions',
      getIntrospectionQuery().replace('{', '{ health { status } version { version }'),
    ],
    [
      'as many aliases as there may be',
      `{ ${repeat(MAX_GRAPHQL_ALIASES, (i) => `a${i}: health { status }`)} }`,
    ],
  ])('are read: %s', (_what, text) => {
    expect(errorsOf(text)).toBeUndefined();
  });
});

const cyclic = `{ health { ...A } } fragment A on Health { status ...B } fragment B on Health { version ...A }`;
/** One document for each limit, just beyond it. */
const BEYOND: [reason: string, limit: number, text: string][] = [
  [
    'document_bytes',
    MAX_GRAPHQL_DOCUMENT_BYTES,
    `# ${'x'.repeat(MAX_GRAPHQL_DOCUMENT_BYTES)}\n{ health { status } }`,
  ],
  ['tokens', MAX_GRAPHQL_TOKENS, `{ health { ${repeat(MAX_GRAPHQL_TOKENS, () => 'status')} } }`],
  [
    'tokens',
    MAX_GRAPHQL_TOKENS,
    `{ health { status } } ${repeat(2000, (i) => `query Q${i} { health { status } }`)}`,
  ],
  [
    'aliases',
    MAX_GRAPHQL_ALIASES,
    `{ ${repeat(MAX_GRAPHQL_ALIASES + 1, (i) => `a${i}: health { status }`)} }`,
  ],
  [
    'aliases',
    MAX_GRAPHQL_ALIASES,
    `{ health { ...A } } fragment A on Health { ${repeat(MAX_GRAPHQL_ALIASES + 1, (i) => `a${i}: status`)} }`,
  ],
  [
    'directives',
    MAX_GRAPHQL_DIRECTIVES,
    `{ health { ${repeat(MAX_GRAPHQL_DIRECTIVES + 1, () => 'status @include(if: true)')} } }`,
  ],
  ['depth', MAX_GRAPHQL_DEPTH, `${'{ a '.repeat(MAX_GRAPHQL_DEPTH + 1)}${'}'.repeat(MAX_GRAPHQL_DEPTH + 1)}`],
  [
    'depth',
    MAX_GRAPHQL_DEPTH,
    `{ ...F0 } ${repeat(MAX_GRAPHQL_DEPTH, (i) => `fragment F${i} on Query { a { ...F${i + 1} } }`)} fragment F${MAX_GRAPHQL_DEPTH} on Query { a { b } }`,
  ],
  [
    'aliases',
    MAX_GRAPHQL_ALIASES,
    `{ health { ${repeat(MAX_GRAPHQL_ALIASES + 1, (i) => `a${i}: __typename`)} } }`,
  ],
  [
    'alias_length',
    MAX_GRAPHQL_ALIAS_LENGTH,
    `{ ${'a'.repeat(MAX_GRAPHQL_ALIAS_LENGTH + 1)}: health { status } }`,
  ],
  ...[MAX_GRAPHQL_JSON_DEPTH + 1, 400].map((levels): [string, number, string] => {
    const id = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    return [
      'value_depth',
      MAX_GRAPHQL_JSON_DEPTH,
      `{ a: event(id: ${id}) { id } a: event(id: ${id}) { id } }`,
    ];
  }),
  [
    'value_depth',
    MAX_GRAPHQL_JSON_DEPTH,
    `query ($a: ${'['.repeat(600)}Int${']'.repeat(600)}) { event(id: $a) { id } }`,
  ],
  [
    'cost',
    MAX_GRAPHQL_COST,
    `query ($n: Int) { ${repeat(6, (i) => `p${i}: events(first: $n) { edges { node { ...E } } nodes { ...E } }`)} }
      fragment E on Event { ${WHOLE_EVENT} } ${TERM}`,
  ],
  [
    'cost',
    MAX_GRAPHQL_COST,
    `query ($scope: String!) { ${repeat(6, (i) => `p${i}: events(scope: $scope, first: 1000) { edges { node { ...E } } nodes { ...E } }`)} }
      fragment E on Event { ${WHOLE_EVENT} } ${TERM}`,
  ],
  ['cost', MAX_GRAPHQL_COST, `{ ${repeat(20, (i) => `a${i}: __schema { ${WHOLE_SCHEMA} }`)} }`],
  [
    'cost',
    MAX_GRAPHQL_COST,
    `{ ...S } fragment S on Query { ${repeat(30, (i) => `a${i}: __schema { ...A }`)} } fragment A on __Schema { ${WHOLE_SCHEMA} }`,
  ],
  [
    'cost',
    MAX_GRAPHQL_COST,
    `query ($n: String!) { ${repeat(30, (i) => `a${i}: __type(name: $n) { ${DEEP_TYPE} }`)} }`,
  ],
  [
    'cost',
    MAX_GRAPHQL_COST,
    `query ($n: Int) { ${WHOLE_PAGE_FIELDS} ${repeat(3, (i) => `s${i}: __schema { ${WHOLE_SCHEMA} }`)} }
      fragment E on Event { ${WHOLE_EVENT} } ${TERM}`,
  ],
];

describe('documents beyond a limit', () => {
  it.each(BEYOND)('of %s (%i) are refused by the name of the limit', (reason, limit, text) => {
    const [error] = errorsOf(text) ?? [];
    expect(error).toMatchObject({ code: 'INVALID_QUERY', details: { reason, limit } });
    expect(error?.message).not.toMatch(/Syntax Error/);
  });

  it.each([
    ['a thousand open lists', `{ event(id: ${'['.repeat(4500)}`],
    ['four thousand open braces', '{a'.repeat(2400)],
    ['a circle of fragments', cyclic],
    ['the same field twelve hundred times', `{ ${repeat(1200, () => 'health { status }')} }`],
    ...[600, 1100, 2400].map((levels): [string, string] => {
      const id = `${'['.repeat(levels)}${']'.repeat(levels)}`;
      return [
        `two values of ${levels} levels that would have to be equal`,
        `{ a: event(id: ${id}) { id } a: event(id: ${id}) { id } }`,
      ];
    }),
    ['nothing', ' '],
    ['text', 'hello'],
    ['an unknown field', '{ memories { id } }'],
    [
      'the schema, deep',
      `{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }`,
    ],
  ])('and so is %s', (_what, text) => {
    expect(errorsOf(text)?.[0]?.code).toMatch(/^(INVALID_QUERY|GRAPHQL_(PARSE|VALIDATION)_FAILED)$/);
  });
});

describe('the cost of a page', () => {
  it.each([
    ['events(first: 7)', 7],
    ['events(first: 5000)', 1000],
    ['events(first: $n)', 1000],
    ['events(first: null)', 50],
    ['events', 50],
    ['lifecycle(scope: "org:a")', 50],
  ])('%s is told by %i rows', (field, rows) => {
    const worst = withWorstPages(
      parse(`query ($n: Int) { ...F } fragment F on Query { a: ${field} { edges { cursor } } }`),
    );
    expect(print(worst)).toContain(`first: ${rows})`);
  });
});

describe('a rule that exhausts the stack', () => {
  it('refuses the document', () => {
    const document: DocumentNode = {
      kind: Kind.DOCUMENT,
      get definitions(): never {
        throw new RangeError('Maximum call stack size exceeded');
      },
    };
    expect(validateDocument(schema, document)).toEqual([
      expect.objectContaining({ extensions: expect.objectContaining({ code: 'INVALID_QUERY' }) }),
    ]);
  });
});

describe('introspection', () => {
  it('is refused where the deployment does not allow it', () => {
    const closed = new Documents(schema, { introspection: false });
    for (const text of [getIntrospectionQuery(), '{ __type(name: "Event") { name } }']) {
      expect(closed.read(text).errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    }
    expect(closed.read('{ __typename health { __typename } }').errors).toBeNull();
  });
});

describe('documents that were read', () => {
  it('are kept, those used last', () => {
    const read = documents.read('{ health { status } }');
    expect(documents.read('{ health { status } }').document).toBe(read.document);
    for (let i = 0; i < 600; i += 1) documents.read(`query Q${i} { health { status } }`);
    expect(documents.read('{ health { status } }').document).not.toBe(read.document);
  });

  it('are let go by their size', () => {
    const read = documents.read('{ health { version } }');
    const filling = ' '.repeat(100_000);
    for (let i = 0; i < 25; i += 1) documents.read(`query R${i} { health { status } } ${filling}`);
    expect(documents.read('{ health { version } }').document).not.toBe(read.document);
  });
});

describe('over HTTP', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.stop());

  const ask = async (query: string, accept: string) => {
    const response = await fetch(`http://127.0.0.1:${rig.port}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', accept },
      body: JSON.stringify({ query }),
    });
    return { status: response.status, body: (await response.json()) as any };
  };

  it('a limit is told with request id and without retry', async () => {
    const { status, body } = await ask(BEYOND[3]?.[2] ?? '', 'application/graphql-response+json');
    expect(status).toBe(400);
    expect(body.errors[0].extensions).toMatchObject({ code: 'INVALID_QUERY', retriable: false });
    expect(body.errors[0].extensions.request_id).toMatch(/^req_/);
    expect((await ask(BEYOND[3]?.[2] ?? '', 'application/json')).status).toBe(200);
  });

  it('an operation reads ten pages at most', async () => {
    const pages = repeat(11, (i) => `p${i}: events(scope: "org:a") { pageInfo { hasNextPage } }`);
    const { body } = await ask(`{ ${pages} }`, 'application/json');
    const refused = body.errors.filter(({ extensions }: any) => extensions.details?.reason === 'pages');
    expect(refused).toHaveLength(1);
    expect(rig.asked.filter(({ method }) => method === 'event.list')).toHaveLength(10);
  });
});
