import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseJava, featureOf, findJava, readRelease, type Java } from '../../src/local-neo4j/java.ts';
import { javaFor, releaseForJava, releaseOf } from '../../src/local-neo4j/versions.ts';
import { freshFolder, removeFolders, writeScript } from './support.ts';

afterAll(removeFolders);

const java = (feature: number): Java => ({ home: `/java/${feature}`, feature, vectors: null });

test.each([
  ['17.0.15', 17],
  ['25', 25],
  ['26-ea', 26],
  ['1.8.0_392', 8],
  ['', null],
  ['unknown', null],
])('version %j is feature %j', (version, feature) => {
  expect(featureOf(version)).toBe(feature);
});

test.each([
  ['newest of the known', [17, 25, 21], 25],
  ['too old is none', [8, 11], null],
  ['newer than known only where there is no other', [17, 27], 17],
  ['newer than known rather than none', [11, 27], 27],
  ['none', [], null],
])('chooses Java: %s', (_what, features, chosen) => {
  expect(chooseJava(features.map(java))?.feature ?? null).toBe(chosen);
});

test('the older line prefers a Java its vendor names', () => {
  expect(chooseJava([17, 25, 21].map(java), javaFor(releaseOf('5.26')))?.feature).toBe(21);
  expect(chooseJava([17].map(java), javaFor(releaseOf('2026')))).toBeNull();
});

test.each([
  [16, null],
  [17, '5.26'],
  [20, '5.26'],
  [21, '2026'],
  [25, '2026'],
])('Java %i runs line %j', (feature, line) => {
  expect(releaseForJava(feature)?.line ?? null).toBe(line);
});

test('reads a release file', () => {
  expect(
    readRelease('IMPLEMENTOR="X"\nJAVA_VERSION="25.0.3"\nMODULES="java.base jdk.incubator.vector"\n'),
  ).toEqual({
    feature: 25,
    vectors: true,
  });
  expect(readRelease('JAVA_VERSION="21"\nMODULES="java.base"\n')).toEqual({ feature: 21, vectors: false });
  expect(readRelease('JAVA_VERSION="21"\n')).toEqual({ feature: 21, vectors: null });
  expect(readRelease('SOURCE=""\n')).toBeNull();
});

async function installation(home: string, version: string | null): Promise<string> {
  await writeScript(
    join(home, 'bin', 'java'),
    `echo 'openjdk version "${version ?? '17.0.1'}" 2026-01-01' >&2`,
  );
  if (version !== null) await writeFile(join(home, 'release'), `JAVA_VERSION="${version}"\n`);
  return home;
}

test('looks behind the link on the path and into the installers’ folders', async () => {
  const root = await freshFolder();
  const old = await installation(join(root, 'old'), '11.0.2');
  await mkdir(join(root, 'bin'));
  await symlink(join(old, 'bin', 'java'), join(root, 'bin', 'java'));
  const newest = await installation(join(root, '.sdkman/candidates/java/99.1-x'), '99.1');
  const found = await findJava(
    undefined,
    { PATH: join(root, 'bin'), HOME: root },
    { oldest: 99, newest: 99 },
  );
  expect(found).toEqual({ home: newest, feature: 99, vectors: null });
});

test('an installation without a release file is asked', async () => {
  const home = await installation(join(await freshFolder(), 'jdk'), null);
  expect(await findJava(home, {})).toEqual({ home, feature: 17, vectors: null });
});

test('a named Java that cannot be used is refused by its name', async () => {
  const root = await freshFolder();
  await expect(findJava(root, {})).rejects.toThrow(`STRATA_JAVA_HOME is ${root}, but there is no bin/java`);
  const old = await installation(join(root, 'old'), '11.0.2');
  await expect(findJava(old, {})).rejects.toThrow('that is Java 11');
  const broken = join(root, 'broken');
  await writeScript(join(broken, 'bin', 'java'), 'exit 3');
  await expect(findJava(broken, {})).rejects.toThrow('its version cannot be told');
});
