export default async function teardown() {
  await globalThis.strataDatabases?.stop();
}
