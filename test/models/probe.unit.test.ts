import { MODEL_PROBE_MS } from '../../src/models/probe.ts';
import { embeddingCheck } from '../../src/context/embedding-check.ts';
import { callSiteCheck } from '../../src/context/call-site-check.ts';
import { silentLog } from '../../src/log.ts';
import { Metrics } from '../../src/metrics.ts';
import type { CallSiteConfig } from '../../src/models/call-site-config.ts';
import { createEmbedder } from '../../src/models/embedder.ts';
import { ModelCallSite } from '../../src/models/call-site.ts';
import { LETTER_DIMENSIONS, ModelEndpoint } from '../support/model-endpoint.ts';
import { shortenWaits } from '../support/short-waits.ts';

const BUILD = { version: '0', git_sha: '0', built_at: '0' };

let endpoint: ModelEndpoint;
beforeEach(async () => {
  endpoint = await ModelEndpoint.start(() => ({ words: 'Because.' }));
});
afterEach(() => endpoint.stop());

function siteOf(): { lane: ModelCallSite; check: () => ReturnType<typeof callSiteCheck> } {
  const one = {
    provider: 'openai',
    url: endpoint.url,
    apiKey: 'k',
    model: 'mine',
    rung: 'json_schema',
    outputLimit: 'max_tokens',
  } as const;
  const config = {
    on: true,
    role: 'answer',
    endpoints: [one],
    timeoutMs: 5000,
    maxOutputTokens: null,
  } satisfies CallSiteConfig;
  const metrics = new Metrics(BUILD);
  const lane = new ModelCallSite({ lane: config, clock: { now: () => 0 }, log: silentLog, metrics });
  return { lane, check: () => callSiteCheck(config, lane, 'No answers meanwhile') };
}

const signal = new AbortController().signal;

/** Embeddings of the same endpoint. */
function embeddings() {
  const parts = { clock: { now: () => 0 }, log: silentLog, metrics: new Metrics(BUILD) };
  const shape = { model: 'mine', dimensions: LETTER_DIMENSIONS, batchTexts: 8, timeoutMs: 5000 };
  const config = { provider: 'endpoint', url: endpoint.url, apiKey: 'k', ...shape } as const;
  const embedder = createEmbedder(config, parts);
  if (embedder === undefined) throw new Error('nothing was made');
  return { embedder, check: () => embeddingCheck(embedder, undefined) };
}

describe('embeddings', () => {
  it.each<[string, readonly string[] | number, object]>([
    ['lists the model', ['mine'], { ok: true, status: 'up', detail: expect.stringContaining('lists') }],
    ['lists others', ['other'], { ok: true, status: 'unknown' }],
    ['lists nothing', 404, { ok: true, status: 'unknown', detail: expect.stringContaining('no list') }],
    ['refuses the key', 401, { ok: false, status: 'down', fix: expect.stringContaining('EMBEDDING_URL') }],
  ])(
    'are told of as they were found where the endpoint %s, and then as they answered',
    async (_what, models, expected) => {
      endpoint.models = models;
      const { embedder, check } = embeddings();
      expect(check()).toMatchObject({ status: 'unknown' });
      await embedder.probe(signal);
      expect(check()).toMatchObject(expected);
      expect([endpoint.listed, endpoint.embeddings.length]).toEqual([1, 0]);
      await embedder.embedPassages(['So.'], { signal });
      expect(check()).toMatchObject({
        ok: true,
        status: 'up',
        detail: expect.stringContaining(endpoint.url),
      });
      await embedder.close();
    },
  );
});

describe('a call site', () => {
  it('is not said to work before anything is known of it', () => {
    expect(siteOf().check()).toMatchObject({ ok: true, status: 'unknown' });
  });

  it.each<[string, readonly string[] | number, object]>([
    [
      'lists the model',
      ['other', 'mine'],
      { ok: true, status: 'up', detail: expect.stringContaining('lists') },
    ],
    ['lists it behind a path', ['models/mine'], { ok: true, status: 'up' }],
    [
      'lists others',
      ['other'],
      { ok: true, status: 'unknown', detail: expect.stringContaining('not in its list') },
    ],
    ['lists nothing', 404, { ok: true, status: 'unknown', detail: expect.stringContaining('no list') }],
    ['refuses the key', 401, { ok: false, status: 'down', detail: expect.stringContaining('key with 401') }],
    ['is broken', 503, { ok: false, status: 'down', detail: expect.stringContaining('503') }],
  ])('is told of as it was found where the endpoint %s', async (_what, models, expected) => {
    endpoint.models = models;
    const { lane, check } = siteOf();
    await lane.probe(signal);
    expect(check()).toMatchObject(expected);
    expect(endpoint.listed).toBe(1);
    expect(endpoint.requests).toEqual([]);
  });

  describe('that cannot be asked', () => {
    shortenWaits(MODEL_PROBE_MS);

    it.each<[string, () => Promise<void> | void, string]>([
      ['is not there', () => endpoint.stop(), 'connection'],
      [
        'says nothing',
        () => {
          endpoint.models = 'silent';
        },
        'no answer within',
      ],
    ])('is down where the endpoint %s, until a question is answered', async (_what, meet, reason) => {
      const { lane, check } = siteOf();
      await meet();
      await lane.probe(signal);
      expect(check()).toMatchObject({ ok: false, status: 'down', detail: expect.stringContaining(reason) });
      if (endpoint.models !== 'silent') return;
      await lane.say(
        { system: 'Answer.', user: 'Why?', maxOutputTokens: 5 },
        { signal, spent: () => undefined },
      );
      expect(check()).toMatchObject({ ok: true, status: 'up' });
    });
  });
});
