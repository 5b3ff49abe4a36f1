import { z } from 'zod';

import { fieldPath } from '../validation.ts';
import type { Chat, ChatAnswer, OnRequest, Shape, Turn } from './chat.ts';
import { ModelFailure } from './failure.ts';
import { objectsIn } from './json-object.ts';
import { RUNGS, type Rung } from './preset.ts';
import { reasonedIn } from './reasoning.ts';

/** Characters of an answer that did not fit its schema that are shown to the model again: enough to mend it. */
const MODEL_REPAIR_CHARACTERS = 16_000;

/** Faults of an answer that the model is told of at once: the first ones are what it has to mend. */
const MODEL_REPAIR_FAULTS = 10;

/** A question whose answer has a shape. */
export interface Question<T> {
  /** Name of the shape: letters and underscores. */
  readonly name: string;
  readonly system: string;
  readonly user: string;
  readonly schema: z.ZodType<T>;
  /** What is wrong with an answer that fits the schema; the model is told once, and may leave it. Default: nothing ever is. */
  readonly faults?: (value: T) => string[];
}

type Reading<T> =
  | { readonly is: 'good'; readonly value: T }
  /** It has the shape; parts of it are of no use. */
  | { readonly is: 'faulty'; readonly value: T; readonly faults: readonly string[] }
  | { readonly is: 'misshapen'; readonly faults: readonly string[] }
  /** No JSON at all: the shape was passed over. */
  | { readonly is: 'shapeless' };

/**
 * Asks one endpoint for an answer of a shape: by a JSON schema, where it takes none or passes it over by the call of a tool, else
 * by words. What does not fit is shown to the model once, to be mended. The way that worked is taken first from then on.
 */
export class StructuredChat {
  private readonly chat: Chat;
  private readonly maxOutputTokens: number | null;
  private rung: Rung;

  constructor(chat: Chat, options: { rung: Rung; maxOutputTokens: number | null }) {
    this.chat = chat;
    this.rung = options.rung;
    this.maxOutputTokens = options.maxOutputTokens;
  }

  /** The answer. Throws `ModelFailure`; the reason of `signal` when that fires. */
  async ask<T>(question: Question<T>, signal: AbortSignal, onRequest: OnRequest): Promise<T> {
    const rungs = RUNGS.slice(RUNGS.indexOf(this.rung));
    for (const rung of rungs) {
      const last = rung === rungs.at(-1);
      const answer = await this.request(question, rung, [], { signal, onRequest }).catch((error: unknown) => {
        if (!last && error instanceof ModelFailure && error.kind === 'rejected') return null;
        throw error;
      });
      if (answer === null) continue;
      const reading = readingOf(answer, question);
      if (reading.is === 'shapeless' && !last) continue;
      const value = await this.mended(question, rung, { answer, reading }, { signal, onRequest });
      this.rung = rung;
      return value;
    }
    throw new ModelFailure('rejected', 'the endpoint takes no request of any form');
  }

  /** The value of a reading, after one try to have it mended where something is wrong with it. */
  private async mended<T>(
    question: Question<T>,
    rung: Rung,
    { answer, reading }: { answer: ChatAnswer; reading: Reading<T> },
    by: { signal: AbortSignal; onRequest: OnRequest },
  ): Promise<T> {
    if (reading.is === 'good') return reading.value;
    const faults = reading.is === 'shapeless' ? ['it is no JSON object'] : reading.faults;
    const turns: Turn[] = [
      { role: 'assistant', content: (answer.text ?? '').slice(0, MODEL_REPAIR_CHARACTERS) || '(nothing)' },
      {
        role: 'user',
        content: `That answer cannot be used:\n${faults.slice(0, MODEL_REPAIR_FAULTS).join('\n')}\nGive the whole answer again, mended.`,
      },
    ];
    const second = readingOf(await this.request(question, rung, turns, by), question);
    if (second.is === 'good' || second.is === 'faulty') return second.value;
    const reason = second.is === 'shapeless' ? 'it is no JSON' : (second.faults[0] ?? 'it does not fit');
    throw new ModelFailure('answer', `the model did not answer in the form asked for: ${reason}`);
  }

  private async request<T>(
    question: Question<T>,
    rung: Rung,
    more: readonly Turn[],
    { signal, onRequest }: { signal: AbortSignal; onRequest: OnRequest },
  ): Promise<ChatAnswer> {
    const schema = wireSchema(question.schema);
    const inWords =
      rung === 'prompt'
        ? `\n\nAnswer with one JSON object and nothing else. It has to fit this JSON schema:\n${JSON.stringify(schema)}`
        : '';
    const turns: Turn[] = [
      { role: 'system', content: question.system + inWords },
      { role: 'user', content: question.user },
      ...more,
    ];
    const shape: Shape = rung === 'prompt' ? { rung } : { rung, name: question.name, schema };
    const { maxOutputTokens } = this;
    const answer = await this.chat.ask({ turns, shape, maxOutputTokens }, signal, onRequest);
    if (answer.refused) throw new ModelFailure('answer', 'the model refused to answer');
    if (answer.cut) throw new ModelFailure('answer', 'the answer was cut off at its limit of tokens');
    return answer;
  }
}

/** What is sent of a schema: the plain JSON schema, which every endpoint that takes any understands. */
function wireSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema) as Record<string, unknown>;
  return rest;
}

function readingOf<T>({ text }: ChatAnswer, { schema, faults = () => [] }: Question<T>): Reading<T> {
  // What a model says last is what it means, should it say several things.
  const readings = candidatesIn(text ?? '').map((json) => schema.safeParse(json));
  const fitting = readings.findLast(({ success }) => success) ?? readings.at(-1);
  if (fitting === undefined) return { is: 'shapeless' };
  if (!fitting.success) {
    // Only places and rules are told: what the model said stays out of reasons, which others may read.
    return {
      is: 'misshapen',
      faults: fitting.error.issues.map((issue) => `${fieldPath(issue.path)}: ${issue.message}`),
    };
  }
  const found = faults(fitting.data);
  return found.length === 0
    ? { is: 'good', value: fitting.data }
    : { is: 'faulty', value: fitting.data, faults: found };
}

/**
 * The JSON objects of an answer, which may stand in a fence or between words. What the model reasoned counts only where it did not end
 * that, and said nothing else.
 */
function candidatesIn(answer: string): unknown[] {
  const whole = answer.trim();
  // What is nothing but an object may hold tags in its texts.
  if (whole.startsWith('{')) {
    const [first, ...more] = objectsIn(whole);
    if (first !== undefined && more.length === 0 && whole.endsWith('}')) return [first];
  }
  const { text, unended } = reasonedIn(answer);
  const found = objectsIn(text);
  return found.length > 0 ? found : objectsIn(unended);
}
