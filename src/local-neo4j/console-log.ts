import { mkdir, open, rename, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode, readIfThere } from '../machine/files.ts';
import { FAILED_PROGRAM_LINES } from '../limits.ts';

/** What a server writes to its standard output and error. */
export interface ConsoleLog {
  readonly path: string;
  readonly fd: number;
  /** The last lines written. */
  tail(): Promise<string>;
  close(): Promise<void>;
}

/** Opens a fresh `console.log` in a directory; that of the run before is kept as `console.log.1`. */
export async function openConsoleLog(directory: string): Promise<ConsoleLog> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, 'console.log');
  try {
    await rename(path, `${path}.1`);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  const file: FileHandle = await open(path, 'a', 0o600);
  return {
    path,
    fd: file.fd,
    tail: async () => {
      const lines = ((await readIfThere(path)) ?? '').trimEnd().split('\n');
      return lines.slice(-FAILED_PROGRAM_LINES).join('\n');
    },
    close: () => file.close(),
  };
}
