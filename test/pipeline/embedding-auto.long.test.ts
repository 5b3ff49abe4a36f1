import { homedir } from 'node:os';
import { join } from 'node:path';

import { message } from '../support/client.ts';
import { DERIVING_PATIENCE_MS } from '../support/patience.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';

// The model itself, fetched into the cache of the service, takes over from words beside requests.

const SCOPE = 'org:arrives/user:a';
const AUTO = {
  STRATA_EMBEDDING_PROVIDER: 'auto',
  STRATA_CACHE_DIR: join(homedir(), '.cache', 'strata'),
  STRATA_PIPELINE_POLL_MS: '200',
};
const running: TestService[] = [];

async function started(...settings: Parameters<typeof startTestService>): Promise<TestService> {
  const service = await startTestService(...settings);
  running.push(service);
  return service;
}

afterAll(async () => {
  for (const service of running) await service.stop();
});

const recall = async (service: TestService): Promise<any> =>
  (await service.post('/v1/recall', { scope: SCOPE, query: 'food restrictions', include: ['events'] })).json;

const foundByMeaning = (service: TestService, id: string): Promise<unknown> =>
  eventually(
    'the meaning',
    async () => (await recall(service)).layers.events[0]?.id === id,
    DERIVING_PATIENCE_MS,
  );

it(
  'what was captured before the model came is found by its meaning once it is there, by all processes',
  async () => {
    const before = await started();
    const said = message(SCOPE, 'I am allergic to peanuts');
    const { json } = await before.post('/v1/experience?wait=indexed', said);
    expect((await recall(before)).layers.events).toEqual([]);
    await before.stop();
    running.pop();
    const one = await started(AUTO, { keepData: true });
    const other = await started(AUTO, { keepData: true });
    for (const service of [one, other]) await foundByMeaning(service, json.event_id);
    const pack = await recall(one);
    expect([pack.diagnostics.signals, pack.warnings]).toEqual([expect.arrayContaining(['vector']), []]);
    expect((await one.get('/v1/admin/ready')).json).toMatchObject({
      embedding_provider: 'local',
      checks: { embeddings: { ok: true, status: 'up' } },
    });
  },
  2 * DERIVING_PATIENCE_MS,
);
