import type { Driver } from 'neo4j-driver';

import { query, testDriver } from '../support/database.ts';
import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { expectProblem } from './problem.ts';

let service: TestService;
let driver: Driver;

beforeAll(async () => {
  service = await startTestService({});
  driver = testDriver();
});
afterAll(async () => {
  await driver.close();
  await service.stop();
});

const SCOPE = 'ws:left';
const remove = () => service.request('DELETE', `/v1/scopes?path=${SCOPE}&records=forget`);
const get = () => service.get(`/v1/scopes?path=${SCOPE}`);

describe('a scope with an event that the database refuses to redact', () => {
  it('is not deleted until that is gone too; the answer names it, and asking again tries again', async () => {
    const items = Array.from({ length: 5 }, (_, i) => message(SCOPE, `text ${i}`));
    const captured = await service.post('/v1/experience/bulk?wait=consolidated', { items });
    const ids: string[] = captured.json.results.map(({ event_id }: any) => event_id as string);
    const culprit = ids[2] ?? '';
    await query(
      driver,
      'CREATE CONSTRAINT test_frame_once FOR (f:LifecycleEvent) REQUIRE (f.type, f.event_id) IS UNIQUE',
    );
    try {
      // Its frame `forgotten` is there already, and the constraint allows one.
      await query(driver, "CREATE (:LifecycleEvent {sequence: -1, type: 'forgotten', event_id: $culprit})", {
        culprit,
      });
      for (let round = 0; round < 2; round += 1) {
        const answer = await remove();
        expectProblem(answer, { status: 503, code: 'DATABASE_UNAVAILABLE', retriable: true });
        expect(answer.json.details).toEqual({ reason: 'events_left', events_left: [culprit] });
      }
      const left = await query<{ id: string }>(
        driver,
        'MATCH (e:Event) WHERE e.redacted_at IS NULL RETURN e.id AS id',
      );
      expect(left).toEqual([{ id: culprit }]);
      expect((await get()).status).toBe(200);
      const refused = await service.post('/v1/experience', message(SCOPE, 'more'));
      expectProblem(refused, { status: 409, code: 'DESTRUCTIVE_OPERATION_IN_PROGRESS', retriable: true });
      const metrics = (await service.get('/v1/admin/metrics')).text;
      expect(metrics).toMatch(/^strata_scope_deletion_left_events_total{failure="constraint"} [2-9]$/m);
    } finally {
      await query(driver, 'DROP CONSTRAINT test_frame_once IF EXISTS');
    }
    expect((await remove()).status).toBe(204);
    expectProblem(await get(), { status: 404, code: 'NOT_FOUND' });
  });
});
