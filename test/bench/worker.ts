import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Commands, Outcome } from './commands.ts';

/** How long a process may take to end after it was let go, milliseconds: one of them stops a Neo4j first. */
const END_PATIENCE_MS = 40_000;

/** A process of the bench, seen from the one that started it. */
export class Worker<C extends Commands> {
  readonly pid: number;
  private readonly child: ChildProcess;
  private readonly waiting = new Map<
    number,
    { resolve: (answer: unknown) => void; reject: (error: Error) => void }
  >();
  private orders = 0;

  /** Starts the process of a file in this directory. */
  constructor(file: string) {
    const entry = fileURLToPath(new URL(file, import.meta.url));
    this.child = fork(entry, {
      execArgv: ['--import', 'tsx'],
      serialization: 'advanced',
      stdio: ['ignore', 2, 2, 'ipc'],
    });
    this.pid = this.child.pid ?? 0;
    process.once('exit', () => this.child.kill('SIGKILL'));
    this.child.on('message', ({ id, answer, fault }: Outcome) => {
      const waiting = this.waiting.get(id);
      this.waiting.delete(id);
      if (fault === undefined) waiting?.resolve(answer);
      else waiting?.reject(new Error(`${file}: ${fault}`));
    });
    this.child.once('exit', (code, signal) => {
      for (const { reject } of this.waiting.values())
        reject(new Error(`${file} ended (${signal ?? code ?? ''})`));
      this.waiting.clear();
    });
  }

  /** Gives an order and resolves with its answer. */
  order<Name extends keyof C & string>(
    command: Name,
    argument: Parameters<C[Name]>[0],
  ): Promise<Awaited<ReturnType<C[Name]>>> {
    this.orders += 1;
    const id = this.orders;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject });
      this.child.send({ id, command, argument }, (error) => {
        if (error !== null) reject(error);
      });
    });
  }

  /** Lets the process go and waits for its end. */
  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    if (this.child.connected) this.child.disconnect();
    const late = setTimeout(() => this.child.kill('SIGKILL'), END_PATIENCE_MS);
    await ended;
    clearTimeout(late);
  }
}
