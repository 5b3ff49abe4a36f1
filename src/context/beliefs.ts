import { BeliefReader } from '../../graph/belief.ts';
import { BeliefWalker } from '../../graph/belief-walk.ts';
import type { Database } from '../../graph/driver.ts';
import { EntityReader } from '../../graph/entity.ts';
import type { EventReader } from '../../graph/event.ts';
import { FactReader } from '../../graph/fact.ts';
import { WholeBeliefs } from '../services/belief-whole.ts';
import { BeliefService } from '../services/belief.ts';
import type { Feedback } from '../services/feedback.ts';
import type { Gate } from './gate.ts';
import type { Base } from './workers.ts';

/** Builds the service of beliefs. */
export function createBeliefs(
  parts: Gate & Base & { readonly database: Database; readonly events: EventReader },
  feedback: Feedback,
): { belief: BeliefService } {
  const { access, selection, database, events, clock } = parts;
  const reader = new BeliefReader(database);
  return {
    belief: new BeliefService({
      access,
      selection,
      reader,
      walker: new BeliefWalker(database),
      entities: new EntityReader(database),
      beliefs: new WholeBeliefs(reader),
      facts: new FactReader(database),
      events,
      feedback,
      clock,
    }),
  };
}
