import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { removeAddress, writeAddress } from './address.ts';
import { errorText } from '../errors.ts';
import { chooseRunner } from './choose.ts';
import { writeDataLine } from './data-line.ts';
import { waitUntilReady } from './login.ts';
import type { LocalNeo4j, LocalNeo4jOptions } from './options.ts';
import { ensurePassword, NEO4J_USER, passwordFile } from './password.ts';
import type { Runner } from './runner.ts';
import { Supervisor } from './supervisor.ts';
import { homeOf, settleSwap } from './swap.ts';

export type { LocalNeo4j, LocalNeo4jOptions, UnexpectedExit } from './options.ts';

/** Wait for the first answer of a managed database, milliseconds: a loaded machine has needed 70 seconds. */
export const NEO4J_START_MS = 120_000;

/**
 * Starts the service's own Neo4j on a free loopback port and keeps it running; resolves when it answers a query
 * on its database. The jars are fetched on first use. The caller holds the data directory's lock. A purge that was cut short is finished
 * or undone before.
 *
 * @throws StartupError when there is nothing to run it with, the fetch fails, the data is of a newer line, the
 *   server ends during its start (with the last lines of its log), or gives no answer within 120 s.
 */
export async function launchNeo4j(options: LocalNeo4jOptions): Promise<LocalNeo4j> {
  const startedAt = performance.now();
  const dataDir = resolve(options.dataDir);
  await settleSwap(dataDir, options.log);
  const home = homeOf(dataDir);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const password = await ensurePassword(dataDir);
  const { runner, line } = await chooseRunner(options, home, password);
  options.signal?.throwIfAborted();
  await writeDataLine(home, line);
  const ready = readiness(options, runner, password, passwordFile(dataDir));
  const supervisor = new Supervisor({
    runner,
    logs: join(home, 'logs'),
    log: options.log,
    ready: async (port, signal) => {
      await ready(port, signal);
      await noteAddress(dataDir, port, options.log);
    },
    onExit: options.onExit,
  });
  await startUnless(options.signal, supervisor);
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
  options.log.info('Neo4j answers', { version: runner.version, port: supervisor.port, seconds });
  return {
    get uri() {
      return uriOf(supervisor.port);
    },
    user: NEO4J_USER,
    password,
    database: 'neo4j',
    version: runner.version,
    get pid() {
      return runner.kind === 'java' ? supervisor.child?.pid : undefined;
    },
    runner: runner.kind,
    stop: async () => {
      await supervisor.stop();
      await removeAddress(dataDir);
    },
  };
}

/** A server that answers is used whether or not others can be told where. */
async function noteAddress(dataDir: string, port: number, log: LocalNeo4jOptions['log']): Promise<void> {
  try {
    await writeAddress(dataDir, uriOf(port));
  } catch (error) {
    log.warn('where Neo4j answers could not be written down', { error: errorText(error) });
  }
}

/** Starts the server; when the signal fires meanwhile, it is stopped again and the reason thrown. */
async function startUnless(signal: AbortSignal | undefined, supervisor: Supervisor): Promise<void> {
  const stop = (): void => void supervisor.stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await supervisor.start();
    signal?.throwIfAborted();
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function readiness(
  { progress }: LocalNeo4jOptions,
  { version }: Runner,
  password: string,
  file: string,
): (port: number, signal: AbortSignal) => Promise<void> {
  const total = NEO4J_START_MS / 1000;
  return async (port, signal) => {
    let shown = -1;
    const show = (waitedMs: number): void => {
      const done = Math.floor(waitedMs / 1000);
      if (done > shown) progress({ phase: 'start', done, total, unit: 's', detail: `Neo4j ${version}` });
      shown = Math.max(shown, done);
    };
    await waitUntilReady({
      uri: uriOf(port),
      password,
      passwordFile: file,
      patienceMs: NEO4J_START_MS,
      signal,
      onWait: show,
    });
  };
}

function uriOf(port: number): string {
  return `neo4j://127.0.0.1:${port}`;
}
