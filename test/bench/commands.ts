/** What a process of the bench does when it is told to; arguments and answers are plain data. */
export type Commands = Record<string, (argument: never) => Promise<unknown>>;

/** One order to a process. */
export interface Order {
  readonly id: number;
  readonly command: string;
  readonly argument: unknown;
}

/** The answer to an order. */
export interface Outcome {
  readonly id: number;
  readonly answer?: unknown;
  readonly fault?: string;
}

/** Obeys the orders of the process that started this one, until that one lets go or is gone; then `end` is called. */
export function obey(commands: Commands, end: () => Promise<void>): void {
  process.on('message', ({ id, command, argument }: Order) => {
    const done = commands[command];
    const work =
      done === undefined ? Promise.reject(new Error(`no command ${command}`)) : done(argument as never);
    work.then(
      (answer) => {
        reply({ id, answer });
      },
      (error: unknown) => {
        reply({ id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      },
    );
  });
  process.once('disconnect', () => {
    void end().finally(() => process.exit(0));
  });
  // A terminal tells the whole group; the process that started this one decides in what order things end.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
}

function reply(outcome: Outcome): void {
  if (process.connected) process.send?.(outcome);
}
