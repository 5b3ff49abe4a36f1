import { setTimeout as pause } from 'node:timers/promises';
import { NEO4J_POLL_MS } from '../limits.ts';
import { namesIn } from '../machine/files.ts';
import { runMaven, type Maven } from '../machine/maven.ts';
import { createMavenReader } from './maven-progress.ts';
import type { ProgressListener } from './progress.ts';
import type { Neo4jRelease } from './versions.ts';
import { joinSignals } from '../time-limit.ts';

/** Who watches a run of Maven. */
export interface MavenWatch {
  readonly progress: ProgressListener;
  /** Ends Maven. */
  readonly signal?: AbortSignal | undefined;
}

/** Lets Maven put the jars of a release into a directory. Throws as {@link runMaven} does. */
export async function copyJars(
  maven: Maven,
  release: Neo4jRelease,
  directory: string,
  { progress, signal }: MavenWatch,
): Promise<void> {
  const read = createMavenReader(release);
  const ended = new AbortController();
  const broken = new AbortController();
  const onLine = (line: string): void => {
    const step = read(line);
    if (step === null) return;
    progress(step);
    if (step.phase !== 'copy') return;
    showCopies(directory, release.jars, progress, ended.signal).catch((error: unknown) => {
      broken.abort(error);
    });
  };
  const ends = joinSignals(broken.signal, ...(signal ? [signal] : []));
  const artefact = { groupId: 'org.neo4j', artifactId: 'neo4j', version: release.version };
  try {
    await runMaven(
      maven,
      {
        artefact,
        what: 'Neo4j',
        goal: 'copy-dependencies',
        properties: [`outputDirectory=${directory}`],
      },
      { onLine, signal: ends.signal },
    );
  } finally {
    ends.end();
    ended.abort();
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
