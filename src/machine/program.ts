import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** How a program is to be run. */
export interface ProgramOptions {
  /** Working directory; that of this process when left out. */
  readonly directory?: string;
  /** A program that writes no line for so many milliseconds is ended. */
  readonly silenceMs: number;
  /** Takes each line as it is written, to standard output or error. */
  readonly onLine?: (line: string) => void;
  /** Ends the program. */
  readonly signal?: AbortSignal | undefined;
}

/** How a program ended. */
export interface ProgramEnd {
  /** Exit code, or the name of the signal that ended it; 0 when all is well. */
  readonly status: number | string;
  /** Everything it wrote, to standard output and error, in lines. */
  readonly lines: readonly string[];
}

/** Runs a program to its end. Throws an error with the code `ENOENT` when there is none; the reason of `signal` when that ended it. */
export async function runProgram(
  command: string,
  args: readonly string[],
  { directory, silenceMs, onLine, signal }: ProgramOptions,
): Promise<ProgramEnd> {
  signal?.throwIfAborted();
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(directory === undefined ? {} : { cwd: directory }),
  });
  const lines: string[] = [];
  const stop = (): void => void child.kill();
  const silence = setTimeout(stop, silenceMs);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr])
        createInterface({ input: stream }).on('line', (line) => {
          silence.refresh();
          lines.push(line);
          onLine?.(line);
        });
      child.once('error', reject);
      child.once('close', (code, killed) => {
        if (code !== 0 && signal?.aborted === true) reject(signal.reason as Error);
        else resolve({ status: code ?? killed ?? 'no exit code', lines });
      });
    });
  } finally {
    clearTimeout(silence);
    signal?.removeEventListener('abort', stop);
  }
}
