import type { Base } from './base.ts';
import type { Database } from '../../graph/driver.ts';
import { ClaimRecordReader } from '../../graph/claim/record.ts';
import { ConflictReader } from '../../graph/conflict.ts';
import { EntityLinkReader, EntityLinkStore } from '../../graph/entity/link.ts';
import { EntityReader } from '../../graph/entity/read.ts';
import { ClaimReader } from '../../graph/fact/claim.ts';
import { FactReader } from '../../graph/fact/read.ts';
import { FactWalker } from '../../graph/fact/walk.ts';
import type { LogOffsets } from '../../graph/log-offset.ts';
import { ClaimService } from '../services/claim.ts';
import { EntityLookup } from '../services/entity-lookup.ts';
import { EntityLinking } from '../services/entity-link.ts';
import { EntityService } from '../services/entity.ts';
import { NamedEntities } from '../services/named-entities.ts';
import { FactHydrator } from '../services/fact-hydrator.ts';
import { FactService } from '../services/fact.ts';
import { createAmbiguousNames } from './ambiguous-names.ts';
import type { Gate } from './gate.ts';
import { createSpellings } from './vocabulary.ts';
import type { Provenance } from './provenance.ts';
import type { Audit } from './audit.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

/** What the services are built from. */
type FactParts = Gate &
  Base &
  Pick<Audit, 'changes'> & {
    readonly database: Database;
    readonly places: LogOffsets;
    readonly provenance: Provenance;
    readonly pipeline: Pipeline;
  };

/** Builds the services of facts and of what they are about. */
export function createFacts(parts: FactParts): {
  fact: FactService;
  entity: EntityService;
  claim: ClaimService;
} {
  const { access, gate, selection, database, places, clock } = parts;
  const { walk } = parts.provenance;
  const entities = new EntityReader(database, places);
  const reader = new FactReader(database);
  const walker = new FactWalker(database, places);
  const links = new EntityLinkReader(database);
  const ambiguous = createAmbiguousNames(database);
  const lookup = new EntityLookup({ access, reader: entities, links, ambiguous });
  const named = new NamedEntities({ entities, links, ambiguous });
  const claims = new ClaimReader(database);
  const facts = new FactHydrator(reader);
  const records = new ClaimRecordReader(database);
  const conflicts = new ConflictReader(database);
  const predicates = createSpellings(database, parts);
  const listing = { selection, walker, claims, named, predicates, clock };
  return {
    fact: new FactService({ ...listing, gate, lookup, reader, walk }),
    entity: new EntityService({
      selection,
      lookup,
      named,
      reader: entities,
      links,
      walker,
      facts,
      clock,
      linking: createLinking(parts, links),
    }),
    claim: new ClaimService({ ...listing, facts, records, conflicts }),
  };
}

function createLinking(
  { access, gate, database, ids, clock, changes, config, pipeline }: FactParts,
  reader: EntityLinkReader,
): EntityLinking {
  return new EntityLinking({
    access,
    gate,
    reader,
    store: new EntityLinkStore(database),
    ids,
    clock,
    changes,
    waitBudgetMs: config.capture.waitBudgetMs,
    onLinked: () => {
      pipeline.linked();
    },
  });
}
