import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PRODUCTION_MEMORY } from '../../src/local-neo4j/conf.ts';
import { containerName } from '../../src/local-neo4j/docker.ts';
import { launchNeo4j, type LocalNeo4jOptions } from '../../src/local-neo4j/launch.ts';
import { silentLog } from '../../src/log.ts';
import { freshFolder, removeFolders, writeScript } from './support.ts';

afterAll(removeFolders);

/** Options on a machine without Maven and with an empty cache. */
async function bareMachine(): Promise<LocalNeo4jOptions> {
  const root = await freshFolder();
  return {
    dataDir: join(root, 'data'),
    cacheDir: join(root, 'cache'),
    environment: { PATH: join(root, 'bin') },
    memory: PRODUCTION_MEMORY,
    profile: 'production',
    log: silentLog,
    progress: () => undefined,
  };
}

test('without Maven or Docker it says what to install', async () => {
  await expect(launchNeo4j(await bareMachine())).rejects.toThrow(
    /no Maven \(mvn\) is on the PATH.*Do one of these/,
  );
});

test('an engine that does not answer is no Docker', async () => {
  const options = await bareMachine();
  await writeScript(join(options.environment.PATH!, 'docker'), 'exit 1');
  await expect(launchNeo4j(options)).rejects.toThrow('no Docker engine answers');
});

test('without Maven it turns to Docker, keeps the password off the command line and repeats its words', async () => {
  const options = await bareMachine();
  const bin = options.environment.PATH!;
  await writeScript(
    join(bin, 'docker'),
    `echo "$@" >> '${bin}/calls'
case $1 in run) echo 'no space left on device' >&2; exit 125;; esac`,
  );
  await expect(launchNeo4j(options)).rejects.toThrow(/ended with code 125[\s\S]*no space left on device/);
  const home = join(options.dataDir, 'neo4j');
  const calls = (await readFile(join(bin, 'calls'), 'utf8')).trim().split('\n');
  expect(calls.map((call) => call.split(' ')[0])).toEqual(['info', 'ps', 'run']);
  expect(calls[2]).toContain(`--name ${containerName(home)}`);
  const password = (await readFile(join(options.dataDir, 'neo4j-password'), 'utf8')).trim();
  expect(calls.join()).not.toContain(password);
  const settings = join(home, 'conf', 'docker.env');
  expect(await readFile(settings, 'utf8')).toContain(`NEO4J_AUTH=neo4j/${password}\n`);
  expect((await stat(settings)).mode & 0o777).toBe(0o600);
});
