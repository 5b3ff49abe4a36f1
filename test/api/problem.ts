import { errorDefinition, type ErrorCode } from '../../schemas/error.ts';
import type { Answer } from '../support/client.ts';

/** What an error answer has to be. */
export interface ExpectedProblem {
  readonly status: number;
  readonly code: string;
  /** Default false. */
  readonly retriable?: boolean;
  /** Expected `details.field_path`; not looked at when left out. */
  readonly field?: string;
}

/** The parts of an answer that {@link ExpectedProblem} speaks of, for one comparison with a readable difference. */
export function problemOf(answer: Answer, expected: ExpectedProblem): Record<string, unknown> {
  const body = answer.json as Record<string, any> | undefined;
  return {
    status: answer.status,
    code: body?.error_code ?? answer.text.slice(0, 300),
    retriable: body?.retriable,
    ...(expected.field === undefined ? {} : { field: body?.details?.field_path }),
  };
}

/** Expects an error in the shape of the contract: the four fields, a message, the request id of the header. */
export function expectProblem(answer: Answer, expected: ExpectedProblem): void {
  expect(problemOf(answer, expected)).toEqual({ retriable: false, ...expected });
  const { error_code, message, retriable, request_id, details, ...rest } = answer.json;
  expect(rest).toEqual({});
  expect(error_code).toMatch(/^[A-Z_]+$/);
  expect(message).toMatch(/\S/);
  expect(typeof retriable).toBe('boolean');
  expect(request_id).toBe(answer.headers.get('x-strata-request-id'));
  expect(answer.headers.get('x-cortex-request-id')).toBe(request_id);
  expect(details === undefined || typeof details === 'object').toBe(true);
}

/** Expects an error with the status and the retriability that the list of codes gives it. */
export function expectCode(answer: Answer, code: ErrorCode): void {
  const { status, retriable } = errorDefinition(code);
  expectProblem(answer, { status, code, retriable });
}

/** Expects one of the errors that the contract wants as plain text. */
export function expectPlainText(answer: Answer, status: number, words: RegExp): void {
  expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({
    status,
    type: 'text/plain; charset=utf-8',
  });
  expect(answer.json).toBeUndefined();
  expect(answer.text).toMatch(words);
  expect(answer.headers.get('x-strata-request-id')).toMatch(/^req_/);
}
