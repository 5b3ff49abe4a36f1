// Before the API tests: one Neo4j and one service for all of them, or those that `npm run test:db` keeps.

export default async function setup() {
  const { keptShared } = await import('./kept-shared.ts');
  const { STRATA_TEST_HANDED_OVER, STRATA_TEST_LONG, STRATA_NEO4J_LINE } = process.env;
  // What judges the whole, or another database, has to begin anew.
  const mayKeep = [STRATA_TEST_HANDED_OVER, STRATA_TEST_LONG, STRATA_NEO4J_LINE].every(
    (one) => one === undefined,
  );
  const kept = mayKeep ? await keptShared() : null;
  if (kept !== null) {
    process.stderr.write(`The service that npm run test:db keeps is used: ${kept.url}\n`);
    process.env.STRATA_TEST_SHARED = JSON.stringify(kept);
    return;
  }
  const { SharedDeployment } = await import('./shared-deployment.ts');
  const deployment = new SharedDeployment();
  process.env.STRATA_TEST_SHARED = JSON.stringify(await deployment.start());
  globalThis.strataShared = deployment;
}
