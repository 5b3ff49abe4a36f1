export default async function teardown() {
  await globalThis.strataExclusive.stopExclusiveDatabases();
}
