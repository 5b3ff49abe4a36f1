import { MODEL_TRIES, MODEL_FIRST_PAUSE_MS } from '../../src/models/client.ts';
import { silentLog } from '../../src/log.ts';
import { Metrics } from '../../src/metrics.ts';
import { ModelCallSite, type Spent } from '../../src/models/call-site.ts';
import { countTokens } from '../../src/recall/token-count.ts';
import { type TextQuestion, MODEL_LAST_WORD_MS } from '../../src/models/text-chat.ts';
import { inDepth } from '../support/depth.ts';
import { ModelEndpoint, piece, type Reply } from '../support/model-endpoint.ts';
import { shortenWaits } from '../support/short-waits.ts';

const QUESTION: TextQuestion = { system: 'Answer.', user: 'Why is it so?', maxOutputTokens: 50 };
const USAGE = { choices: [], usage: { prompt_tokens: 100, completion_tokens: 10 } };

shortenWaits(MODEL_FIRST_PAUSE_MS, 2 * MODEL_FIRST_PAUSE_MS);

let endpoint: ModelEndpoint;
let spent: Spent[] = [];

beforeAll(async () => {
  endpoint = await ModelEndpoint.start();
});
afterAll(() => endpoint.stop());
beforeEach(() => {
  endpoint.requests.length = 0;
  spent = [];
});

function laneOf(reply: Reply, timeoutMs = 5000, effort?: 'low'): ModelCallSite {
  endpoint.script = () => reply;
  const one = {
    provider: 'openai',
    url: endpoint.url,
    apiKey: null,
    model: 'm',
    rung: 'json_schema',
    outputLimit: 'max_tokens',
    ...(effort === undefined ? {} : { effort }),
  } as const;
  return new ModelCallSite({
    lane: { on: true, role: 'answer', endpoints: [one], timeoutMs, maxOutputTokens: null },
    clock: { now: () => 0 },
    log: silentLog,
    metrics: new Metrics({ version: '0', git_sha: '0', built_at: '0' }),
  });
}

const asking = (signal = new AbortController().signal) => ({
  signal,
  spent: (cost: Spent) => spent.push(cost),
});

/** The whole of a text that comes piece by piece. */
async function told(lane: ModelCallSite, signal?: AbortSignal): Promise<{ text: string; cut: boolean }> {
  const pieces = lane.tell(QUESTION, asking(signal));
  let text = '';
  for (;;) {
    const next = await pieces.next();
    if (next.done === true) return { text, cut: next.value.value.cut };
    text += next.value;
  }
}

describe('a text that comes piece by piece', () => {
  it.each<[string, unknown, string, number]>([
    ['that it is too long', { code: 400, message: 'context' }, 'rejected', 1],
    ['that it is not allowed', { type: 'invalid_request_error', code: 'content_filter' }, 'answer', 1],
    ['that nobody knows', { message: 'sorry' }, 'answer', 1],
    ['that it is busy', { type: 'overloaded_error' }, 'outage', MODEL_TRIES],
    ['of a status that passes', { code: '503' }, 'outage', MODEL_TRIES],
  ])('may tell %s', async (_what, error, kind, requests) => {
    const lane = laneOf({ events: [{ error }] });
    const failure = await told(lane).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ name: 'ModelFailure', kind: kind === 'rejected' ? 'answer' : kind });
    expect(endpoint.requests).toHaveLength(requests);
    expect(lane.restMs > 0).toBe(kind === 'outage');
  });

  it('may be none at all, which is paid once and rests nothing', async () => {
    const lane = laneOf({ events: [{ choices: [] }, USAGE] });
    await expect(told(lane)).rejects.toMatchObject({ kind: 'answer', message: 'the model said nothing' });
    expect(endpoint.requests).toHaveLength(1);
    expect(lane.restMs).toBe(0);
  });

  it.each<Reply>([{ events: [piece(''), piece(' \n', 'length'), USAGE] }, { short: '' }])(
    'may end at its limit before it began (%#)',
    async (reply) => {
      const lane = laneOf(reply);
      const asked = 'short' in reply ? lane.say(QUESTION, asking()) : told(lane);
      await expect(asked).rejects.toMatchObject({
        kind: 'answer',
        message: expect.stringMatching(/limit of 50 tokens .*answer_max_tokens.*STRATA_ANSWER_MAX_TOKENS/),
      });
    },
  );

  describe('while the connection stays open', () => {
    shortenWaits(MODEL_LAST_WORD_MS);

    it('is whole once the model says so', async () => {
      // Longer than a test may take: only what does not wait for the end of the connection is done before.
      const lane = laneOf({ events: [piece('Because.'), piece('', 'stop'), USAGE], open: true }, 3_600_000);
      expect(await told(lane)).toEqual({ text: 'Because.', cut: false });
      expect(spent).toMatchObject([{ ok: true, inputTokens: 100, outputTokens: 10 }]);
      expect(lane.fault).toBeNull();
    });
  });

  it('is whole though its time is over before what it cost was told', async () => {
    const lane = laneOf(
      { events: [piece('Because.'), piece('', 'stop')], open: true },
      0.75 * MODEL_LAST_WORD_MS,
    );
    expect((await told(lane)).text).toBe('Because.');
  });
});

/** A lane that is known to reason nothing before its texts, so that their pieces are handed on as they come. */
async function plainLane(reply: Reply): Promise<ModelCallSite> {
  const lane = laneOf({ words: 'So.' });
  await lane.say(QUESTION, asking());
  endpoint.script = () => reply;
  endpoint.requests.length = 0;
  spent = [];
  return lane;
}

describe('what a model reasons', () => {
  const REASONED = ['<th', 'ink>Maybe', ' [1]?</thi', 'nk>\n\nBe', 'cause [2].'];
  const UNBEGUN = ['Maybe [1]?', '\n</th', 'ink>\n\nBe', 'cause [2].'];

  it.each<[string, string[]]>([
    ['in tags', REASONED],
    ['without a beginning', UNBEGUN],
  ])('is in no text (%s)', async (_what, pieces) => {
    expect((await told(laneOf({ pieces }))).text).toBe('Because [2].');
    const said = await laneOf({ words: pieces.join('') }).say(QUESTION, asking());
    expect(said.value.text).toBe('Because [2].');
  });

  it('leaves texts to come piece by piece where it is begun, or is known not to be there', async () => {
    const piecesOf = async (lane: ModelCallSite): Promise<string[]> => {
      const found: string[] = [];
      for await (const text of lane.tell(QUESTION, asking())) found.push(text);
      return found;
    };
    expect(await piecesOf(laneOf({ pieces: REASONED }))).toEqual(['Be', 'cause [2].']);
    const lane = laneOf({ pieces: ['Be', 'cause.'] });
    expect(await piecesOf(lane)).toEqual(['Because.']);
    expect(await piecesOf(lane)).toEqual(['Be', 'cause.']);
  });

  it('is in no text whose bytes come one by one', async () => {
    const events = ['<think>Vielleicht é [1]?</th', 'ink>Weil – ja', ' 🚀 [2].'].map((text) => piece(text));
    const lane = laneOf({ events: [...events, piece('', 'stop')], byBytes: true });
    expect((await told(lane)).text).toBe('Weil – ja 🚀 [2].');
  });

  it.each(['reasoning_content', 'reasoning'])('is in no text where it comes as %s', async (field) => {
    const delta = (more: object) => ({ choices: [{ index: 0, delta: more, finish_reason: null }] });
    const events = [
      delta({ [field]: 'Maybe [1]?' }),
      delta({ content: null, [field]: ' Or' }),
      piece('Because [2].', 'stop'),
    ];
    expect((await told(laneOf({ events }))).text).toBe('Because [2].');
    const message = { role: 'assistant', [field]: 'Maybe [1]?', content: 'Because [2].' };
    const bytes = JSON.stringify({ choices: [{ finish_reason: 'stop', message }] });
    expect((await laneOf({ bytes }).say(QUESTION, asking())).value.text).toBe('Because [2].');
  });

  it('is a failure where it was handed on, and is held back for good', async () => {
    const lane = await plainLane({ pieces: UNBEGUN });
    await expect(told(lane)).rejects.toMatchObject({ kind: 'answer' });
    for (const pieces of [UNBEGUN, ['So.'], UNBEGUN]) {
      endpoint.script = () => ({ pieces });
      expect((await told(lane)).text).toBe(pieces === UNBEGUN ? 'Because [2].' : 'So.');
    }
  });

  it('may be all that there is of a text that is cut off, which tells nothing of others', async () => {
    const lane = laneOf({ events: [piece('Maybe [1]?', 'length')] });
    expect((await told(lane)).cut).toBe(true);
    endpoint.script = () => ({ pieces: UNBEGUN });
    expect((await told(lane)).text).toBe('Because [2].');
  });

  it('is no text by itself', async () => {
    const nothing = { kind: 'answer', message: 'the model said nothing' };
    await expect(told(laneOf({ pieces: ['<think>Maybe'] }))).rejects.toMatchObject(nothing);
    await expect(laneOf({ words: '<think>Maybe</think>' }).say(QUESTION, asking())).rejects.toMatchObject(
      nothing,
    );
  });
});

describe('what an endpoint answers where a stream is asked for', () => {
  const body = (message: unknown): Reply => ({
    bytes: JSON.stringify({ choices: [{ finish_reason: 'stop', message }] }),
  });

  it('may be the whole text at once', async () => {
    expect(await told(laneOf(body({ content: 'Because.' })))).toEqual({ text: 'Because.', cut: false });
  });

  it('may be an error with a status of success', async () => {
    const lane = laneOf({ bytes: '{"error": {"code": 429}}' });
    await expect(told(lane)).rejects.toMatchObject({ kind: 'outage' });
    expect(endpoint.requests).toHaveLength(MODEL_TRIES);
  });

  it('may be lists of parts', async () => {
    const content = [
      { type: 'thinking', thinking: [], text: 'Maybe' },
      { type: 'text', text: 'Because.' },
    ];
    const event = { choices: [{ index: 0, delta: { content }, finish_reason: 'stop' }] };
    expect((await told(laneOf({ events: [event] }))).text).toBe('Because.');
    expect((await told(laneOf(body({ content })))).text).toBe('Because.');
  });
});

describe('what a text cost', () => {
  const ESTIMATE = { inputTokens: countTokens('Answer.') + countTokens('Why is it so?') };

  it('is booked as an estimate where the client leaves before it is told', async () => {
    const lane = await plainLane({ pieces: ['Because ', 'it is.'], then: 'stall' });
    const client = new AbortController();
    const pieces = lane.tell(QUESTION, asking(client.signal));
    await pieces.next();
    await pieces.next();
    client.abort(new Error('gone'));
    await expect(pieces.next()).rejects.toThrow('gone');
    expect(spent).toMatchObject([{ ok: true, ...ESTIMATE, outputTokens: countTokens('Because it is.') }]);
  });

  it('is booked where the client leaves a whole text', async () => {
    const lane = laneOf({ silent: true });
    const client = new AbortController();
    const said = expect(lane.say(QUESTION, asking(client.signal))).rejects.toThrow('gone');
    while (endpoint.requests.length === 0) await new Promise(setImmediate);
    client.abort(new Error('gone'));
    await said;
    expect(spent).toMatchObject([{ ok: true, ...ESTIMATE, outputTokens: 0 }]);
  });

  it.each<[string, Reply, number, boolean]>([
    ['ends without telling it', { events: [piece('Because.', 'stop')] }, countTokens('Because.'), true],
    ['breaks off', { events: [piece('Because')] }, countTokens('Because'), false],
  ])('is an estimate where the stream %s', async (_what, reply, outputTokens, ok) => {
    await Promise.allSettled([told(await plainLane(reply))]);
    expect(spent).toMatchObject([{ ok, ...ESTIMATE, outputTokens }]);
  });

  it('is nothing where the request is refused', async () => {
    await Promise.allSettled([told(laneOf({ status: 400 }))]);
    expect(spent).toMatchObject([{ ok: false, inputTokens: 0, outputTokens: 0 }]);
  });
});

describe('a long text', () => {
  const LONG = '\u4f60'.repeat(120_000);
  const ALL = LONG.slice(0, 20_000) + 'x'.repeat(120_000);
  // A token has three or so characters; as many of them as the text has take their time.
  const PIECES = ALL.match(new RegExp(`.{1,${inDepth(30, 3)}}`, 'gsu')) ?? [];

  it.each<[string, Reply]>([
    [
      'whole',
      { bytes: JSON.stringify({ choices: [{ finish_reason: 'stop', message: { content: LONG } }] }) },
    ],
    ['in pieces', { pieces: PIECES }],
  ])('is read as far as so many tokens may be long (%s)', async (what, reply) => {
    const lane = laneOf(reply, 20_000);
    const ask = async (maxOutputTokens: number) => {
      const question = { ...QUESTION, maxOutputTokens };
      if (what === 'whole') return (await lane.say(question, asking())).value.text.length;
      let length = 0;
      for await (const text of lane.tell(question, asking())) length += text.length;
      return length;
    };
    expect(await ask(32_768)).toBeGreaterThanOrEqual(120_000);
    await expect(ask(1500)).rejects.toMatchObject({
      kind: 'answer',
      message: expect.stringMatching('longer'),
    });
  });
});

it('sends nothing on to where an endpoint points', async () => {
  const other = await ModelEndpoint.start(() => ({ words: 'Because.' }));
  const lane = laneOf({ status: 307, headers: { location: `${other.url}/chat/completions` } });
  await expect(lane.say(QUESTION, asking())).rejects.toMatchObject({ kind: 'outage' });
  expect(other.requests).toEqual([]);
  await other.stop();
});

it.each(['low', undefined] as const)(
  'asks a model to reason as it is known to take it (%s)',
  async (effort) => {
    const lane = laneOf({ words: 'Because.' }, 5000, effort);
    await told(lane);
    await lane.say(QUESTION, asking());
    expect(endpoint.requests.map(({ body }) => body.reasoning_effort)).toEqual([effort, effort]);
  },
);
