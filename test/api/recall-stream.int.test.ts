import { recallPack } from '../../schemas/recall.ts';
import { sentEvents, type SentEvent } from '../support/event-stream.ts';
import { message, type Answer } from '../support/client.ts';
import { steadily } from '../support/steady.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { expectProblem } from './problem.ts';

const SCOPE = 'org:streamed/user:ann';
const SAID = ['The marathon is in Lisbon', 'The marathon is\n---\nin October', 'My marathon shoes are worn'];

let service: SharedService;

beforeAll(async () => {
  service = sharedService();
  for (const text of SAID) {
    const { status } = await service.post('/v1/experience?wait=consolidated', message(SCOPE, text));
    expect(status).toBe(202);
  }
});

const ask = (more: object): Promise<Answer> =>
  service.post('/v1/recall', { scope: SCOPE, query: 'marathon', include: ['events'], stream: true, ...more });

async function streamed(more: object = {}): Promise<SentEvent[]> {
  const { status, headers, text } = await ask(more);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  return sentEvents(text);
}

const namesOf = (frames: readonly SentEvent[]): unknown[] => frames.map(({ event }) => event);

describe('a streamed recall', () => {
  it('brings the pack that a recall in one piece brings, its block entry by entry', async () => {
    const whole = async (): Promise<unknown[]> => {
      const { layers, context_block: block } = recallPack.parse((await ask({ stream: false })).json);
      return [layers, block];
    };
    const [inOnePiece, frames] = await steadily(whole, () => streamed());
    expect(namesOf(frames)).toEqual(['recall', ...SAID.map(() => 'delta'), 'citations', 'done']);
    const done = recallPack.parse(frames.at(-1)?.data);
    expect(frames[0]?.data).toEqual({
      pack_id: done.pack_id,
      counts: { events: SAID.length, episodes: 0, facts: 0, beliefs: 0, understanding: 0 },
    });
    const block = frames.slice(1, -2).map(({ data }) => data.text as string);
    expect(block.join('')).toBe(done.context_block);
    expect(frames.at(-2)?.data).toEqual({ citations: done.provenance.citations });
    expect(Object.keys(done.provenance.citations)).toHaveLength(SAID.length);
    expect(inOnePiece).toEqual([done.layers, done.context_block]);
  });

  it('is kept, so that a text can be written from it', async () => {
    const [found] = await streamed();
    const body = { scope: SCOPE, question: 'When?', use_pack_id: found?.data.pack_id, skip_answer_llm: true };
    const { status, json } = await service.post('/v1/answer', body);
    expect([status, json.pack_id]).toEqual([200, found?.data.pack_id]);
  });

  it('has no delta where nothing is found', async () => {
    const frames = await streamed({ query: 'submarine' });
    expect(namesOf(frames)).toEqual(['recall', 'citations', 'done']);
    expect(frames.at(-1)?.data.context_block).toBe('');
  });

  it('is refused as ever before it begins', async () => {
    expectProblem(await ask({ temporal: { natural: 'when pigs fly' } }), {
      status: 422,
      code: 'UNPARSEABLE_TEMPORAL',
    });
    expectProblem(await ask({ stream: 'yes' }), { status: 422, code: 'INVALID_BODY', field: 'stream' });
  });
});
