import { z } from 'zod';

/** Names that several entities of a scope have. */
export const ambiguousNames = z.array(
  z.strictObject({
    name: z.string().describe('The name, in lower case.'),
    ids: z
      .array(z.string())
      .describe(
        'The entity that it stands for, followed by the others: 16 at most, those that had it first.',
      ),
  }),
);

/** Those by which a reading was asked for. */
export const ambiguousAsked = ambiguousNames
  .optional()
  .describe(
    'Names of the query that several entities of one scope have: the answer is about all of them. Absent where there is none.',
  );
