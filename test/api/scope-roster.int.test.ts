import { message, type Answer } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { ask } from './graphql/ask.ts';
import { expectProblem } from './problem.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const at = (path: string): string => `/v1/scopes?path=${encodeURIComponent(path)}`;
const member = (actor: string, role = 'owner') => ({ actor, role });
const put = (path: string, body: unknown) => service.request('PUT', path, { body });

/** Whoever holds a token of an actor, narrowed to nothing unless told. */
class Holder {
  private readonly actor: string;
  private readonly narrowed: Record<string, unknown>;

  constructor(actor: string, narrowed: Record<string, unknown> = {}) {
    this.actor = actor;
    this.narrowed = narrowed;
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', at(path));
  }

  register(body: unknown): Promise<Answer> {
    return this.send('POST', '/v1/scopes', body);
  }

  setMembers(path: string, members: readonly object[]): Promise<Answer> {
    return this.send('PUT', `/v1/scopes/members?path=${encodeURIComponent(path)}`, { members });
  }

  capture(scope: string): Promise<Answer> {
    return this.send('POST', '/v1/experience', message(scope, 'x'));
  }

  setPolicies(path: string): Promise<Answer> {
    return this.send('PUT', at(path), { policies: { consolidation: 'eager' } });
  }

  remove(path: string): Promise<Answer> {
    return this.send('DELETE', `${at(path)}&records=forget`);
  }

  private async send(method: string, path: string, body?: unknown): Promise<Answer> {
    const { token } = await mintFrom(service, { subject: this.actor, ...this.narrowed });
    return service.request(method, path, { body, headers: bearer(token, this.actor) });
  }
}

const by = (actor: string, narrowed?: Record<string, unknown>): Holder => new Holder(actor, narrowed);
/** The body of an answer that is as wanted. */
const done = (answer: Answer, status = 200): any => {
  expect([answer.status, answer.text]).toEqual([status, answer.text]);
  return answer.json;
};
const NO_MEMBER = { status: 403, code: 'NOT_A_MEMBER' } as const;
const HIDDEN = { status: 404, code: 'NOT_FOUND' } as const;

describe('a roster', () => {
  beforeAll(async () => {
    const members = [member('user:boss'), member('user:writer', 'writer'), member('user:reader', 'reader')];
    done(await by('user:boss').register({ path: 'org:roster', members }), 201);
  });

  it('governs what is below until a scope has its own', async () => {
    const below = 'org:roster/team:a/user:x';
    done(await by('user:writer').capture(below), 202);
    expectProblem(await by('user:reader').capture(below), NO_MEMBER);
    expectProblem(await by('user:stranger').capture(below), NO_MEMBER);
    const members = [member('user:lead'), member('user:writer', 'reader')];
    done(await by('user:boss').register({ path: 'org:roster/team:a', members }), 201);
    expectProblem(await by('user:writer').capture(below), NO_MEMBER);
    done(await by('user:lead').capture(below), 202);
    expectProblem(await by('user:lead').capture('org:roster/team:b'), NO_MEMBER);
    expectProblem(await by('user:reader').get(below), HIDDEN);
  });

  it('is extended below by its owners alone, who stay owners', async () => {
    const path = 'org:roster/team:c';
    for (const actor of ['user:writer', 'user:reader', 'user:stranger'])
      expectProblem(await by(actor).register({ path }), NO_MEMBER);
    const { members } = done(
      await by('user:boss').register({ path, members: [member('user:new'), member('user:boss', 'reader')] }),
      201,
    );
    expect(members).toEqual([member('user:new'), member('user:boss')]);
    const deeper = done(await service.post('/v1/scopes', { path: `${path}/app:d`, owner: 'user:d' }), 201);
    expect(deeper.members).toEqual([member('user:d'), member('user:new'), member('user:boss')]);
  });

  it('is not taken below from the owners above, whoever replaces it', async () => {
    const path = 'org:roster/team:kept';
    done(await by('user:boss').register({ path, members: [member('user:child')] }), 201);
    const members = [member('user:child'), member('user:boss', 'reader')];
    const changed = done(await by('user:child').setMembers(path, members));
    expect(changed.members).toEqual([member('user:child'), member('user:boss')]);
    done(await by('user:child').setMembers(path, [member('user:child')]));
    expect(done(await by('user:boss').get(path)).members).toEqual([
      member('user:child'),
      member('user:boss'),
    ]);
    expectProblem(await by('user:child').setMembers(path, []), { status: 422, code: 'LAST_OWNER' });
  });

  it('is changed by owners, and never without one left', async () => {
    const path = 'org:roster';
    const members = [member('user:boss'), member('user:writer', 'writer')];
    expectProblem(await by('user:writer').setMembers(path, members), NO_MEMBER);
    done(await by('user:boss').setMembers(path, members));
    expect((await service.get(at(path))).json.members).toEqual(members);
    expectProblem(await by('user:reader').get(path), HIDDEN);
    for (const none of [[], [member('user:boss', 'writer')]])
      expectProblem(await put(`/v1/scopes/members?path=${path}`, { members: none }), {
        status: 422,
        code: 'LAST_OWNER',
        field: 'members',
      });
    done(await by('user:boss').setMembers(path, [member('user:heir')]));
    expectProblem(await by('user:boss').setMembers(path, members), HIDDEN);
    done(await by('user:heir').setMembers(path, members));
  });
});

describe('a personal scope', () => {
  const REFUSED = { status: 403, code: 'POLICY_DENIED' } as const;

  it('is not seized: it is registered, changed and deleted by its actor alone', async () => {
    const [anna, bert] = [by('user:anna'), by('user:bert')];
    done(await anna.capture('user:anna'), 202);
    expectProblem(await bert.register({ path: 'user:anna' }), REFUSED);
    expectProblem(await bert.register({ path: 'user:anna/project:x' }), REFUSED);
    for (const path of ['user:anna', 'user:nobody']) {
      expectProblem(await bert.setPolicies(path), REFUSED);
      expectProblem(await bert.setMembers(path, [member('user:bert')]), REFUSED);
      expectProblem(await bert.remove(path), REFUSED);
    }
    const members = [member('user:anna'), member('user:bert')];
    expect(done(await anna.register({ path: 'user:anna', members }), 201).members).toEqual(members);
    // An owner of the roster reads and writes; the scope stays Anna's.
    done(await bert.capture('user:anna'), 202);
    expectProblem(await bert.setMembers('user:anna', [member('user:bert')]), REFUSED);
    expectProblem(await bert.remove('user:anna'), REFUSED);
    done(await anna.setPolicies('user:anna'));
    done(await anna.setMembers('user:anna', [member('user:anna')]));
    expect((await anna.remove('user:anna')).status).toBe(204);
  });

  it('comes back to its actor where somebody else was seated by the operator', async () => {
    done(await service.post('/v1/scopes', { path: 'agent:lost', owner: 'user:bert' }), 201);
    expectProblem(await by('user:bert').remove('agent:lost'), REFUSED);
    const members = [member('agent:lost')];
    expect(done(await by('agent:lost').setMembers('agent:lost', members)).members).toEqual(members);
  });

  it('is written by others while nobody registered it, as clients do', async () => {
    done(await by('user:app').capture('user:default'), 202);
    done(await by('user:app').capture('service:mail/user:x'), 202);
  });
});

describe('a reading of a scope', () => {
  it('is the same for what is hidden and what is not there', async () => {
    await service.post('/v1/scopes', { path: 'ws:hidden', owner: 'user:o' });
    const told = async (path: string): Promise<unknown> => {
      const { status, json } = await by('user:stranger').get(path);
      return { status, ...json, request_id: undefined };
    };
    const hidden = await told('ws:hidden');
    expect(hidden).toMatchObject({ status: 404, error_code: 'NOT_FOUND' });
    expect(hidden).toEqual(await told('ws:missing'));
  });

  it('is refused, not empty, where a token does not cover the path', async () => {
    const confined = by('user:o', { scopes: ['scope.read:org:elsewhere/*'] });
    for (const path of ['ws:hidden', 'ws:missing'])
      expectProblem(await confined.get(path), { status: 403, code: 'POLICY_DENIED' });
  });

  it('stays within a tenant', async () => {
    const headers = { 'x-strata-tenant': service.anotherTenant() };
    await service.post('/v1/scopes', { path: 'ws:tenant', owner: 'user:another' }, { headers });
    expectProblem(await service.get(at('ws:tenant')), { status: 404, code: 'NOT_FOUND' });
    expect((await service.post('/v1/scopes', { path: 'ws:tenant' })).status).toBe(201);
    expect((await service.get(at('ws:tenant'), { headers })).json.members).toEqual([member('user:another')]);
  });
});

describe('policies', () => {
  it('are inherited from named scopes, then from ancestors, and told with where they are from', async () => {
    await service.post('/v1/scopes', {
      path: 'org:pol',
      policies: {
        consolidation: 'manual',
        retention: { events: 'P30D', facts: 'P1Y' },
        cardinality: { likes: 'many', owner_of: 'exclusive' },
      },
    });
    await service.post('/v1/scopes', {
      path: 'ws:pol',
      owner: 'user:p',
      policies: { default_view: 'lineage' },
    });
    const { json } = await service.post('/v1/scopes', {
      path: 'org:pol/team:t',
      policies: {
        inherit_from: ['ws:pol', 'ws:unknown'],
        retention: { events: 'P90D', 'source:jira': 'P7D' },
        cardinality: { likes: 'one' },
      },
    });
    expect(json.resolved_policy).toEqual({
      consolidation: 'manual',
      conflict_resolution: 'latest_wins',
      audit: 'on',
      default_view: 'lineage',
      retention: { events: 'P30D', facts: 'P1Y', 'source:jira': 'P7D' },
      cardinality: { likes: 'one', owner_of: 'exclusive' },
    });
    expect(json.inherited_policy).toMatchObject({
      consolidation: { value: 'manual', from: 'org:pol' },
      default_view: { value: 'lineage', from: 'ws:pol' },
      conflict_resolution: { value: 'latest_wins', from: 'default' },
      'retention.events': { value: 'P30D', from: 'org:pol' },
    });
    expect(json.inherited_policy).not.toHaveProperty('cardinality.likes');
    const shown = done(await by('user:local').get('org:pol/team:t'));
    expect(shown.resolved_policy).not.toHaveProperty('default_view');
  });

  it('of a scope above that may not be read are in force, and not told with where they are from', async () => {
    const path = 'org:shut/team:a';
    const policies = {
      consolidation: 'manual',
      retention: { events: 'P30D', 'source:secret-system': 'P7D' },
      cardinality: { secret_predicate: 'one' },
    };
    done(await by('user:above').register({ path: 'org:shut', policies }), 201);
    done(await by('user:above').register({ path, members: [member('user:r', 'reader')] }), 201);
    const seen = done(await by('user:r').get(path));
    expect(seen.resolved_policy).toMatchObject({
      consolidation: 'manual',
      retention: { events: 'P30D' },
      cardinality: {},
    });
    expect(JSON.stringify(seen)).not.toMatch(/secret|"org:shut"/);
    expect(Object.keys(seen.inherited_policy).sort()).toEqual(['audit', 'conflict_resolution']);
    const whole = done(await by('user:above').get(path));
    expect(whole.inherited_policy).toMatchObject({
      consolidation: { value: 'manual', from: 'org:shut' },
      'cardinality.secret_predicate': { value: 'one', from: 'org:shut' },
    });
  });

  it('are replaced as a whole', async () => {
    const path = 'org:pol/team:t';
    const { status, json } = await put(at(path), { policies: { audit: 'off' } });
    expect([status, json.policies]).toEqual([200, { audit: 'off' }]);
    expect((await service.get(at(path))).json).toEqual(json);
    expectProblem(await put(at(path), { policies: { audit: 'loud' } }), {
      status: 422,
      code: 'INVALID_BODY',
      field: 'policies.audit',
    });
    expectProblem(await put(at('ws:missing'), { policies: {} }), { status: 404, code: 'NOT_FOUND' });
    await service.post('/v1/experience', message('ws:only-written', 'x'));
    expectProblem(await put(at('ws:only-written'), { policies: {} }), { status: 404, code: 'NOT_FOUND' });
  });

  it('refuse capabilities below, for members and for the operator, until they are changed', async () => {
    const path = 'org:frozen';
    await service.post('/v1/scopes', { path, policies: { capabilities: { deny: ['scope.write'] } } });
    const refused = await service.post('/v1/experience', message(`${path}/user:a`, 'x'));
    expectProblem(refused, { status: 403, code: 'POLICY_DENIED' });
    expect(refused.json.details).toMatchObject({ capability: 'scope.write', decided_by_tier: 'scope' });
    await put(at(path), { policies: {} });
    expect((await service.post('/v1/experience', message(`${path}/user:a`, 'x'))).status).toBe(202);
  });
});

describe('by GraphQL', () => {
  const RECORD =
    '{ path autoProvisioned createdBy members { actor role } policies { retention audit capabilities { deny } } resolvedPolicy { retention conflictResolution } inheritedPolicy }';

  it('scopes are registered, read, changed and deleted as by REST', async () => {
    const input = {
      path: 'ws:graph',
      members: [{ actor: 'user:g', role: 'owner' }],
      policies: { retention: { 'source:jira': 'P7D' }, capabilities: { deny: ['export'] } },
    };
    const made = await ask(
      service,
      `mutation ($input: RegisterScopeInput!) { registerScope(input: $input) ${RECORD} }`,
      { input },
    );
    expect(made.errors).toBeUndefined();
    const wire = (await service.get(at('ws:graph'))).json;
    expect(made.data.registerScope).toMatchObject({
      path: 'ws:graph',
      autoProvisioned: false,
      members: wire.members,
      policies: { retention: { 'source:jira': 'P7D' }, audit: null, capabilities: { deny: ['export'] } },
      inheritedPolicy: wire.inherited_policy,
    });
    const read = await ask(service, `{ scope(path: "ws:graph") ${RECORD} }`);
    expect(read.data.scope).toEqual(made.data.registerScope);
    const changed = await ask(
      service,
      `mutation { a: setScopePolicies(path: "ws:graph", input: {policies: {audit: off}}) ${RECORD}
        b: setScopeMembers(path: "ws:graph", input: {members: [{actor: "user:h", role: owner}]}) ${RECORD} }`,
    );
    expect(changed.data.b).toMatchObject({ policies: { audit: 'off' }, members: [member('user:h')] });
    expect((await ask(service, 'mutation { deleteScope(path: "ws:graph") }')).data.deleteScope).toBe(true);
    const gone = await ask(service, '{ scope(path: "ws:graph") { path } }');
    expect(gone.errors?.[0].extensions.code).toBe('NOT_FOUND');
    expect((await ask(service, 'mutation { pruneScopes { pruned } }')).data.pruneScopes).toEqual({
      pruned: 0,
    });
  });
});
