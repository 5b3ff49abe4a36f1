import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ForgetPlans } from '../../graph/forget/plan.ts';
import { beginForget, doStep } from '../support/begun-forget.ts';
import { message, type Answer } from '../support/client.ts';
import { patientDatabase } from '../support/database.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { expectCode } from './problem.ts';

let service: TestService;
const running: TestService[] = [];

async function start(environment: Record<string, string> = {}, keepData = false): Promise<TestService> {
  const started = await startTestService(environment, { keepData });
  running.push(started);
  return started;
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
});

const scope = 'org:suppressed/ws:race';
const send = (said: string, by = service): Promise<Answer> => by.post('/v1/experience', message(scope, said));
const wipeScope = (): Promise<Answer> =>
  service.post('/v1/forget', { scope, confirm_all: true, cascade: 'redact_events', suppress: true });

it('what is captured while it is forgotten either goes or is refused, and so it is behind every process', async () => {
  service = await start();
  const other = await start({}, true);
  const said = Array.from({ length: 40 }, (_, i) => `said ${String(i)}`);
  const items = said.map((one) => message(scope, one));
  const first = await service.post('/v1/experience/bulk?wait=consolidated', { items });
  expect(first.json.accepted).toBe(said.length);
  let isForgotten = false;
  const forgotten = wipeScope().finally(() => {
    isForgotten = true;
  });
  const before: Answer[] = [];
  const after: Answer[] = [];
  const goesOn = (): boolean => !isForgotten;
  for (let round = 0; round < 3 || goesOn(); round += 1)
    for (const by of [service, other]) before.push(await send(said[round % said.length] ?? '', by));
  const answer = await forgotten;
  expect([answer.status, answer.json.deleted.events >= said.length]).toEqual([200, true]);
  for (const one of said) after.push(await send(one), await send(one, other));
  for (const one of after) expectCode(one, 'SUPPRESSED');
  for (const { status } of before) expect([202, 409]).toContain(status);
  // What came before its content was suppressed is there; whoever answered 409 left nothing.
  const left = (await service.get(`/v1/events?scope=${scope}&limit=1000`)).json.items;
  const came = before.filter(({ status }) => status === 202).length;
  expect(left.length).toBeLessThanOrEqual(came);
  const { items: suppressions } = (await service.get(`/v1/suppressions?scope=${scope}`)).json;
  const refused = [...before, ...after].filter(({ status }) => status === 409).length;
  expect(suppressions).toMatchObject([{ contents: said.length }]);
  // A group that is tried again after a lost answer may count twice.
  expect(suppressions[0].refused).toBeGreaterThanOrEqual(refused);
  const metrics = await service.get('/v1/admin/metrics');
  expect(metrics.text).toMatch(/^strata_captures_suppressed_total [1-9]/m);
});

it('what grows is not lifted before its forget is over', async () => {
  service = await start();
  const database = patientDatabase();
  try {
    const events: string[] = [];
    for (const said of ['one', 'two'])
      events.push(
        (await service.post('/v1/experience?wait=consolidated', message(scope, said))).json.event_id,
      );
    const plan = await beginForget(database, { scope, events, suppresses: true });
    await doStep(database, plan);
    const path = `/v1/suppressions/${plan.suppression_id ?? ''}`;
    const kept = async (): Promise<any> => (await service.get(`/v1/suppressions?scope=${scope}`)).json.items;
    expectCode(await service.request('DELETE', path), 'DESTRUCTIVE_OPERATION_IN_PROGRESS');
    expect(await kept()).toMatchObject([{ contents: 1 }]);
    await doStep(database, plan);
    expect(await kept()).toMatchObject([{ contents: 2 }]);
    await new ForgetPlans(database).finish(plan, Date.now());
    // Whoever comes too late with a step finds nothing to do.
    await expect(doStep(database, plan)).rejects.toThrow('no step is left');
    expect((await service.request('DELETE', path)).status).toBe(204);
    expect(await kept()).toEqual([]);
  } finally {
    await database.close();
  }
});

it('a process that does not hold the key of the deployment does not start', async () => {
  service = await start();
  for (const key of ['another-key-of-thirty-two-characters', '']) {
    const failing = start({ STRATA_SUPPRESSION_KEY: key }, true);
    await expect(failing).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringContaining('STRATA_SUPPRESSION_KEY'),
    });
  }
});

it('a key that is lost is replaced by a start that is told so, and what it kept out is not known again', async () => {
  service = await start();
  expect((await service.post('/v1/experience?wait=consolidated', message(scope, 'gone'))).status).toBe(202);
  expect((await wipeScope()).status).toBe(200);
  const environment = { STRATA_SUPPRESSION_KEY: 'another-key-of-thirty-two-characters' };
  const other = await startTestService(environment, { keepData: true, acceptKey: true });
  running.push(other);
  expect((await send('gone', other)).status).toBe(202);
});

it('the key is made at the first start, for the one who started it alone', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'strata-suppression-'));
  try {
    service = await start({ STRATA_SUPPRESSION_KEY: '', STRATA_DATA_DIR: directory });
    const file = join(directory, 'suppression-key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toMatch(/^[A-Za-z0-9_-]{43}\n$/);
    const captured = await service.post('/v1/experience?wait=consolidated', message(scope, 'gone'));
    expect(captured.status).toBe(202);
    expect((await wipeScope()).status).toBe(200);
    await Promise.all(running.splice(0).map((one) => one.stop()));
    // Known again by the next process of the same directory.
    service = await start({ STRATA_SUPPRESSION_KEY: '', STRATA_DATA_DIR: directory }, true);
    await eventually('the service to be ready', async () => (await service.get('/v1/ready')).status === 200);
    expectCode(await send('gone'), 'SUPPRESSED');
  } finally {
    rmSync(directory, { recursive: true });
  }
});
