import { Validator } from '@seriousme/openapi-schema-validator';

import { NAMED_SCHEMAS } from '../../schemas/catalogue.ts';
import { ERROR_CODES, type ErrorCode } from '../../schemas/error.ts';
import { EXAMPLES } from '../../schemas/examples.ts';
import { keyedBlobNotFound } from '../../schemas/keyed-blob.ts';
import { errorsOf, OPERATION_IDS, operationOf, requiredQuery, SERVED_IDS } from '../../schemas/operation.ts';
import { problem } from '../../schemas/problem.ts';
import { TAGS } from '../../schemas/tag.ts';
import { startRig, type Rig } from './harness.ts';

/** Every `$ref` within a document. */
function references(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [value] : references(value),
  );
}

/** What a reference within a document points to. */
function resolve(document: unknown, reference: string): unknown {
  const steps = reference
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce((part, step) => (part as Record<string, unknown> | undefined)?.[step], document);
}

describe('the OpenAPI document', () => {
  let rig: Rig;
  let document: any;
  beforeAll(async () => {
    rig = await startRig();
    document = (await rig.send('GET', '/v1/openapi.json', { anonymous: true })).json;
  });
  afterAll(() => rig.stop());

  const described = (id: (typeof OPERATION_IDS)[number]) =>
    document.paths[operationOf(id).path][operationOf(id).method.toLowerCase()];

  it('is OpenAPI 3.1 and has the operations of the table and no others', () => {
    expect(document.openapi).toBe('3.1.0');
    const found = Object.values<any>(document.paths).flatMap((path) =>
      Object.values<any>(path).map(({ operationId }) => operationId as string),
    );
    const aliases = OPERATION_IDS.filter((id) => operationOf(id).alias !== undefined).map(
      (id) => `${id}Alias`,
    );
    expect(found.sort()).toEqual([...OPERATION_IDS, ...aliases].sort());
  });

  it('is valid by the schema of OpenAPI 3.1', async () => {
    // The validator writes into what it reads.
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });

  it('explains every tag, and gives each operation one of them', () => {
    expect(document.tags).toEqual(Object.entries(TAGS).map(([name, description]) => ({ name, description })));
    for (const id of OPERATION_IDS) expect([id, described(id).tags]).toEqual([id, [operationOf(id).noun]]);
  });

  it.each(SERVED_IDS)('%s: has the example of the table, in whole', (id) => {
    const { params, query = {}, body, upload, status, answer } = EXAMPLES[id];
    const { parameters, requestBody, responses } = described(id);
    const given = parameters.filter((parameter: any) => 'example' in parameter);
    expect(given.map(({ name }: any) => name).sort()).toEqual(Object.keys({ ...params, ...query }).sort());
    const [sent] = Object.values<any>(requestBody?.content ?? {});
    expect(sent?.example).toEqual(body ?? upload?.text);
    const [shown] = Object.values<any>(responses[status].content ?? {});
    expect(shown?.example).toEqual(answer);
  });

  it('has an example of each error body, which its schema takes', () => {
    const refusals = Object.values<any>(document.paths)
      .flatMap((path) => Object.values<any>(path))
      .flatMap(({ responses }) => Object.entries<any>(responses))
      .filter(([status]) => Number(status) >= 400);
    expect(refusals.length).toBeGreaterThan(0);
    const own = refusals.filter(([, { content }]) => '$ref' in content['application/json'].schema);
    expect(own.map(([status, { content }]) => [status, content['application/json'].schema.$ref])).toEqual([
      ['404', '#/components/schemas/keyed_blob_not_found'],
    ]);
    for (const [status, { content }] of refusals) {
      const { schema, example, examples } = content['application/json'];
      if ('$ref' in schema) {
        expect(keyedBlobNotFound.parse(example)).toEqual(example);
        continue;
      }
      expect(Object.keys(examples)).toEqual(schema.allOf[1].properties.error_code.enum);
      for (const { $ref } of Object.values<any>(examples)) {
        const { value } = resolve(document, $ref) as { value: { error_code: ErrorCode } };
        expect([status, problem.parse(value)]).toEqual([status, value]);
      }
    }
  });

  it('has no reference that leads nowhere', () => {
    const all = references(document);
    expect(all.length).toBeGreaterThan(0);
    expect(all.filter((reference) => !reference.startsWith('#/') || !resolve(document, reference))).toEqual(
      [],
    );
  });

  it('explains every error code', () => {
    const table: string = document.info.description;
    const given = new Set(Object.values<any>(document.paths).flatMap(codesWithin));
    for (const [code, { status }] of Object.entries(ERROR_CODES)) {
      expect(table).toContain(`| \`${code}\` | ${status} |`);
      // What answers a method that a path does not have is no operation.
      expect([code, given.has(code)]).toEqual([code, code !== 'METHOD_NOT_ALLOWED']);
    }
  });

  it('has no component beside the shapes that nothing refers to', () => {
    const used = new Set(references(document));
    const { schemas: _shapes, securitySchemes: _schemes, ...parts } = document.components;
    const all = Object.entries<object>(parts).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    );
    expect(all.length).toBeGreaterThan(0);
    expect(all.filter((reference) => !used.has(reference))).toEqual([]);
  });

  it('tells which mistakes of a query are answered in plain text', () => {
    const inText = OPERATION_IDS.filter((id) => 'text/plain' in described(id).responses[400].content);
    expect(inText).toEqual([
      'experienceStatus',
      'listEvents',
      'getEvent',
      'listFacts',
      'factTimeline',
      'listEntities',
      'listBeliefs',
      'beliefHistory',
      'beliefWhy',
      'listConcepts',
      'conceptCoverage',
      'listEpisodes',
      'exportProvenance',
      'graph',
      'exportGraph',
      'graphDiff',
      'streamGraph',
      'derivationStatus',
      'listSuppressions',
      'getRetentionPolicy',
      'deleteRetentionPolicy',
      'listLegalHolds',
      'removeLegalHold',
      'listConflicts',
      'listClaims',
      'claimHistory',
      'getScope',
      'setScopePolicies',
      'setScopeMembers',
      'deleteScope',
    ]);
    expect(described('experienceStatus').responses[400].description).toContain(
      'In plain text: `idempotency_key` and `event_id` are missing, one is needed.',
    );
  });

  it('says where credentials are needed, looked at when there are some, and of no use', () => {
    expect(document.security).toEqual([{ bearer: [] }]);
    expect(described('listEvents').security).toBeUndefined();
    expect(described('adminReady').security).toEqual([{}, { bearer: [] }]);
    expect(described('health').security).toEqual([]);
    expect(described('listEvents').responses[401].headers).toHaveProperty('WWW-Authenticate');
  });

  it.each(OPERATION_IDS)('%s: answers, refusals, parameters and body', (id) => {
    const operation = operationOf(id);
    const { responses, parameters, requestBody, security } = described(id);
    const identifies = 'open' in operation.access && operation.access.identifies === true;
    for (const status of Object.keys(operation.answers)) expect(responses).toHaveProperty(status);
    for (const code of errorsOf(operation)) {
      expect(responses[ERROR_CODES[code].status].description).toContain(`\`${code}\``);
    }
    const named = parameters.filter(({ name }: any) => name !== undefined);
    expect(named.map(({ name }: any) => name)).toEqual([
      ...(operation.path.match(/(?<=\{)\w+(?=\})/g) ?? []),
      ...Object.keys(operation.query?.shape ?? {}),
    ]);
    const inText =
      requiredQuery(operation).length > 0 ||
      operation.needsOneOf !== undefined ||
      operation.repeatedAsText !== undefined;
    expect('text/plain' in responses[400].content).toBe(inText);
    expect(requestBody === undefined).toBe(operation.body === undefined && operation.bytes === undefined);
    const open = identifies ? [{}, { bearer: [] }] : [];
    expect(security).toEqual('open' in operation.access ? open : undefined);
  });

  it('says what a scope, an instant and an item of a bulk look like', () => {
    const { experience_envelope: envelope, bulk_request: bulk } = document.components.schemas;
    const scope = new RegExp(envelope.properties.scope.pattern, 'u');
    expect(['org:a', 'org:a/user:b.c@d'].map((path) => scope.test(path))).toEqual([true, true]);
    expect(['', 'org', 'org:a/', 'Org:a', 'org:a b'].some((path) => scope.test(path))).toBe(false);
    expect(envelope.properties.observed_at.format).toBe('date-time');
    expect(envelope.required).toEqual(['scope', 'modality', 'content']);
    expect(bulk.properties.items.items).toMatchObject({ type: 'object', required: ['modality', 'content'] });
    expect(Object.keys(bulk.properties.items.items.properties)).toEqual(Object.keys(envelope.properties));
  });

  it('bounds no number that is clamped and no header that is merely not used', () => {
    const limit = described('listEvents').parameters.find(({ name }: any) => name === 'limit');
    expect(limit.schema).toEqual({ type: 'integer', default: 50 });
    const { Actor, ActorIfAny, RequestId } = document.components.parameters;
    expect(Actor.schema.pattern).toBeDefined();
    expect([ActorIfAny.schema, RequestId.schema]).toEqual([{ type: 'string' }, { type: 'string' }]);
  });

  it('leads from an answer to operations that take what it gives', () => {
    const all = OPERATION_IDS.flatMap((id) =>
      Object.values<any>(described(id).responses).flatMap(({ links }) => Object.values<any>(links ?? {})),
    );
    expect(all.length).toBeGreaterThan(0);
    for (const { operationId, parameters } of all) {
      const names = described(operationId).parameters.map(({ name }: any) => name);
      expect(names).toEqual(expect.arrayContaining(Object.keys(parameters)));
    }
    expect(described('captureExperience').responses[202].links.getEvent.parameters).toEqual({
      id: '$response.body#/event_id',
    });
  });

  it('names the shape of every body', () => {
    const unnamed = OPERATION_IDS.flatMap((id) => {
      const { responses, requestBody } = described(id);
      const statuses = Object.entries(operationOf(id).answers)
        .filter(([, { mediaType, empty }]) => mediaType === undefined && empty === undefined)
        .map(([status]) => responses[status]);
      return [...statuses, ...(requestBody && operationOf(id).bytes !== true ? [requestBody] : [])].map(
        (part) => [id, part.content['application/json'].schema.$ref as string | undefined],
      );
    }).filter(([, reference]) => reference === undefined);
    expect(unnamed.map(([id]) => id)).toEqual(['openapi', 'schema']);
  });

  it('has no sentence missing: every operation and every parameter is described', () => {
    for (const id of OPERATION_IDS) {
      const { summary, description, parameters } = described(id);
      expect(summary.length * description.length).toBeGreaterThan(0);
      for (const { name, description: text } of parameters.filter(
        ({ in: place }: any) => place === 'query',
      )) {
        expect([id, name, typeof text]).toEqual([id, name, 'string']);
      }
    }
  });
});

/** The error codes that responses within a part say they may carry. */
function codesWithin(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { error_code: own } = part as { error_code?: { enum?: string[] } };
  return [...(own?.enum ?? []), ...Object.values(part).flatMap(codesWithin)];
}

describe('served schemas', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.stop());

  it.each(Object.keys(NAMED_SCHEMAS))('%s stands alone as a JSON schema', async (name) => {
    const { status, json } = await rig.send('GET', `/v1/schemas/${name}`, { anonymous: true });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `/v1/schemas/${name}`,
    });
    const lost = references(json).filter((reference) => reference !== '#' && !resolve(json, reference));
    expect(lost).toEqual([]);
  });

  it('are named to whoever asks for another', async () => {
    const { json } = await rig.send('GET', '/v1/schemas/nothing');
    expect(json.details.names).toEqual(Object.keys(NAMED_SCHEMAS));
  });
});
