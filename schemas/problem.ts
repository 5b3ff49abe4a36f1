import { z } from 'zod';

import { ERROR_CODES, type ErrorCode } from './error.ts';

const codes = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

/** The body of every error that is answered as JSON. */
export const problem = z.strictObject({
  error_code: z.enum(codes).describe('Stable code of the closed list.'),
  message: z.string().describe('What is wrong, for a person.'),
  retriable: z.boolean().describe('True when resending the identical request is safe and may succeed.'),
  request_id: z.string().describe('Id of the request, also in the header X-Strata-Request-Id.'),
  details: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('What a program may act on, such as field_path, reason, allowed, capability.'),
});

/** The body of an error. */
export type Problem = z.infer<typeof problem>;
