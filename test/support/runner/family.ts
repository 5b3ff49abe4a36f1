import { readdirSync, readFileSync } from 'node:fs';

/** A process as the system tells of it. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  readonly residentKb: number;
}

/** A process and all below it; nothing where there is no `/proc`. */
export function familyOf(root: number): Process[] {
  const all = processes();
  const family = new Set([root]);
  // A parent has the smaller number but where numbers begin again: as many rounds as it takes.
  for (let size = 0; size < family.size;) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return all.filter(({ pid }) => family.has(pid));
}

function processes(): Process[] {
  return pids().flatMap((pid) => {
    const status = statusOf(pid);
    const field = (name: string): string => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? '0';
    if (status === '') return [];
    const numbers = { parent: Number(field('PPid')), residentKb: Number(field('VmRSS')) };
    return [{ pid, name: field('Name'), ...numbers }];
  });
}

function pids(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return [];
    throw error;
  }
}

/** What the system says of a process; nothing once it has ended. */
function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(String((error as { code?: unknown }).code))) return '';
    throw error;
  }
}
