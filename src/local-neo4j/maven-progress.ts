import type { FetchProgress } from './progress.ts';
import type { Neo4jRelease } from './versions.ts';

/**
 * Reads Maven's output line by line and says how far it is; null for a line that changes nothing.
 * Maven resolves descriptors first, then downloads jars, both before the plugin's title line; what it
 * downloads after that line belongs to the plugin, which then copies without a word.
 */
export function createMavenReader(
  release: Pick<Neo4jRelease, 'descriptors' | 'jars' | 'megabytes'>,
): (line: string) => FetchProgress | null {
  let building = false;
  let copying = false;
  let descriptors = 0;
  let jars = 0;
  return (line) => {
    if (line.includes('[INFO] Building ')) building = true;
    if (!building || copying) return null;
    if (/\[INFO\] --- .*dependency.*:copy-dependencies/.test(line)) {
      copying = true;
      return { phase: 'copy', done: 0, total: release.jars, unit: 'files' };
    }
    const file = /\bDownloaded .*\/([^/\s]+\.(?:pom|jar))(?: \([^)]*\))?\s*$/.exec(line)?.[1];
    if (file === undefined) return null;
    if (file.endsWith('.pom')) {
      descriptors += 1;
      return step('resolve', descriptors, release.descriptors, file);
    }
    jars += 1;
    return step('download', jars, release.jars, `${file}, about ${release.megabytes} MB in all`);
  };
}

function step(phase: 'resolve' | 'download', done: number, known: number, detail: string): FetchProgress {
  return { phase, done, total: Math.max(done, known), unit: 'files', detail };
}
