import type { Base } from './base.ts';
import { BeliefReader } from '../../graph/belief/read.ts';
import { BeliefWalker } from '../../graph/belief/walk.ts';
import type { Database } from '../../graph/driver.ts';
import { EntityLinkReader } from '../../graph/entity/link.ts';
import { EntityReader } from '../../graph/entity/read.ts';
import type { LogOffsets } from '../../graph/log-offset.ts';
import { WholeBeliefs } from '../services/belief-whole.ts';
import { BeliefService } from '../services/belief.ts';
import { NamedEntities } from '../services/named-entities.ts';
import type { Feedback } from '../services/feedback.ts';
import { createAmbiguousNames } from './ambiguous-names.ts';
import type { Gate } from './gate.ts';
import type { Provenance } from './provenance.ts';

/** Builds the service of beliefs. */
export function createBeliefs(
  parts: Gate &
    Base & { readonly database: Database; readonly places: LogOffsets; readonly provenance: Provenance },
  feedback: Feedback,
): { belief: BeliefService } {
  const { gate, selection, database, places, provenance, keyedIds, clock } = parts;
  const reader = new BeliefReader(database);
  return {
    belief: new BeliefService({
      gate,
      selection,
      reader,
      walker: new BeliefWalker(database, places),
      named: new NamedEntities({
        entities: new EntityReader(database, places),
        links: new EntityLinkReader(database),
        ambiguous: createAmbiguousNames(database),
        declared: true,
      }),
      beliefs: new WholeBeliefs(reader),
      walk: provenance.walk,
      feedback,
      keyedIds,
      clock,
    }),
  };
}
