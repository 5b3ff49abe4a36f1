// Before the API tests: one Neo4j and one service for all of them, or those that `npm run test:db` keeps.
import { tsImport } from 'tsx/esm/api';

export default async function setup() {
  const { keptShared } = await tsImport('./kept-shared.ts', import.meta.url);
  const kept = await keptShared();
  if (kept !== null) {
    process.env.STRATA_TEST_SHARED = JSON.stringify(kept);
    return;
  }
  const { SharedDeployment } = await tsImport('./shared-deployment.ts', import.meta.url);
  const deployment = new SharedDeployment();
  process.env.STRATA_TEST_SHARED = JSON.stringify(await deployment.start());
  globalThis.strataShared = deployment;
}
