import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { errorText, StartupError } from './errors.ts';

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
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new StartupError(`the operator key ${file} cannot be read: ${errorText(error)}`, { cause: error });
  }
  const key = text.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
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
  const created = storeWhole(dataDir, fresh);
  return { key: loadOperatorKey(dataDir) ?? fresh, created };
}

/** Writes the key so that it appears whole or not at all; false when another process was quicker. */
function storeWhole(dataDir: string, key: string): boolean {
  const file = operatorKeyFile(dataDir);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${key}\n`, { mode: 0o600, flag: 'wx', flush: true });
    try {
      // Unlike a rename, a link never replaces what another process has put there.
      linkSync(draft, file);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    } finally {
      unlinkSync(draft);
    }
  } catch (error) {
    throw new StartupError(`the operator key ${file} cannot be written: ${errorText(error)}`, {
      cause: error,
    });
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}
