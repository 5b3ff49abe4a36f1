import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Driver } from 'neo4j-driver';

import { Database } from '../../graph/driver.ts';
import { PolicyLogReader, type PolicyPosition } from '../../graph/policy-log.ts';
import type { DerivationRules } from '../../src/derive/policy-log.ts';
import { callBy, codeOf } from '../support/calls.ts';
import { query, testDatabase, testDriver } from '../support/database.ts';
import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';

const directory = mkdtempSync(join(tmpdir(), 'strata-vocabulary-'));
let service: TestService;
let driver: Driver;
let database: Database;
let reader: PolicyLogReader;

beforeAll(async () => {
  service = await startTestService({ STRATA_TENANTS: 'acme' });
  driver = testDriver();
  database = new Database({
    ...testDatabase(),
    poolSize: 5,
    acquisitionTimeoutMs: 5_000,
    connectTimeoutMs: 5_000,
    statementTimeoutMs: 10_000,
  });
  reader = new PolicyLogReader();
});
afterAll(async () => {
  await database.close();
  await driver.close();
  await service.stop();
  rmSync(directory, { recursive: true, force: true });
});

const at = (path: string, more = ''): string => `/v1/scopes?path=${encodeURIComponent(path)}${more}`;
const scopes = () => service.context.services.scope;

async function capture(scope: string): Promise<number> {
  return (await service.post('/v1/experience', message(scope, 'something'))).json.wal_offset;
}

async function put(path: string, policies: object): Promise<void> {
  expect((await service.request('PUT', at(path), { body: { policies } })).status).toBe(200);
}

function rulesAt(
  ...places: (readonly [scope: string, position: number])[]
): Promise<readonly DerivationRules[]> {
  const asked: PolicyPosition[] = places.map(([scope, position]) => ({
    ...{ tenant: 'default', scope, position, recorded_at: 0 },
  }));
  return database.transaction((transaction) => reader.policiesAt(transaction, asked));
}

async function cardinalities(
  scope: string,
  predicate: string,
  positions: readonly number[],
): Promise<string[]> {
  const rules = await rulesAt(...positions.map((position) => [scope, position] as const));
  return rules.map(({ cardinalityOf }) => cardinalityOf(predicate));
}

async function entriesOf(scope: string): Promise<any[]> {
  return query(driver, 'MATCH (l:LogEntry {scope: $scope}) RETURN l {.*} AS entry ORDER BY l.number', {
    scope,
  }).then((rows) => rows.map(({ entry }) => entry));
}

async function framesOf(scope: string): Promise<any[]> {
  return (await service.get(`/v1/lifecycle?events=policy_changed&scope=${scope}`)).json.items;
}

describe('a change of what a scope states', () => {
  it('counts for the events behind it, in the scope and in those below', async () => {
    await service.post('/v1/scopes', { path: 'ws:log' });
    const first = await capture('ws:log/ws:team/user:a');
    await service.post('/v1/scopes', {
      path: 'ws:log/ws:team',
      policies: { cardinality: { 'Works At': 'many' } },
    });
    const second = await capture('ws:log/ws:team/user:a');
    await put('ws:log/ws:team', { cardinality: { works_at: 'exclusive' }, conflict_resolution: 'keep_both' });
    const third = await capture('ws:log/ws:team/user:a');
    expect((await service.request('DELETE', at('ws:log/ws:team', '&records=keep'))).status).toBe(204);
    const fourth = await capture('ws:log/ws:team/user:a');
    const positions = [first, second, third, fourth];
    const wanted = ['one', 'many', 'exclusive', 'one'];
    expect(await cardinalities('ws:log/ws:team/user:a', 'works_at', positions)).toEqual(wanted);
    expect(await cardinalities('ws:log/ws:team', 'works_at', positions.toReversed())).toEqual(
      wanted.toReversed(),
    );
    const rules = await rulesAt(['ws:log/ws:team', third], ['ws:log/ws:team', fourth], ['ws:other', third]);
    expect(rules.map(({ conflictResolution }) => conflictResolution)).toEqual([
      'keep_both',
      'latest_wins',
      'latest_wins',
    ]);
    const entries = await entriesOf('ws:log/ws:team');
    expect(entries.map(({ after_offset }) => after_offset)).toEqual([first, second, third]);
    expect(entries[1]).toMatchObject({
      kind: 'policy',
      tenant: 'default',
      actor: 'user:local',
      policies: JSON.stringify({ cardinality: { works_at: 'exclusive' }, conflict_resolution: 'keep_both' }),
    });
    expect(JSON.parse(entries[2].policies)).toEqual({});
  });

  it('is told by a frame that names what changed, and says nothing of it', async () => {
    const { json } = await service.post('/v1/scopes', {
      path: 'ws:told',
      policies: { cardinality: { secret_plan: 'many' }, default_view: 'local' },
    });
    expect(json.path).toBe('ws:told');
    await put('ws:told', { cardinality: { secret_plan: 'many' }, default_view: 'local' });
    await put('ws:told', { cardinality: { secret_plan: 'one' }, default_view: 'local' });
    await service.request('DELETE', at('ws:told'));
    const frames = await framesOf('ws:told');
    expect(frames.map(({ event, scope, data }) => [event, scope, data])).toEqual(
      [['cardinality', 'default_view'], ['cardinality'], ['cardinality', 'default_view']].map((policies) => [
        'policy_changed',
        'ws:told',
        { policies },
      ]),
    );
    expect(JSON.stringify(frames)).not.toContain('secret');
    expect(await entriesOf('ws:told')).toHaveLength(3);
  });

  it('leaves nothing when nothing is stated, or the roster changes alone', async () => {
    await service.post('/v1/scopes', { path: 'ws:quiet' });
    const members = [{ actor: 'user:local', role: 'owner' }];
    const path = encodeURIComponent('ws:quiet');
    await service.request('PUT', `/v1/scopes/members?path=${path}`, { body: { members } });
    await service.request('DELETE', at('ws:quiet'));
    expect([await entriesOf('ws:quiet'), await framesOf('ws:quiet')]).toEqual([[], []]);
  });

  it('leaves nothing when it is refused', async () => {
    await service.post('/v1/scopes', { path: 'ws:kept', policies: { consolidation: 'manual' } });
    const refused = scopes().setPolicies(callBy('user:b'), { path: 'ws:kept' }, { policies: {} });
    expect(await codeOf(refused)).toBe('NOT_FOUND');
    expect(await entriesOf('ws:kept')).toHaveLength(1);
  });

  it('is not told to whoever may not read the scope', async () => {
    await scopes().register(callBy('user:a'), { path: 'ws:mine', policies: { consolidation: 'manual' } });
    const seenBy = async (actor: string): Promise<number> =>
      (
        await service.context.services.lifecycle.list(callBy(actor), {
          events: 'policy_changed',
          scope: 'ws:mine',
        })
      ).items.length;
    expect([await seenBy('user:a'), await seenBy('user:b')]).toEqual([1, 0]);
  });

  it('is kept when the scope is forgotten with its events', async () => {
    await service.post('/v1/scopes', { path: 'ws:gone', policies: { cardinality: { is: 'many' } } });
    const during = await capture('ws:gone');
    expect((await service.request('DELETE', at('ws:gone', '&records=forget'))).status).toBe(204);
    const after = await capture('ws:gone');
    expect(await cardinalities('ws:gone', 'is', [during, after])).toEqual(['many', 'one']);
    expect((await entriesOf('ws:gone')).map(({ actor }) => actor)).toEqual(['user:local', 'user:local']);
  });
});

describe('what is inherited by name', () => {
  it('counts where whoever stated it may read the scope that is named', async () => {
    const owner = callBy('user:a');
    await scopes().register(callBy('user:b'), {
      path: 'ws:hidden',
      policies: { cardinality: { p: 'many' } },
    });
    await scopes().register(owner, { path: 'ws:open', policies: { cardinality: { q: 'many' } } });
    const policies = { inherit_from: ['ws:hidden', 'ws:open'] };
    await scopes().register(owner, { path: 'ws:heir', policies });
    const position = await capture('ws:heir');
    const [rules] = await rulesAt(['ws:heir', position]);
    expect([rules!.cardinalityOf('p'), rules!.cardinalityOf('q')]).toEqual(['one', 'many']);
    // As it stood then, however the scope that is named has changed since.
    await scopes().setPolicies(owner, { path: 'ws:open' }, { policies: {} });
    const later = await capture('ws:heir');
    expect(await cardinalities('ws:heir', 'q', [position, later])).toEqual(['many', 'one']);
  });
});

describe('the vocabulary of a deployment', () => {
  const vocabularies = (): Promise<any[]> =>
    query(
      driver,
      "MATCH (l:LogEntry {kind: 'vocabulary'}) RETURN l.after_offset AS after, l.hash AS hash ORDER BY l.number",
    );

  it('is in the log from the first start on, and counts for what comes behind each change of it', async () => {
    expect(await vocabularies()).toHaveLength(1);
    const file = join(directory, 'words.json');
    writeFileSync(
      file,
      JSON.stringify({ predicates: { orbits: { cardinality: 'many', synonyms: ['circles'] } } }),
    );
    const before = await capture('ws:words');
    await restart({ STRATA_VOCABULARY: file });
    const during = await capture('ws:words');
    await restart({ STRATA_VOCABULARY: file });
    expect(await vocabularies()).toHaveLength(2);
    await restart({});
    const after = await capture('ws:words');
    const [first, second, third] = await vocabularies();
    expect([second.after, third.after]).toEqual([before, during]);
    expect(third.hash).toBe(first.hash);
    const rules = await rulesAt(['ws:words', before], ['ws:words', during], ['ws:words', after]);
    expect(
      rules.map(({ canonical, cardinalityOf }) => [canonical('Circles'), cardinalityOf('orbits')]),
    ).toEqual([
      ['circles', 'one'],
      ['orbits', 'many'],
      ['circles', 'one'],
    ]);
  });

  it('is written once by processes that start together', async () => {
    const file = join(directory, 'together.json');
    writeFileSync(file, JSON.stringify({ predicates: { spins: { cardinality: 'many' } } }));
    const known = (await vocabularies()).length;
    const others = await Promise.all(
      [1, 2].map(() =>
        startTestService({ STRATA_TENANTS: 'acme', STRATA_VOCABULARY: file }, { keepData: true }),
      ),
    );
    await Promise.all(others.map((other) => other.stop()));
    expect(await vocabularies()).toHaveLength(known + 1);
  });

  async function restart(environment: Record<string, string>): Promise<void> {
    await service.stop();
    service = await startTestService({ STRATA_TENANTS: 'acme', ...environment }, { keepData: true });
  }
});

describe('changes of policy and captures at once', () => {
  it('have each event decided by what stood before it', async () => {
    const scope = 'ws:busy';
    await service.post('/v1/scopes', { path: scope, policies: { cardinality: { p: 'one' } } });
    const words = ['one', 'many', 'exclusive'] as const;
    const offsets: number[] = [];
    const writing = Array.from({ length: 4 }, async () => {
      for (let i = 0; i < 10; i += 1) offsets.push(await capture(scope));
    });
    for (let i = 1; i <= 12; i += 1) await put(scope, { cardinality: { p: words[i % 3] } });
    await Promise.all(writing);
    const entries = await entriesOf(scope);
    expect(entries).toHaveLength(13);
    const order = entries.map(({ after_offset }) => after_offset as number);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    const wanted = offsets.map(
      (offset) =>
        JSON.parse(entries.findLast(({ after_offset }) => after_offset < offset).policies).cardinality.p,
    );
    expect(await cardinalities(scope, 'p', offsets)).toEqual(wanted);
  });
});
