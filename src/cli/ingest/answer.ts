import { z } from 'zod';

import type { HttpAnswer } from './http.ts';
import type { Item, Refusal } from './item.ts';

/** What became of the lines of a batch. */
export interface SendOutcome {
  readonly captured: number;
  readonly replayed: number;
  readonly refusals: readonly Refusal[];
  /** Why captured lines did not reach the stage that was waited for. */
  readonly unsettled: string | null;
}

/** The service cannot be used: it does not answer, or does not take the key. */
export class UnreachableError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'UnreachableError';
  }
}

/** A refusal as the service tells it. */
export interface Refused {
  readonly code: string;
  readonly message: string;
  /** Whether the service says that a repeat may succeed; null when it says nothing of it. */
  readonly retriable: boolean | null;
}

const problem = z.object({ error_code: z.string(), message: z.string(), retriable: z.boolean().optional() });
const bulkAnswer = z.object({
  results: z.array(
    z.object({
      index: z.int(),
      event_id: z.string().nullable(),
      replayed_from_idempotency: z.boolean().optional(),
    }),
  ),
  failures: z.array(z.object({ index: z.int(), error_code: z.string(), error: z.string() })).optional(),
});

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if ((error as { name?: unknown }).name === 'SyntaxError') return null;
    throw error;
  }
}

/** What an answer that is no success says; plain text and foreign bodies are told as they are, shortened. */
export function refusalOf(answer: HttpAnswer): Refused {
  const body = problem.safeParse(jsonOf(answer.text));
  if (body.success) {
    const { error_code: code, message, retriable } = body.data;
    return { code, message, retriable: retriable ?? null };
  }
  const message = answer.text.trim().slice(0, 300);
  return { code: `HTTP_${answer.status}`, message: message === '' ? 'no text' : message, retriable: null };
}

/** What became of each item, by an answer that is a success. Throws {@link UnreachableError} when it is not one of a bulk capture. */
export function readResults(items: readonly Item[], text: string): SendOutcome {
  const body = bulkAnswer.safeParse(jsonOf(text));
  if (!body.success)
    throw new UnreachableError('what answers is no Strata: its answer is not one to a bulk capture');
  const { results, failures = [] } = body.data;
  const written = results.filter(({ event_id: id }) => id !== null);
  const replayed = written.filter((result) => result.replayed_from_idempotency === true).length;
  const refusals = failures.flatMap(({ index, error_code: code, error: message }): Refusal[] => {
    const item = items[index];
    return item === undefined ? [] : [{ number: item.number, code, message }];
  });
  return { captured: written.length - replayed, replayed, refusals, unsettled: null };
}
