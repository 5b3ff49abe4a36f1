import { CODE_OPERATIONS } from '../../schemas/operation/code.ts';
import type { Operation } from '../../schemas/operation/definition.ts';
import { StrataError } from '../../src/errors.ts';
import { startRig, type Rig } from './harness.ts';

const OPERATIONS: readonly (readonly [string, Operation])[] = Object.entries(CODE_OPERATIONS);
const pathOf = ({ path }: Operation): string => path.replace('{name}', 'strata');

/** Requests that a running plane would refuse for what they hold, or not. */
const SENT = [
  ['what clients send', '', { 'Content-Type': 'application/json' }, '{"repo":"strata"}'],
  ['a query', '?repo=strata&name=main&limit=ten', {}, undefined],
  ['what is no JSON', '', { 'Content-Type': 'application/json' }, '{'],
  ['bytes', '', { 'Content-Type': 'application/octet-stream' }, Buffer.alloc(10_000, 7)],
  ['a header of keys', '', { 'X-Strata-Idempotency-Key': 'x'.repeat(100) }, undefined],
] as const;

describe('the code plane', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.stop());

  it.each(OPERATIONS)('%s is refused with 503, whatever is sent', async (_id, operation) => {
    const { method } = operation;
    for (const [what, query, headers, body] of SENT) {
      // Node's client says the length of the body of a DELETE only where it is told to.
      const length = { 'Content-Length': String(Buffer.byteLength(body ?? '')) };
      const sent =
        method === 'GET' || body === undefined ? { headers } : { headers: { ...headers, ...length }, body };
      const {
        status,
        json,
        headers: answered,
      } = await rig.send(method, `${pathOf(operation)}${query}`, sent);
      expect([what, status, json]).toEqual([
        what,
        503,
        {
          error_code: 'CODE_PLANE_DISABLED',
          message: 'the code plane is not part of this release',
          retriable: false,
          request_id: expect.stringMatching(/^req_/),
        },
      ]);
      expect(answered).not.toHaveProperty('retry-after');
      expect(answered['x-strata-policy']).toContain('decision=allow');
    }
    expect(rig.asked).toEqual([]);
  });

  it('is off under names of any length, and for HEAD', async () => {
    const long = await rig.send('GET', `/v1/code/repos/${'x'.repeat(300)}`);
    expect([long.status, long.json.error_code]).toEqual([503, 'CODE_PLANE_DISABLED']);
    expect((await rig.send('HEAD', '/v1/code/matrix')).status).toBe(503);
  });

  it.each(OPERATIONS)('%s lets nobody behind the gate who may not pass it', async (_id, operation) => {
    const asked: string[] = [];
    const other = await startRig({
      admit: (_call, capability) => {
        asked.push(capability);
        return Promise.reject(new StrataError('POLICY_DENIED', 'no', { details: { capability } }));
      },
    });
    const stranger = await other.send(operation.method, pathOf(operation), { anonymous: true });
    expect([stranger.status, stranger.json.error_code]).toEqual([401, 'MISSING_TOKEN']);
    const { status, json } = await other.send(operation.method, pathOf(operation));
    expect([status, json.error_code]).toEqual([403, 'POLICY_DENIED']);
    const { access } = operation;
    expect(asked).toEqual(['capability' in access ? access.capability : 'none']);
    await other.stop();
  });

  it('asks for code.write where something is changed, else for code.read', () => {
    const writing = OPERATIONS.filter(
      ([, { access }]) => 'capability' in access && access.capability === 'code.write',
    );
    expect(writing.map(([, { method, path }]) => `${method} ${path}`)).toEqual([
      'POST /v1/code/repos',
      'DELETE /v1/code/repos/{name}',
      'POST /v1/code/gc',
      'POST /v1/code/import/scip',
      'POST /v1/code/import/coverage',
      'POST /v1/code/import-index',
      'POST /v1/code/pins',
      'DELETE /v1/code/pins',
    ]);
    for (const [, { audited, access }] of OPERATIONS)
      expect(audited === true).toBe('capability' in access && access.capability === 'code.write');
  });

  it.each(['/v1/code', '/v1/code/', '/v1/code/nothing', '/v1/code/repos/', '/v1/code/repos/a/b'])(
    'has nothing at %s',
    async (path) => {
      const { status, json } = await rig.send('GET', path);
      expect([status, json.error_code]).toEqual([404, 'NOT_FOUND']);
    },
  );

  it('is described in OpenAPI, with the refusal and without an answer', async () => {
    const { paths } = (await rig.send('GET', '/v1/openapi.json')).json;
    const described = Object.keys(paths).filter((path) => path.startsWith('/v1/code'));
    expect(described).toHaveLength(21);
    for (const [id, { method, path }] of OPERATIONS) {
      const { operationId, responses, description } = paths[path][method.toLowerCase()];
      expect([operationId, Object.keys(responses).filter((status) => status < '400')]).toEqual([id, []]);
      expect(responses[503].description).toContain('`CODE_PLANE_DISABLED`');
      expect(description).toContain('CODE_PLANE_DISABLED');
    }
  });
});
