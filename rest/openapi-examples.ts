import type { z } from 'zod';

import { ERROR_CODES, errorDefinition, type ErrorCode } from '../schemas/error.ts';
import type { OperationExample } from '../schemas/example.ts';
import type { Problem } from '../schemas/problem.ts';
import type { JsonObject } from './json-schema.ts';

/** An error body with each of some codes, by code, as it is answered. */
export function problemExamples(codes: readonly ErrorCode[]): JsonObject {
  const entries = codes.map((code) => {
    const { when, retriable } = errorDefinition(code);
    const value: Problem = {
      error_code: code,
      message: when,
      retriable,
      request_id: 'req_01a21b4cba8a70959aa6b6a4f07538b7',
    };
    return [code, { summary: code, value }];
  });
  return Object.fromEntries(entries) as JsonObject;
}

/** Every code that an operation may answer, in the order of precedence; what answers a method that a path does not have is no operation. */
export function codesOfOperations(): ErrorCode[] {
  return (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => code !== 'METHOD_NOT_ALLOWED');
}

/** The examples of a response whose body has one of some codes. */
export function problemReferences(codes: readonly ErrorCode[]): JsonObject {
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}

/** The value of each query parameter that an example gives, as its schema describes it. */
export function queryValues(query: z.ZodObject, { query: given = {} }: OperationExample): JsonObject {
  const read = query.parse(given) as JsonObject;
  return Object.fromEntries(Object.keys(given).map((name) => [name, read[name]]));
}

/** An example under its name in OpenAPI; nothing where there is none. */
export function exampleField(value: unknown): { example?: unknown } {
  return value === undefined ? {} : { example: value };
}
