import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { readIfThere, writeWhole } from '../machine/files.ts';
import { NEO4J_USER, passwordFile } from './password.ts';

/** How the server of a data directory is reached. */
export interface ManagedAddress {
  readonly uri: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** Where it stands at which port the server of a data directory was started last; it takes a free one at each start. */
function addressFile(dataDir: string): string {
  return join(dataDir, 'neo4j-address');
}

/** Keeps where the server answers, for whoever looks at its graph with a tool of their own. */
export async function writeAddress(dataDir: string, uri: string): Promise<void> {
  await writeWhole(addressFile(dataDir), `${uri}\n`);
}

/** Where the server of a data directory answered when it was started last; null where none was. */
export async function managedAddress(dataDir: string): Promise<ManagedAddress | null> {
  const uri = await readIfThere(addressFile(dataDir));
  if (uri === null) return null;
  const password = (await readFile(passwordFile(dataDir), 'utf8')).trim();
  return { uri: uri.trim(), user: NEO4J_USER, password, database: 'neo4j' };
}
