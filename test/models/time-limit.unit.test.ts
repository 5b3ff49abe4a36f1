import { silentLog } from '../../src/log.ts';
import { Metrics } from '../../src/metrics.ts';
import { createEmbedder } from '../../src/models/embedder.ts';
import { ModelCallSite } from '../../src/models/call-site.ts';
import { whileCollecting } from '../support/garbage.ts';
import { ModelEndpoint, type Reply } from '../support/model-endpoint.ts';

const QUESTION = { system: 'Answer.', user: 'Why is it so?', maxOutputTokens: 50 };
const asking = () => ({ signal: new AbortController().signal, spent: () => undefined });
const parts = () => ({
  clock: { now: () => 0 },
  log: silentLog,
  metrics: new Metrics({ version: '0', git_sha: '0', built_at: '0' }),
});

let endpoint: ModelEndpoint;
beforeAll(async () => {
  endpoint = await ModelEndpoint.start();
});
afterAll(() => endpoint.stop());

function laneOf(reply: Reply): ModelCallSite {
  endpoint.script = () => reply;
  const one = {
    provider: 'openai',
    url: endpoint.url,
    apiKey: null,
    model: 'm',
    rung: 'json_schema',
    outputLimit: 'max_tokens',
  } as const;
  const lane = { on: true, role: 'answer', endpoints: [one], timeoutMs: 300, maxOutputTokens: null } as const;
  return new ModelCallSite({ lane, ...parts() });
}

/** Reads a text to its end. */
async function told(lane: ModelCallSite): Promise<void> {
  const pieces = lane.tell(QUESTION, asking());
  while ((await pieces.next()).done !== true);
}

describe('the time of a request to a model ends although garbage is collected', () => {
  it.each<[string, Reply]>([
    ['says nothing', { silent: true }],
    ['stops in the middle of its answer', { stalled: true }],
  ])('where it %s', async (_what, reply) => {
    const late = whileCollecting(laneOf(reply).say(QUESTION, asking()));
    await expect(late).rejects.toMatchObject({ message: 'no answer within 300 ms' });
  });

  it('where it stops in the middle of a stream', async () => {
    const late = whileCollecting(told(laneOf({ pieces: ['It is'], then: 'stall' })));
    await expect(late).rejects.toMatchObject({ message: 'no answer within 300 ms' });
  });

  it.each<[string, Reply]>([
    ['says nothing', { silent: true }],
    ['stops in the middle of its vectors', { stalled: true }],
  ])('where an embedding model %s', async (_what, reply) => {
    endpoint.embeddingScript = () => reply as { silent: true } | { stalled: true };
    const embedder = createEmbedder(
      {
        provider: 'endpoint',
        url: endpoint.url,
        apiKey: null,
        model: 'm',
        dimensions: 26,
        batchTexts: 8,
        timeoutMs: 300,
      },
      parts(),
    );
    const late = whileCollecting<unknown>(embedder?.embedQuery('why', asking()) ?? Promise.resolve());
    await expect(late).rejects.toMatchObject({ message: expect.stringContaining('no answer within 300 ms') });
    await embedder?.close();
  });
});
