import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere } from '../../src/machine/files.ts';
import { cachedJars, ensureJars } from '../../src/local-neo4j/jars.ts';
import { processStart } from '../../src/machine/process-identity.ts';
import type { FetchProgress } from '../../src/local-neo4j/progress.ts';
import type { Neo4jRelease } from '../../src/local-neo4j/versions.ts';
import { silentLog } from '../../src/log.ts';
import { freshFolder, removeFolders, until, writeScript } from './support.ts';

afterAll(removeFolders);

const release: Neo4jRelease = {
  line: '2026',
  version: '1.2.3',
  minimumJava: 21,
  newestJava: 25,
  jars: 2,
  megabytes: 1,
  descriptors: 1,
  mainClass: 'org.example.Main',
};

/** A Maven that obeys the one option that matters, notes that it ran, and says what the real one says. */
async function maven(folder: string, entry = 'org/example/Main.class'): Promise<{ executable: string }> {
  const executable = await writeScript(
    join(folder, 'mvn'),
    `for a in "$@"; do case $a in -DoutputDirectory=*) out=\${a#*=};; esac; done
echo run >> '${folder}/runs'
mkdir -p "$out"; echo '[INFO] Building neo4j-jars 1'
echo '[INFO] Downloaded from central: https://jars.example.org/a/other-1.jar (1 kB at 1 kB/s)'
echo '[INFO] --- maven-dependency-plugin:3.8.1:copy-dependencies (default-cli) @ neo4j-jars ---'
echo '${entry}' > "$out/neo4j-1.2.3.jar"; echo x > "$out/other-1.jar"`,
  );
  return { executable };
}

async function setUp() {
  const folder = await freshFolder();
  const seen: FetchProgress[] = [];
  const progress = (step: FetchProgress): void => void seen.push(step);
  const options = { cacheDir: join(folder, 'cache'), maven: await maven(folder), log: silentLog, progress };
  const runs = async (): Promise<number> =>
    (await readFile(join(folder, 'runs'), 'utf8')).trim().split('\n').length;
  return { folder, seen, options, runs };
}

test('fetches once, then needs no Maven', async () => {
  const { options, runs, seen } = await setUp();
  expect(await cachedJars(options.cacheDir, release)).toBeNull();
  const lib = await ensureJars(release, options);
  expect((await readdir(lib)).sort()).toEqual(['neo4j-1.2.3.jar', 'other-1.jar']);
  expect(seen.map(({ phase }) => phase)).toEqual(['download', 'copy', 'copy']);
  expect(seen.at(-1)).toEqual({ phase: 'copy', done: 2, total: 2, unit: 'files' });
  expect(await ensureJars(release, { ...options, maven: null })).toBe(lib);
  expect(await runs()).toBe(1);
});

test('several that fetch at once all succeed, and one of them fetches', async () => {
  const { options, runs } = await setUp();
  const libs = await Promise.all([1, 2, 3].map(() => ensureJars(release, options)));
  expect(new Set(libs).size).toBe(1);
  expect(await runs()).toBe(1);
});

test('a cache that lost a file or was left half-filled is filled again', async () => {
  const { options, runs } = await setUp();
  const lib = await ensureJars(release, options);
  await rm(join(lib, 'other-1.jar'));
  expect(await cachedJars(options.cacheDir, release)).toBeNull();
  await ensureJars(release, options);
  await rm(join(lib, '..', 'complete.json'));
  await ensureJars(release, options);
  expect(await runs()).toBe(3);
  expect(await readdir(join(lib, '..'))).toEqual(expect.arrayContaining(['complete.json', 'lib']));
});

test('a failed Maven leaves no cache and shows its words', async () => {
  const { folder, options } = await setUp();
  const executable = await writeScript(join(folder, 'bad'), "echo '[ERROR] No space left on device'; exit 1");
  await expect(ensureJars(release, { ...options, maven: { executable } })).rejects.toThrow(
    'No space left on device',
  );
  expect(await cachedJars(options.cacheDir, release)).toBeNull();
  await ensureJars(release, options);
});

test('jars without the server’s main class are refused', async () => {
  const { folder, options } = await setUp();
  const wrong = await maven(folder, 'org/example/Renamed.class');
  await expect(ensureJars(release, { ...options, maven: wrong })).rejects.toThrow('has no org.example.Main');
});

test('a damaged marker is an incomplete cache', async () => {
  const { options, runs } = await setUp();
  const lib = await ensureJars(release, options);
  await writeFile(join(lib, '..', 'complete.json'), '');
  await ensureJars(release, options);
  expect(await runs()).toBe(2);
});

test('a fetch that is told to end ends Maven, and another can begin', async () => {
  const { folder, options } = await setUp();
  const pidFile = join(folder, 'pid');
  const executable = await writeScript(join(folder, 'slow'), `echo $$ > '${pidFile}'; exec sleep 600`);
  const stop = new AbortController();
  const fetching = ensureJars(release, { ...options, maven: { executable }, signal: stop.signal });
  const refused = expect(fetching).rejects.toThrow('enough');
  await until('Maven to run', async () => (await readIfThere(pidFile)) !== null);
  const pid = Number(await readFile(pidFile, 'utf8'));
  stop.abort(new Error('enough'));
  await refused;
  expect(await processStart(pid)).toBeNull();
  await ensureJars(release, options);
});

test('waiting for another that fetches ends when told to', async () => {
  const { folder, options } = await setUp();
  const pidFile = join(folder, 'pid');
  const executable = await writeScript(join(folder, 'slow'), `echo $$ > '${pidFile}'; exec sleep 600`);
  const [first, second] = [new AbortController(), new AbortController()];
  const fetching = ensureJars(release, { ...options, maven: { executable }, signal: first.signal });
  const ended = expect(fetching).rejects.toThrow('first');
  await until('Maven to run', async () => (await readIfThere(pidFile)) !== null);
  const waiting = ensureJars(release, { ...options, signal: second.signal });
  const refused = expect(waiting).rejects.toThrow('second');
  second.abort(new Error('second'));
  await refused;
  first.abort(new Error('first'));
  await ended;
});
