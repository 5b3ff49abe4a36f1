import { ConceptReader } from '../../graph/concept.ts';
import { ConceptWalker } from '../../graph/concept-walk.ts';
import type { Database } from '../../graph/driver.ts';
import { EntityReader } from '../../graph/entity.ts';
import { SynthesisWriter } from '../../graph/synthesis.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { ConceptService } from '../services/concept.ts';
import type { Gate } from './gate.ts';
import type { Base } from './workers.ts';

/** Builds the service of concepts. */
export function createConcepts(
  parts: Gate & Base & { readonly database: Database; readonly pipeline: Pipeline },
): { concept: ConceptService } {
  const { access, selection, database, clock, ids, pipeline } = parts;
  return {
    concept: new ConceptService({
      access,
      selection,
      reader: new ConceptReader(database),
      walker: new ConceptWalker(database),
      entities: new EntityReader(database),
      syntheses: new SynthesisWriter(database),
      ids,
      clock,
      onSynthesis: () => {
        pipeline.synthesisAsked();
      },
    }),
  };
}
