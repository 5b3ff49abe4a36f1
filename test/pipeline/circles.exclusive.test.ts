import type { Driver } from 'neo4j-driver';

import { scopeRef, shardOf } from '../../src/capture/scope-key.ts';
import { testDriver } from '../support/database.ts';
import { factsOf, statement } from '../support/facts.ts';
import { startTestService, type TestService } from '../support/service.ts';

// Holds a shard, on which scopes of others lie too.

let service: TestService;
let driver: Driver;

beforeAll(async () => {
  service = await startTestService();
  driver = testDriver();
});
afterAll(async () => {
  await driver.close();
  await service.stop();
});

const state = (scope: string, subject: string, value: string, premises: string[] = []): object =>
  statement(scope, [subject, 'state', `=${value}`], premises.length === 0 ? {} : { derived_from: premises });

async function say(scope: string, subject: string, value: string): Promise<string> {
  const answer = await service.post('/v1/experience?wait=consolidated', state(scope, subject, value));
  expect([answer.status, answer.text]).toEqual([202, answer.text]);
  const found = (await factsOf(driver, scope)).findLast((fact) => fact.subject === subject);
  if (found === undefined) throw new Error(`no fact about ${subject}`);
  return found.id;
}

describe('a circle', () => {
  it('is parked with its reason where the other half was captured at the same time, and holds nobody up', async () => {
    const scope = 'org:circle-race';
    const [a, b] = [await say(scope, 'ent_a', 'fine'), await say(scope, 'ent_b', 'fine')];
    const session = driver.session();
    const lock = session.beginTransaction();
    // Nothing of the scope is consolidated as long as somebody else holds its shard.
    await lock.run('MATCH (s:Shard {number: $number}) SET s.touched = "a test"', {
      number: BigInt(shardOf(scopeRef('default', scope))),
    });
    const first = await service.post('/v1/experience', state(scope, 'ent_a', 'worn', [b]));
    const second = await service.post('/v1/experience', state(scope, 'ent_b', 'worn', [a]));
    await lock.commit();
    await session.close();
    expect([first.status, second.status]).toEqual([202, 202]);
    const after = await service.post('/v1/experience?wait=consolidated', state(scope, 'ent_c', 'fine'));
    expect(after.status).toBe(202);
    const { json } = await service.get(`/v1/experience/status?event_id=${second.json.event_id}`);
    expect(json).toMatchObject({
      status: 'failed',
      failure_reason: expect.stringContaining('a conclusion rests on itself'),
    });
    expect((await service.get(`/v1/experience/status?event_id=${first.json.event_id}`)).json.stage).toBe(
      'consolidated',
    );
  });
});
