import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

import { errorText } from '../../errors.ts';
import { FAILED_PROGRAM_LINES } from '../../limits.ts';
import { hasCode } from '../../machine/files.ts';
import { ModelFailure } from '../failure.ts';
import type { LocalFolders } from './local-model.ts';
import type { Question, RunnerMessage } from './local-process.ts';
import { LocalQueue, type Job, type OnVector } from './local-queue.ts';

/** Time for the local model to be loaded, milliseconds: it takes a second, and a minute on a machine that swaps. */
const EMBEDDING_LOAD_MS = 60_000;

/** Time for one text, milliseconds; it takes a tenth of a second. Then the process is ended. */
const EMBEDDING_LOCAL_TEXT_MS = 30_000;

/** A text that the process is at. */
interface Asked {
  readonly number: number;
  readonly job: Job;
  readonly began: number;
}

/**
 * Runs the local model in a process of its own, started by the first text: the library that computes aborts the process in which a
 * thread of it is ended, and must not take the service along. The process is given one text at a time, because numbers of 8 bits
 * are scaled by all texts that are computed together: a text would have another vector in other company. When it ends, what waits
 * fails, and the next text starts another.
 */
export class LocalRunner {
  private readonly folders: () => Promise<LocalFolders>;
  private readonly fork: (folders: LocalFolders) => ChildProcess;
  private readonly queue = new LocalQueue();
  private child: ChildProcess | null = null;
  private starting = false;
  private asked: Asked | null = null;
  private numbers = 0;
  private watch: NodeJS.Timeout | undefined;
  private closed = false;

  /** `folders` is asked before each start; `fork` starts a process. */
  constructor(folders: () => Promise<LocalFolders>, fork: (folders: LocalFolders) => ChildProcess = forked) {
    this.folders = folders;
    this.fork = fork;
  }

  /** Id of the process; undefined while there is none. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** One vector for each text; an urgent one does not wait for those that are not. Throws `ModelFailure`; the reason of `signal`. */
  async embed(
    texts: readonly string[],
    { urgent, signal, onVector }: { urgent: boolean; signal: AbortSignal; onVector: OnVector },
  ): Promise<Float32Array[]> {
    signal.throwIfAborted();
    if (this.closed) throw stopped();
    let leave = (): void => undefined;
    try {
      return await new Promise<Float32Array[]>((resolve, reject) => {
        const vectors: Float32Array[] = [];
        const done = (): void => {
          resolve(vectors);
        };
        const job: Job = { texts, vectors, onVector, done, fail: reject };
        this.queue.add(job, urgent);
        leave = () => {
          this.queue.remove(job);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', leave, { once: true });
        this.advance();
      });
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** Ends the process; what waits fails. */
  async close(): Promise<void> {
    this.closed = true;
    this.queue.failAll(stopped());
    const { child } = this;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    // One that could not be started does not exit.
    if (child.pid === undefined) return;
    const ended = once(child, 'exit');
    child.ref();
    child.kill('SIGKILL');
    await ended;
  }

  /** Sends the next text when the process is free, and starts one when there is none. */
  private advance(): void {
    const job = this.queue.first;
    this.hold(job !== undefined || this.asked !== null);
    if (job === undefined || this.asked !== null || this.starting || this.closed) return;
    if (this.child === null) {
      void this.start();
      return;
    }
    this.numbers += 1;
    const question: Question = { number: this.numbers, text: job.texts[job.vectors.length] ?? '' };
    this.asked = { number: this.numbers, job, began: performance.now() };
    this.expect(EMBEDDING_LOCAL_TEXT_MS);
    const { child } = this;
    child.send(question, (error) => {
      // Of a process that was given up nothing counts any more: another may have taken its place.
      if (error && this.child === child)
        this.end(new ModelFailure('outage', away(errorText(error)), { cause: error }));
    });
  }

  private async start(): Promise<void> {
    this.starting = true;
    try {
      const folders = await this.folders();
      if (this.closed) throw stopped();
      this.watched(this.fork(folders));
    } catch (error) {
      this.starting = false;
      this.queue.failAll(
        error instanceof ModelFailure
          ? error
          : new ModelFailure('outage', errorText(error), { cause: error }),
      );
    }
  }

  private watched(child: ChildProcess): void {
    this.child = child;
    this.hold(true);
    const lines: string[] = [];
    if (child.stderr)
      createInterface({ input: child.stderr }).on('line', (line) => {
        lines.push(line);
        if (lines.length > FAILED_PROGRAM_LINES) lines.shift();
      });
    child.on('message', (receive) => {
      if (this.child === child) this.receive(receive as RunnerMessage);
    });
    child.on('error', (error) => {
      if (this.child === child)
        this.end(new ModelFailure('outage', away(errorText(error)), { cause: error }));
    });
    child.once('close', (code, signal) => {
      if (this.child !== child) return;
      const said = [`it ended with ${code ?? signal ?? 'no exit code'}`, ...lines].join('\n');
      this.end(new ModelFailure('outage', away(said)));
    });
    this.expect(EMBEDDING_LOAD_MS);
  }

  private receive(receive: RunnerMessage): void {
    clearTimeout(this.watch);
    if ('ready' in receive) {
      this.starting = false;
    } else if ('refused' in receive) {
      this.end(new ModelFailure('outage', away(receive.refused)));
      return;
    } else if (this.asked?.number === receive.number) {
      const { job, began } = this.asked;
      this.asked = null;
      if ('error' in receive) {
        this.queue.remove(job);
        job.fail(new ModelFailure('answer', `the local embedding model made no vector: ${receive.error}`));
      } else {
        job.onVector({ ms: performance.now() - began, tokens: receive.tokens });
        this.take(job, receive.vector);
      }
    }
    this.advance();
  }

  /** A job that nobody waits for any more is not in the queue. */
  private take(job: Job, vector: Float32Array): void {
    if (!this.queue.has(job)) return;
    job.vectors.push(vector);
    if (job.vectors.length < job.texts.length) return;
    this.queue.remove(job);
    job.done();
  }

  /** Gives the process up; what waits fails. */
  private end(failure: ModelFailure): void {
    clearTimeout(this.watch);
    const { child } = this;
    this.child = null;
    this.starting = false;
    this.asked = null;
    child?.kill('SIGKILL');
    this.queue.failAll(failure);
  }

  private expect(ms: number): void {
    clearTimeout(this.watch);
    this.watch = setTimeout(() => {
      this.end(new ModelFailure('late', `the local embedding model did not answer within ${ms} ms`));
    }, ms);
  }

  /** While nobody waits, the process does not keep the service running. */
  private hold(on: boolean): void {
    const { child } = this;
    if (child === null) return;
    if (on) child.ref();
    else child.unref();
    // The types say less than what a pipe and a channel are.
    for (const part of [child.stderr, child.channel] as (NodeJS.RefCounted | null | undefined)[]) {
      if (on) part?.ref();
      else part?.unref();
    }
  }
}

function forked({ model, runtime }: LocalFolders): ChildProcess {
  const extension = extname(import.meta.url);
  // From the sources it runs as the service does: by tsx, wherever the service was started.
  const loader = (): string => pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const child = fork(new URL(`./local-process${extension}`, import.meta.url), [model, runtime], {
    execArgv: extension === '.ts' ? ['--import', loader()] : [],
    // Keys of the service are none of its business.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  giveWay(child.pid);
  return child;
}

/** Lets everything else on the machine go before a process: requests and the database are waited for, vectors are not. */
function giveWay(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch (error) {
    // It has ended already, which is told of where its end is noticed; or the system lets nobody set priorities.
    if (!hasCode(error, 'ERR_SYSTEM_ERROR')) throw error;
  }
}

function away(why: string): string {
  return `the local embedding model does not run: ${why}`;
}

function stopped(): ModelFailure {
  return new ModelFailure('outage', 'the local embedding model is not asked any more: the service stops');
}
