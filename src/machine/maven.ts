import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '../errors.ts';
import { FAILED_PROGRAM_LINES } from '../limits.ts';
import { runProgram } from './program.ts';

/** Silence of a program that fetches (Maven, npm) that counts as hanging, milliseconds. */
const PROGRAM_SILENCE_MS = 300_000;

const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';

/** A Maven to be run, and the Java to run it with where it would not find one by itself. */
export interface Maven {
  readonly executable: string;
  readonly javaHome?: string;
}

/** What is asked of Maven: something of an artefact, by a goal of its dependency plugin. */
export interface MavenTask {
  readonly artefact: MavenArtefact;
  /** What it is, for people: "Maven could not fetch …". */
  readonly what: string;
  readonly goal: 'copy-dependencies' | 'unpack-dependencies';
  /** Properties of the goal: `outputDirectory=…`. */
  readonly properties: readonly string[];
}

/** An artefact. */
export interface MavenArtefact {
  readonly groupId: string;
  readonly artifactId: string;
  readonly version: string;
  /** Whether what it depends on is left out. */
  readonly alone?: boolean;
}

/** The project whose only content is the dependency on an artefact. */
export function mavenProject({ groupId, artifactId, version, alone = false }: MavenArtefact): string {
  const exclusions = alone
    ? '\n      <exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>'
    : '';
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local.strata</groupId>
  <artifactId>${artifactId}-jars</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>${groupId}</groupId>
      <artifactId>${artifactId}</artifactId>
      <version>${version}</version>${exclusions}
    </dependency>
  </dependencies>
</project>
`;
}

/**
 * Lets Maven do a task. The person's own Maven settings (mirrors, proxies, local repository) apply; checksums are strict.
 *
 * @throws StartupError with the last lines Maven wrote; an error with the code `ENOENT` when there is no Maven; the reason of the
 *   signal when that ended it.
 */
export async function runMaven(
  maven: Maven,
  { artefact, what, goal, properties }: MavenTask,
  watch: { readonly onLine?: (line: string) => void; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'strata-maven-'));
  try {
    const project = join(scratch, 'pom.xml');
    await writeFile(project, mavenProject(artefact));
    const settings = ['includeScope=runtime', ...properties].map((property) => `-D${property}`);
    const flags = ['--batch-mode', '--strict-checksums', '-Dstyle.color=never', '-f', project];
    const args = [...flags, `${PLUGIN}:${goal}`, ...settings];
    const [command, ...rest] =
      maven.javaHome === undefined
        ? [maven.executable, ...args]
        : ['env', `JAVA_HOME=${maven.javaHome}`, maven.executable, ...args];
    const { status, lines } = await runProgram(command, rest, { ...watch, silenceMs: PROGRAM_SILENCE_MS });
    if (status !== 0) throw mavenFailure(what, lines, status);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** What to tell a person whose Maven failed. */
export function mavenFailure(what: string, lines: readonly string[], status: number | string): StartupError {
  const errors = lines.filter((line) => line.startsWith('[ERROR]') && line.trim() !== '[ERROR]');
  const output = (errors.length > 0 ? errors : lines).slice(0, FAILED_PROGRAM_LINES).join('\n');
  return new StartupError(
    `Maven could not fetch ${what} (it ended with ${status}). It said:\n${output}\n` +
      'Check the network and free disk space; behind a proxy or mirror, check ~/.m2/settings.xml; ' +
      'see that "mvn -v" works (3.8 or newer). Then start again: what is downloaded already is kept.',
  );
}
