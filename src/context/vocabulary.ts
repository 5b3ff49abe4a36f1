import { createHash } from 'node:crypto';

import type { Database } from '../../graph/driver.ts';
import type { VocabularyStore } from '../../graph/policy-log.ts';
import { VocabularyReader } from '../../graph/vocabulary/read.ts';
import { TenantVocabularyStore } from '../../graph/vocabulary/write.ts';
import { PredicateNames } from '../derive/predicate-names.ts';
import { SHIPPED, Vocabulary } from '../derive/vocabulary.ts';
import { PredicateSpellings } from '../services/predicate-spellings.ts';
import { TenantVocabularies } from '../services/tenant-vocabularies.ts';
import { VocabularyService } from '../services/vocabulary.ts';
import type { Audit } from './audit.ts';
import type { Base } from './base.ts';
import type { Gate } from './gate.ts';

/**
 * Writes what this deployment knows of predicates into the log unless it stands there: what the service knows by itself, which is
 * another with another version, and the vocabulary file before it. What is derived goes by the log, so all processes decide alike
 * and a rebuild decides as then.
 */
export async function adoptVocabulary(
  store: VocabularyStore,
  { config, ids, clock, log }: Pick<Base, 'config' | 'ids' | 'clock' | 'log'>,
): Promise<void> {
  const { predicates } = SHIPPED.overruledBy(new Vocabulary(config.vocabulary));
  const hash = createHash('sha256').update(JSON.stringify(predicates)).digest('hex');
  const written = await store.adopt({ id: ids.entry(), hash, predicates }, clock.now());
  if (written) log.info('the vocabulary of predicates is another from here on', { hash });
}

/** Builds what knows how predicates are spelt. */
export function createSpellings(
  database: Database,
  { config, clock, access }: Pick<Base, 'config' | 'clock'> & Pick<Gate, 'access'>,
): PredicateSpellings {
  const names = new PredicateNames(new Vocabulary(config.vocabulary));
  return new PredicateSpellings({ names, vocabularies: createTenantVocabularies(database), access, clock });
}

/** Builds what knows what the vocabularies of tenants say now. */
export function createTenantVocabularies(database: Database): TenantVocabularies {
  return new TenantVocabularies(new VocabularyReader(database));
}

/** Builds the service of vocabularies. */
export function createVocabularies(
  parts: Pick<Gate, 'access' | 'gate'> & Pick<Audit, 'changes'> & Base & { readonly database: Database },
): VocabularyService {
  const { access, gate, database, changes, ids, clock } = parts;
  return new VocabularyService({
    ...{ access, gate, changes, ids, clock },
    reader: new VocabularyReader(database),
    store: new TenantVocabularyStore(database),
  });
}
