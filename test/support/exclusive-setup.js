// Before the exclusive tests: a Neo4j for each worker, unless the runner has started them.
import { tsImport } from 'tsx/esm/api';

export default async function setup({ maxWorkers }) {
  if (process.env.STRATA_TEST_NEO4J !== undefined) return;
  const { ThrowawayDatabases } = await tsImport('./throwaway-databases.ts', import.meta.url);
  globalThis.strataDatabases = new ThrowawayDatabases();
  await globalThis.strataDatabases.start(maxWorkers);
}
