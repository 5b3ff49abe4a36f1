import type { ChildProcess } from 'node:child_process';
import type { EndScript } from './watchdog.ts';

/** One way to run a server as a child process. */
export interface Runner {
  readonly kind: 'java' | 'docker';
  readonly version: string;
  /** How the watchdog ends a target of this kind. */
  readonly endScript: EndScript;
  /** Clears away what an earlier run left. */
  prepare(): Promise<void>;
  /** Writes down what a server on this port has to know. */
  configure(port: number): Promise<void>;
  /** Starts the configured server in a process group of its own, its output going to a file. */
  spawn(port: number, output: number): ChildProcess;
  /** What the watchdog is to end. */
  target(child: ChildProcess): string;
  /** Notes for a later start that this server runs, or that none does. */
  note(child: ChildProcess | null): Promise<void>;
  /** Asks the server to end, or makes it. */
  end(child: ChildProcess, how: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}
