import { readdirSync, readFileSync } from 'node:fs';

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  readonly residentKb: number;
}

/** Most memory that the Node processes of a run had together: the process itself and all below it, databases apart. */
export class PeakMemory {
  private readonly root: number;
  private peakKb = 0;

  constructor(root: number) {
    this.root = root;
  }

  get peakMb(): number {
    return Math.round(this.peakKb / 1024);
  }

  /** Takes a look; where there is no `/proc` the peak stays 0. */
  look(): void {
    const all = processes();
    const family = new Set([this.root]);
    // A parent has the smaller number but where numbers begin again: as many rounds as it takes.
    for (let size = 0; size < family.size;) {
      size = family.size;
      for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
    }
    const own = all.filter(({ pid, name }) => family.has(pid) && /node|MainThread|jest/.test(name));
    this.peakKb = Math.max(
      this.peakKb,
      own.reduce((sum, { residentKb }) => sum + residentKb, 0),
    );
  }
}

function processes(): Process[] {
  return pids().flatMap((pid) => {
    const status = statusOf(pid);
    const field = (name: string): string => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? '0';
    return status === ''
      ? []
      : [
          {
            pid,
            parent: Number(field('PPid')),
            name: field('Name'),
            residentKb: Number(field('VmRSS')),
          },
        ];
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
