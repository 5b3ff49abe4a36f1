import { rmSync } from 'node:fs';

export default async function teardown() {
  const { neo4j, directory } = globalThis.strataTestNeo4j;
  await neo4j.stop();
  rmSync(directory, { recursive: true, force: true });
}
