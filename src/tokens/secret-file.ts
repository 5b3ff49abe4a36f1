import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { errorText, StartupError } from '../errors.ts';

/**
 * The text of a file, or null when there is none.
 *
 * @throws StartupError naming `what` when it is there and cannot be read.
 */
export function readSecretFile(file: string, what: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new StartupError(`${what} ${file} cannot be read: ${errorText(error)}`, { cause: error });
  }
}

/**
 * Writes a file of mode 0600 so that it appears whole or not at all, in a directory of mode 0700 that is made where needed.
 * Without `replace` what is there stays, and false says that it does: another process was quicker.
 *
 * @throws StartupError naming `what` when it cannot be written.
 */
export function writeSecretFile(
  file: string,
  text: string,
  { what, replace = false }: { what: string; replace?: boolean },
): boolean {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    if (!replace) return linkUnlessThere(draft, file);
    renameSync(draft, file);
    return true;
  } catch (error) {
    throw new StartupError(`${what} ${file} cannot be written: ${errorText(error)}`, { cause: error });
  }
}

function linkUnlessThere(draft: string, file: string): boolean {
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
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}
