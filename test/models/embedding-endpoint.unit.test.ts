import { MODEL_TRIES, MODEL_FIRST_PAUSE_MS } from '../../src/models/client.ts';
import { CALL_SITE_FAILURES } from '../../src/limits/models.ts';
import { silentLog } from '../../src/log.ts';
import { Metrics } from '../../src/metrics.ts';
import { createEmbedder } from '../../src/models/embedder.ts';
import type { Embedder, EmbeddingEndpoint } from '../../src/models/embedding.ts';
import type { ModelFailure } from '../../src/models/failure.ts';
import type { Spent } from '../../src/models/call-site.ts';
import { timeLimit } from '../../src/time-limit.ts';
import {
  LETTER_DIMENSIONS,
  LETTERS,
  lettersOf,
  ModelEndpoint,
  type EmbeddingReply,
  type EmbeddingScript,
} from '../support/model-endpoint.ts';
import { shortenWaits } from '../support/short-waits.ts';
import { eventually } from '../support/wait.ts';

shortenWaits(MODEL_FIRST_PAUSE_MS, 2 * MODEL_FIRST_PAUSE_MS);

let now = 1_000_000;
let endpoint: ModelEndpoint;
let spent: Spent[] = [];

beforeEach(async () => {
  spent = [];
  endpoint = await ModelEndpoint.start();
});
afterEach(() => endpoint.stop());

function embedder(more: Partial<EmbeddingEndpoint> = {}): Embedder {
  const made = createEmbedder(
    {
      provider: 'endpoint',
      url: endpoint.url,
      apiKey: 'sk-test',
      model: 'letters',
      dimensions: LETTER_DIMENSIONS,
      batchTexts: 3,
      timeoutMs: 5000,
      ...more,
    },
    {
      clock: { now: () => now },
      log: silentLog,
      metrics: new Metrics({ version: '0', git_sha: '0', built_at: '0' }),
    },
  );
  if (!made) throw new Error('nothing was made');
  return made;
}

const call = (signal = new AbortController().signal) => ({
  signal,
  spent: (cost: Spent) => spent.push(cost),
});

const failing = (asked: Promise<unknown>): Promise<ModelFailure> =>
  asked.then(
    () => {
      throw new Error('vectors came where none were expected');
    },
    (error: unknown) => error as ModelFailure,
  );

function unit(text: string): number[] {
  const counts = lettersOf(text);
  const length = Math.hypot(...counts);
  return counts.map((count) => Math.fround(count / length));
}

const vectorOf = (index: number, embedding: unknown) => ({ object: 'embedding', index, embedding });

test('nothing is made where nothing is configured', () => {
  const parts = {
    clock: { now: () => now },
    log: silentLog,
    metrics: new Metrics({ version: '0', git_sha: '0', built_at: '0' }),
  };
  expect(createEmbedder({ provider: 'none' }, parts)).toBeUndefined();
});

describe('an endpoint for embeddings', () => {
  it('is asked in batches, and answers unit vectors in the order of the texts', async () => {
    const texts = ['abba', 'cab', 'zz', 'dada', 'e'];
    const lane = embedder();
    const vectors = await lane.embedPassages(texts, call());
    expect(vectors.map((vector) => [...vector])).toEqual(texts.map(unit));
    expect(endpoint.embeddings.map(({ input }) => input.length)).toEqual([3, 2]);
    expect(endpoint.embeddings[0]).toMatchObject({ model: 'letters', authorization: 'Bearer sk-test' });
    expect(endpoint.embeddings[0]?.body).toEqual({
      model: 'letters',
      input: texts.slice(0, 3),
      encoding_format: 'float',
    });
    expect(spent).toEqual([
      { role: 'embedding', model: 'letters', ok: true, inputTokens: 21, outputTokens: 0 },
      { role: 'embedding', model: 'letters', ok: true, inputTokens: 14, outputTokens: 0 },
    ]);
    expect(await lane.embedPassages([], call())).toEqual([]);
    expect([...(await lane.embedQuery('abba', call()))]).toEqual(unit('abba'));
    expect(lane).toMatchObject({ provider: 'endpoint', model: 'letters', dimensions: 26, fault: null });
  });

  it('sends no key where there is none, and names the length where the model can be asked for it', async () => {
    await embedder({ apiKey: null, model: 'text-embedding-3-small' }).embedQuery('abc', call());
    expect(endpoint.embeddings[0]?.authorization).toBeUndefined();
    expect(endpoint.embeddings[0]?.body.dimensions).toBe(LETTER_DIMENSIONS);
  });

  it('may answer in another order', async () => {
    endpoint.embeddingScript = (request, number) => {
      const { data } = LETTERS(request, number) as { data: unknown[] };
      return { data: data.toReversed() };
    };
    const vectors = await embedder().embedPassages(['a', 'b', 'c'], call());
    expect(vectors.map((vector) => [...vector])).toEqual(['a', 'b', 'c'].map(unit));
  });

  it('is shown the beginning of a long text, and no half characters', async () => {
    await embedder().embedPassages(['a'.repeat(50_000), 'a\ud83d'], call());
    expect(endpoint.embeddings[0]?.input.map(({ length }) => length)).toEqual([8000, 2]);
    expect(endpoint.embeddings[0]?.input[1]).toBe('a\ufffd');
  });

  it('is not asked for nothing', async () => {
    await expect(embedder().embedPassages(['a', ' \n'], call())).rejects.toThrow(RangeError);
    await expect(embedder().embedQuery('', call())).rejects.toThrow('blanks');
    expect(endpoint.embeddings).toEqual([]);
  });

  const good = Array.from({ length: LETTER_DIMENSIONS }, () => 1);
  it.each<[string, EmbeddingReply, string]>([
    ['too few vectors', { data: [vectorOf(0, good)] }, '1 vectors for 2 texts'],
    ['too many', { data: [0, 1, 2].map((i) => vectorOf(i, good)) }, '3 vectors for 2 texts'],
    ['one twice', { data: [vectorOf(0, good), vectorOf(0, good)] }, '2 vectors for 2 texts'],
    ['those of other texts', { data: [vectorOf(0, good), vectorOf(7, good)] }, 'of other texts'],
    [
      'zeros',
      {
        data: [
          vectorOf(0, good),
          vectorOf(
            1,
            good.map(() => 0),
          ),
        ],
      },
      'without a direction',
    ],
    [
      'no numbers',
      {
        data: [
          vectorOf(0, good),
          vectorOf(
            1,
            good.map(() => null),
          ),
        ],
      },
      'no numbers',
    ],
    [
      'words',
      {
        data: [
          vectorOf(0, good),
          vectorOf(
            1,
            good.map(() => '1'),
          ),
        ],
      },
      'no numbers',
    ],
    [
      'numbers without a length',
      {
        data: [
          vectorOf(0, good),
          vectorOf(
            1,
            good.map(() => 1e300),
          ),
        ],
      },
      'direction',
    ],
    ['bytes of base64', { data: [vectorOf(0, good), vectorOf(1, 'AAAA')] }, 'no embeddings'],
    ['something else', { bytes: '{"object":"list"}' }, 'no embeddings'],
    ['not a number', { bytes: '{"data":[{"index":0,"embedding":[NaN]}]}' }, 'no '],
    [
      'an infinite number',
      {
        bytes: `{"data":[${[0, 1].map((i) => `{"index":${i},"embedding":[${good.map(() => '1e999').join()}]}`).join()}]}`,
      },
      'direction',
    ],
    ['a page', { bytes: '<html>' }, 'no '],
    ['two hundred kilobytes', { bytes: `"${'x'.repeat(200_000)}"` }, 'longer than'],
  ])('that answers %s gave nothing, and is not asked again at once', async (_what, reply, reason) => {
    endpoint.embeddingScript = () => reply;
    const failure = await failing(embedder().embedPassages(['a', 'b'], call()));
    expect(failure).toMatchObject({ name: 'ModelFailure', kind: 'answer' });
    expect(failure.message).toContain(reason);
    expect(endpoint.embeddings).toHaveLength(1);
    expect(spent).toMatchObject([{ ok: false }]);
  });

  it('whose vectors are of another length names the setting, and is left alone', async () => {
    endpoint.embeddingScript = ({ input }) => ({ data: input.map((_, i) => vectorOf(i, [1, 2, 3])) });
    const lane = embedder();
    const failure = await failing(lane.embedPassages(['a'], call()));
    expect(failure.kind).toBe('outage');
    expect(failure.message).toContain('STRATA_EMBEDDING_DIMS is 26: set it to 3');
    expect(lane.fault).toContain('STRATA_EMBEDDING_DIMS');
    expect(lane.restMs).toBeGreaterThan(0);
    await failing(lane.embedQuery('a', call()));
    expect(endpoint.embeddings).toHaveLength(1);
  });

  it.each<[string, EmbeddingReply]>([
    ['is broken', { status: 500 }],
    ['is busy', { status: 429, headers: { 'retry-after': '0' } }],
    ['cuts the connection', { cut: true }],
  ])('that %s for a moment is asked again', async (_what, reply) => {
    endpoint.embeddingScript = (request, number) => (number === 1 ? reply : LETTERS(request, number));
    expect(await embedder().embedPassages(['a'], call())).toHaveLength(1);
    expect(spent.map(({ ok }) => ok)).toEqual([false, true]);
  });

  it('that stays broken rests, and works again later', async () => {
    endpoint.embeddingScript = () => ({ status: 500 });
    const lane = embedder();
    expect(await failing(lane.embedPassages(['a'], call()))).toMatchObject({ kind: 'outage' });
    expect(endpoint.embeddings).toHaveLength(MODEL_TRIES);
    expect(lane.fault).toContain('500');
    endpoint.embeddingScript = LETTERS;
    expect(await failing(lane.embedPassages(['a'], call()))).toMatchObject({ kind: 'outage' });
    now += lane.restMs;
    await lane.embedPassages(['a'], call());
    expect(lane.fault).toBeNull();
  });

  it('that answers single queries badly is asked by others, until it takes no harmless text', async () => {
    endpoint.embeddingScript = (request, number) =>
      request.input[0] === 'bad' ? { status: 400 } : LETTERS(request, number);
    const lane = embedder();
    for (let i = 0; i < 2 * CALL_SITE_FAILURES; i += 1)
      expect((await failing(lane.embedQuery('bad', call()))).message).toContain('400');
    const harmless = () => endpoint.embeddings.filter(({ input }) => input[0] !== 'bad').length === 2;
    await eventually('what finds out', harmless);
    expect(lane.fault).toBeNull();
    endpoint.embeddingScript = () => ({ status: 500 });
    expect((await failing(lane.embedQuery('bad', call()))).message).toContain('500');
    expect(lane.restMs).toBe(0);
    endpoint.embeddingScript = () => ({ status: 400 });
    for (let i = 1; i < CALL_SITE_FAILURES; i += 1) await failing(lane.embedQuery('any', call()));
    await eventually('the rest', () => lane.fault);
    expect(lane.restMs).toBeGreaterThan(0);
  });

  it.each<[string, EmbeddingReply]>([
    ['says nothing', { silent: true }],
    ['stops in the middle', { stalled: true }],
  ])('that %s is given up in time', async (_what, reply) => {
    endpoint.embeddingScript = () => reply;
    const failure = await failing(embedder({ timeoutMs: 200 }).embedPassages(['a'], call()));
    expect(failure).toMatchObject({ kind: 'late', message: 'no answer within 200 ms' });
    expect(endpoint.embeddings).toHaveLength(1);
  });

  it('that lets queries wait in vain rests, and their requests are told', async () => {
    endpoint.embeddingScript = () => ({ silent: true });
    const lane = embedder();
    for (let i = 0; i < CALL_SITE_FAILURES; i += 1) {
      expect(lane.restMs).toBe(0);
      const asking = call(timeLimit(60).signal);
      const both = ['a', 'b'].map((text) => lane.embedQuery(text, asking));
      for (const one of await Promise.allSettled(both))
        expect(one).toMatchObject({ status: 'rejected', reason: { name: 'TimeoutError' } });
    }
    expect(lane.fault).toContain('no answer to a query');
    expect(spent).toMatchObject(Array(2 * CALL_SITE_FAILURES).fill({ ok: false }));
    expect(await failing(lane.embedQuery('a', call()))).toMatchObject({ kind: 'outage' });
    endpoint.embeddingScript = LETTERS;
    await lane.embedPassages(['a'], call());
    expect(lane.fault).toBeNull();
    expect(await lane.embedQuery('a', call())).toHaveLength(LETTER_DIMENSIONS);
  });

  it('that refuses the key or the model says so', async () => {
    const script =
      (status: number): EmbeddingScript =>
      () => ({ status });
    endpoint.embeddingScript = script(401);
    expect((await failing(embedder().embedQuery('a', call()))).message).toContain('refuses the key');
    endpoint.embeddingScript = script(404);
    expect((await failing(embedder().embedQuery('a', call()))).message).toContain('no such model');
  });

  it('is left when nobody waits any more, or at the end', async () => {
    endpoint.embeddingScript = () => ({ silent: true });
    const lane = embedder();
    const stop = new AbortController();
    const left = lane.embedPassages(['a'], call(stop.signal));
    stop.abort(new Error('enough'));
    await expect(left).rejects.toThrow('enough');
    const ended = failing(lane.embedQuery('a', call()));
    await lane.close();
    expect((await ended).message).toContain('the service stops');
    expect(spent).toEqual([]);
  });
});
