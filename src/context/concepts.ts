import type { Base } from './base.ts';
import { ConceptReader } from '../../graph/concept/read.ts';
import { ConceptWalker } from '../../graph/concept/walk.ts';
import type { Database } from '../../graph/driver.ts';
import { EntityLinkReader } from '../../graph/entity/link.ts';
import { EntityReader } from '../../graph/entity/read.ts';
import type { LogOffsets } from '../../graph/log-offset.ts';
import { SynthesisWriter } from '../../graph/synthesis.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { ConceptService } from '../services/concept.ts';
import { NamedEntities } from '../services/named-entities.ts';
import { createAmbiguousNames } from './ambiguous-names.ts';
import type { Gate } from './gate.ts';

/** Builds the service of concepts. */
export function createConcepts(
  parts: Gate &
    Base & { readonly database: Database; readonly places: LogOffsets; readonly pipeline: Pipeline },
): { concept: ConceptService } {
  const { access, gate, selection, database, places, clock, ids, keyedIds, pipeline } = parts;
  const entities = new EntityReader(database, places);
  const links = new EntityLinkReader(database);
  return {
    concept: new ConceptService({
      access,
      gate,
      selection,
      reader: new ConceptReader(database),
      walker: new ConceptWalker(database, places),
      links,
      named: new NamedEntities({ entities, links, ambiguous: createAmbiguousNames(database) }),
      syntheses: new SynthesisWriter(database),
      ids,
      keyedIds,
      clock,
      onSynthesis: () => {
        pipeline.synthesisAsked();
      },
    }),
  };
}
