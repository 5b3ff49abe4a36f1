import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { DatabaseAddress } from '../../src/context.ts';
import { pidFile } from '../../src/local-neo4j/orphan.ts';
import { END_PROCESS, startWatchdog, type Watchdog } from '../../src/local-neo4j/watchdog.ts';
import { silentLog } from '../../src/log.ts';
import { managedAddress } from '../support/managed-neo4j.ts';
import { inherited } from '../support/processes.ts';
import { send, TEST_KEY, TEST_SUPPRESSION_KEY, TEST_TOKEN_KEY } from '../support/client.ts';
import { eventually } from '../support/wait.ts';
import { cpuSeconds, type CpuUse } from './proc.ts';

const BIN = fileURLToPath(new URL('../../bin/strata.js', import.meta.url));
/** Milliseconds: a first start fetches the jars of Neo4j. */
const START_PATIENCE_MS = 300_000;
/**
 * Milliseconds until it is asked again whether everything is derived, for each event that is left, and at least. What a scope has built is
 * counted for an answer, which costs the database with 100,000 records there: asked twice a second it would be part of what is measured.
 */
const SETTLED_MS_AN_EVENT = 0.5;
const SETTLED_EVERY_MS = 200;

interface Parts {
  readonly child: ChildProcess;
  /** Ends the service when this process is gone, however it went. */
  readonly watchdog: Watchdog;
  readonly said: () => string;
}

/** The service as people start it: a process of its own, with a Neo4j of its own unless an address is given. */
export class Service {
  /** Milliseconds from the start of the process until it said that it was ready. */
  readonly readyAfterMs: number;
  /** CPU seconds that it and its database had used by then. */
  readonly cpuAtReady: CpuUse;
  readonly url: string;
  readonly pid: number;
  /** The Java process of its Neo4j, where it has one. */
  readonly databasePid: number | null;
  readonly address: DatabaseAddress;
  private readonly parts: Parts;

  private constructor(
    parts: Parts,
    found: { url: string; readyAfterMs: number; dataDir: string; address: DatabaseAddress | null },
  ) {
    this.parts = parts;
    this.pid = parts.child.pid ?? 0;
    this.url = found.url;
    this.readyAfterMs = found.readyAfterMs;
    const file = pidFile(join(found.dataDir, 'neo4j'));
    this.databasePid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : null;
    this.cpuAtReady = {
      service: cpuSeconds(this.pid),
      service_database: this.databasePid === null ? null : cpuSeconds(this.databasePid),
    };
    this.address = found.address ?? managedAddress(found.dataDir);
  }

  /** Starts it on a data directory, with its production settings; its log goes into `service.log` there. */
  static async start(
    dataDir: string,
    address: DatabaseAddress | null,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Service> {
    const began = performance.now();
    // The same flag as `npm start`.
    const child = spawn(process.execPath, ['--max-semi-space-size=64', BIN, 'start'], {
      cwd: dataDir,
      env: { ...inherited(), ...settings(dataDir, address), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const watchdog = startWatchdog(END_PROCESS, silentLog);
    watchdog.guard(String(child.pid));
    const said = recordOf(child, join(dataDir, 'service.log'));
    try {
      const url = await eventually('the service to listen', () => listening(child, said), START_PATIENCE_MS);
      await eventually(
        'the service to be ready',
        async () => (await send(url, 'GET', '/v1/ready')).status === 200,
      );
      return new Service(
        { child, watchdog, said },
        { url, readyAfterMs: performance.now() - began, dataDir, address },
      );
    } catch (error) {
      await watchdog.dismiss();
      child.kill('SIGTERM');
      throw error;
    }
  }

  /** Waits until every stage has passed every event of the scopes. */
  async settled(scopes: readonly string[]): Promise<void> {
    for (const scope of scopes) {
      const path = `/v1/derivation/status?scope=${encodeURIComponent(scope)}`;
      let left = 0;
      await eventually(
        `${scope} to catch up`,
        async () => {
          const { caught_up, stages } = (await send(this.url, 'GET', path)).json;
          left = stages.consolidated.lag_events;
          return caught_up === true;
        },
        START_PATIENCE_MS,
        () => Math.max(SETTLED_EVERY_MS, left * SETTLED_MS_AN_EVENT),
      );
    }
  }

  /** Stops it and its database in an orderly way; fails with what it said when it does not end so. */
  async stop(): Promise<void> {
    const { child, watchdog, said } = this.parts;
    await watchdog.dismiss();
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    if (child.exitCode !== 0) throw new Error(`the service did not end cleanly: ${said()}`);
  }
}

function settings(dataDir: string, address: DatabaseAddress | null): Record<string, string> {
  const own = {
    STRATA_DATA_DIR: dataDir,
    STRATA_PORT: '0',
    STRATA_API_KEY: TEST_KEY,
    STRATA_TOKEN_SECRET_KEY: TEST_TOKEN_KEY,
    STRATA_SUPPRESSION_KEY: TEST_SUPPRESSION_KEY,
    STRATA_V1_MINTER_ENABLE: '1',
    // A model that is fetched, and runs, beside what is measured would be measured too.
    STRATA_EMBEDDING_PROVIDER: 'none',
  };
  if (address === null) return own;
  const { uri, user, password, database } = address;
  return { ...own, NEO4J_URI: uri, NEO4J_USER: user, NEO4J_PASSWORD: password, NEO4J_DATABASE: database };
}

/** Keeps the end of what a process says, and all of its log in a file. */
function recordOf(child: ChildProcess, file: string): () => string {
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text = (text + chunk.toString()).slice(-4000)));
  child.stderr?.pipe(createWriteStream(file));
  return () => `${text}\nits log is ${file}`;
}

function listening(child: ChildProcess, said: () => string): string | false {
  if (child.exitCode !== null || child.signalCode !== null) {
    throw new Error(`the service ended during its start: ${said()}`);
  }
  return /listens on (http:\S+)/.exec(said())?.[1] ?? false;
}
