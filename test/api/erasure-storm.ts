import { errorDefinition, type ErrorCode } from '../../schemas/error.ts';
import type { Answer } from '../support/client.ts';

/** What goes on in a storm. */
export const KINDS = ['erase', 'rebuild', 'delete', 'capture'] as const;
export type Kind = (typeof KINDS)[number];

/** Codes of the contract that each may be refused with beside the others. */
const REFUSALS: Readonly<Record<Kind, readonly ErrorCode[]>> = {
  erase: [
    'REDERIVE_IN_PROGRESS',
    'DESTRUCTIVE_OPERATION_IN_PROGRESS',
    'WAIT_TIMEOUT',
    'AUTHORIZATION_STATE_CHANGED',
  ],
  rebuild: ['NO_ELIGIBLE_EVENTS'],
  delete: ['REDERIVE_IN_PROGRESS', 'DESTRUCTIVE_OPERATION_IN_PROGRESS', 'NOT_FOUND'],
  capture: ['DESTRUCTIVE_OPERATION_IN_PROGRESS'],
};

/** A stretch of time, epoch milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What was sent and answered of one kind. */
export interface Sent extends Span {
  readonly kind: Kind;
  readonly scope: string;
  readonly answer: Answer;
  /** The code of a refusal; null for what was done. */
  readonly code: string | null;
}

/** Sends requests, and keeps what was answered to each. */
export class StormLog {
  readonly sent: Sent[] = [];

  /** Sends one, and notes when. */
  async send(kind: Kind, scope: string, request: () => Promise<Answer>): Promise<Sent> {
    const from = Date.now();
    const answer = await request();
    const code = answer.status < 300 ? null : String(answer.json?.error_code ?? answer.status);
    const one = { kind, scope, answer, code, from, to: Date.now() };
    this.sent.push(one);
    return one;
  }

  /** Answers that the contract does not have, or not so. */
  faults(): string[] {
    return this.sent.flatMap(({ kind, scope, code, answer }) => {
      if (code === null) return [];
      const told = `${kind} of ${scope}: ${answer.status} ${answer.text.slice(0, 200)}`;
      if (!(REFUSALS[kind] as readonly string[]).includes(code)) return [told];
      const { status, retryAfterSeconds } = errorDefinition(code as ErrorCode);
      const wanted = retryAfterSeconds === undefined ? null : String(retryAfterSeconds);
      const isAsStated = answer.status === status && answer.headers.get('retry-after') === wanted;
      return isAsStated ? [] : [`${told}; retry-after ${answer.headers.get('retry-after') ?? 'none'}`];
    });
  }

  /** Whether something of one kind was refused for what went on of another. */
  refused(kind: Kind, code: ErrorCode, says = /./): boolean {
    return this.sent.some(
      (one) => one.kind === kind && one.code === code && says.test(String(one.answer.json.message)),
    );
  }

  /** Whether something of one kind was done within one of the spans of a scope, from its beginning to its end. */
  within(kind: Kind, spans: readonly (Span & { readonly scope: string })[]): boolean {
    return this.sent.some(
      (one) =>
        one.kind === kind &&
        one.code === null &&
        spans.some(({ scope, from, to }) => scope === one.scope && from < one.from && one.to < to),
    );
  }
}
