import { readFileSync } from 'node:fs';

/** Ticks of a second in /proc; the same on every Linux that Node runs on. */
const TICKS = 100;

/** CPU seconds that a process has used so far; null where the system does not tell or the process is gone. */
export function cpuSeconds(pid: number): number | null {
  const stat = read(pid, 'stat');
  if (stat === null) return null;
  // The program's name stands in parentheses and may hold anything, so fields are counted after the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Memory of a process that is in RAM, MiB; null where the system does not tell. */
export function residentMiB(pid: number): number | null {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(read(pid, 'status') ?? '')?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}

function read(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(String((error as { code?: unknown }).code))) return null;
    throw error;
  }
}

/** CPU seconds by process name. */
export type CpuUse = Record<string, number | null>;

/** Adds up the CPU seconds that processes use while something is measured. */
export class CpuMeter {
  private readonly pids: () => Readonly<Record<string, number | null>>;
  readonly used: CpuUse = {};

  /** `pids`: processes by name; null for one that cannot be looked at. */
  constructor(pids: () => Readonly<Record<string, number | null>>) {
    this.pids = pids;
  }

  /** Does the work and adds what the named processes used meanwhile; a record says under which other name each is added. */
  async during<T>(
    names: readonly string[] | Readonly<Record<string, string>>,
    work: () => Promise<T>,
  ): Promise<T> {
    const before = this.look();
    const outcome = await work();
    const after = this.look();
    const added = Array.isArray(names) ? names.map((name: string) => [name, name]) : Object.entries(names);
    for (const [process = '', name = ''] of added) {
      const [from, to] = [before[process] ?? null, after[process] ?? null];
      const sum = this.used[name] ?? 0;
      this.used[name] = from === null || to === null ? null : Math.round((sum + to - from) * 100) / 100;
    }
    return outcome;
  }

  private look(): CpuUse {
    return Object.fromEntries(
      Object.entries(this.pids()).map(([name, pid]) => [name, pid === null ? null : cpuSeconds(pid)]),
    );
  }
}
