import { answerResponse, type AnswerResponse } from '../../schemas/answer.ts';
import { message } from '../support/client.ts';
import { sentEvents } from '../support/event-stream.ts';
import { ModelEndpoint, statement, type ModelRequest, type Reply } from '../support/model-endpoint.ts';
import { startTestService, type TestService } from '../support/service.ts';

// A chat of twenty turns with one model for everything, behind servers that each have a quirk of their own.

type Stated = readonly [subject: string, predicate: string, object: string, quote: string];
type Turn = readonly [role: 'user' | 'assistant', text: string, ...stated: Stated[]];

const CHAT: readonly Turn[] = [
  ['user', 'Hello, I am Mara. I live in Utrecht.', ['Mara', 'lives_in', 'Utrecht', 'I live in Utrecht']],
  ['assistant', 'Nice to meet you, Mara. What can I do for you?'],
  [
    'user',
    'I begin as a nurse at the Sint-Lucas hospital next month.',
    ['Mara', 'works_at', 'Sint-Lucas hospital', 'I begin as a nurse at the Sint-Lucas hospital'],
  ],
  ['assistant', 'Congratulations! Is that far from home?'],
  ['user', 'Two hours, so I have signed for a flat that is closer.'],
  ['assistant', 'Shall we make a list for the move?'],
  [
    'user',
    'Yes please. My brother Joris lends me his van.',
    ['Mara', 'has_brother', 'Joris', 'My brother Joris'],
    ['Joris', 'owns', 'van', 'his van'],
  ],
  ['assistant', 'Joris and the van are on it. What must not be forgotten?'],
  [
    'user',
    'The cat! She is called Biscuit and hates boxes.',
    ['Mara', 'has_pet', 'Biscuit', 'She is called Biscuit'],
  ],
  ['assistant', 'Then Biscuit travels with you and not in the van.'],
  [
    'user',
    'Afterwards I cook for everybody. Only, I am allergic to walnuts.',
    ['Mara', 'allergic_to', 'walnuts', 'I am allergic to walnuts'],
  ],
  ['assistant', 'No walnuts, then. A curry would do for many.'],
  [
    'user',
    'Good idea, and Joris follows a vegetarian diet.',
    ['Joris', 'follows_diet', 'vegetarian', 'Joris follows a vegetarian diet'],
  ],
  ['assistant', 'A curry of vegetables it is.'],
  ['user', 'Who reads the gas meter?'],
  ['assistant', 'Mostly the landlord. Shall I put it on the list?'],
  ['user', 'No, leave it.'],
  ['assistant', 'All right. How did the move go?'],
  [
    'user',
    'Better than I feared: since today I live in Ghent.',
    ['Mara', 'lives_in', 'Ghent', 'since today I live in Ghent'],
  ],
  ['assistant', 'Welcome to Ghent!'],
];

const KNOWN = [
  'Joris diet vegetarian',
  'Joris owns van',
  'Mara allergic_to walnuts',
  'Mara has_brother Joris',
  'Mara has_pet Biscuit',
  'Mara lives_in Ghent',
  'Mara works_at Sint-Lucas hospital',
];

const QUESTION = 'Where does Mara live now, and what is she allergic to?';

type Meant = { readonly say: unknown } | { readonly words: string };

/** What the model means, however its server writes that. */
function meant({ items, turns }: ModelRequest): Meant {
  if (items.length > 0)
    return { say: { statements: items.flatMap(({ item, text }) => statedIn(text, item)) } };
  const asked = JSON.parse(turns.find(({ role }) => role === 'user')?.content ?? '') as {
    claims?: { claim: number; cites: number[] }[];
    memory: string[];
  };
  if (asked.claims !== undefined) {
    const checks = asked.claims.flatMap(({ claim, cites }) =>
      cites.map((source) => ({ claim, source, support: 1 })),
    );
    return { say: { checks } };
  }
  const markerOf = (words: RegExp): string =>
    /\[\d+\]/.exec(asked.memory.find((record) => words.test(record)) ?? '')?.[0] ?? '(unknown)';
  return { words: `She lives in Ghent ${markerOf(/Ghent/)}. It is walnuts ${markerOf(/walnuts/)}.` };
}

function statedIn(text: string, item: number): Record<string, unknown>[] {
  const [, , ...stated] = CHAT.find(([, said]) => said === text) ?? [null, null];
  return stated.map(([subject, predicate, object, quote]) =>
    statement(item, { subject, predicate, object, quote, object_type: 'other', cardinality: 'unknown' }),
  );
}

/** How a server writes what its model means. */
type Quirk = (said: Meant, request: ModelRequest) => Reply;

const textOf = (said: Meant): string => ('say' in said ? JSON.stringify(said.say) : said.words);

/** What no answer may hold: a statement in the form that is asked for, a marker, and the word that tells it. */
const REASONING = `Atlantis [1]? ${JSON.stringify({
  statements: [statement(1, { subject: 'Mara', object: 'Atlantis' })],
})} No, not Atlantis.\n`;

const reasons: Quirk = (said) => ({ words: `<think>\n${REASONING}</think>\n\n${textOf(said)}` });
const reasonsFromTheMiddle: Quirk = (said) => ({ words: `${REASONING}</think>\n\n${textOf(said)}` });

const answersParts: Quirk = (said) => {
  const text = textOf(said);
  const half = Math.floor(text.length / 2);
  return {
    parts: [
      { type: 'thinking', thinking: [{ type: 'text', text: REASONING }], text: REASONING },
      { type: 'text', text: text.slice(0, half) },
      { type: 'text', text: text.slice(half) },
    ],
  };
};

/** Refuses some questions once, each the other way than the last one: until an instant, or for so many milliseconds. */
function limitsItsRate(): Quirk {
  const refused = new Set<string>();
  return (said, { items, turns }) => {
    const question = JSON.stringify(turns);
    const isLimited = items.length === 0 || items.some(({ text }) => /Joris|walnuts|Ghent/.test(text));
    if (!isLimited || refused.has(question)) return said;
    refused.add(question);
    const until = { 'retry-after': new Date(Date.now() + 1000).toUTCString() };
    return { status: 429, headers: refused.size % 2 === 0 ? { 'retry-after-ms': '600' } : until };
  };
}

let model: ModelEndpoint;
let service: TestService;

beforeAll(async () => {
  model = await ModelEndpoint.start();
  service = await startTestService({
    STRATA_LLM_URL: model.url,
    STRATA_LLM_MODEL: 'one-for-all',
    STRATA_LLM_FOR: 'all',
  });
});
afterAll(async () => {
  await service.stop();
  await model.stop();
});

/** Captures the turns one after the other as they are spoken, and waits for what follows from them only behind the last. */
async function chat(scope: string): Promise<void> {
  for (const [i, [role, text]] of CHAT.entries()) {
    const wait = i === CHAT.length - 1 ? 'consolidated' : 'captured';
    const envelope = message(scope, text, { content: { kind: 'message', role, text } });
    const { status, json } = await service.post(`/v1/experience?wait=${wait}`, envelope);
    expect([status, json.message]).toEqual([202, undefined]);
  }
}

async function known(scope: string): Promise<string[]> {
  const { json } = await service.get(`/v1/facts?scope=${scope}`);
  return (json.items as any[])
    .map(({ subject, predicate, object }) => `${subject.name} ${predicate} ${object.name}`)
    .sort();
}

/** The body of an answer, and all that its caller could read. */
async function answer(scope: string, stream: boolean): Promise<{ given: AnswerResponse; text: string }> {
  const body = { scope, view: 'local', question: QUESTION, include_context: true, stream };
  const { status, json, text } = await service.post('/v1/answer', body);
  expect([status, json?.message]).toEqual([200, undefined]);
  return { given: answerResponse.parse(stream ? sentEvents(text).at(-1)?.data : json), text };
}

/** The lines of the context that an answer cites. */
function citedLines({ context_block = '', citations }: AnswerResponse): string[] {
  const lines = context_block.split('\n');
  return citations.map(({ marker }) => lines.find((line) => line.includes(marker)) ?? '');
}

it.each<[string, string, Quirk]>([
  ['reasons before it speaks', 'user:reasons', reasons],
  ['leaves the beginning of its reasoning out', 'user:middle', reasonsFromTheMiddle],
  ['answers lists of parts', 'user:parts', answersParts],
  ['limits its rate', 'user:limited', limitsItsRate()],
])(
  'a chat of twenty turns ends with facts and an answer where the server %s',
  async (_what, scope, quirk) => {
    model.script = (request) => quirk(meant(request), request);
    await chat(scope);
    expect(await known(scope)).toEqual(KNOWN);
    for (const stream of [false, true]) {
      const { given, text } = await answer(scope, stream);
      expect(given.answer).toMatch(/^She lives in Ghent \[\d+\]\. It is walnuts \[\d+\]\.$/);
      expect(citedLines(given)).toEqual([
        expect.stringContaining('Ghent'),
        expect.stringContaining('walnuts'),
      ]);
      expect(given.diagnostics).toMatchObject({ verification: 'verified', dropped_citations: [] });
      expect(text).not.toMatch(/Atlantis|think>/);
    }
  },
);
