import { ConceptReader } from '../../graph/concept.ts';
import { ConceptWalker } from '../../graph/concept-walk.ts';
import type { Database } from '../../graph/driver.ts';
import { EntityReader } from '../../graph/entity.ts';
import { ConceptService } from '../services/concept.ts';
import type { Gate } from './gate.ts';
import type { Base } from './workers.ts';

/** Builds the service of concepts. */
export function createConcepts(parts: Gate & Base & { readonly database: Database }): {
  concept: ConceptService;
} {
  const { access, selection, database, clock } = parts;
  return {
    concept: new ConceptService({
      access,
      selection,
      reader: new ConceptReader(database),
      walker: new ConceptWalker(database),
      entities: new EntityReader(database),
      clock,
    }),
  };
}
