import { execFile, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { errorText } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Neo4jMemory, Neo4jProfile } from './conf.ts';
import { containerArguments, containerName, environmentFile, environmentText } from './docker.ts';
import type { Runner } from './runner.ts';
import { releaseOf } from './versions.ts';
import { END_CONTAINER } from './watchdog.ts';
import { NEO4J_STOP_MS, PROBE_MS } from '../limits.ts';

const run = promisify(execFile);

/** A Docker whose engine answers. */
export interface Docker {
  readonly executable: string;
  /** A rootless engine maps its root to the person, and any other user to nobody they know. */
  readonly rootless: boolean;
}

/** What a server run by Docker needs. */
export interface DockerRunnerOptions {
  readonly home: string;
  readonly docker: Docker;
  readonly password: string;
  readonly memory: Neo4jMemory;
  readonly profile: Neo4jProfile;
  readonly log: Log;
}

/** Asks the engine behind an executable; null when none answers. */
export async function probeDocker(executable: string | null): Promise<Docker | null> {
  if (executable === null) return null;
  return new Promise((resolve) => {
    const format = ['--format', '{{json .SecurityOptions}}'];
    execFile(executable, ['info', ...format], { timeout: PROBE_MS }, (error, stdout) => {
      resolve(error === null ? { executable, rootless: stdout.includes('rootless') } : null);
    });
  });
}

/** Runs the server as a container; the child process is the docker client in the foreground. */
export function createDockerRunner(options: DockerRunnerOptions): Runner {
  const { home, docker, password, memory, profile, log } = options;
  const name = containerName(home);
  return {
    kind: 'docker',
    version: releaseOf('2026').version,
    endScript: END_CONTAINER,
    prepare: async () => {
      const found = await run(docker.executable, ['ps', '--all', '--quiet', '--filter', `name=^${name}$`]);
      if (found.stdout.trim() !== '') await run(docker.executable, ['rm', '--force', name]);
    },
    configure: async (port) => {
      const file = environmentFile(home);
      for (const folder of [dirname(file), join(home, 'data'), join(home, 'logs')]) {
        await mkdir(folder, { recursive: true, mode: 0o700 });
      }
      await writeFile(file, environmentText(port, password, memory, profile), { mode: 0o600 });
    },
    spawn: (port, output) => {
      const args = containerArguments({ home, port, owner: ownerFor(docker) });
      return spawn(docker.executable, args, { detached: true, stdio: ['ignore', output, output] });
    },
    target: () => name,
    note: () => Promise.resolve(),
    end: async (child, how) => {
      const command = how === 'SIGTERM' ? ['stop', '-t', String(NEO4J_STOP_MS / 1000), name] : ['kill', name];
      try {
        await run(docker.executable, command);
      } catch (error) {
        // It may have ended by itself meanwhile; if not, patience ends too and the kill follows.
        log.warn('docker could not end the container', { name, error: errorText(error) });
      }
      if (how === 'SIGKILL') child.kill('SIGKILL');
    },
  };
}

function ownerFor(docker: Docker): string | null {
  if (docker.rootless || process.getuid === undefined || process.getgid === undefined) return null;
  return `${process.getuid()}:${process.getgid()}`;
}
