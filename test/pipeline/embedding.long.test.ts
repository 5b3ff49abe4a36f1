import { EMBEDDING_TRIES } from '../../src/pipeline/embedding-calls.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Driver } from 'neo4j-driver';

import { loadConfig } from '../../src/config.ts';
import { reindexEmbeddings } from '../../src/main/reindex.ts';
import { databaseSettings, query, testDriver } from '../support/database.ts';
import { LETTERS, LETTER_DIMENSIONS, lettersOf, ModelEndpoint } from '../support/model-endpoint.ts';
import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import fc from '../support/property.ts';
import { inDepth } from '../support/depth.ts';
import { RETRIES_PATIENCE_MS } from '../support/patience.ts';
import { HISTORY, PassagePlay } from './passage-history.ts';

// Vectors are made beside requests; whatever happens meanwhile, in the end they are those of the texts that are there.

let endpoint: ModelEndpoint;
let service: TestService;
let driver: Driver;

const settings = (more: Record<string, string> = {}): Record<string, string> => ({
  STRATA_PIPELINE_POLL_MS: '200',
  STRATA_EMBEDDING_URL: endpoint.url,
  STRATA_EMBEDDING_MODEL: 'letters',
  STRATA_EMBEDDING_DIMS: String(LETTER_DIMENSIONS),
  ...more,
});

beforeAll(async () => {
  endpoint = await ModelEndpoint.start();
  service = await startTestService(settings());
  driver = testDriver();
  // On a cold server the first statement of its kind may take longer than it is waited for.
  await eventually(
    'a capture',
    async () => (await service.post('/v1/experience?wait=indexed', message('org:warm', 'up'))).status === 202,
    RETRIES_PATIENCE_MS,
  );
});
afterAll(async () => {
  await driver.close();
  await service.stop();
  await endpoint.stop();
});
beforeEach(() => {
  endpoint.embeddingScript = LETTERS;
});

interface Stored {
  readonly id: string;
  readonly thread: string | null;
  readonly envelope: string;
  readonly due: boolean;
  readonly fault: string | null;
  readonly vector: number[] | null;
  readonly window_vector: number[] | null;
}

/** The passages of a scope in the order of their threads. */
const passagesIn = (scope: string): Promise<Stored[]> =>
  query<Stored>(
    driver,
    `MATCH (p:Passage {kind: 'turn'})-[:OF]->(e:Event {scope: $scope})
     RETURN p.event_id AS id, p.thread AS thread, e.envelope AS envelope, p.due_shard IS NOT NULL AS due, p.embed_fault AS fault,
       p.vector AS vector, p.window_vector AS window_vector
     ORDER BY p.thread, p.place`,
    { scope },
  );

const atRest = (scope: string): Promise<Stored[]> =>
  eventually(`vectors of ${scope}`, async () => {
    const found = await passagesIn(scope);
    return found.length > 0 && found.every(({ due }) => !due) && found;
  });

function textOf({ envelope }: Stored): string {
  const { content } = JSON.parse(envelope);
  return content.kind === 'triple'
    ? `${content.triple.subject.name} ${content.triple.predicate} ${content.triple.object.value}`
    : content.text;
}

/** Texts that count within one request are cut as the service cuts them. */
const around = (stored: Stored): string => textOf(stored).trim().slice(0, 500);

function expectVector(found: number[] | null, text: string): void {
  const letters = lettersOf(text.slice(0, 8000));
  const length = Math.hypot(...letters);
  expect(found?.map((part) => part.toFixed(4))).toEqual(letters.map((part) => (part / length).toFixed(4)));
}

/** Every vector is that of the present texts. */
function expectTrue(stored: readonly Stored[]): void {
  for (const [i, one] of stored.entries()) {
    expectVector(one.vector, textOf(one));
    if (one.thread === null) {
      expect(one.window_vector).toBeNull();
      continue;
    }
    const beside = (other: Stored | undefined): string[] =>
      other?.thread === one.thread ? [around(other)] : [];
    expectVector(
      one.window_vector,
      [...beside(stored[i - 1]), textOf(one), ...beside(stored[i + 1])].join('\n'),
    );
  }
}

async function capture(scope: string, text: string, more: object = {}, wait = 'indexed'): Promise<any> {
  const { status, json } = await service.post(
    `/v1/experience?wait=${wait}`,
    message(scope, text, { ...more }),
  );
  expect(status).toBe(202);
  return json;
}

describe('vectors', () => {
  it('are those of a turn and its neighbours, whatever came and went', async () => {
    let plays = 0;
    await fc.assert(
      fc.asyncProperty(HISTORY, async (history) => {
        plays += 1;
        const play = new PassagePlay(service, `v${plays}`);
        await play.play(history);
        for (const scope of play.scopes) {
          const stored = await atRest(scope);
          expect(stored.map(({ id }) => id).sort()).toEqual(
            play.live
              .filter(({ said }) => play.scopes[said.scope] === scope)
              .map(({ id }) => id)
              .sort(),
          );
          expectTrue(stored);
        }
      }),
      { numRuns: inDepth(1, 4), endOnFailure: true },
    );
  });

  it('are not made of what is not to be embedded, which no window holds either', async () => {
    const scope = 'org:directives/user:a';
    await capture(scope, 'aaa');
    endpoint.embeddings.length = 0;
    await capture(scope, 'secret', { directives: { embed: 'none' } });
    await capture(scope, 'bbb');
    const stored = await eventually('both', async () => {
      const found = await passagesIn(scope);
      return found.length === 3 && found.every(({ due }) => !due) && found;
    });
    expect(stored.map(({ vector }) => vector === null)).toEqual([false, true, false]);
    expectVector(stored[0]?.window_vector ?? null, 'aaa');
    expectVector(stored[2]?.window_vector ?? null, 'bbb');
    expect(JSON.stringify(endpoint.embeddings)).not.toContain('secret');
  });

  it('wait through an outage, and are made when the provider is back', async () => {
    const scope = 'org:outage/user:a';
    endpoint.embeddingScript = () => ({ status: 503 });
    expect((await capture(scope, 'one of them')).warnings).toEqual(['embedding_held']);
    const items = [message(scope, 'two of them'), message(scope, 'three', { directives: { embed: 'lazy' } })];
    const bulk = await service.post('/v1/experience/bulk?wait=consolidated', { items });
    expect(bulk.json.results.map(({ warnings }: { warnings?: string[] }) => warnings)).toEqual([
      ['embedding_held'],
      undefined,
    ]);
    await eventually('the outage to be known', async () => {
      const { json } = await service.get('/v1/admin/ready');
      return json.checks.embeddings.status === 'down' && json.degraded === true;
    });
    expect((await passagesIn(scope)).every(({ due, vector }) => due && vector === null)).toBe(true);
    const status = async (): Promise<any> =>
      (await service.get(`/v1/derivation/status?scope=${encodeURIComponent(scope)}`)).json;
    expect(await status()).toMatchObject({ caught_up: true, embeddings: { due: 3, refused: 0 } });
    endpoint.embeddingScript = LETTERS;
    expectTrue(await atRest(scope));
    expect((await status()).embeddings).toEqual({ due: 0, lag_ms: 0, refused: 0 });
    expect((await capture(scope, 'four')).warnings).toBeUndefined();
    expect((await passagesIn(scope)).at(-1)).toMatchObject({ due: false, vector: expect.any(Array) });
    const { json } = await service.get('/v1/admin/ready');
    expect(json).toMatchObject({
      embedding_provider: 'endpoint',
      checks: { embeddings: { ok: true, status: 'up' } },
    });
  });

  it('of a text that is refused for itself are given up, and those of others are not', async () => {
    const scope = 'org:refused/user:a';
    endpoint.embeddingScript = (request, number) =>
      request.input.some((text) => text.includes('unspeakable')) ? { status: 400 } : LETTERS(request, number);
    const { event_id: bad } = await capture(
      scope,
      'unspeakable',
      { observed_actor: { id: 'user:a', session: 's' } },
      'captured',
    );
    await capture(scope, 'fine', {}, 'captured');
    const stored = await eventually(
      'the refused one',
      async () => {
        const found = await passagesIn(scope);
        return found.length === 2 && found.every(({ due }) => !due) && found;
      },
      RETRIES_PATIENCE_MS,
    );
    const refused = stored.find(({ id }) => id === bad);
    expect(refused).toMatchObject({ vector: null, fault: expect.stringContaining('400') });
    expectTrue(stored.filter((one) => one !== refused));
    expect(
      endpoint.embeddings.filter(({ input }) => input.length === 1 && input[0] === 'unspeakable').length,
    ).toBeGreaterThanOrEqual(EMBEDDING_TRIES);
    expect((await service.get('/v1/admin/ready')).json.checks.embeddings.status).toBe('up');
    const again = message(scope, 'unspeakable again');
    await service.post('/v1/experience', again);
    await atRest(scope);
    const told = await service.post('/v1/experience?wait=indexed', again);
    expect(told.json.warnings).toEqual(['embedding_refused']);
  });

  it('are made though the endpoint answers 500 for one text of them', async () => {
    const scope = 'org:broken/user:a';
    endpoint.embeddingScript = (request, number) =>
      request.input.some((text) => text.includes('unspeakable')) ? { status: 500 } : LETTERS(request, number);
    const alone = (session: string) => ({ observed_actor: { id: 'user:a', session } });
    await capture(scope, 'unspeakable', alone('one'), 'captured');
    await capture(scope, 'fine', alone('two'), 'captured');
    const stored = await eventually(
      'all of them',
      async () => {
        const found = await passagesIn(scope);
        return found.length === 2 && found.every(({ due }) => !due) && found;
      },
      RETRIES_PATIENCE_MS,
    );
    expect(stored.map(({ fault }) => fault !== null).sort()).toEqual([false, true]);
    expectTrue(stored.filter(({ fault }) => fault === null));
  });

  it('are paid for in the ledger', async () => {
    const scope = 'org:paid/user:a';
    await capture(scope, 'a text');
    await atRest(scope);
    await eventually('the ledger', async () => {
      const { json } = await service.get(
        `/v1/admin/usage?period=day&role=embedding&scope=${encodeURIComponent(scope)}`,
      );
      return json.totals.calls > 0 && json.items[0].model === 'letters' && json.totals.input_tokens > 0;
    });
  });
});

describe('the model of a store', () => {
  it.each<[string, () => Record<string, string>]>([
    ['another model of the endpoint', () => settings({ STRATA_EMBEDDING_MODEL: 'others' })],
    ['the local model', () => ({ STRATA_PIPELINE_POLL_MS: '200', STRATA_EMBEDDING_PROVIDER: 'auto' })],
  ])('leaves it to words where %s was chosen by itself', async (_what, chosen) => {
    const scope = 'org:words/user:a';
    await service.stop();
    service = await startTestService(chosen(), { keepData: true });
    expect((await capture(scope, 'said while words serve')).warnings).toBeUndefined();
    const { json } = await service.get('/v1/admin/ready');
    expect(json).toMatchObject({ embedding_provider: 'none', degraded: false });
    expect(json.checks.embeddings).toMatchObject({
      ok: true,
      status: 'off',
      fix: expect.stringMatching(/letters.*strata reindex embeddings/),
    });
    const found = await service.post('/v1/recall', { scope, query: 'uttered meanwhile' });
    expect(found.json.warnings).toEqual(['words_only']);
    await service.stop();
    service = await startTestService(settings(), { keepData: true });
    expectTrue(await atRest(scope));
  });

  it('is the one that it was first started with', async () => {
    await service.stop();
    await expect(
      startTestService(
        settings({ STRATA_EMBEDDING_PROVIDER: 'endpoint', STRATA_EMBEDDING_MODEL: 'others' }),
        { keepData: true },
      ),
    ).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringMatching(/letters.*others.*strata reindex embeddings/),
    });
    service = await startTestService({ STRATA_PIPELINE_POLL_MS: '200' }, { keepData: true });
    const scope = 'org:off/user:a';
    await capture(scope, 'said without a provider');
    expect((await passagesIn(scope)).every(({ due, vector }) => due && vector === null)).toBe(true);
    expect((await service.get('/v1/admin/ready')).json).toMatchObject({
      embedding_provider: 'none',
      degraded: false,
    });
    await service.stop();
    service = await startTestService(settings(), { keepData: true });
    expectTrue(await atRest(scope));
  });

  it('is another one after a re-index, which may be cut short', async () => {
    const scope = 'org:anew/user:a';
    for (const text of ['first', 'second']) await capture(scope, text);
    await service.stop();
    const directory = mkdtempSync(join(tmpdir(), 'strata-reindex-'));
    const other = settings({ STRATA_EMBEDDING_MODEL: 'others', STRATA_EMBEDDING_DIMS: '3' });
    const environment = { ...databaseSettings(), STRATA_DATA_DIR: directory, ...other };
    const config = loadConfig({ directory, environment });
    const machine = { environment: {} };
    endpoint.embeddingScript = ({ input }) => ({
      data: input.map((text, index) => ({ index, embedding: [text.length, 1, 0] })),
    });
    const cut = new AbortController();
    const tell = (): void => {
      cut.abort();
    };
    const first = await reindexEmbeddings(config, { ...machine, signal: cut.signal, tell });
    expect(first.pinned).toMatchObject({ model: 'others', dimensions: 3, ready: false });
    const said: number[] = [];
    const second = await reindexEmbeddings(config, {
      ...machine,
      signal: new AbortController().signal,
      tell: ({ shards, shardsDone }) => said.push(shards - shardsDone),
    });
    expect(second.pinned).toEqual({ ...first.pinned, ready: true });
    expect(said.at(-1)).toBe(0);
    const dropped = await passagesIn(scope);
    expect(dropped.every(({ due, vector }) => due && vector === null)).toBe(true);
    const classes = await query<{ later: number }>(
      driver,
      'MATCH (p:Passage) WHERE p.due_shard IS NOT NULL RETURN DISTINCT toFloat(p.due_class) AS later',
      {},
    );
    expect(classes).toEqual([{ later: 1 }]);
    service = await startTestService(other, { keepData: true });
    const made = await atRest(scope);
    expect(made.map(({ vector }) => vector?.length)).toEqual(made.map(() => 3));
    rmSync(directory, { recursive: true });
  });

  it('has everything embedded that was there before', async () => {
    await service.stop();
    service = await startTestService({ STRATA_PIPELINE_POLL_MS: '200' });
    const scope = 'org:before/user:a';
    for (const text of ['one', 'two', 'three']) await capture(scope, text);
    expect((await passagesIn(scope)).every(({ due }) => !due)).toBe(true);
    await service.stop();
    service = await startTestService(settings(), { keepData: true });
    await eventually('vectors', async () =>
      (await passagesIn(scope)).every(({ vector, due }) => vector !== null && !due),
    );
    expectTrue(await passagesIn(scope));
  });
});
