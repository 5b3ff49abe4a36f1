// How good recall is: npm run bench:recall -- DATASET [--first N] [--vectors]
// Captures the conversations of a file in the format of LoCoMo, a scope each, on a service as people start it, recalls for every
// question, and prints how much of the evidence comes back, by category. No language model takes part; with --vectors the local model for
// embeddings does, and every conversation has its vectors before it is asked about. Nothing is kept.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { send } from '../../support/client.ts';
import { eventually } from '../../support/wait.ts';
import { Service } from '../service.ts';
import { readConversations, type Conversation, type Question } from './dataset.ts';
import { scoresOf, tableOf, type Answered } from './score.ts';

const TURNS = 50;
const BULK = 500;
/** Milliseconds: the model is fetched first, and makes some tens of vectors a second. */
const VECTORS_PATIENCE_MS = 600_000;
const VECTORS_EVERY_MS = 500;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const scopeOf = (number: number): string => `org:locomo/user:c${number}`;

/** Captures a conversation; answers the turn of each event. */
async function ingest(url: string, { turns }: Conversation, scope: string): Promise<Map<string, string>> {
  const turnOf = new Map<string, string>();
  for (let from = 0; from < turns.length; from += BULK) {
    const some = turns.slice(from, from + BULK);
    const items = some.map(({ id, session, speaker, text, observed_at }) => ({
      scope,
      modality: 'conversation',
      observed_actor: {
        id: `user:${speaker.toLowerCase().replace(/\s+/g, '_')}`,
        session: `session-${session}`,
      },
      content: { kind: 'message', role: 'user', text: text.trim() === '' ? speaker : text },
      context: { observed_at },
      idempotency_key: id,
    }));
    const json = await captured(url, items);
    for (const [i, { event_id }] of (json.results as { event_id: string }[]).entries())
      turnOf.set(event_id, some[i]?.id ?? '');
  }
  return turnOf;
}

/** Captures a bulk; a database that has only just started, and is busy with its first plans, is asked again. */
function captured(url: string, items: readonly object[]): Promise<any> {
  return eventually('a bulk to be captured', async () => {
    const { status, json, text } = await send(url, 'POST', '/v1/experience/bulk?wait=indexed', {
      body: { items },
    });
    if (status === 202) return json;
    if (json?.retriable !== true) throw new Error(`a bulk was answered ${status}: ${text.slice(0, 400)}`);
    return null;
  });
}

/** Waits until nothing of a scope waits for its vectors. */
function embedded(url: string, scope: string): Promise<unknown> {
  const path = `/v1/derivation/status?scope=${encodeURIComponent(scope)}`;
  return eventually(
    `${scope} to have its vectors`,
    async () => (await send(url, 'GET', path)).json.embeddings.due === 0,
    VECTORS_PATIENCE_MS,
    VECTORS_EVERY_MS,
  );
}

async function ask(url: string, scope: string, { text }: Question): Promise<{ ids: string[]; ms: number }> {
  const began = performance.now();
  const answer = await send(url, 'POST', '/v1/recall', {
    body: {
      scope,
      view: 'local',
      query: text,
      include: ['events'],
      budgets: { max_tokens: 200_000, max_events: TURNS },
      exclude_content: true,
    },
  });
  const ms = performance.now() - began;
  if (answer.status !== 200)
    throw new Error(`a recall was answered ${answer.status}: ${answer.text.slice(0, 400)}`);
  return { ids: (answer.json.layers.events as { id: string }[]).map(({ id }) => id), ms };
}

/** Answers every question of a conversation, one after the other. */
async function answer(
  url: string,
  scope: string,
  { turns, questions }: Conversation,
  turnOf: ReadonlyMap<string, string>,
): Promise<{ answered: Answered[]; ms: number[] }> {
  const sessions = new Map(turns.map(({ id, session }) => [id, session]));
  const answered: Answered[] = [];
  const times: number[] = [];
  for (const question of questions) {
    const { ids, ms } = await ask(url, scope, question);
    times.push(ms);
    answered.push({
      question,
      found: ids.flatMap((id) => turnOf.get(id) ?? []),
      sessionOf: (turn) => sessions.get(turn),
    });
  }
  return { answered, ms: times };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { first: { type: 'string' }, vectors: { type: 'boolean', default: false } },
  });
  const [file] = positionals;
  if (file === undefined) throw new Error('name a file of conversations: npm run bench:recall -- DATASET');
  const conversations = readConversations(file).slice(
    0,
    values.first === undefined ? undefined : Number(values.first),
  );
  const directory = mkdtempSync(join(tmpdir(), 'strata-locomo-'));
  const embedding = values.vectors ? { STRATA_EMBEDDING_PROVIDER: 'local' } : {};
  const service = await Service.start(directory, null, embedding);
  try {
    const all: Answered[] = [];
    const times: number[] = [];
    for (const [i, conversation] of conversations.entries()) {
      const turnOf = await ingest(service.url, conversation, scopeOf(i));
      if (values.vectors) await embedded(service.url, scopeOf(i));
      const { answered, ms } = await answer(service.url, scopeOf(i), conversation, turnOf);
      all.push(...answered);
      times.push(...ms);
      say(
        `conversation ${i + 1} of ${conversations.length}: ${conversation.turns.length} turns, ${answered.length} questions`,
      );
    }
    const sorted = times.sort((a, b) => a - b);
    const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
    say(tableOf(scoresOf(all)));
    say(`recall took p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, one at a time`);
  } finally {
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

await main();
