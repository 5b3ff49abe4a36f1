import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { hasCode, readIfThere } from './files.ts';
import { PROBE_MS } from '../limits.ts';

const run = promisify(execFile);

/**
 * When a process started, as text that only ever equals itself for the same process of the same boot;
 * null when there is no such process. A process that has ended and awaits its parent counts as gone.
 */
export async function processStart(pid: number): Promise<string | null> {
  if (!signalled(pid)) return null;
  if (process.platform !== 'linux') return (await ps('lstart=', pid)) || null;
  const stat = await readProc(pid, 'stat');
  if (stat === null) return null;
  // The program's name stands in parentheses and may hold anything, so fields are counted after the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  const boot = (await readIfThere('/proc/sys/kernel/random/boot_id'))?.trim() ?? '';
  return `${boot}:${fields[19] ?? ''}`;
}

/** The command line of a process, its arguments joined by blanks; empty when there is no such process. */
export async function processCommand(pid: number): Promise<string> {
  if (process.platform !== 'linux') return ps('command=', pid);
  return ((await readProc(pid, 'cmdline')) ?? '').replaceAll('\0', ' ');
}

/** Sends a signal to a process that may have ended already. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

function signalled(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

async function readProc(pid: number, name: string): Promise<string | null> {
  try {
    return await readIfThere(`/proc/${pid}/${name}`);
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return null;
    throw error;
  }
}

async function ps(column: string, pid: number): Promise<string> {
  try {
    const { stdout } = await run('ps', ['-o', column, '-p', String(pid)], { timeout: PROBE_MS });
    return stdout.trim();
  } catch (error) {
    // ps answers 1 when there is no such process.
    if (hasCode(error, '1')) return '';
    throw error;
  }
}
