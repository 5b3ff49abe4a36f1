import type { z } from 'zod';

import { instant } from './time.ts';

/** The parameters by which a reading is asked at other instants than now; every reading of derived records takes them. */
export const asOfParameters = {
  as_of: instant
    .optional()
    .describe(
      'Both axes at this RFC 3339 instant: what was known then to be true then. Not together with the other two.',
    ),
  as_of_valid: instant
    .optional()
    .describe('What is true at this RFC 3339 instant, as known now; default now.'),
  as_of_recorded: instant
    .optional()
    .describe('What was known at this RFC 3339 instant; default what is known now.'),
};

/** The instants that a caller names. */
export type AsOfQuery = {
  readonly [Name in keyof typeof asOfParameters]?: z.output<(typeof asOfParameters)[Name]>;
};
