import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Log } from '../log.ts';
import { NEO4J_ORPHAN_STOP_S } from '../limits.ts';

/** Ends a server whose owner is gone, however the owner went. */
export interface Watchdog {
  /** Names what to end; null while nothing runs. */
  guard(target: string | null): void;
  /** Ends the watchdog itself, leaving the server alone. */
  dismiss(): Promise<void>;
}

/** How a target is ended; a shell reads it, with the target in `$target`. */
export type EndScript = string;

/** Ends a process by its pid: TERM, then KILL. */
export const END_PROCESS: EndScript = `
kill -TERM "$target" 2>/dev/null || exit 0
waited=0
while kill -0 "$target" 2>/dev/null; do
  if [ "$waited" -ge ${NEO4J_ORPHAN_STOP_S} ]; then kill -KILL "$target" 2>/dev/null; exit 0; fi
  sleep 1
  waited=$((waited + 1))
done`;

/** Ends a container by its name. */
export const END_CONTAINER: EndScript = `docker stop -t ${NEO4J_ORPHAN_STOP_S} "$target" >/dev/null 2>&1`;

/**
 * Starts a shell in a session of its own that reads targets from a pipe. The kernel closes the pipe when this
 * process ends, even by KILL; at that end the last target named is ended.
 */
export function startWatchdog(end: EndScript, log: Log): Watchdog {
  const script = `trap '' HUP INT TERM
target=
while read -r line; do target=$line; done
[ -n "$target" ] || exit 0
${end}
`;
  const child = spawn('/bin/sh', ['-c', script, 'strata-watchdog'], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(child, 'exit');
  child.unref();
  child.stdin.on('error', (error) => {
    log.error('the watchdog of Neo4j is gone; a killed service would leave the database running', {
      error: error.message,
    });
  });
  return {
    guard: (target) => {
      child.stdin.write(`${target ?? ''}\n`);
    },
    dismiss: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      child.stdin.end('\n');
      await ended;
    },
  };
}
