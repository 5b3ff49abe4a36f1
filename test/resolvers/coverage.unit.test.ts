import { readFileSync } from 'node:fs';

import {
  getNamedType,
  isInputObjectType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputField,
} from 'graphql';

import { FRAME_NAMES } from '../../schemas/lifecycle.ts';
import { DOCUMENT_CODES, formatGraphqlError } from '../../resolvers/error.ts';
import { definitionOf, NAMES } from '../../resolvers/names.ts';
import { executableSchema } from '../../resolvers/schema.ts';
import { problemBody } from '../../rest/problem.ts';
import { beliefItem } from '../../schemas/belief.ts';
import { conceptItem } from '../../schemas/concept.ts';
import { episodeItem } from '../../schemas/episode.ts';
import { eventItem } from '../../schemas/event.ts';
import { factItem } from '../../schemas/fact.ts';
import { ERROR_CODES, type ErrorCode } from '../../schemas/error.ts';
import type { Operation } from '../../schemas/operation/definition.ts';
import { CODE_OPERATIONS } from '../../schemas/operation/code.ts';
import { OPERATION_IDS, operationOf } from '../../schemas/operation.ts';
import { StrataError } from '../../src/errors.ts';
import { startRig } from '../rest/harness.ts';
import { asOfFolded, Comparison } from '../support/graphql/compare.ts';

const schema = executableSchema();
const ROOTS = {
  query: schema.getQueryType(),
  mutation: schema.getMutationType(),
  subscription: schema.getSubscriptionType(),
};

/** Operations that have no GraphQL field, reviewed: the table says why. */
const WITHOUT_FIELD = [
  'exportGraph',
  'exportProvenance',
  'getErasureManifest',
  'getErasurePreviewManifest',
  'adminMetrics',
  'openapi',
  'schema',
  'signup',
  'uploadBlob',
  'uploadKeyedBlob',
  ...Object.keys(CODE_OPERATIONS),
];

/** Fields that lead from a record to others, or to a reading of them. */
function linksOf(record: string, fields: readonly string[]): string[] {
  return fields.map((field) => `${record}.${field}: only in GraphQL`);
}

/** What the records of a pack are in GraphQL, and the fields that they have on REST and there on the record itself. */
const HITS = {
  events: { record: 'event', shape: eventItem.omit({ content: true }).shape },
  facts: { record: 'fact', shape: factItem.shape },
  beliefs: { record: 'belief', shape: beliefItem.shape },
  episodes: { record: 'episode', shape: episodeItem.shape },
  understanding: { record: 'concept', shape: conceptItem.shape },
};

/** Where GraphQL differs from REST on purpose. */
/** Names of frames grow with each release; a client that was made before must not be told that the one it gets is none. */
const FRAMES = FRAME_NAMES.join('|');

const REVIEWED = [
  ...Array.from({ length: 2 }, () => `lifecycle(events)[]: ${FRAMES} is String`),
  // Links to what else is known of a record; GraphQL reads them together.
  'lifecycle.nodes.memoryEvent: only in GraphQL',
  ...['fact', 'facts.nodes', 'factWhy.fact'].flatMap((fact) => [
    ...linksOf(fact, ['derivedFrom', 'derives', 'supersedes', 'provenance', 'why']),
    `${fact}.supersededBy: "string" is Fact`,
  ]),
  ...['belief', 'beliefs.nodes', 'beliefWhy.belief', 'declareBelief', 'buildBeliefs.items[]'].flatMap(
    (belief) =>
      linksOf(belief, [
        'derivedFrom',
        'derives',
        'supersedes',
        'supersededBy',
        'provenance',
        'why',
        'history',
      ]),
  ),
  ...['episode', 'episodes.nodes', 'buildEpisodes.items[]'].flatMap((episode) => [
    ...linksOf(episode, ['derivedFrom', 'derives', 'supersedes', 'supersededBy', 'provenance']),
    `${episode}.follows: "string" is Episode`,
  ]),
  ...['concept', 'concepts.nodes', 'conceptHistory.nodes'].flatMap((concept) => [
    ...linksOf(concept, ['splitFrom', 'derives', 'supersedes', 'supersededBy', 'provenance']),
    // What a concept was split from on REST; what it rests on in GraphQL, as of every record.
    `${concept}.derivedFrom: is not needed on REST`,
    `${concept}.derivedFrom[]: "string" is MemoryRecord`,
  ]),
  ...['event', 'events.nodes'].flatMap((event) => [
    ...linksOf(event, ['derivedFrom', 'supersedes', 'supersededBy', 'provenance', 'trace']),
    `${event}.derives[]: "string" is MemoryRecord`,
  ]),
  ...['factWhy.supportGraph', 'beliefWhy.supportGraph', 'provenance'].map(
    (graph) => `${graph}.nodes[].record: only in GraphQL`,
  ),
  // A page of a graph is no connection: its nodes are not all that it holds.
  ...['graph', 'neighbours', 'graphDiff'].flatMap((page) => [
    `${page}.hasMore: missing`,
    `${page}.nextCursor: missing`,
    `${page}.pageInfo: only in GraphQL`,
    `${page}.withheldScopes: "integer" is Int`,
    `${page}.withheldScopes: is not needed on REST`,
  ]),
  ...[
    'graph.nodes',
    'neighbours.nodes',
    ...['appeared', 'gone'].map((side) => `graphDiff.${side}.nodes`),
  ].map((nodes) => `${nodes}[].record: only in GraphQL`),
  ...['before', 'after'].map((side) => `graphDiff.changed.nodes[].${side}.record: only in GraphQL`),
  // The instants that are compared name one axis.
  'graphDiff(asOf).at: only in GraphQL',
  // A hit of a pack holds the record on REST; in GraphQL it leads to it.
  ...['recall', 'answer.pack'].flatMap((pack) =>
    Object.entries(HITS).flatMap(([layer, { record, shape }]) => [
      `${pack}.layers.${layer}[].${record}: only in GraphQL`,
      ...Object.keys(shape)
        .filter((field) => field !== 'id')
        .map((field) => `${pack}.layers.${layer}[].${NAMES.camel(field)}: missing`),
    ]),
  ),
  ...['recall', 'answer', 'answer.pack', 'compose'].map(
    (text) => `${text}.provenance.trail[].values: only in GraphQL`,
  ),
  ...['answer', 'compose'].map((text) => `${text}.citations[].record: only in GraphQL`),
  // Pairs are lists in GraphQL, which has no tuples.
  ...['recall', 'answer'].flatMap((field) => [
    `${field}.input.temporal.validDuring: "array" is [String!]`,
    `${field}.input.temporal.recordedDuring: "array" is [String!]`,
  ]),
  ...[
    ...['forget', 'previewForget', 'erase', 'previewErasure', 'putLegalHold'].map(
      (field) => `${field}.input`,
    ),
    ...['legalHolds.nodes', 'legalHold', 'putLegalHold'],
  ].flatMap((field) => [
    `${field}.selector.validDuring: "array" is [String!]`,
    `${field}.selector.recordedDuring: "array" is [String!]`,
  ]),
  // One input for all readings; what has no valid time refuses an instant of it.
  ...[
    'concept',
    'concepts',
    'conceptHistory',
    'relatedConcepts',
    'conflict',
    'conflicts',
    'entity',
    'entities',
  ].map((field) => `${field}(asOf).valid: only in GraphQL`),
  // A stream of frames is for REST; a field of a query has one answer.
  ...['recall', 'answer'].map((field) => `${field}.input.stream: missing`),
  // Fixed words of a protocol.
  'keyedBlob.protocol: keyed-blob-v1 is String',
  'retireKeyedBlob.protocol: keyed-blob-v1 is String',
  'retireKeyedBlob.status: retired is unknown|prepared|live|deleting|retired',
  // REST answers a record as its own route does; GraphQL as one of the types that have the interface.
  'node: "any" is MemoryRecord',
  'factTimeline.nodes.fact: only in GraphQL',
  'entityEdges.nodes.fact: only in GraphQL',
  'lifecycleFrame.memoryEvent: only in GraphQL',
  // A null of any JSON value is a value, so that GraphQL cannot ask for it to be there.
  'capture.input.content.json.data: is needed on REST',
  'capture.input.content.triple.subject.literal.value: is needed on REST',
  'capture.input.content.triple.object.literal.value: is needed on REST',
  'resolveConflict.input.record.subject.literal.value: is needed on REST',
  'resolveConflict.input.record.object.literal.value: is needed on REST',
  // One input for single and bulk; the service asks for the scope where a bulk names none.
  'capture.input.scope: is needed on REST',
  // The items of a bulk are checked one by one, which its own schema leaves to the service.
  'captureMany.input.items[]: "object" is ExperienceInput',
  'captureMany.input.items[]: is not needed on REST',
];

const fielded = OPERATION_IDS.flatMap((id) => {
  const { graphql } = operationOf(id);
  return 'field' in graphql ? [{ id, operation: operationOf(id), ...graphql }] : [];
});

describe('the GraphQL schema and the table of operations', () => {
  it('have the same operations', () => {
    const found = Object.entries(ROOTS).flatMap(([kind, root]) =>
      Object.keys(root?.getFields() ?? {}).map((field) => `${kind} ${field}`),
    );
    expect(found.sort()).toEqual(fielded.map(({ kind, field }) => `${kind} ${field}`).sort());
  });

  it('leave out what is reviewed, with a reason', () => {
    const without = OPERATION_IDS.filter((id) => 'reason' in operationOf(id).graphql);
    expect(without.sort()).toEqual([...WITHOUT_FIELD].sort());
    for (const id of without)
      expect((operationOf(id).graphql as { reason: string }).reason).toMatch(/^.{20,}\.$/);
  });

  it('name the same arguments', () => {
    for (const { operation, kind, field } of fielded) {
      const arguments_ = ROOTS[kind]?.getFields()[field]?.args.map(({ name }) => name);
      expect({ field, arguments: arguments_?.sort() }).toEqual({
        field,
        arguments: argumentsOf(operation).sort(),
      });
    }
  });

  it('agree in fields, nullability and enums, but for what is reviewed', () => {
    const found = fielded.flatMap(({ operation, kind, field }) =>
      differencesOf(operation, field, ROOTS[kind]?.getFields()[field] as GraphQLField<unknown, unknown>),
    );
    expect(found.sort()).toEqual([...REVIEWED].sort());
  });

  it('describe every type, field and argument', () => {
    const silent = Object.values(schema.getTypeMap())
      .filter(({ name }) => !name.startsWith('__'))
      .flatMap((type) => {
        const fields = isObjectType(type) || isInputObjectType(type) ? Object.values(type.getFields()) : [];
        const parts = fields.flatMap((field: GraphQLField<unknown, unknown> | GraphQLInputField) => [
          [`${type.name}.${field.name}`, field.description] as const,
          ...('args' in field
            ? field.args.map(
                (argument) => [`${type.name}.${field.name}.${argument.name}`, argument.description] as const,
              )
            : []),
        ]);
        return [[type.name, type.description] as const, ...parts];
      })
      .filter(([, description]) => !/\S{2}/.test(description ?? ''))
      .map(([name]) => name);
    expect(silent).toEqual([]);
  });
});

function argumentsOf({ params = {}, query, body, keyed, graphql }: Operation): string[] {
  const renamed: Record<string, string> = { limit: 'first', cursor: 'after' };
  const hasInput = body !== undefined && Object.keys(definitionOf(body.schema).shape ?? {}).length > 0;
  const isConnection = 'field' in graphql && graphql.kind === 'query' && query?.shape.limit !== undefined;
  const names = [
    ...Object.keys(params),
    ...Object.keys(asOfFolded(query?.shape ?? {})).map((name) => renamed[name] ?? NAMES.camel(name)),
    ...(hasInput ? ['input'] : []),
    ...(keyed === true ? ['key'] : []),
    ...(isConnection ? ['after'] : []),
  ];
  return [...new Set(names)];
}

function differencesOf(operation: Operation, name: string, field: GraphQLField<unknown, unknown>): string[] {
  const inputs = new Comparison(schema, 'input');
  const outputs = new Comparison(schema, 'output');
  const parameters = asOfFolded(operation.query?.shape ?? {});
  for (const { name: argument, type } of field.args) {
    const zod = parameters[NAMES.wire(argument)];
    if (argument === 'input' && operation.body) inputs.field(`${name}.input`, operation.body.schema, type);
    else if (zod) inputs.field(`${name}(${argument})`, zod, type);
  }
  const { graphql } = operation;
  const own = 'field' in graphql ? graphql.answer : undefined;
  const answer = own ?? Object.values(operation.answers)[0]?.schema;
  const type = getNamedType(field.type);
  const nodes = isObjectType(type) ? type.getFields().nodes : undefined;
  const { items } = (answer && definitionOf(answer).shape) ?? {};
  if (items && nodes) {
    const item = definitionOf(items).element;
    if (item) outputs.field(`${name}.nodes`, item, getItemType(nodes.type));
  } else if (answer) outputs.value(name, answer, type);
  return [...inputs.differences, ...outputs.differences];
}

function getItemType(type: unknown): never {
  return (type as { ofType: { ofType: never } }).ofType.ofType;
}

describe('every error code', () => {
  it.each(Object.keys(ERROR_CODES) as ErrorCode[])('%s is told alike over REST and GraphQL', (code) => {
    const error = new StrataError(code, 'because', { details: { field_path: 'a_b' } });
    const rest = problemBody(error, 'req_1');
    const { message, extensions } = formatGraphqlError(error, { requestId: 'req_1' });
    expect(message).toBe(rest.message);
    expect(extensions).toEqual({
      code: rest.error_code,
      retriable: rest.retriable,
      request_id: rest.request_id,
      details: rest.details,
      ...(error.retryAfterSeconds === undefined ? {} : { retry_after_seconds: error.retryAfterSeconds }),
    });
  });
});

describe('every error code that only GraphQL has', () => {
  it.each(DOCUMENT_CODES)('%s stands in the reference of errors', (code) => {
    const page = new URL('../../docs/reference/errors.md', import.meta.url);
    expect(readFileSync(page, 'utf8')).toContain(`\`${code}\``);
  });
});

/** Paths that are mounted and are no operations of REST, reviewed. */
const BESIDE_REST = ['/graphql'];

interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
  readonly handle: { readonly stack?: readonly Layer[] };
}

function mountedRoutes(stack: readonly Layer[]): string[] {
  return stack.flatMap(({ route, handle }) => {
    if (route === undefined) return mountedRoutes(handle.stack ?? []);
    const methods = Object.keys(route.methods).filter((method) => method !== '_all');
    return methods.map((method) => `${method} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`);
  });
}

describe('every mounted route', () => {
  it('is in the OpenAPI document, or reviewed', async () => {
    const rig = await startRig();
    const document = (await rig.send('GET', '/v1/openapi.json')).json;
    await rig.stop();
    const described = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    const mounted = mountedRoutes((rig.app.router as unknown as { stack: readonly Layer[] }).stack);
    const beside = mounted.filter((route) => BESIDE_REST.includes(route.slice(route.indexOf(' ') + 1)));
    expect(beside.sort()).toEqual(['get /graphql', 'post /graphql']);
    expect(mounted.filter((route) => !beside.includes(route)).sort()).toEqual(described.sort());
  });
});
