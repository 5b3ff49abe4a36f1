import { Readable, Writable } from 'node:stream';

import { runCli } from '../../src/cli/run.ts';

/** What a command line left behind. */
export interface CliOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in a directory, as a process would; without a terminal, unless standard input is to be one. */
export async function cli(
  line: readonly string[],
  where: { directory: string; environment?: Record<string, string>; stdin?: string; terminal?: boolean },
): Promise<CliOutcome> {
  const stdout = sink();
  const stderr = sink();
  const code = await runCli(line, {
    environment: where.environment ?? {},
    directory: where.directory,
    stdin: Object.assign(Readable.from([Buffer.from(where.stdin ?? '')]), { isTTY: where.terminal === true }),
    stdout: stdout.stream,
    stderr: stderr.stream,
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

function sink(): { stream: Writable; text: () => string } {
  const parts: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      parts.push(chunk.toString());
      done();
    },
  });
  return { stream, text: () => parts.join('') };
}
