import type { Driver } from 'neo4j-driver';

import { ScopeRedactor } from '../../graph/scope-removal.ts';
import { scopeRef } from '../../src/capture/scope-key.ts';
import { AuditLog } from '../../src/commit/audit-log.ts';
import { StrataError } from '../../src/errors.ts';
import { AccessFeed } from '../../src/services/access-feed.ts';
import { query, testDriver } from '../support/database.ts';
import { loseAnswerOf, onCommitOf } from '../support/lost-answer.ts';
import { message, type Answer } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { auditRows } from './audit-rows.ts';

// A change and its row are one transaction: neither is ever there without the other, and neither is there twice.

const SETTINGS = { STRATA_TENANTS: 'acme', STRATA_V1_MINTER_ENABLE: '1' };
let service: TestService;
let driver: Driver;

beforeAll(async () => {
  service = await startTestService(SETTINGS);
  driver = testDriver();
});
afterAll(async () => {
  await driver.close();
  await service.stop();
});
afterEach(async () => {
  jest.restoreAllMocks();
  expect((await service.post('/v1/audit/chain/verify', {})).json.valid).toBe(true);
});

const as = (actor: string) => ({ headers: { 'x-strata-actor': actor } });
const at = (path: string, records?: string): string =>
  `/v1/scopes?path=${encodeURIComponent(path)}${records === undefined ? '' : `&records=${records}`}`;
const away = () => new StrataError('DATABASE_UNAVAILABLE', 'away');

const rows = (filter: string): Promise<any[]> => auditRows(service, filter);

/** The rows of an actor, oldest first. */
async function told(actor: string): Promise<[string, number][]> {
  return (await rows(`actor=${actor}`)).map((row) => [row.endpoint, row.response_status]).reverse() as any;
}

/** Everything behind the commit of a change fails; what is looked at before it does not. */
function breakWhatFollows(statement: string): void {
  let committed = false;
  onCommitOf(statement, () => {
    committed = true;
  });
  jest.spyOn(AuditLog.prototype, 'append').mockRejectedValue(away());
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this`
  const refresh = AccessFeed.prototype.refresh;
  jest.spyOn(AccessFeed.prototype, 'refresh').mockImplementation(async function (this: AccessFeed) {
    await refresh.call(this);
    if (committed) throw away();
  });
}

interface Change {
  readonly endpoint: string;
  /** The statement that makes the change. */
  readonly statement: string;
  readonly status: number;
  /** Prepares what is changed by an actor, and answers how. */
  readonly prepare: (actor: string, path: string) => Promise<() => Promise<Answer>>;
}

async function registered(actor: string, path: string): Promise<void> {
  expect((await service.post('/v1/scopes', { path, owner: actor })).status).toBe(201);
}

const CHANGES: readonly Change[] = [
  {
    endpoint: 'POST /v1/scopes',
    statement: 'scope.register',
    status: 201,
    prepare: (actor, path) => Promise.resolve(() => service.post('/v1/scopes', { path }, as(actor))),
  },
  {
    endpoint: 'PUT /v1/scopes',
    statement: 'scope.change',
    status: 200,
    prepare: async (actor, path) => {
      await registered(actor, path);
      return () => service.request('PUT', at(path), { ...as(actor), body: { policies: { audit: 'on' } } });
    },
  },
  {
    endpoint: 'PUT /v1/scopes/members',
    statement: 'scope.change',
    status: 200,
    prepare: async (actor, path) => {
      await registered(actor, path);
      const body = { members: [{ actor: 'user:heir', role: 'owner' }] };
      return () => service.request('PUT', `/v1/scopes/members?path=${path}`, { ...as(actor), body });
    },
  },
  {
    endpoint: 'DELETE /v1/scopes',
    statement: 'scope.remove',
    status: 204,
    prepare: async (actor, path) => {
      await registered(actor, path);
      return () => service.request('DELETE', at(path), as(actor));
    },
  },
  {
    endpoint: 'POST /v1/scopes/prune',
    statement: 'scope.prune',
    status: 200,
    prepare: async (actor, path) => {
      await query(
        driver,
        `CREATE (:Scope {ref: $ref, tenant: 'default', path: $path, a0: $ref, auto_provisioned: true, created_at: 1,
           created_by: $actor})`,
        { ref: scopeRef('default', path), path, actor },
      );
      return () => service.post('/v1/scopes/prune', undefined, as(actor));
    },
  },
  {
    endpoint: 'POST /v1/lifecycle/memory-event/{id}/cancel',
    statement: 'event.cancel',
    status: 200,
    prepare: async (actor, path) => {
      const { json } = await service.post('/v1/experience', message(path, 'x'));
      return () => service.post(`/v1/lifecycle/memory-event/${json.event_id}/cancel`, undefined, as(actor));
    },
  },
  {
    endpoint: 'POST /v1/auth/revoke',
    statement: 'token.revoke',
    status: 204,
    prepare: async (actor) => {
      const { json } = await service.post('/v1/auth/tokens', { subject: 'user:revoked' });
      return () => service.post('/v1/auth/revoke', { jti: json.jti }, as(actor));
    },
  },
];

describe.each(CHANGES)('$endpoint', ({ endpoint, statement, status, prepare }) => {
  const name = endpoint.replaceAll(/[^A-Za-z]/g, '').toLowerCase();

  it('leaves its row with the commit, whatever fails behind it', async () => {
    const [actor, path] = [`user:${name}`, `ws:${name}`];
    const change = await prepare(actor, path);
    breakWhatFollows(statement);
    await change();
    jest.restoreAllMocks();
    expect(await told(actor)).toEqual([[endpoint, status]]);
  });

  it('leaves it once where the answer of the commit is lost', async () => {
    const [actor, path] = [`user:${name}-lost`, `ws:${name}-lost`];
    const change = await prepare(actor, path);
    loseAnswerOf(statement);
    expect((await change()).status).toBe(status);
    jest.restoreAllMocks();
    expect(await told(actor)).toEqual([[endpoint, status]]);
  });
});

describe('a deletion with records=forget', () => {
  /** A registered scope with a few events. */
  async function filled(actor: string, path: string): Promise<void> {
    await registered(actor, path);
    const items = Array.from({ length: 5 }, (_, i) => message(path, `number ${i}`));
    expect((await service.post('/v1/experience/bulk', { items })).status).toBe(202);
  }
  const forget = (actor: string, path: string) => service.request('DELETE', at(path, 'forget'), as(actor));
  const ENDPOINT = 'DELETE /v1/scopes';

  it.each(['scope.mark_deleting', 'scope.remove'])(
    'leaves a row of its beginning and one of its end, once each though the answer of %s is lost',
    async (statement) => {
      const name = statement.replaceAll(/[^a-z]/g, '');
      const [actor, path] = [`user:${name}`, `ws:${name}`];
      await filled(actor, path);
      loseAnswerOf(statement);
      const { status, headers } = await forget(actor, path);
      jest.restoreAllMocks();
      expect(status).toBe(204);
      const id = headers.get('x-strata-request-id');
      const found = await rows(`actor=${actor}`);
      expect(found.map((row) => [row.response_status, row.scope, row.request_id])).toEqual([
        [204, path, id],
        [202, path, id],
      ]);
    },
  );

  it('tells that events are gone though the registration has to stay', async () => {
    const [actor, path] = ['user:below', 'ws:below'];
    await filled(actor, path);
    // oxlint-disable-next-line typescript/unbound-method -- called with its own `this`
    const redact = ScopeRedactor.prototype.redact;
    jest.spyOn(ScopeRedactor.prototype, 'redact').mockImplementationOnce(async function (
      this: ScopeRedactor,
      ...given
    ) {
      expect((await service.post('/v1/experience', message(`${path}/app:late`, 'late'))).status).toBe(202);
      return redact.apply(this, given);
    });
    expect((await forget(actor, path)).status).toBe(409);
    expect(await told(actor)).toEqual([
      [ENDPOINT, 202],
      [ENDPOINT, 409],
    ]);
  });

  it('is told of when another process ends it, by who asked for it', async () => {
    const [actor, path] = ['user:asked', 'ws:asked'];
    await filled(actor, path);
    jest.spyOn(ScopeRedactor.prototype, 'redact').mockRejectedValue(away());
    const { status, headers } = await forget(actor, path);
    expect(status).toBe(503);
    expect(await told(actor)).toEqual([[ENDPOINT, 202]]);
    await service.stop();
    jest.restoreAllMocks();
    service = await startTestService(SETTINGS, { keepData: true });
    await eventually('the deletion is finished', async () => (await service.get(at(path))).status === 404);
    const [last, first] = await rows(`actor=${actor}`);
    expect([last.response_status, first.response_status]).toEqual([204, 202]);
    for (const key of ['request_id', 'endpoint', 'scope', 'capability', 'tenant_id'])
      expect([key, last[key]]).toEqual([key, first[key]]);
    expect(last.request_id).toBe(headers.get('x-strata-request-id'));
  });
});
