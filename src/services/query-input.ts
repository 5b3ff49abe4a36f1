import type { z } from 'zod';

import type { ErrorCode } from '../../schemas/error.ts';
import { StrataError } from '../errors.ts';
import { parseInput } from '../validation.ts';

/**
 * Reads named parameters by a schema. Throws `INVALID_QUERY`: in plain text for a missing required one (all transports
 * share the message), otherwise naming the parameter and, for an unknown one, the allowed names.
 */
export function parseQuery<S extends z.ZodObject>(
  schema: S,
  query: unknown,
  code: ErrorCode = 'INVALID_QUERY',
): z.output<S> {
  const given = (query ?? {}) as Record<string, unknown>;
  const allowed = Object.keys(schema.shape);
  for (const [name, field] of Object.entries(schema.shape)) {
    const required = !(field as z.ZodType).safeParse(undefined).success;
    if (required && given[name] === undefined) {
      throw new StrataError('INVALID_QUERY', `missing required query parameter: ${name}`, {
        plainText: true,
      });
    }
  }
  for (const [name, value] of Object.entries(given)) {
    const field = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined;
    if (!field) {
      throw new StrataError('INVALID_QUERY', `unknown query parameter: ${name}`, {
        details: { field_path: name, allowed },
      });
    }
    if (Array.isArray(value) && !field.safeParse([]).success) {
      throw new StrataError('INVALID_QUERY', `the query parameter ${name} may be given once`, {
        details: { field_path: name, reason: 'repeated' },
      });
    }
  }
  return parseInput(schema, given, code);
}
