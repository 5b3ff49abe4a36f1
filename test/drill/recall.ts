// The drill of recall: npm run drill:recall -- TALK STATEMENTS QUESTIONS
// Captures talk and statements about it (capture envelopes, one a line) into a service as people start it, and asks it the questions of
// a JSON file, each with the idempotency keys of the utterances that answer it; ends with 0 when nine of ten bring one of those among
// the first ten events.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { z } from 'zod';

import { recallPack, recallRequest } from '../../schemas/recall.ts';
import { Service } from '../bench/service.ts';
import { readEnvelopes } from '../support/envelope-file.ts';
import { send } from '../support/client.ts';
import { good } from './listings.ts';
import { ingest } from './talk.ts';
import { sendPatiently } from './patient.ts';

/** Events among which one has to answer the question. */
const FIRST = 10;
/** Events that are asked for, so that the table says how far behind a miss lies. */
const LOOKED_AT = 200;
/** Room for all of them: what is judged is the ranking, not the budget. */
const MAX_TOKENS = 1_000_000;
const SHARE = 0.9;

const questionFile = z
  .array(
    z.strictObject({
      question: z.string().min(1),
      temporal: recallRequest.shape.temporal,
      /** Idempotency keys of utterances; any of them answers it. */
      evidence: z.array(z.string()).min(1),
    }),
  )
  .min(1);
type Question = z.output<typeof questionFile>[number];

interface Judged {
  readonly question: string;
  /** Place of the first evidence among the events, from 1; null where none was brought. */
  readonly rank: number | null;
  readonly ms: number;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The events that hold keys, by key: what is sent again is answered with the event that was made of it. */
async function eventsOf(
  url: string,
  talk: readonly Record<string, unknown>[],
  keys: ReadonlySet<unknown>,
): Promise<ReadonlyMap<string, string>> {
  const items = talk.filter(({ idempotency_key: key }) => keys.has(key));
  const answer = await send(url, 'POST', '/v1/experience/bulk', { body: { items } });
  if (answer.status !== 202)
    throw new Error(`the bulk is answered ${answer.status} ${answer.text.slice(0, 500)}`);
  const { results } = answer.json as { results: { event_id: string }[] };
  return new Map(items.map(({ idempotency_key: key }, i) => [String(key), results[i]?.event_id ?? '']));
}

/** Asks one question and looks where the first of its evidence stands. */
async function judge(
  url: string,
  scope: string,
  { question, temporal, evidence }: Question,
  events: ReadonlyMap<string, string>,
): Promise<Judged> {
  const body = {
    scope,
    query: question,
    include: ['events'],
    budgets: { max_tokens: MAX_TOKENS, max_events: LOOKED_AT },
    ...(temporal === undefined ? {} : { temporal }),
  };
  const { layers, diagnostics } = recallPack.parse(
    good(await sendPatiently(url, 'POST', '/v1/recall', { body })),
  );
  const wanted = new Set(evidence.map((key) => events.get(key)));
  const place = layers.events.findIndex(({ id }) => wanted.has(id));
  return { question, rank: place < 0 ? null : place + 1, ms: diagnostics.time_ms.total };
}

/** Questions that cannot be answered because the talk has not what they name. */
function strayKeys(questions: readonly Question[], talk: readonly Record<string, unknown>[]): string[] {
  const keys = new Set(talk.map(({ idempotency_key: key }) => key));
  return questions.flatMap(({ evidence }) => evidence.filter((key) => !keys.has(key)));
}

const [talkFile, statementsFile, questionsFile] = process.argv.slice(2);
if (talkFile === undefined || statementsFile === undefined || questionsFile === undefined)
  throw new Error('usage: npm run drill:recall -- TALK STATEMENTS QUESTIONS');
const talk = readEnvelopes(talkFile);
const statements = readEnvelopes(statementsFile);
const questions = questionFile.parse(JSON.parse(readFileSync(questionsFile, 'utf8')));
const stray = strayKeys(questions, talk);
if (stray.length > 0) throw new Error(`the talk has no ${stray.join(', ')}`);
const { scope } = talk[0] as { scope: string };
const directory = mkdtempSync(join(tmpdir(), 'strata-recall-'));
const service = await Service.start(directory, null);
const judged: Judged[] = [];
try {
  const nothing = (): Promise<void> => Promise.resolve();
  await ingest([service.url], talk, nothing);
  await ingest([service.url], statements, nothing);
  await service.settled([scope]);
  const events = await eventsOf(service.url, talk, new Set(questions.flatMap(({ evidence }) => evidence)));
  for (const question of questions) judged.push(await judge(service.url, scope, question, events));
} finally {
  await service.stop();
}
const found = judged.filter(({ rank }) => rank !== null && rank <= FIRST);
say('rank  first ten  ms    question');
for (const { question, rank, ms } of judged) {
  const within = rank !== null && rank <= FIRST ? 'yes' : 'NO';
  say(`${String(rank ?? '-').padStart(4)}  ${within.padEnd(9)}  ${ms.toFixed(0).padStart(4)}  ${question}`);
}
const held = found.length >= SHARE * judged.length;
say(
  `${talk.length} utterances, ${statements.length} statements, ${found.length} of ${judged.length} within the first ${FIRST}`,
);
say(held ? 'HELD' : `fewer than ${SHARE * 100} of 100`);
rmSync(directory, { recursive: true, force: true });
process.exit(held ? 0 : 1);
