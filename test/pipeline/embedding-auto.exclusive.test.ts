import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';

// Nothing said of embeddings, and a machine on which the local model cannot be had: the service is as good as with words alone.

const SCOPE = 'org:auto/user:a';
let directory: string;
let service: TestService;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'strata-no-model-'));
  // Nothing can be kept below a file, so nothing is fetched.
  const cache = join(directory, 'cache');
  writeFileSync(cache, '');
  service = await startTestService({ STRATA_EMBEDDING_PROVIDER: 'auto', STRATA_CACHE_DIR: cache });
});
afterAll(async () => {
  await service.stop();
  rmSync(directory, { recursive: true });
});

const recall = async (query: string): Promise<any> =>
  (await service.post('/v1/recall', { scope: SCOPE, query, include: ['events'] })).json;

describe('where the local model cannot be had', () => {
  it('nothing is held, and words find', async () => {
    const said = message(SCOPE, 'I am allergic to peanuts');
    const { status, json } = await service.post('/v1/experience?wait=indexed', said);
    expect([status, json.warnings]).toEqual([202, undefined]);
    const pack = await recall('peanuts allergic');
    expect([pack.layers.events[0].id, pack.warnings]).toEqual([json.event_id, []]);
    const derivation = await service.get(`/v1/derivation/status?scope=${encodeURIComponent(SCOPE)}`);
    expect(derivation.json).toMatchObject({ held: 0, embeddings: { due: 0 } });
  });

  it('a pack that is empty or weak says that only words were looked for', async () => {
    expect((await recall('food restrictions')).warnings).toEqual(['words_only']);
    expect((await recall('peanut butter sandwiches')).warnings).toEqual(['words_only']);
    expect((await recall('')).warnings).toEqual([]);
  });

  it('the readiness says how to get it, and is no worse for it', async () => {
    const ready = await eventually('the failed fetch', async () => {
      const { json } = await service.get('/v1/admin/ready');
      return json.checks.embeddings.fix !== undefined && json;
    });
    expect(ready).toMatchObject({ ready: true, degraded: false, embedding_provider: 'none' });
    expect(ready.checks.embeddings).toMatchObject({
      ok: true,
      status: 'off',
      detail: expect.stringContaining('cannot be had'),
      fix: expect.stringMatching(/mvn.*STRATA_EMBEDDING_URL/),
    });
  });
});
