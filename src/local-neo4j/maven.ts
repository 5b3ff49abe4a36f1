import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { StartupError } from '../errors.ts';
import { namesIn } from './files.ts';
import { createMavenReader } from './maven-progress.ts';
import type { ProgressListener } from './progress.ts';
import type { Neo4jRelease } from './versions.ts';
import { FAILED_PROGRAM_LINES, MAVEN_SILENCE_MS, NEO4J_POLL_MS } from '../limits.ts';

const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

/** A Maven to be run, and the Java to run it with where it would not find one by itself. */
export interface Maven {
  readonly executable: string;
  readonly javaHome?: string;
}

/** Who watches a run of Maven. */
export interface MavenWatch {
  readonly progress: ProgressListener;
  /** Ends Maven. */
  readonly signal?: AbortSignal | undefined;
}

/** The project whose only content is the dependency on the server. */
export function mavenProject(version: string): string {
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local.strata</groupId>
  <artifactId>neo4j-jars</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>org.neo4j</groupId>
      <artifactId>neo4j</artifactId>
      <version>${version}</version>
    </dependency>
  </dependencies>
</project>
`;
}

/**
 * Lets Maven put the jars of a release into a directory. The person's own Maven settings (mirrors, proxies,
 * local repository) apply; checksums are strict.
 *
 * @throws StartupError with the last lines Maven wrote; the reason of the signal when that ended it.
 */
export async function copyJars(
  maven: Maven,
  release: Neo4jRelease,
  directory: string,
  watch: MavenWatch,
): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'strata-maven-'));
  try {
    const project = join(scratch, 'pom.xml');
    await writeFile(project, mavenProject(release.version));
    const goal = [PLUGIN, '-DincludeScope=runtime', `-DoutputDirectory=${directory}`];
    const args = ['--batch-mode', '--strict-checksums', '-Dstyle.color=never', '-f', project, ...goal];
    await runMaven(maven, args, release, directory, watch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function runMaven(
  maven: Maven,
  args: readonly string[],
  release: Neo4jRelease,
  directory: string,
  { progress, signal }: MavenWatch,
): Promise<void> {
  const [command, ...rest] =
    maven.javaHome === undefined
      ? [maven.executable, ...args]
      : ['env', `JAVA_HOME=${maven.javaHome}`, maven.executable, ...args];
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  const read = createMavenReader(release);
  const silence = setTimeout(() => child.kill(), MAVEN_SILENCE_MS);
  const stop = (): void => void child.kill();
  signal?.addEventListener('abort', stop, { once: true });
  const copies = new AbortController();
  const ended = new Promise<void>((resolve, reject) => {
    const onLine = (line: string): void => {
      silence.refresh();
      lines.push(line);
      const step = read(line);
      if (step === null) return;
      progress(step);
      if (step.phase === 'copy') showCopies(directory, release.jars, progress, copies.signal).catch(reject);
    };
    for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine);
    child.once('error', reject);
    child.once('close', (code, killed) => {
      if (code === 0) resolve();
      else if (signal?.aborted === true) reject(signal.reason as Error);
      else reject(mavenFailure(lines, code ?? killed ?? 'no exit code'));
    });
  });
  try {
    await ended;
  } finally {
    clearTimeout(silence);
    signal?.removeEventListener('abort', stop);
    copies.abort();
  }
}

/** The plugin copies silently, so the files in the directory are counted. */
async function showCopies(
  directory: string,
  total: number,
  progress: ProgressListener,
  until: AbortSignal,
): Promise<void> {
  let shown = 0;
  while (!until.aborted) {
    await pause(NEO4J_POLL_MS);
    const done = (await namesIn(directory)).length;
    if (done > shown && done < total) progress({ phase: 'copy', done, total, unit: 'files' });
    shown = Math.max(shown, done);
  }
}

/** What to tell a person whose Maven failed. */
export function mavenFailure(lines: readonly string[], status: number | string): StartupError {
  const errors = lines.filter((line) => line.startsWith('[ERROR]') && line.trim() !== '[ERROR]');
  const told = (errors.length > 0 ? errors : lines).slice(0, FAILED_PROGRAM_LINES).join('\n');
  return new StartupError(
    `Maven could not fetch Neo4j (it ended with ${status}). It said:\n${told}\n` +
      'Check the network and free disk space; behind a proxy or mirror, check ~/.m2/settings.xml; ' +
      'see that "mvn -v" works (3.8 or newer). Then start again: what is downloaded already is kept.',
  );
}
