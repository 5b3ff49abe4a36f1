// Before the exclusive tests: a Neo4j for each worker, unless the runner has started them.

export default async function setup({ maxWorkers }) {
  if (process.env.STRATA_TEST_NEO4J !== undefined) return;
  const { ThrowawayDatabases } = await import('./throwaway-databases.ts');
  globalThis.strataDatabases = new ThrowawayDatabases();
  await globalThis.strataDatabases.start(maxWorkers);
}
