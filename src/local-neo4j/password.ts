import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { StartupError } from '../errors.ts';
import { readIfThere, writeWhole } from '../machine/files.ts';

/** The only user of a community server. */
export const NEO4J_USER = 'neo4j';
/** The password of a database that was never logged in to. */
export const FIRST_PASSWORD = 'neo4j';

/** Where the password of the server of a data directory lies, mode 0600. */
export function passwordFile(dataDir: string): string {
  return join(dataDir, 'neo4j-password');
}

/**
 * The server's password, made at random and written down on first use: before the server learns it, so that a
 * crash between leaves a server that still has the first password, which the next start changes.
 */
export async function ensurePassword(dataDir: string): Promise<string> {
  const file = passwordFile(dataDir);
  const kept = await readIfThere(file);
  if (kept === null) {
    const fresh = randomBytes(24).toString('base64url');
    await writeWhole(file, `${fresh}\n`);
    return fresh;
  }
  const password = kept.trim();
  if (password.length < 8)
    throw new StartupError(`${file} holds no usable password. Restore it from a backup.`);
  return password;
}
