export default async function teardown() {
  await globalThis.strataShared?.stop();
}
