import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { StartupError } from './errors.ts';
import { MIN_OPERATOR_KEY_LENGTH } from './limits.ts';
import { readSecretFile, writeSecretFile } from './tokens/secret-file.ts';

const WHAT = 'the operator key';

/** What the text of an operator key looks like. */
export const OPERATOR_KEY_TEXT = new RegExp(`^[\\x21-\\x7e]{${MIN_OPERATOR_KEY_LENGTH},}$`);

/** Where the operator key of a data directory lies, mode 0600. */
export function operatorKeyFile(dataDir: string): string {
  return join(dataDir, 'operator-key');
}

/**
 * The key stored in a data directory, or null when none was made yet.
 *
 * @throws StartupError when the file is there and cannot be read or holds no key.
 */
export function loadOperatorKey(dataDir: string): string | null {
  const file = operatorKeyFile(dataDir);
  const text = readSecretFile(file, WHAT);
  if (text === null) return null;
  const key = text.trim();
  if (OPERATOR_KEY_TEXT.test(key)) return key;
  throw new StartupError(`${file} holds no operator key; restore it, or remove it to have a new one made`);
}

/**
 * The stored key, made at random (256 bits) when there is none; the directory is created with mode 0700 where needed.
 * Processes that race for it end up with the same one.
 *
 * @throws StartupError when the key can be neither read nor written.
 */
export function ensureOperatorKey(dataDir: string): { key: string; created: boolean } {
  const stored = loadOperatorKey(dataDir);
  if (stored !== null) return { key: stored, created: false };
  const fresh = `strata_${randomBytes(32).toString('base64url')}`;
  const created = writeSecretFile(operatorKeyFile(dataDir), `${fresh}\n`, { what: WHAT });
  return { key: loadOperatorKey(dataDir) ?? fresh, created };
}
