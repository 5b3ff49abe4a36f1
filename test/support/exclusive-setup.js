// Before the exclusive tests: a Neo4j for each worker.
import { tsImport } from 'tsx/esm/api';

export default async function setup({ maxWorkers }) {
  const databases = await tsImport('./exclusive-databases.ts', import.meta.url);
  globalThis.strataExclusive = databases;
  await databases.startExclusiveDatabases(maxWorkers);
}
