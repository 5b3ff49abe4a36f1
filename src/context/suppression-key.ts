import { createHash } from 'node:crypto';

import type { DeploymentStore } from '../../graph/deployment.ts';
import type { Config } from '../config.ts';
import { StartupError } from '../errors.ts';
import type { Log } from '../log.ts';
import { ensureSuppressionKey, loadSuppressionKey } from '../tokens/suppression-key.ts';

/**
 * The key that suppressed contents, the keys of uploads and requests of the audit log are hashed with: the one that was set, or the stored
 * one, which is made when neither this process nor the database knows any. With `replace` it takes the place of the one that the database
 * knows: what was suppressed by that, keys of uploads and bodies of requests are not known again.
 *
 * @throws StartupError when the database knows another one, which stays.
 */
export async function agreeOnSuppressionKey(
  store: DeploymentStore,
  { suppressionKey, dataDir }: Pick<Config, 'suppressionKey' | 'dataDir'>,
  { replace = false, log }: { readonly replace?: boolean; readonly log: Pick<Log, 'warn'> },
): Promise<string> {
  const known = await store.suppressionKeyHash(null);
  const held = suppressionKey ?? loadSuppressionKey(dataDir);
  // A start that is refused leaves nothing behind.
  const key = held ?? (known === null || replace ? ensureSuppressionKey(dataDir) : null);
  if (key !== null && replace && known !== hashOf(key)) {
    if (known !== null)
      log.warn(
        'another suppression key takes the place of the former: what was suppressed is captured again, and keys of uploads are new ones',
      );
    await store.replaceSuppressionKeyHash(hashOf(key));
  }
  if (key !== null && (await store.suppressionKeyHash(hashOf(key))) === hashOf(key)) return key;
  throw new StartupError(
    'This database hashes suppressed contents and keys of uploads with a key that this process does not hold, and all processes on it must hold the same one. ' +
      'Set STRATA_SUPPRESSION_KEY to that key (the file suppression-key in the data directory of the process that made it). ' +
      'Where it is lost, start once with --accept-key: what was suppressed before, and which keys of uploads were used, is not known again.',
  );
}

function hashOf(key: string): string {
  return createHash('sha256').update(`strata suppression key\n${key}`).digest('hex');
}
