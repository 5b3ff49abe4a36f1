import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { StartupError } from '../errors.ts';
import { readSecretFile, writeSecretFile } from './secret-file.ts';

const WHAT = 'the suppression key';

/** What the text of a suppression key looks like. */
export const SUPPRESSION_KEY_TEXT = /^[\x21-\x7e]{32,256}$/;

/** Where the suppression key of a data directory lies, mode 0600. */
export function suppressionKeyFile(dataDir: string): string {
  return join(dataDir, 'suppression-key');
}

/**
 * The key stored in a data directory, or null when none was made yet.
 *
 * @throws StartupError when the file is there and cannot be read or holds no key.
 */
export function loadSuppressionKey(dataDir: string): string | null {
  const file = suppressionKeyFile(dataDir);
  const text = readSecretFile(file, WHAT);
  if (text === null) return null;
  const key = text.trim();
  if (SUPPRESSION_KEY_TEXT.test(key)) return key;
  throw new StartupError(
    `${file} holds no suppression key (32 to 256 visible characters); restore it, or remove it to have a new one made`,
  );
}

/**
 * The stored key, made at random (256 bits) when there is none. Processes that race for it end up with the same one.
 *
 * @throws StartupError when it can be neither read nor written.
 */
export function ensureSuppressionKey(dataDir: string): string {
  const stored = loadSuppressionKey(dataDir);
  if (stored !== null) return stored;
  const fresh = randomBytes(32).toString('base64url');
  writeSecretFile(suppressionKeyFile(dataDir), `${fresh}\n`, { what: WHAT });
  return loadSuppressionKey(dataDir) ?? fresh;
}
