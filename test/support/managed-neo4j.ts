import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { DatabaseAddress } from '../../src/context.ts';
import { NEO4J_USER, passwordFile } from '../../src/local-neo4j/password.ts';

/** Where the managed Neo4j of a data directory listens now; it may have moved with a new start. */
export function managedAddress(dataDir: string): DatabaseAddress {
  const conf = readFileSync(join(dataDir, 'neo4j', 'conf', 'neo4j.conf'), 'utf8');
  const at = /^server\.bolt\.listen_address=(.*)$/m.exec(conf)?.[1] ?? '';
  const password = readFileSync(passwordFile(dataDir), 'utf8').trim();
  return { uri: `bolt://${at}`, user: NEO4J_USER, password, database: 'neo4j' };
}
