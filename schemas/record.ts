import { z } from 'zod';

import { asOfParameters } from './as-of.ts';
import { beliefItem } from './belief.ts';
import { conceptItem } from './concept.ts';
import { episodeItem } from './episode.ts';
import { eventItem } from './event.ts';
import { factItem } from './fact.ts';

/** A record of any layer; what its id begins with says which: `evt_`, `ep_`, `fact_`, `belief_`, `concept_`. */
export const memoryRecord = z
  .union([eventItem, episodeItem, factItem, beliefItem, conceptItem])
  .describe('An event, episode, fact, belief or concept, as its own route answers it.');
export type MemoryRecord = z.output<typeof memoryRecord>;

/** Query of the reading of one record of any layer. */
export const recordQuery = z.strictObject({
  as_of: asOfParameters.as_of.describe(
    'The record as it was known at this RFC 3339 instant, if it was true then. Not together with the other two.',
  ),
  as_of_valid: asOfParameters.as_of_valid.describe(
    'Only if it is true at this RFC 3339 instant: a fact then, an event or episode by then, a belief as held about then. Concepts have no valid time.',
  ),
  as_of_recorded: asOfParameters.as_of_recorded.describe(
    'As it was known at this RFC 3339 instant; default as it is known now.',
  ),
});
