import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import { configurationText, type Neo4jMemory, type Neo4jProfile } from './conf.ts';
import { javaArguments } from './java-arguments.ts';
import type { Java } from './java.ts';
import { endOrphan, notePid } from './orphan.ts';
import type { Runner } from './runner.ts';
import type { Neo4jRelease } from './versions.ts';
import { END_PROCESS } from './watchdog.ts';

/** What a server run by Java needs. */
export interface JavaRunnerOptions {
  readonly home: string;
  readonly java: Java;
  readonly release: Neo4jRelease;
  readonly lib: string;
  readonly memory: Neo4jMemory;
  readonly profile: Neo4jProfile;
  readonly log: Log;
}

/** Runs the server with a Java of this machine. */
export function createJavaRunner(options: JavaRunnerOptions): Runner {
  const { home, java, release, lib, memory, profile, log } = options;
  return {
    kind: 'java',
    version: release.version,
    endScript: END_PROCESS,
    prepare: () => endOrphan(home, log),
    configure: async (port) => {
      const conf = join(home, 'conf');
      await mkdir(conf, { recursive: true, mode: 0o700 });
      await writeFile(join(conf, 'neo4j.conf'), configurationText(release.line, port, memory, profile), {
        mode: 0o600,
      });
    },
    spawn: (_port, output) =>
      spawn(join(java.home, 'bin', 'java'), javaArguments(java, release, lib, home, memory, profile), {
        cwd: home,
        // Secrets of the service are none of the server's business, so it inherits nothing.
        env: { LC_ALL: 'C.UTF-8', HOME: home },
        // A group of its own: the terminal's Ctrl-C must not reach it before the service has finished.
        detached: true,
        stdio: ['ignore', output, output],
      }),
    target: (child) => String(child.pid ?? ''),
    note: (child) => notePid(home, child?.pid ?? null),
    end: (child, how) => {
      child.kill(how);
      return Promise.resolve();
    },
  };
}
