import { readFileSync } from 'node:fs';
import { createMavenReader } from '../../src/local-neo4j/maven-progress.ts';
import { mavenFailure, mavenProject } from '../../src/machine/maven.ts';

function fixture(name: string): string[] {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8').split('\n');
}

test('Maven’s own words become phases with what of how much', () => {
  const read = createMavenReader({ descriptors: 372, jars: 230, megabytes: 155 });
  const steps = fixture('maven-fetch.txt').flatMap((line) => read(line) ?? []);
  expect(steps.map(({ phase, done, total, unit }) => `${phase} ${done}/${total} ${unit}`)).toEqual([
    'resolve 1/372 files',
    'resolve 2/372 files',
    'resolve 3/372 files',
    'download 1/230 files',
    'download 2/230 files',
    'download 3/230 files',
    'download 4/230 files',
    'copy 0/230 files',
  ]);
  expect(steps[3]?.detail).toBe('commons-lang3-3.20.0.jar, about 155 MB in all');
});

test('more files than were known do not exceed the total', () => {
  const read = createMavenReader({ descriptors: 1, jars: 1, megabytes: 1 });
  const steps = fixture('maven-fetch.txt').flatMap((line) => read(line) ?? []);
  expect(steps.every(({ done, total }) => done <= total)).toBe(true);
});

test('a failure shows what Maven said and what to check', () => {
  const { message, exitCode } = mavenFailure('Neo4j', fixture('maven-failure.txt'), 1);
  expect(message).toContain('Could not find artifact org.neo4j:neo4j:jar:5.26.99');
  expect(message).not.toContain('[INFO]');
  expect(message).toContain('settings.xml');
  expect(exitCode).toBe(78);
});

test('the project depends on one thing and nothing else', () => {
  const artefact = { groupId: 'org.neo4j', artifactId: 'neo4j', version: '2026.09.0' };
  const artefacts = (project: string) => project.match(/<artifactId>[^<]*/g);
  expect(artefacts(mavenProject(artefact))).toEqual(['<artifactId>neo4j-jars', '<artifactId>neo4j']);
  expect(artefacts(mavenProject({ ...artefact, alone: true }))).toEqual([
    '<artifactId>neo4j-jars',
    '<artifactId>neo4j',
    '<artifactId>*',
  ]);
});
