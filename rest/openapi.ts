import { ERROR_CODES, errorDefinition, type ErrorCode } from '../schemas/error.ts';
import type { OperationExample } from '../schemas/example.ts';
import { exampleOf } from '../schemas/examples.ts';
import type { AnswerLink, Operation, OperationAnswer } from '../schemas/operation/definition.ts';
import {
  errorsOf,
  OPERATION_IDS,
  operationOf,
  requiredQuery,
  type OperationId,
} from '../schemas/operation.ts';
import { TAGS } from '../schemas/tag.ts';
import { MAX_BLOB_BYTES } from '../src/limits.ts';
import { BODY_LIMITS } from './body.ts';
import { nameOf, schemaComponents, toJsonSchema, type JsonObject } from './json-schema.ts';
import {
  codesOfOperations,
  exampleField,
  problemExamples,
  problemReferences,
  queryValues,
} from './openapi-examples.ts';
import {
  ANSWER_HEADERS,
  CALLER_ANSWER,
  EVERY_ANSWER,
  headers,
  REQUEST_HEADERS,
  type AnswerHeader,
} from './openapi-headers.ts';

const MIB = 1024 * 1024;
const SCHEMAS = '#/components/schemas/';

/** Stands for the example of an operation that is off. */
const NO_EXAMPLE: OperationExample = { status: 503 };

/** The OpenAPI 3.1 document of every operation, made from the operation table and the schemas that validate. */
export function openapiDocument(version: string): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const id of OPERATION_IDS) {
    const operation = operationOf(id);
    const { path, alias, method } = operation;
    const example = exampleOf(id) ?? NO_EXAMPLE;
    (paths[path] ??= {})[method.toLowerCase()] = describe(id, operation, example);
    if (alias === undefined) continue;
    const same = { ...operation, description: `The same as \`${method} ${path}\`. ${operation.description}` };
    (paths[alias] ??= {})[method.toLowerCase()] = describe(`${id}Alias`, same, example);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Strata',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description: `A memory service for AI agents.\n\nEvery header \`X-Strata-…\` is also accepted and sent under the alias families of the deployment.\n\n${errorTable()}`,
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: schemaComponents(SCHEMAS),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A token, or the operator key.' },
      },
      parameters: REQUEST_HEADERS,
      headers: ANSWER_HEADERS,
      examples: problemExamples(codesOfOperations()),
    },
  };
}

/** A markdown table of every code, in the order of precedence. */
function errorTable(): string {
  const rows = Object.keys(ERROR_CODES).map((code) => {
    const { status, retriable, when } = errorDefinition(code as ErrorCode);
    return `| \`${code}\` | ${status} | ${retriable ? 'yes' : 'no'} | ${when} |`;
  });
  return ['| Code | Status | Retriable | When |', '|---|---|---|---|', ...rows].join('\n');
}

function describe(
  id: OperationId | `${OperationId}Alias`,
  operation: Operation,
  example: OperationExample,
): JsonObject {
  return {
    operationId: id,
    tags: [operation.noun],
    summary: operation.summary,
    description: operation.description,
    ...security(operation),
    parameters: parameters(operation, example),
    ...(operation.body ? { requestBody: requestBody(operation.body, example) } : {}),
    ...(operation.bytes === true ? { requestBody: rawBytes(example) } : {}),
    responses: responses(operation, example),
  };
}

/** What an operation asks of the caller; where credentials are looked at without being asked for, either way is good. */
function security({ access }: Operation): JsonObject {
  if ('capability' in access) return { 'x-capability': access.capability };
  if ('anyOf' in access) return { 'x-capability-by-body': [...access.anyOf] };
  if ('caller' in access) return {};
  return { security: access.identifies === true ? [{}, { bearer: [] }] : [] };
}

function parameters(operation: Operation, example: OperationExample): JsonObject[] {
  const inPath = Object.entries(operation.params ?? {}).map(([name, description]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string', maxLength: 256 },
    ...exampleField(example.params?.[name]),
  }));
  return [
    ...inPath,
    ...queryParameters(operation, example),
    ...headerNames(operation).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function headerNames({ access, resumes, keyed }: Operation): (keyof typeof REQUEST_HEADERS)[] {
  if (keyed === true) return ['IdempotencyKey', 'Actor', 'Tenant', 'RequestId'];
  if (resumes === true) return ['LastEventId', 'Actor', 'Tenant', 'RequestId'];
  if (!('open' in access)) return ['Actor', 'Tenant', 'RequestId'];
  return access.identifies === true ? ['ActorIfAny', 'Tenant', 'RequestId'] : ['RequestId'];
}

function queryParameters(operation: Operation, example: OperationExample): JsonObject[] {
  if (operation.query === undefined) return [];
  const required = requiredQuery(operation);
  const properties = toJsonSchema(operation.query, 'input').properties as Record<string, JsonObject>;
  const values = queryValues(operation.query, example);
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(typeof description === 'string' ? { description } : {}),
    ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
    schema,
    ...exampleField(values[name]),
  }));
}

function requestBody(body: NonNullable<Operation['body']>, example: OperationExample): JsonObject {
  return {
    required: body.required,
    description: `At most ${sizeOf(BODY_LIMITS[body.cap])}, packed with gzip or not.`,
    content: {
      'application/json': { schema: reference(body.schema, 'input'), ...exampleField(example.body) },
    },
  };
}

function sizeOf(bytes: number): string {
  return bytes < MIB ? `${bytes / 1024} KiB` : `${bytes / MIB} MiB`;
}

function rawBytes({ upload }: OperationExample): JsonObject {
  const schema = { type: 'string', format: 'binary', minLength: 1 };
  return {
    required: true,
    description: `Any bytes, from 1 byte to ${sizeOf(MAX_BLOB_BYTES)}, under their own media type; packed with gzip or not.`,
    content: { 'application/octet-stream': { schema, ...exampleField(upload?.text) } },
  };
}

function reference(schema: Parameters<typeof nameOf>[0], side: 'input' | 'output'): JsonObject {
  const name = nameOf(schema);
  return name === null ? toJsonSchema(schema, side) : { $ref: `${SCHEMAS}${name}` };
}

function responses(operation: Operation, example: OperationExample): JsonObject {
  const secured = !('open' in operation.access);
  const good = Object.entries(operation.answers).map(([status, answer]) => [
    status,
    {
      description: answer.description,
      headers: headers([...EVERY_ANSWER, ...(secured ? CALLER_ANSWER : [])]),
      ...(answer.empty === true
        ? {}
        : { content: goodContent(answer, Number(status) === example.status ? example.answer : undefined) }),
      ...(answer.next === undefined ? {} : { links: links(answer.next) }),
    },
  ]);
  return Object.fromEntries([...good, ...badResponses(operation)]) as JsonObject;
}

function goodContent(answer: OperationAnswer, shown: unknown): JsonObject {
  const { schema, mediaType, otherMediaTypes = [], alsoAs } = answer;
  const example = exampleField(shown);
  if (mediaType !== undefined) {
    const others = otherMediaTypes.map((other) => [other, { schema: { type: 'string' } }] as const);
    return { [mediaType]: { schema: { type: 'string' }, ...example }, ...Object.fromEntries(others) };
  }
  return {
    'application/json': {
      schema: schema === undefined ? { type: 'object' } : reference(schema, 'output'),
      ...example,
    },
    ...(alsoAs === undefined ? {} : { [alsoAs]: { schema: { type: 'string' } } }),
  };
}

/** The links of an answer, under the ids of the operations that they lead to. */
function links(next: Readonly<Record<string, AnswerLink>>): JsonObject {
  const entries = Object.entries(next).map(([operationId, parameters]) => [
    operationId,
    {
      operationId,
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([name, pointer]) => [name, `$response.body#${pointer}`]),
      ),
    },
  ]);
  return Object.fromEntries(entries) as JsonObject;
}

interface Refusal {
  readonly code: ErrorCode;
  readonly when: string;
}

function badResponses(operation: Operation): [string, JsonObject][] {
  const byStatus = new Map<number, Refusal[]>();
  const own = errorsOf(operation).map((code) => ({ code, ...errorDefinition(code) }));
  for (const { code, status, when } of [...own, ...(operation.otherStatuses ?? [])]) {
    byStatus.set(status, [...(byStatus.get(status) ?? []), { code, when }]);
  }
  return [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, refusals]) => [
      String(status),
      withOwnShape(operation, status, problemResponse(refusals, plainTextCases(operation, status))),
    ]);
}

/** A response with an error body, in the shape of the protocol of the operation where that has one. */
function withOwnShape({ notFound }: Operation, status: number, response: JsonObject): JsonObject {
  if (notFound === undefined || status !== ERROR_CODES.NOT_FOUND.status) return response;
  const { schema, example } = notFound;
  return { ...response, content: { 'application/json': { schema: reference(schema, 'output'), example } } };
}

/** The mistakes that are answered with a status in plain text instead of JSON. */
function plainTextCases(operation: Operation, status: number): string[] {
  if (status === 422)
    return [
      ...(operation.wrongTypeAsText ?? []).map((name) => `\`${name}\` is of another type`),
      ...(operation.unknownAsText === true ? ['a field of the body is unknown'] : []),
    ];
  return status === 400 ? plainTextQueries(operation) : [];
}

function plainTextQueries(operation: Operation): string[] {
  const oneOf = (operation.needsOneOf ?? []).map((name) => `\`${name}\``);
  return [
    ...requiredQuery(operation).map((name) => `\`${name}\` is missing`),
    ...(oneOf.length > 0 ? [`${oneOf.join(' and ')} are missing, one is needed`] : []),
    ...(operation.repeatedAsText ?? []).map((name) => `\`${name}\` is given more than once`),
  ];
}

/** An answer with an error body whose code is one of those given; in the cases in `inText` as plain text. */
function problemResponse(refusals: readonly Refusal[], inText: readonly string[]): JsonObject {
  const codes = refusals.map(({ code }) => code);
  const unrecognised = codes.some((code) => errorDefinition(code).status === 401);
  const waits = codes.some((code) => errorDefinition(code).retryAfterSeconds !== undefined);
  const names: AnswerHeader[] = [
    ...EVERY_ANSWER,
    ...(unrecognised ? (['WWW-Authenticate'] as const) : []),
    ...(waits ? (['Retry-After'] as const) : []),
  ];
  const text = inText.length === 0 ? '' : `\n\nIn plain text: ${inText.join('; ')}.`;
  return {
    description: `${refusals.map(({ code, when }) => `\`${code}\`: ${when}`).join('\n\n')}${text}`,
    headers: headers(names),
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: `${SCHEMAS}error` }, { properties: { error_code: { enum: codes } } }],
        },
        examples: problemReferences(codes),
      },
      ...(inText.length > 0 ? { 'text/plain': { schema: { type: 'string' } } } : {}),
    },
  };
}
