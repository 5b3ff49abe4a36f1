import { join } from 'node:path';

import { StartupError } from '../errors.ts';
import { MAX_TOKEN_KEYS } from '../limits.ts';
import { newSecretKey, SECRET_KEY_TEXT } from './key.ts';
import { readSecretFile, writeSecretFile } from './secret-file.ts';

const WHAT = 'the file of signing keys';

/** Where the signing keys of a data directory lie, mode 0600: `k4.secret.…`, one a line, newest first. */
export function tokenKeyFile(dataDir: string): string {
  return join(dataDir, 'token-key');
}

/**
 * The signing keys stored in a data directory, newest first; none when none was made yet.
 *
 * @throws StartupError when the file cannot be read or holds anything else.
 */
export function loadTokenKeys(dataDir: string): string[] {
  const file = tokenKeyFile(dataDir);
  const text = readSecretFile(file, WHAT);
  if (text === null) return [];
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  if (lines.length > 0 && lines.every((line) => SECRET_KEY_TEXT.test(line))) return lines;
  throw new StartupError(
    `${file} holds no signing keys (k4.secret.…, one a line); restore it, or remove it to have a new one made`,
  );
}

/**
 * The stored keys, one made when there is none. Processes that race for it end up with the same one.
 *
 * @throws StartupError when they can be neither read nor written.
 */
export async function ensureTokenKeys(dataDir: string): Promise<string[]> {
  const stored = loadTokenKeys(dataDir);
  if (stored.length > 0) return stored;
  writeSecretFile(tokenKeyFile(dataDir), `${await newSecretKey()}\n`, { what: WHAT });
  return loadTokenKeys(dataDir);
}

/**
 * Puts a new key in front of the stored ones, of which the 15 newest stay; answers all, newest first.
 *
 * @throws StartupError when they can be neither read nor written.
 */
export async function rotateTokenKeys(dataDir: string): Promise<string[]> {
  const keys = [await newSecretKey(), ...loadTokenKeys(dataDir)].slice(0, MAX_TOKEN_KEYS);
  writeSecretFile(tokenKeyFile(dataDir), `${keys.join('\n')}\n`, { what: WHAT, replace: true });
  return keys;
}
