import type { Driver } from 'neo4j-driver';

import { cancelled } from '../support/cancel.ts';
import { factsOf, statement } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';

let service: SharedService;
let driver: Driver;

beforeAll(() => {
  service = sharedService();
  driver = service.driver();
});
afterAll(async () => {
  await driver.close();
});

/** A scope that no other file has: stored rows are looked up by scope, and those of all tenants are there. */
const own = (name: string): string => `org:${service.tenant}-${name}`;

type Triple = readonly [string, string, string];

/** Captures a statement and waits until it is consolidated; answers the id of its event. */
async function say(scope: string, triple: Triple, more: Record<string, unknown> = {}): Promise<string> {
  const answer = await service.post('/v1/experience?wait=consolidated', statement(scope, triple, more));
  expect(answer.status).toBe(202);
  return answer.json.event_id;
}

/** What stands: object, valid years, a line each, in the order of valid time. */
async function standing(scope: string): Promise<string[]> {
  const year = (at: number): string => (at > 2e14 ? '' : new Date(at).toISOString().slice(0, 4));
  return (await factsOf(driver, scope))
    .map((fact) => ({ ...fact, row: fact.rows.at(-1) }))
    .sort((a, b) => (a.row?.valid_from ?? 0) - (b.row?.valid_from ?? 0))
    .map(({ object, row, supports }) => {
      const { id, value } = JSON.parse(object);
      return `${id ?? value} ${year(row?.valid_from ?? 0)}-${year(row?.valid_to ?? 0)} by ${supports.length}`;
    });
}

describe('statements about one claim', () => {
  it('make facts, which join, supersede, and are inserted into the past', async () => {
    const scope = own('cities');
    const lives = (city: string): Triple => ['ent_priya', 'lives in', city];
    await say(scope, lives('ent_paris'), { valid_from: '2010-01-01' });
    await say(scope, lives('ent_paris'), { valid_from: '2012-01-01' });
    expect(await standing(scope)).toEqual(['ent_paris 2010- by 2']);
    await say(scope, lives('ent_london'), { valid_from: '2020-01-01' });
    await say(scope, lives('ent_berlin'), { valid_from: '2015-01-01' });
    expect(await standing(scope)).toEqual([
      'ent_paris 2010-2015 by 2',
      'ent_berlin 2015-2020 by 1',
      'ent_london 2020- by 1',
    ]);
  });

  it('interrupt a value only while they hold, where they say how long', async () => {
    const scope = own('interrupted');
    const lives = (city: string): Triple => ['ent_ann', 'lives in', city];
    await say(scope, lives('ent_trieste'), { valid_from: '2010-01-01' });
    await say(scope, lives('ent_udine'), { valid_from: '2015-01-01', valid_to: '2016-01-01' });
    const at = async (instant: string): Promise<unknown[]> => {
      const { json } = await service.get(`/v1/facts?scope=${scope}&as_of_valid=${instant}`);
      return json.items.map(({ object, valid_from, valid_to, recorded_to }: any) => [
        object.id,
        valid_from.slice(0, 4),
        valid_to?.slice(0, 4) ?? null,
        recorded_to,
      ]);
    };
    expect(await at('2012-01-01T00:00:00Z')).toEqual([['ent_trieste', '2010', '2015', null]]);
    expect(await at('2015-06-01T00:00:00Z')).toEqual([['ent_udine', '2015', '2016', null]]);
    expect(await at('2020-01-01T00:00:00Z')).toEqual([['ent_trieste', '2016', null, null]]);
    const { json } = await service.get(`/v1/facts/timeline?subject=ent_ann&scope=${scope}`);
    expect(json.items.map(({ valid_from }: any) => valid_from.slice(0, 4))).toEqual(['2010', '2015', '2016']);
    const beliefs = async (instant: string): Promise<unknown[]> => {
      const { json: found } = await service.get(`/v1/beliefs?scope=${scope}&as_of_valid=${instant}`);
      return found.items.map(({ stance }: any) => stance).sort();
    };
    expect(await beliefs('2015-06-01T00:00:00Z')).toEqual(['contradicted', 'supported']);
    expect(await beliefs('2012-01-01T00:00:00Z')).toContain('supported');
    const listed = await service.get(`/v1/facts?scope=${scope}&include_superseded=1`);
    expect(listed.json.items).toHaveLength(2);
  });

  it('are gone on with at the end of a long history as at the end of a short one', async () => {
    const scope = own('long');
    const day = (n: number): string => new Date(Date.UTC(2020, 0, 1) + n * 86_400_000).toISOString();
    const mood = (n: number): Record<string, unknown> =>
      statement(scope, ['ent_pump', 'status', `=state ${Math.floor(n / 2) % 7}`], { valid_from: day(n) });
    for (let n = 0; n < 200; n += 50) {
      const items = Array.from({ length: 50 }, (_, i) => mood(n + i));
      expect((await service.post('/v1/experience/bulk?wait=consolidated', { items })).status).toBe(202);
    }
    await say(scope, ['ent_pump', 'status', '=state 1'], { valid_from: day(200) });
    await say(scope, ['ent_pump', 'status', '=between'], { valid_from: day(10.5) });
    const facts = (await factsOf(driver, scope))
      .map((fact) => ({ ...fact, row: fact.rows.at(-1) }))
      .sort((a, b) => (a.row?.valid_from ?? 0) - (b.row?.valid_from ?? 0));
    // A pair of days each, the eleventh day and what follows parted by what was said last.
    expect(facts.map(({ object }) => JSON.parse(object).value)).toEqual([
      ...Array.from({ length: 5 }, (_, i) => `state ${i}`),
      'state 5',
      'between',
      'state 5',
      ...Array.from({ length: 94 }, (_, i) => `state ${(i + 6) % 7}`),
    ]);
    expect(facts.at(-1)?.supports).toHaveLength(3);
    expect(facts.slice(1).map(({ row }) => row?.valid_from)).toEqual(
      facts.slice(0, -1).map(({ row }) => row?.valid_to),
    );
  });

  it('count no longer once their event is cancelled, and are said anew by a replacement', async () => {
    const scope = own('taken');
    const owns = (who: string): Triple => [who, 'owner of', 'ent_billing'];
    await say(scope, owns('ent_priya'), { valid_from: '2010-01-01' });
    const marcus = await say(scope, owns('ent_marcus'), { valid_from: '2015-01-01', idempotency_key: 'm' });
    expect(await standing(scope)).toEqual(['ent_billing 2010-2015 by 1', 'ent_billing 2015- by 1']);
    await say(scope, owns('ent_ines'), {
      valid_from: '2016-01-01',
      idempotency_key: 'm',
      on_conflict: 'replace',
    });
    expect(await standing(scope)).toEqual(['ent_billing 2010-2016 by 1', 'ent_billing 2016- by 1']);
    expect((await service.get(`/v1/events/${marcus}`)).status).toBe(404);
    const ines = (await service.get(`/v1/events?scope=${scope}&limit=1`)).json.items[0].id;
    await cancelled(service, ines, scope);
    expect(await standing(scope)).toEqual(['ent_billing 2010- by 1']);
  });
});

describe('the policies of a scope', () => {
  it('say how many values a predicate has, for what is captured from then on', async () => {
    const scope = own('policies');
    const dons = (what: string): Triple => ['ent_priya', 'dons', what];
    await service.post('/v1/scopes', { path: scope });
    await say(scope, dons('ent_hat'), { valid_from: '2010-01-01' });
    await say(scope, dons('ent_scarf'), { valid_from: '2011-01-01' });
    expect(await standing(scope)).toEqual(['ent_hat 2010-2011 by 1', 'ent_scarf 2011- by 1']);
    const changed = await service.request('PUT', `/v1/scopes?path=${scope}`, {
      body: { policies: { cardinality: { Dons: 'many' } } },
    });
    expect(changed.status).toBe(200);
    await say(scope, dons('ent_coat'), { valid_from: '2012-01-01' });
    await say(scope, dons('ent_gloves'), { valid_from: '2013-01-01' });
    expect(await standing(scope)).toEqual([
      'ent_hat 2010-2011 by 1',
      'ent_scarf 2011- by 1',
      'ent_coat 2012- by 1',
      'ent_gloves 2013- by 1',
    ]);
  });
});

describe('conclusions', () => {
  const premise: Triple = ['ent_tank', 'state', '=intact'];
  const chain = async (scope: string, depth: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let i = 1; i <= depth; i += 1) {
      const before = (await factsOf(driver, scope)).find(({ subject }) =>
        i === 1 ? subject === 'ent_tank' : subject === `ent_step${i - 1}`,
      );
      expect(before).toBeDefined();
      ids.push(
        await say(scope, [`ent_step${i}`, 'state', '=fine'], {
          valid_from: '2011-01-01',
          derived_from: [before?.id],
        }),
      );
    }
    return ids;
  };

  it('fall with what they rest on, to any depth, and return with it', async () => {
    const scope = own('cascade');
    await say(scope, premise, { valid_from: '2010-01-01' });
    await say(scope, ['ent_bystander', 'state', '=fine'], { valid_from: '2010-01-01' });
    await chain(scope, 6);
    expect((await standing(scope)).sort()).toEqual(
      ['intact 2010- by 1', 'fine 2010- by 1', ...Array.from({ length: 6 }, () => 'fine 2011- by 1')].sort(),
    );
    const broken = await say(scope, ['ent_tank', 'state', '=ruptured'], { valid_from: '2020-01-01' });
    expect((await standing(scope)).sort()).toEqual(
      [
        'intact 2010-2020 by 1',
        'ruptured 2020- by 1',
        'fine 2010- by 1',
        ...Array.from({ length: 6 }, () => 'fine 2011-2020 by 1'),
      ].sort(),
    );
    await cancelled(service, broken, scope);
    expect((await standing(scope)).filter((line) => line === 'fine 2011- by 1')).toHaveLength(6);
  });

  it('do not hold where what they rest on is denied together with them', async () => {
    const scope = own('denied-at-once');
    await say(scope, premise, { valid_from: '2010-01-01' });
    const [fact] = await factsOf(driver, scope);
    const concluded = { valid_from: '2011-01-01', derived_from: [fact?.id] };
    const items = [
      statement(scope, ['ent_crew', 'state', '=safe'], concluded),
      statement(scope, premise, { valid_from: '2010-01-01', polarity: 'negative' }),
    ];
    const { status } = await service.post('/v1/experience/bulk?wait=consolidated', { items });
    expect(status).toBe(202);
    expect((await standing(scope)).filter((line) => line.startsWith('safe'))).toEqual([]);
  });

  it('return with a belief that they rest on', async () => {
    const scope = own('by-belief');
    const lives: Triple = ['ent_bo', 'lives in', 'ent_oslo'];
    const first = await say(scope, lives, { valid_from: '2020-01-01' });
    const [belief] = (await service.get(`/v1/beliefs?scope=${scope}`)).json.items;
    const concluded = { valid_from: '2020-01-01', derived_from: [belief.id] };
    await say(scope, ['ent_bo', 'speaks', 'ent_norwegian'], concluded);
    const both = ['ent_norwegian 2020- by 1', 'ent_oslo 2020- by 1'];
    expect((await standing(scope)).sort()).toEqual(both);
    await cancelled(service, first, scope);
    expect(await standing(scope)).toEqual([]);
    await say(scope, lives, { valid_from: '2020-01-01' });
    expect((await standing(scope)).sort()).toEqual(both);
  });
});
