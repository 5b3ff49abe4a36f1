import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { readIfThere, writeWhole } from '../machine/files.ts';
import type { LocalNeo4j } from './options.ts';
import { NEO4J_USER, passwordFile } from './password.ts';

/** How the server of a data directory is reached. */
type ManagedAddress = Pick<LocalNeo4j, 'uri' | 'user' | 'password' | 'database'>;

/** Where it stands at which port the server of a data directory answers; it takes a free one at each start. */
function addressFile(dataDir: string): string {
  return join(dataDir, 'neo4j-address');
}

/** Keeps where the server answers while it runs, for whoever looks at its graph with a tool of their own. */
export async function writeAddress(dataDir: string, uri: string): Promise<void> {
  await writeWhole(addressFile(dataDir), `${uri}\n`);
}

/** Forgets it once the server has ended: another program may take the port, and would be sent the password. */
export function removeAddress(dataDir: string): Promise<void> {
  return rm(addressFile(dataDir), { force: true });
}

/** Where the server of a data directory answers, or did when it was killed; null where none runs. */
export async function managedAddress(dataDir: string): Promise<ManagedAddress | null> {
  const uri = await readIfThere(addressFile(dataDir));
  if (uri === null) return null;
  const password = (await readFile(passwordFile(dataDir), 'utf8')).trim();
  return { uri: uri.trim(), user: NEO4J_USER, password, database: 'neo4j' };
}
