import { z } from 'zod';

import { scopePath } from './scope.ts';

/** Query of the derivation status. */
export const derivationStatusQuery = z.strictObject({
  scope: scopePath,
});

const stageLag = z.strictObject({
  offset: z.number().int().describe('Newest offset of the log up to which the stage is done for this scope.'),
  lag_events: z
    .number()
    .int()
    .describe('Events of the scope that the stage has not passed; counted up to 10000.'),
  lag_ms: z.number().int().describe('Age in milliseconds of the oldest of them; 0 when there are none.'),
});

const lane = z.strictObject({
  name: z.enum(['extraction', 'enrichment', 'embeddings']).describe('Call site of a model.'),
  status: z
    .enum(['up', 'down', 'off', 'unknown'])
    .describe(
      '`off`: not set up, which is no fault; `down`: it does not answer; `unknown`: it was not asked yet.',
    ),
  fix: z
    .string()
    .nullable()
    .describe('What would turn it on or mend it, by the names of settings; null while it is up.'),
});

/** How far derivation is for one scope. */
export const derivationStatus = z.strictObject({
  scope: z.string(),
  caught_up: z.boolean().describe('True when every event of the scope has passed every stage.'),
  dirty: z.boolean().describe('True when something is still to be derived; the opposite of `caught_up`.'),
  rebuilding: z
    .boolean()
    .describe(
      'True while what was derived of the scope is dropped and derived again; readings show a part of it.',
    ),
  idle_seconds: z
    .number()
    .describe('Seconds since the newest event of the scope was recorded; 0 when it has none.'),
  built: z.strictObject({
    episodes: z.number().int(),
    beliefs: z.number().int(),
    concepts: z.number().int(),
  }),
  head_offset: z.number().int().describe('Offset of the newest event of the scope; 0 when it has none.'),
  stages: z.strictObject({ extracted: stageLag, indexed: stageLag, consolidated: stageLag }),
  held: z
    .number()
    .int()
    .describe('Events that wait for something outside, or were queued to be tried again.'),
  deferred: z
    .number()
    .int()
    .describe(
      'Events that wait for the scope to be consolidated, because its policy says later than at once.',
    ),
  lanes: z.array(lane).describe('Call sites that derivation asks models at; the same for every scope.'),
  enrichment: z
    .strictObject({
      open: z
        .boolean()
        .describe('True while events of the scope that nobody has extracted from wait for the lane.'),
      held: z.int().describe('Events without a usable answer of the lane so far, which are tried again.'),
      failed: z.int().describe('Events that the lane gave up; resending with the same key queues them.'),
    })
    .describe(
      'How far enrichment is; it comes later than everything else, and `caught_up` does not wait for it.',
    ),
  embeddings: z
    .strictObject({
      due: z
        .int()
        .describe('Passages of the scope whose vectors have still to be made; counted up to 10000.'),
      lag_ms: z
        .int()
        .describe('For how many milliseconds the oldest of them has been due; 0 when there are none.'),
      refused: z
        .int()
        .describe('Events of which the model does not take a text; they are found by their words.'),
    })
    .describe('How far vectors are; `caught_up` does not wait for them. Zeros without a provider.'),
  assumed_predicates: z
    .strictObject({
      count: z
        .int()
        .describe(
          'Predicates of facts of the scope that neither the vocabulary, a policy of the scope nor the extractor knows, so that one value at once is assumed. In a scope of many such facts it counts those found in 20 steps.',
        ),
      names: z.array(z.string()).describe('The first 100 of them, in the order of letters.'),
    })
    .describe(
      'What a person could declare by `policies.cardinality` of the scope, in a vocabulary or in the vocabulary file; that counts for what is captured from then on. Predicates that were declared since are not among them.',
    ),
  failed: z.number().int().describe('Events that a stage gave up; resending with the same key queues them.'),
});
export type DerivationStatus = z.infer<typeof derivationStatus>;
