import { CALL_SITE_FIRST_PAUSE_MS } from '../../src/models/circuit-breaker.ts';
import { MODEL_TRIES, MODEL_FIRST_PAUSE_MS } from '../../src/models/client.ts';
import { z } from 'zod';

import type { ModelRole } from '../../schemas/usage.ts';
import { silentLog } from '../../src/log.ts';
import { CALL_SITE_FAILURES, MODEL_ANSWER_BYTES } from '../../src/limits/models.ts';
import { Metrics } from '../../src/metrics.ts';
import type { ModelFailure } from '../../src/models/failure.ts';
import type { ModelEndpoint as EndpointConfig } from '../../src/models/call-site-config.ts';
import { ModelCallSite, type Answered, type Spent } from '../../src/models/call-site.ts';
import type { Question } from '../../src/models/structured.ts';
import { ModelEndpoint, type Reply, type Script } from '../support/model-endpoint.ts';
import { shortenWaits } from '../support/short-waits.ts';

const QUESTION: Question<{ word: string }> = {
  name: 'word',
  system: 'Say a word.',
  user: 'Which?',
  schema: z.strictObject({ word: z.string() }),
};
const GOOD: Reply = { say: { word: 'yes' } };

let now = 1_000_000;
let spent: Spent[] = [];
const endpoints: ModelEndpoint[] = [];

afterEach(async () => {
  spent = [];
  for (const endpoint of endpoints.splice(0)) await endpoint.stop();
});

async function scripted(script: Script): Promise<ModelEndpoint> {
  const endpoint = await ModelEndpoint.start(script);
  endpoints.push(endpoint);
  return endpoint;
}

/** An endpoint that does one thing after the other; the last one for ever. */
const inTurn = (...replies: Reply[]): Promise<ModelEndpoint> =>
  scripted((_, number) => replies[Math.min(number, replies.length) - 1] ?? GOOD);

type More = Partial<EndpointConfig> & { readonly role?: ModelRole };

function laneOf(
  urls: readonly string[],
  { role = 'extraction', ...more }: More = {},
  timeoutMs = 5000,
): ModelCallSite {
  const [first, ...rest] = urls.map((url, i): EndpointConfig => ({
    provider: 'openai',
    url,
    apiKey: 'sk-test',
    model: `model-${i}`,
    rung: 'json_schema',
    outputLimit: 'max_tokens',
    ...more,
  }));
  if (!first) throw new Error('a lane has an endpoint');
  return new ModelCallSite({
    lane: { on: true, role, endpoints: [first, ...rest], timeoutMs, maxOutputTokens: null },
    clock: { now: () => now },
    log: silentLog,
    metrics: new Metrics({ version: '0', git_sha: '0', built_at: '0' }),
  });
}

function ask(
  lane: ModelCallSite,
  signal = new AbortController().signal,
): Promise<Answered<{ word: string }>> {
  return lane.ask(QUESTION, { signal, spent: (cost) => spent.push(cost) });
}

const failureOf = (lane: ModelCallSite): Promise<ModelFailure> =>
  ask(lane).then(
    () => {
      throw new Error('an answer came where none was expected');
    },
    (error: unknown) => error as ModelFailure,
  );

describe('a lane', () => {
  it('asks by a schema and says which model answered and what it cost', async () => {
    const endpoint = await inTurn(GOOD);
    expect(await ask(laneOf([endpoint.url]))).toEqual({ value: { word: 'yes' }, model: 'model-0' });
    const [request] = endpoint.requests;
    expect(request).toMatchObject({ model: 'model-0', rung: 'json_schema', authorization: 'Bearer sk-test' });
    expect(request?.body.response_format).toMatchObject({
      json_schema: { strict: true, schema: { additionalProperties: false, required: ['word'] } },
    });
    expect(spent).toEqual([
      { role: 'extraction', model: 'model-0', ok: true, inputTokens: 100, outputTokens: 10 },
    ]);
  });

  it('sends no key where there is none', async () => {
    const endpoint = await inTurn(GOOD);
    await ask(laneOf([endpoint.url], { apiKey: null }));
    expect(endpoint.requests[0]?.authorization).toBeUndefined();
  });

  it.each<[string, Reply, string[]]>([
    ['refuses a schema', { status: 400 }, ['json_schema', 'tool']],
    ['passes a schema over', { words: 'Gladly! The word is yes.' }, ['json_schema', 'tool']],
    ['answers in a fence', { words: '```json\n{"word": "yes"}\n```' }, ['json_schema']],
  ])('of an endpoint that %s takes the next way', async (_what, reply, rungs) => {
    const endpoint = await scripted(({ rung }) => (rung === 'json_schema' ? reply : GOOD));
    const lane = laneOf([endpoint.url]);
    expect((await ask(lane)).value).toEqual({ word: 'yes' });
    expect(endpoint.requests.map(({ rung }) => rung)).toEqual(rungs);
    await ask(lane);
    // The way that worked is the first one from then on.
    expect(endpoint.requests.at(-1)?.rung).toBe(rungs.at(-1));
    expect(endpoint.requests).toHaveLength(rungs.length + 1);
  });

  it.each<[string, string]>([
    ['behind what the model reasoned', '<think>Maybe {"word": "no"}?</think>\n{"word": "yes"}'],
    ['behind reasoning without a beginning', 'Maybe {"word": "no"}?\n</think>\n\n{"word": "yes"}'],
    ['within reasoning without an end', '<think>\n{"word": "yes"}'],
    ['twice', '{"word": "yes"}\n\n{"word": "yes"}'],
    ['beside others', 'Of the form {"name": 1} I choose: {"word": "yes"} {"note": "that is all"}'],
    ['in a fence with words', 'Here {you} go:\n```json\n{"word": "yes"}\n```\nAnything else {x}?'],
  ])('finds the one object that fits %s', async (_what, words) => {
    const endpoint = await inTurn({ words });
    expect((await ask(laneOf([endpoint.url]))).value).toEqual({ word: 'yes' });
    expect(endpoint.requests).toHaveLength(1);
  });

  it('keeps what a value says of tags', async () => {
    const endpoint = await inTurn({ words: '{"word": "a </think> b"}' });
    expect((await ask(laneOf([endpoint.url]))).value).toEqual({ word: 'a </think> b' });
  });

  it('takes a content that is a list of parts', async () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: '{"word": "no"}' }], text: '{"word": "no"}' },
      { type: 'text', text: '{"word": ' },
      { type: 'text', text: '"yes"}' },
    ];
    const body = JSON.stringify({ choices: [{ finish_reason: 'stop', message: { content } }] });
    const endpoint = await inTurn({ bytes: body });
    expect((await ask(laneOf([endpoint.url]))).value).toEqual({ word: 'yes' });
  });

  it('asks by words at last, with the schema in them', async () => {
    const endpoint = await scripted(({ rung }) =>
      rung === 'prompt' ? { words: 'Here it is: {"word": "yes"}.' } : { status: 422 },
    );
    expect((await ask(laneOf([endpoint.url]))).value).toEqual({ word: 'yes' });
    expect(endpoint.requests.map(({ rung }) => rung)).toEqual(['json_schema', 'tool', 'prompt']);
    expect(endpoint.requests.at(-1)?.turns[0]?.content).toContain('"required":["word"]');
  });

  it('shows the model what does not fit, once', async () => {
    const endpoint = await inTurn({ say: { wort: 'ja' } }, GOOD);
    expect((await ask(laneOf([endpoint.url]))).value).toEqual({ word: 'yes' });
    const [, second] = endpoint.requests;
    expect(second?.turns.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(second?.turns.at(-1)?.content).toContain('word: ');
  });

  describe('in vain', () => {
    shortenWaits(MODEL_FIRST_PAUSE_MS, 2 * MODEL_FIRST_PAUSE_MS);

    it.each<[string, Reply, string, number]>([
      ['never fits', { say: { wort: 'ja' } }, 'answer', 2],
      ['is no JSON whatever is tried', { words: 'no' }, 'answer', 4],
      ['is refused', { refuse: 'I will not' }, 'answer', 1],
      ['is cut off at a limit', { short: '{"word": "y' }, 'answer', 1],
      ['is 200 KB of garbage', { bytes: `"${'x'.repeat(200_000)}"` }, 'answer', 1],
      ['is 200 KB of a completion', { words: 'x'.repeat(200_000) }, 'answer', 1],
      ['is no completion', { bytes: '{"hello": 1}' }, 'answer', 1],
      ['is no JSON at all', { bytes: 'surprise' }, 'answer', 1],
      ['is an error with a status of success', { bytes: '{"error": {"message": "no"}}' }, 'answer', 1],
      ['is such an error of a key', { bytes: '{"error": {"code": 401}}' }, 'outage', 1],
      ['is such an error that it is busy', { bytes: '{"error": "overloaded"}' }, 'outage', MODEL_TRIES],
      ['refuses the key', { status: 401 }, 'outage', 1],
      ['asks to come back later', { status: 429, headers: { 'retry-after': '3600' } }, 'outage', 1],
      ['is a fault', { status: 500 }, 'outage', MODEL_TRIES],
      ['ends half-way', { cut: true }, 'outage', MODEL_TRIES],
    ])('fails where the answer %s', async (_what, reply, kind, requests) => {
      const endpoint = await inTurn(reply);
      const failure = await failureOf(laneOf([endpoint.url]));
      expect(failure).toMatchObject({ name: 'ModelFailure', kind, message: expect.stringMatching(/\S/) });
      expect(failure.message).not.toMatch(/xxxx|I will not|surprise|sk-test/);
      expect(endpoint.requests).toHaveLength(requests);
      expect(spent).toHaveLength(requests);
      expect(MODEL_ANSWER_BYTES).toBeLessThan(200_000);
    });
  });

  it.each<[string, Reply]>([
    ['says nothing', { silent: true }],
    ['says half of it and then nothing', { stalled: true }],
  ])('waits for an endpoint that %s no longer than it may', async (_what, reply) => {
    const endpoint = await inTurn(reply);
    expect(await failureOf(laneOf([endpoint.url], {}, 200))).toMatchObject({ kind: 'late' });
    expect(endpoint.requests).toHaveLength(1);
  });

  it.each<[string, Reply, number]>([
    ['is busy and says for how long', { status: 429, headers: { 'retry-after': '1' } }, 1000],
    [
      'is busy and says until when',
      {
        status: 429,
        headers: { 'retry-after': new Date(Date.now() + 3000).toUTCString(), date: new Date().toUTCString() },
      },
      2000,
    ],
    [
      'is busy and says for how many milliseconds',
      { status: 503, headers: { 'retry-after-ms': '1200' } },
      1200,
    ],
    ['breaks', { status: 503 }, 400],
    ['cuts the connection', { cut: true }, 400],
  ])('asks an endpoint again that %s', async (_what, reply, leastMs) => {
    const endpoint = await inTurn(reply, GOOD);
    const began = performance.now();
    expect((await ask(laneOf([endpoint.url]))).value).toEqual({ word: 'yes' });
    expect(performance.now() - began).toBeGreaterThanOrEqual(leastMs);
    expect(spent.map(({ ok }) => ok)).toEqual([false, true]);
  });

  it('goes down its chain for a text only until that has begun', async () => {
    const first = await inTurn({ words: 'So.' }, { pieces: ['Because '], then: 'cut' });
    const second = await inTurn({ pieces: ['Otherwise.'] });
    const lane = laneOf([first.url, second.url], { role: 'answer' });
    const question = { system: 'Answer.', user: 'Why?', maxOutputTokens: 50 };
    const asking = { signal: new AbortController().signal, spent: (cost: Spent) => spent.push(cost) };
    // Only then it is known that what comes first is no reasoning.
    await lane.say(question, asking);
    const pieces = lane.tell(question, asking);
    expect(await pieces.next()).toEqual({ done: false, value: 'Because ' });
    await expect(pieces.next()).rejects.toMatchObject({ name: 'ModelFailure' });
    expect(second.requests).toHaveLength(0);
  });

  it('goes down its chain, whatever the failure, and says who answered', async () => {
    const [first, second, third] = [
      await inTurn({ status: 401 }),
      await inTurn({ refuse: 'no' }),
      await inTurn(GOOD),
    ];
    const lane = laneOf([first.url, second.url, third.url]);
    expect(await ask(lane)).toEqual({ value: { word: 'yes' }, model: 'model-2' });
    expect(lane.fault).toBeNull();
  });

  it('rests when nobody can be reached, longer each time, and works again when somebody can', async () => {
    let reply: Reply = { status: 401 };
    const endpoint = await scripted(() => reply);
    const lane = laneOf([endpoint.url]);
    await failureOf(lane);
    expect(lane.fault).toContain('401');
    expect(await failureOf(lane)).toMatchObject({ kind: 'outage' });
    expect(endpoint.requests).toHaveLength(1);
    now += CALL_SITE_FIRST_PAUSE_MS;
    await failureOf(lane);
    expect(endpoint.requests).toHaveLength(2);
    expect(lane.restMs).toBe(2 * CALL_SITE_FIRST_PAUSE_MS);
    now += lane.restMs;
    reply = GOOD;
    await ask(lane);
    expect(lane).toMatchObject({ fault: null, restMs: 0 });
  });

  it('holds the endpoint to be at fault when every answer is unusable', async () => {
    const endpoint = await inTurn({ refuse: 'never' });
    const lane = laneOf([endpoint.url]);
    const kinds: string[] = [];
    for (let i = 0; i < CALL_SITE_FAILURES; i += 1) kinds.push((await failureOf(lane)).kind);
    expect(kinds).toEqual([...Array<string>(CALL_SITE_FAILURES - 1).fill('answer'), 'outage']);
    expect(lane.restMs).toBeGreaterThan(0);
  });

  it.each<[string, Reply]>([
    ['is refused', { refuse: 'never' }],
    ['asks for too much', { status: 400 }],
    ['ends before it began', { short: '' }],
  ])('that is shared does not rest for a question that %s', async (_what, reply) => {
    let next = reply;
    const endpoint = await scripted(() => next);
    const lane = laneOf([endpoint.url], { role: 'answer' });
    const question = { system: 'Answer.', user: 'Why?', maxOutputTokens: 10 };
    const asking = { signal: new AbortController().signal, spent: () => undefined };
    for (let i = 0; i < 2 * CALL_SITE_FAILURES; i += 1)
      await expect(lane.say(question, asking)).rejects.toMatchObject({ kind: 'answer' });
    expect(lane).toMatchObject({ fault: null, restMs: 0 });
    next = { words: 'Because.' };
    expect((await lane.say(question, asking)).value.text).toBe('Because.');
  });

  it('that is shared rests where the endpoint is at fault', async () => {
    const endpoint = await inTurn({ status: 404 });
    const lane = laneOf([endpoint.url], { role: 'verifier' });
    for (let i = 0; i < CALL_SITE_FAILURES; i += 1) await failureOf(lane);
    expect(lane.fault).toContain('no such model');
  });

  it.each<[string, Reply]>([
    ['an answer', { silent: true }],
    ['a repeat', { status: 429, headers: { 'retry-after': '4' } }],
  ])('stops at once while it waits for %s', async (_what, reply) => {
    const endpoint = await inTurn(reply);
    const stopping = new AbortController();
    const asked = ask(laneOf([endpoint.url]), stopping.signal);
    const ended = expect(asked).rejects.toThrow('the service stops');
    while (endpoint.requests.length === 0) await new Promise(setImmediate);
    stopping.abort(new Error('the service stops'));
    await ended;
  });
});
