import type { Base } from './base.ts';
import { createHash } from 'node:crypto';

import type { VocabularyStore } from '../../graph/policy-log.ts';
import { SHIPPED, Vocabulary } from '../derive/vocabulary.ts';

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
