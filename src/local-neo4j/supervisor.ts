import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { errorText, StartupError } from '../errors.ts';
import type { Log } from '../log.ts';
import { joinSignals } from '../time-limit.ts';
import { openConsoleLog, type ConsoleLog } from './console-log.ts';
import type { UnexpectedExit } from './options.ts';
import { freePort } from './port.ts';
import type { Runner } from './runner.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';
import { NEO4J_STOP_MS } from '../limits.ts';

/** First pause before a managed database that died is started again, milliseconds; it doubles each time. */
const NEO4J_RESTART_FIRST_MS = 500;

/** Longest such pause, milliseconds. */
const NEO4J_RESTART_LONGEST_MS = 30_000;

/** A managed database that lived so many milliseconds counts as sound: the pauses begin again at the first. */
const NEO4J_RESTART_FORGIVEN_MS = 60_000;

/** Tries of a free port: another program may take it between our look and the server's bind. */
const NEO4J_PORT_TRIES = 3;

/** What a supervisor works with. */
export interface SupervisorOptions {
  readonly runner: Runner;
  /** Where the server's console log goes. */
  readonly logs: string;
  readonly log: Log;
  /** Resolves when the server on this port answers; ended by the signal. */
  readonly ready: (port: number, signal: AbortSignal) => Promise<void>;
  readonly onExit?: ((info: UnexpectedExit) => void) | undefined;
}

/** The pause before the n-th start in a row (from 0), in ms. */
export function restartPause(failures: number): number {
  return Math.min(NEO4J_RESTART_FIRST_MS * 2 ** failures, NEO4J_RESTART_LONGEST_MS);
}

/** One run of the server, from its start to its end. */
interface Run {
  readonly child: ChildProcess;
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;
}

/** How a run ended. */
interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
  readonly how: string;
}

/** Keeps one server running until it is told to stop. */
export class Supervisor {
  port = 0;
  private readonly options: SupervisorOptions;
  private readonly stopping = new AbortController();
  private readonly watchdog: Watchdog;
  private run: Run | null = null;
  private settled = false;
  private failures = 0;
  private restarting: Promise<void> = Promise.resolve();
  private stopped: Promise<void> | null = null;

  constructor(options: SupervisorOptions) {
    this.options = options;
    this.watchdog = startWatchdog(options.runner.endScript, options.log);
  }

  get child(): ChildProcess | null {
    return this.run?.child ?? null;
  }

  /** Starts the server and waits for its first answer; nothing is left running when that fails. */
  async start(): Promise<void> {
    try {
      await this.options.runner.prepare();
      for (let attempt = 1; ; attempt += 1) {
        this.port = await freePort();
        const failure = await this.launch();
        if (failure === null) break;
        if (attempt === NEO4J_PORT_TRIES || !/address already in use|BindException/i.test(failure.message))
          throw failure;
      }
      this.settled = true;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Ends the server for good. */
  stop(): Promise<void> {
    this.stopped ??= this.end();
    return this.stopped;
  }

  private async end(): Promise<void> {
    this.stopping.abort(new StartupError('Neo4j was stopped while it was starting.'));
    await this.restarting;
    await this.endRun();
    await this.watchdog.dismiss();
  }

  private async endRun(): Promise<void> {
    const { run } = this;
    if (run === null) return;
    const { runner, log } = this.options;
    const patience = new AbortController();
    const late = pause(NEO4J_STOP_MS, 'late', { signal: patience.signal }).catch(() => 'in time');
    await runner.end(run.child, 'SIGTERM');
    if ((await Promise.race([run.gone, late])) === 'late') {
      log.warn('Neo4j does not end and is killed', { pid: run.child.pid });
      await runner.end(run.child, 'SIGKILL');
    }
    patience.abort();
    await run.gone;
  }

  /** Starts one run on the current port; null when it answers, otherwise why it does not. */
  private async launch(): Promise<Error | null> {
    const { runner, logs, ready } = this.options;
    await runner.configure(this.port);
    this.stopping.signal.throwIfAborted();
    const output = await openConsoleLog(logs);
    const over = new AbortController();
    const ends = joinSignals(this.stopping.signal, over.signal);
    const run = this.spawn(output, over);
    try {
      await runner.note(run.child);
      await ready(this.port, ends.signal);
      return null;
    } catch (error) {
      if (this.run === run && !this.stopping.signal.aborted) await this.endRun();
      const text = `${errorText(error)}\nThe end of ${output.path}:\n${await output.tail()}`;
      return new StartupError(text, { cause: error });
    } finally {
      ends.end();
    }
  }

  private spawn(output: ConsoleLog, over: AbortController): Run {
    const { runner, log } = this.options;
    const startedAt = performance.now();
    const child = runner.spawn(this.port, output.fd);
    this.watchdog.guard(runner.target(child));
    // The watchdog ends the server with this process, so the server need not keep this process alive.
    child.unref();
    const ending = new Promise<Ending>((resolve) => {
      child.once('error', (error) => {
        resolve({ code: null, signal: null, how: `could not be started (${errorText(error)})` });
      });
      child.once('exit', (code, signal) => {
        resolve({ code, signal, how: `ended with ${signal ?? `code ${code ?? 'unknown'}`}` });
      });
    });
    const gone = ending
      .then(async ({ code, signal, how }) => {
        this.watchdog.guard(null);
        this.run = null;
        over.abort(new StartupError(`Neo4j ${how} before it answered.`));
        if (this.settled && !this.stopping.signal.aborted) this.died(startedAt, code, signal);
        await runner.note(null);
        await output.close();
      })
      .catch((error: unknown) => {
        log.error('could not clear up after Neo4j', { error: errorText(error) });
      });
    this.run = { child, gone };
    return this.run;
  }

  private died(startedAt: number, code: number | null, signal: string | null): void {
    const { log, onExit } = this.options;
    if (performance.now() - startedAt > NEO4J_RESTART_FORGIVEN_MS) this.failures = 0;
    const restartInMs = this.scheduleRestart();
    log.error('Neo4j ended unexpectedly and is started again', { code, signal, restartInMs });
    onExit?.({ code, signal, restartInMs });
  }

  private scheduleRestart(): number {
    const restartInMs = restartPause(this.failures);
    this.failures += 1;
    this.restarting = this.restart(restartInMs);
    return restartInMs;
  }

  private async restart(afterMs: number): Promise<void> {
    const { log } = this.options;
    try {
      await pause(afterMs, undefined, { signal: this.stopping.signal });
      // The child that ended may be a mere client of a server that runs on.
      await this.options.runner.prepare();
      const port = await freePort(this.port);
      // The service's driver knows one address: the server comes back there or waits until it can.
      if (port !== this.port) throw new StartupError(`port ${this.port} is taken by another program`);
      const failure = await this.launch();
      if (failure === null) log.info('Neo4j answers again', { port, pid: this.child?.pid });
      else log.error('Neo4j could not be started again', { error: errorText(failure) });
    } catch (error) {
      // Only what comes before the server's start ends here; a started server reports its own end.
      if (this.stopping.signal.aborted) return;
      const restartInMs = this.scheduleRestart();
      log.error('Neo4j could not be started again', { error: errorText(error), restartInMs });
    }
  }
}
