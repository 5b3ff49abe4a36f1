import type { Driver } from 'neo4j-driver';

import { message } from '../support/client.ts';
import { query } from '../support/database.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';

// What whoever opens the database reads of events: plain Cypher, and nothing of ours.

let service: SharedService;
let driver: Driver;

beforeAll(() => {
  service = sharedService();
  driver = service.driver();
});

afterAll(async () => {
  await driver.close();
});

const scope = 'user:readable-events';

async function capture(text: string, more: object): Promise<string> {
  const { status, json } = await service.post('/v1/experience?wait=consolidated', {
    ...message(scope, text),
    ...more,
  });
  expect(status).toBe(202);
  return json.event_id;
}

it('lead from an event to the one that took its place, and say since when', async () => {
  const first = await capture('The gate opens at nine', { idempotency_key: 'gate' });
  const second = await capture('The gate opens at ten', { idempotency_key: 'gate', on_conflict: 'replace' });
  const rows = await query(
    driver,
    `MATCH (e:Event {id: $first})-[s:SUPERSEDED_BY]->(later:Event)
     RETURN later.id AS later, s.recorded_from = later.recorded_at AS since, s.valid_at = later.recorded_at AS at,
       toString(s.recorded_to) AS until`,
    { first },
  );
  expect(rows).toEqual([{ later: second, since: true, at: true, until: '9999-12-31T23:59:59.999Z' }]);
});

it('lead from an event to those that it says led to it, as far as they are there', async () => {
  const cause = await capture('The pump failed', {});
  const effect = await capture('The hall is under water', {
    context: { preceded_by: [cause, 'evt_that_is_not_there'] },
  });
  const rows = await query(
    driver,
    'MATCH (:Event {id: $effect})-[:PRECEDED_BY]->(before) RETURN before.id AS before',
    { effect },
  );
  expect(rows).toEqual([{ before: cause }]);
});
