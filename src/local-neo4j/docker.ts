import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { commonSettings, type Neo4jMemory, type Neo4jProfile } from './conf.ts';
import { NEO4J_USER } from './password.ts';

/** The image that is run; its line is the newest one. */
export const DOCKER_IMAGE = 'neo4j:2026.09.0';

/** What a container is made from. */
export interface ContainerPlan {
  readonly home: string;
  readonly port: number;
  /** Owner of the files, `uid:gid`; null leaves it to the image, as a rootless engine needs. */
  readonly owner: string | null;
}

/** The name of a data directory's container, the same at each start. */
export function containerName(home: string): string {
  return `strata-neo4j-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`;
}

/** Where the container's settings lie: a file, because a command line is readable by every user. */
export function environmentFile(home: string): string {
  return join(home, 'conf', 'docker.env');
}

/** The arguments of `docker` that run the server in the foreground, reachable from this machine only. */
export function containerArguments({ home, port, owner }: ContainerPlan): string[] {
  return [
    'run',
    '--rm',
    '--name',
    containerName(home),
    ...(owner === null ? [] : ['--user', owner]),
    '--env-file',
    environmentFile(home),
    '--publish',
    `127.0.0.1:${port}:7687`,
    // --mount, not --volume: a path may hold a colon. The folders are those the Java runner uses.
    '--mount',
    `type=bind,source=${join(home, 'data')},target=/data`,
    '--mount',
    `type=bind,source=${join(home, 'logs')},target=/logs`,
    DOCKER_IMAGE,
  ];
}

/** The text of the settings file. The image turns each NEO4J_ variable into a setting: `.` is `_`, `_` is `__`. */
export function environmentText(
  port: number,
  password: string,
  memory: Neo4jMemory,
  profile: Neo4jProfile,
): string {
  const settings: Record<string, string> = {
    'server.default_listen_address': '0.0.0.0',
    'server.bolt.advertised_address': `127.0.0.1:${port}`,
    'server.memory.heap.initial_size': memory.heap,
    'server.memory.heap.max_size': memory.heap,
    ...commonSettings('2026', memory, profile),
  };
  const lines = Object.entries(settings).map(
    ([name, value]) => `NEO4J_${name.replaceAll('_', '__').replaceAll('.', '_')}=${value}`,
  );
  return [`NEO4J_AUTH=${NEO4J_USER}/${password}`, ...lines, ''].join('\n');
}
