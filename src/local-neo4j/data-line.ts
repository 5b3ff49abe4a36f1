import { join } from 'node:path';
import { StartupError } from '../errors.ts';
import { readIfThere, writeWhole } from '../machine/files.ts';
import { RELEASES, releaseOf, type Neo4jLine } from './versions.ts';

/** The line of Neo4j that last wrote a server's home; null for a fresh one. */
export async function readDataLine(home: string): Promise<Neo4jLine | null> {
  const text = (await readIfThere(markerOf(home)))?.trim();
  if (text === undefined) return null;
  const release = RELEASES.find(({ line }) => line === text);
  if (release !== undefined) return release.line;
  throw new StartupError(
    `${markerOf(home)} says the data was written by Neo4j ${text}, which this version of the service does not know. ` +
      'Run the version of the service that wrote it, or a newer one.',
  );
}

/** Notes the line that is about to write the home. */
export async function writeDataLine(home: string, line: Neo4jLine): Promise<void> {
  await writeWhole(markerOf(home), `${line}\n`);
}

/**
 * Refuses to let an older server open what a newer one wrote: it could not read it. The other way round is an
 * upgrade, which the server does by itself.
 */
export function assertLineOpens(home: string, written: Neo4jLine | null, opening: Neo4jLine): void {
  if (written === null || rank(opening) <= rank(written)) return;
  const { version, minimumJava } = releaseOf(written);
  throw new StartupError(
    `The data in ${home} was written by Neo4j ${version}; the older ${releaseOf(opening).version} cannot open it. ` +
      `Install Java ${minimumJava} or newer (or set STRATA_JAVA_HOME to one), or choose another data directory.`,
  );
}

function markerOf(home: string): string {
  return join(home, 'strata-neo4j-line');
}

function rank(line: Neo4jLine): number {
  return RELEASES.findIndex((release) => release.line === line);
}
