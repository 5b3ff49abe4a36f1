import { MODEL_FIRST_PAUSE_MS } from '../../src/models/client.ts';
import { silentLog } from '../../src/log.ts';
import { Metrics } from '../../src/metrics.ts';
import { createEmbedder } from '../../src/models/embedder.ts';
import type { Embedder } from '../../src/models/embedding.ts';
import { EmbeddingCalls, EMBEDDING_TRIES } from '../../src/pipeline/embedding-calls.ts';
import type { TextToEmbed } from '../../src/pipeline/embedding-texts.ts';
import { UsageLedger } from '../../src/pipeline/usage-ledger.ts';
import { LETTER_DIMENSIONS, LETTERS, ModelEndpoint, type EmbeddingReply } from '../support/model-endpoint.ts';
import { shortenWaits } from '../support/short-waits.ts';

// What the worker does where an endpoint answers something else than vectors: which text is to blame, and whether any is.

shortenWaits(MODEL_FIRST_PAUSE_MS, 2 * MODEL_FIRST_PAUSE_MS);

let now = 1_000_000;
let endpoint: ModelEndpoint;

beforeEach(async () => {
  endpoint = await ModelEndpoint.start();
});
afterEach(() => endpoint.stop());

function callsOf(batchTexts = 8, timeoutMs = 5000): { calls: EmbeddingCalls; embedder: Embedder } {
  const clock = { now: () => now };
  const embedder = createEmbedder(
    {
      provider: 'endpoint',
      url: endpoint.url,
      apiKey: null,
      model: 'letters',
      dimensions: LETTER_DIMENSIONS,
      batchTexts,
      timeoutMs,
    },
    { clock, log: silentLog, metrics: new Metrics({ version: '0', git_sha: '0', built_at: '0' }) },
  );
  if (!embedder) throw new Error('nothing was made');
  const store = { add: () => Promise.resolve(), sums: () => Promise.resolve([]) };
  const parts = { store, clock, log: silentLog } as unknown as ConstructorParameters<typeof UsageLedger>[0];
  const calls = new EmbeddingCalls({ embedder, usage: new UsageLedger(parts), log: silentLog, batchTexts });
  return { calls, embedder };
}

function textsOf(...texts: string[]): TextToEmbed[] {
  return texts.map((text, i) => ({
    text,
    names: ['vector'],
    passage: {
      event_id: `e${i}`,
      tenant: 't',
      scope_ref: 's',
      shard: 0,
      own: false,
      threaded: false,
      window: [`e${i}`],
      bytes: text.length,
    },
  }));
}

const live = new AbortController().signal;

/** Asks until every text came to something, past the rests; at most so many times. */
async function settled(
  { calls, embedder }: { calls: EmbeddingCalls; embedder: Embedder },
  texts: readonly TextToEmbed[],
  times: number,
): Promise<readonly unknown[]> {
  const came = new Map<TextToEmbed, unknown>();
  for (let i = 0; i < times && came.size < texts.length; i += 1) {
    now += embedder.restMs;
    const open = texts.filter((text) => !came.has(text));
    for (const [at, outcome] of (await calls.ask(open, live)).entries()) {
      const text = open[at];
      if (outcome !== undefined && text) came.set(text, outcome);
    }
  }
  return texts.map((text) => came.get(text));
}

/** Refuses requests with a text that holds `bad`. */
const refusing =
  (reply: EmbeddingReply) =>
  (request: Parameters<typeof LETTERS>[0], number: number): EmbeddingReply =>
    request.input.some((text) => text.includes('bad')) ? reply : LETTERS(request, number);

describe('a text that the endpoint does not take', () => {
  it.each([500, 400])('is given up, and the others beside it are embedded (%i)', async (status) => {
    endpoint.embeddingScript = refusing({ status, headers: { 'retry-after': '0' } });
    const made = callsOf();
    const texts = textsOf('a', 'bad', 'c');
    const outcomes = await settled(made, texts, 2 * EMBEDDING_TRIES);
    expect(outcomes).toMatchObject([
      { vector: expect.any(Float32Array) },
      { refused: expect.stringContaining(String(status)) },
      { vector: expect.any(Float32Array) },
    ]);
    expect(await made.embedder.embedQuery('after', { signal: live })).toHaveLength(LETTER_DIMENSIONS);
  });

  it('is no reason to blame texts while the endpoint is away', async () => {
    endpoint.embeddingScript = () => ({ status: 503 });
    const made = callsOf();
    expect(await settled(made, textsOf('a', 'b'), EMBEDDING_TRIES + 1)).toEqual([undefined, undefined]);
    expect(made.calls.resting).toBe(true);
    endpoint.embeddingScript = LETTERS;
    expect(await settled(made, textsOf('a', 'b'), 1)).toMatchObject([{}, {}]);
    expect(made.embedder.fault).toBeNull();
  });
});

it('texts are not blamed at once for what looks like an outage, nor halved', async () => {
  endpoint.embeddingScript = refusing({ status: 500, headers: { 'retry-after': '0' } });
  const { calls } = callsOf();
  expect(await calls.ask(textsOf('a', 'bad', 'c'), live)).toEqual([undefined, undefined, undefined]);
  expect(new Set(endpoint.embeddings.map(({ input }) => input.length))).toEqual(new Set([3]));
});

describe('an endpoint that takes nothing', () => {
  it.each<[string, EmbeddingReply, number]>([
    ['refuses everything', { status: 400 }, 5000],
    ['answers garbage', { bytes: '{"data":"none"}' }, 5000],
    ['says nothing', { silent: true }, 200],
  ])('because it %s counts as down, and rests longer each time', async (_what, reply, timeoutMs) => {
    endpoint.embeddingScript = () => reply;
    const { calls, embedder } = callsOf(8, timeoutMs);
    expect(await calls.ask(textsOf('a', 'b', 'c', 'd'), live)).toEqual(Array(4).fill(undefined));
    expect(endpoint.embeddings).toHaveLength(2);
    expect(embedder.fault).not.toBeNull();
    const first = embedder.restMs;
    now += first;
    await calls.ask(textsOf('a', 'b', 'c', 'd'), live);
    expect(endpoint.embeddings).toHaveLength(3);
    expect(embedder.restMs).toBeGreaterThan(first);
    now += embedder.restMs;
    endpoint.embeddingScript = LETTERS;
    expect(await calls.ask(textsOf('a'), live)).toMatchObject([{ vector: expect.any(Float32Array) }]);
    expect(embedder.fault).toBeNull();
  });
});

describe('a call that is too large for the endpoint', () => {
  it('is halved, and what follows is asked for in calls of the size that is taken', async () => {
    endpoint.embeddingScript = (request, number) =>
      request.input.length > 2 ? { status: 413 } : LETTERS(request, number);
    const { calls } = callsOf();
    const texts = textsOf('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
    expect((await calls.ask(texts, live)).every((outcome) => outcome && 'vector' in outcome)).toBe(true);
    endpoint.embeddings.length = 0;
    await calls.ask(texts, live);
    expect(endpoint.embeddings.map(({ input }) => input.length)).toEqual([2, 2, 2, 2]);
  });
});

describe('a text that is too long for the endpoint', () => {
  it.each([400, 500])('is embedded by its beginning (%i)', async (status) => {
    endpoint.embeddingScript = (request, number) =>
      request.input.some(({ length }) => length > 600) ? { status } : LETTERS(request, number);
    const [outcome] = await settled(callsOf(), textsOf('a'.repeat(2000)), 2 * EMBEDDING_TRIES);
    expect(outcome).toMatchObject({ vector: expect.any(Float32Array) });
    expect(endpoint.embeddings.map(({ input }) => input[0]?.length)).toContain(1000);
    expect(endpoint.embeddings.at(-1)?.input[0]).toHaveLength(500);
  });
});
