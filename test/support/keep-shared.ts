// npm run test:db: keeps the database and the service of the API tests until Ctrl-C, and starts the service anew when sources change.
import { once } from 'node:events';
import { watch } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { forgetKept, keeper, writeKept } from './kept-shared.ts';
import { SharedDeployment } from './shared-deployment.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SOURCES = ['src', 'graph', 'rest', 'resolvers', 'schemas'];
/** Editors write several files in one go; milliseconds. */
const SETTLE_MS = 300;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
const other = await keeper();
if (other !== null) throw new Error(`process ${other} keeps a service of this checkout already`);
const deployment = new SharedDeployment();

await writeKept(null);
try {
  const shared = await deployment.start();
  await writeKept(shared);
  say(`Service ${shared.url}, database ${shared.database.uri}; runs of API tests use them until Ctrl-C.`);
  let settling: NodeJS.Timeout | undefined;
  let restarts: Promise<void> = Promise.resolve();
  const restart = async (): Promise<void> => {
    await writeKept(null);
    await writeKept(await deployment.restartService());
    say('The sources changed: the service was started anew.');
  };
  const watchers = SOURCES.map((folder) =>
    watch(`${ROOT}${folder}`, { recursive: true }, () => {
      clearTimeout(settling);
      settling = setTimeout(() => {
        restarts = restarts.then(restart).catch((error: unknown) => {
          say(`The service did not start: ${String(error)}`);
        });
      }, SETTLE_MS);
    }),
  );
  await ended;
  for (const watcher of watchers) watcher.close();
  clearTimeout(settling);
  await restarts;
} finally {
  forgetKept();
  await deployment.stop();
}
