import OpenAI from 'openai';

import { systemClock } from '../clock.ts';
import { errorText } from '../errors.ts';

/**
 * What went wrong. `outage`: the endpoint cannot be asked now, whatever the question. `late`: it took too long.
 * `answer`: it answered what cannot be used. `rejected`: it does not take a request of this form.
 */
export type FailureKind = 'outage' | 'late' | 'answer' | 'rejected';

/** What a failure may lie at: at the endpoint, which fails others too, or at what it was asked, or how much. */
export type Blame = 'endpoint' | 'question';

/** What is known of a failure beside its kind and reason. */
export interface FailureOptions {
  /** Default: the endpoint for what is no answer at all, else the question. */
  readonly blame?: Blame;
  /** Default: where the kind says that something came back. */
  readonly answered?: boolean;
  readonly passing?: boolean;
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/** A call of a model that came to nothing; its text may be shown to who may read the event, and quotes nothing of it. */
export class ModelFailure extends Error {
  readonly kind: FailureKind;
  /** What it may lie at. */
  readonly blame: Blame;
  /** Whether the endpoint answered and did not refuse the key: then it may lie at the question, whatever was answered. */
  readonly answered: boolean;
  /** Whether the same request may succeed in a moment. */
  readonly passing: boolean;
  /** Milliseconds that the endpoint asked to wait; null when it did not. */
  readonly retryAfterMs: number | null;

  constructor(kind: FailureKind, reason: string, options: FailureOptions = {}) {
    super(reason, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ModelFailure';
    this.kind = kind;
    const came = kind === 'answer' || kind === 'rejected';
    this.blame = options.blame ?? (came ? 'question' : 'endpoint');
    this.answered = options.answered ?? came;
    this.passing = options.passing ?? false;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** Words for an endpoint that does not work for the moment. */
const BUSY = /rate_limit|overload|server_error|unavailable|timeout/iu;

/** An answer longer than is read. */
export class AnswerTooLong extends Error {
  constructor(bytes: number) {
    super(`the answer is longer than ${bytes} bytes`);
    this.name = 'AnswerTooLong';
  }
}

/** The failure that an error of the client stands for. `late`: whether its time was over. */
export function failureOf(
  error: unknown,
  { late, timeoutMs }: { late: boolean; timeoutMs: number },
): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const tooLong = causes(error).find((cause) => cause instanceof AnswerTooLong);
  if (tooLong) return new ModelFailure('answer', errorText(tooLong), { cause: error });
  if (late || error instanceof OpenAI.APIConnectionTimeoutError)
    return new ModelFailure('late', `no answer within ${timeoutMs} ms`, { cause: error });
  if (error instanceof OpenAI.APIError && typeof error.status === 'number')
    return ofStatus(error, error.status);
  if (isStatedFailure(error)) return failureOfStatedError(error);
  if (error instanceof SyntaxError || named(error, 'SyntaxError'))
    return new ModelFailure('answer', 'the endpoint answered no JSON', { cause: error });
  return new ModelFailure('outage', 'the connection to the endpoint failed', { passing: true, cause: error });
}

function ofStatus(error: { headers?: Headers | undefined }, status: number): ModelFailure {
  const reason = `the endpoint answered ${status}`;
  const retryAfterMs = retryAfter(error.headers);
  if (status === 401 || status === 403) return new ModelFailure('outage', `${reason}: it refuses the key`);
  if (status === 404)
    return new ModelFailure('rejected', `${reason}: no such model, or no such path`, { blame: 'endpoint' });
  if (status === 408 || status === 409 || status === 429 || status >= 500)
    return new ModelFailure('outage', reason, { answered: true, passing: true, retryAfterMs });
  return new ModelFailure('rejected', reason);
}

/** Whether an endpoint told of an error within a stream that began well. */
function isStatedFailure(error: unknown): error is InstanceType<typeof OpenAI.APIError> {
  return (
    error instanceof OpenAI.APIError &&
    !(error instanceof OpenAI.APIConnectionError) &&
    !(error instanceof OpenAI.APIUserAbortError)
  );
}

/** Some tell a status as the code of such an error, others a word; of what tells neither the question may be the cause. */
function failureOfStatedError({ code, type }: { code?: unknown; type?: unknown }): ModelFailure {
  const status = Number(code);
  if (status >= 400 && status <= 599) return ofStatus({}, status);
  return failureOfStatement('the endpoint answered an error within its stream', [code, type]);
}

/** What a body tells of that came with a status of success; null where it tells of no error. */
export function statedFailure(body: unknown): ModelFailure | null {
  const { error } = (body ?? {}) as { error?: unknown };
  if (error === undefined || error === null || error === false) return null;
  const { code, status, type } = error as { code?: unknown; status?: unknown; type?: unknown };
  const number = [code, status].map(Number).find((one) => one >= 400 && one <= 599);
  if (number !== undefined) return ofStatus({}, number);
  return failureOfStatement('the endpoint answered an error', [code, status, type, error]);
}

function failureOfStatement(reason: string, words: readonly unknown[]): ModelFailure {
  const isBusy = words.some((word) => typeof word === 'string' && BUSY.test(word));
  return isBusy ? new ModelFailure('outage', reason, { passing: true }) : new ModelFailure('answer', reason);
}

const SPAN = /^\d{1,9}(\.\d{1,9})?$/u;

/** Milliseconds that an endpoint asks to wait: by `retry-after-ms`, else by `Retry-After`, in seconds or as a date. */
function retryAfter(headers: Headers | undefined): number | null {
  const inMs = headers?.get('retry-after-ms')?.trim() ?? '';
  if (SPAN.test(inMs)) return Number(inMs);
  const text = headers?.get('retry-after')?.trim() ?? '';
  if (SPAN.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  if (Number.isNaN(until)) return null;
  // The date is one of the clock that the endpoint goes by.
  const now = Date.parse(headers?.get('date') ?? '');
  return Math.max(0, until - (Number.isNaN(now) ? systemClock.now() : now));
}

/** Whether a signal fired because a time was over. */
export function isTimeout(reason: unknown): boolean {
  return named(reason, 'TimeoutError');
}

/** An error and what caused it, outermost first. */
function causes(error: unknown): unknown[] {
  const found: unknown[] = [];
  for (
    let at = error;
    at !== undefined && at !== null && found.length < 10;
    at = (at as { cause?: unknown }).cause
  )
    found.push(at);
  return found;
}

function named(error: unknown, name: string): boolean {
  return (error as { name?: unknown } | null)?.name === name;
}
