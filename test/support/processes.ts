import { embeddingSetting } from './embedding-setting.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { processCommand, processStart, sendSignal } from '../../src/machine/process-identity.ts';
import { BUSY_MACHINE, END_PATIENCE_MS, START_PATIENCE_MS } from './patience.ts';
import { eventually } from './wait.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ENTRY = fileURLToPath(new URL('../drill/service-entry.ts', import.meta.url));

/** Services that run; none of them outlives its worker, unless that is ended from outside. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A service in a process of its own. */
export interface ServiceProcess {
  readonly pid: number;
  readonly url: string;
  /** SIGKILL; resolves when the process is gone. What was already gone stays so. */
  kill(): Promise<void>;
  /** SIGTERM; resolves when the process is gone. Fails with what it said when it does not end with 0. */
  stop(): Promise<void>;
}

/** A process that somebody has seen: its pid together with its start, since pids come again. */
export interface Seen {
  readonly pid: number;
  readonly start: string;
  readonly what: string;
}

/** What every process of ours is given, besides its settings: where to find Java and caches. */
export function inherited(): Record<string, string> {
  const names = ['PATH', 'HOME', 'JAVA_HOME', 'XDG_CACHE_HOME', 'TMPDIR', 'STRATA_JAVA_HOME'];
  const given = [...names, 'STRATA_CACHE_DIR', 'STRATA_NEO4J_LINE'].map((name) => [name, process.env[name]]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Record<string, string>;
}

/** Starts a service with these settings as its environment, quick profile; resolves when it accepts requests. */
export async function startServiceProcess(settings: Record<string, string>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', ENTRY], {
    cwd: ROOT,
    env: {
      ...inherited(),
      STRATA_PORT: '0',
      ...BUSY_MACHINE,
      ...embeddingSetting(settings),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = tailOf(child);
  running.add(child);
  const ended = once(child, 'exit').finally(() => running.delete(child));
  const { pid } = child;
  if (pid === undefined) throw new Error('the service could not be started');
  const url = await firstAnswer(child, said);
  return {
    pid,
    url,
    kill: async () => {
      sendSignal(pid, 'SIGKILL');
      await ended;
    },
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
      if (child.exitCode !== 0) throw new Error(`the service did not end cleanly: ${said()}`);
    },
  };
}

async function firstAnswer(child: ChildProcess, said: () => string): Promise<string> {
  let out = '';
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const look = (): string | false => {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the service ended during its start: ${said()}`);
    }
    return out.includes('\n') && out;
  };
  const line = await eventually('the service to accept requests', look, START_PATIENCE_MS);
  return (JSON.parse(line) as { url: string }).url;
}

/** The end of what a process writes to its standard error. */
function tailOf(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => (text = (text + chunk.toString()).slice(-4000)));
  return () => text;
}

function allPids(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0);
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(String((error as { code?: unknown }).code))) return null;
    throw error;
  }
}

async function seen(pid: number): Promise<Seen | null> {
  const start = await processStart(pid);
  return start === null ? null : { pid, start, what: (await processCommand(pid)).slice(0, 120) };
}

/** A process and its children: for a service its watchdog and its database. */
export async function family(pid: number): Promise<Seen[]> {
  const pids = [pid, ...allPids().filter((other) => parentOf(other) === pid)];
  return (await Promise.all(pids.map(seen))).filter((one) => one !== null);
}

/** Processes whose command line names a text, such as a data directory; never this one. */
export async function naming(text: string): Promise<Seen[]> {
  const all = await Promise.all(
    allPids().map(async (pid) => ((await processCommand(pid)).includes(text) ? seen(pid) : null)),
  );
  return all.filter((one) => one !== null && one.pid !== process.pid) as Seen[];
}

/** Those of the processes that still run. */
export async function stillThere(processes: readonly Seen[]): Promise<Seen[]> {
  const starts = await Promise.all(processes.map(({ pid }) => processStart(pid)));
  return processes.filter(({ start }, i) => starts[i] === start);
}

/** Waits until every one of the processes has ended; answers those that have not when the patience is over. */
export async function leftOver(processes: readonly Seen[]): Promise<Seen[]> {
  let left: Seen[] = [];
  try {
    await eventually(
      'processes to end',
      async () => (left = await stillThere(processes)).length === 0,
      END_PATIENCE_MS,
    );
  } catch (error) {
    if (left.length === 0) throw error;
  }
  return left;
}
