import neo4j, { type Config } from 'neo4j-driver';
import { setTimeout as pause } from 'node:timers/promises';
import { StartupError } from '../errors.ts';
import { hasCode } from '../machine/files.ts';
import { FIRST_PASSWORD, NEO4J_USER } from './password.ts';
import { timeLimit } from '../time-limit.ts';
import { NEO4J_POLL_MS } from '../limits.ts';

/** Wait for a connection with which a fresh managed database is asked first, milliseconds: its first query is slow. */
const NEO4J_LOGIN_MS = 30_000;

/** Refusals of both passwords in a row that count as an answer; one may be of a server that is still opening. */
const NEO4J_LOGIN_REFUSALS = 2;

/** What a wait for the first answer needs. */
export interface ReadyOptions {
  readonly uri: string;
  readonly password: string;
  /** For the message when the server refuses the password. */
  readonly passwordFile: string;
  readonly patienceMs: number;
  /** Ends the wait with the signal's reason. */
  readonly signal: AbortSignal;
  /** Called now and then with the ms waited so far. */
  readonly onWait: (waitedMs: number) => void;
}

type Attempt = 'answered' | 'refused' | 'silent';

const DRIVER_SETTINGS: Config = {
  connectionTimeout: 5_000,
  // Loading the query engine keeps the first query waiting.
  connectionAcquisitionTimeout: NEO4J_LOGIN_MS,
  maxConnectionPoolSize: 2,
  telemetryDisabled: true,
};

/**
 * Waits until the server answers a query on its database with our password, which is set where the server
 * still has its first one. An open port is not enough: loading the query engine takes seconds more.
 *
 * @throws StartupError when patience ends, or the server knows neither password.
 */
export async function waitUntilReady(options: ReadyOptions): Promise<void> {
  const startedAt = performance.now();
  const waited = (): number => performance.now() - startedAt;
  let refusals = 0;
  while (waited() < options.patienceMs) {
    options.signal.throwIfAborted();
    const attempt = await within(options, login(options.uri, options.password, 'neo4j', 'RETURN 1'));
    if (attempt === 'answered') return;
    if (attempt === 'refused' && (await changeFirstPassword(options)) === 'refused') {
      refusals += 1;
      if (refusals === NEO4J_LOGIN_REFUSALS) throw refusedBoth(options.passwordFile);
    }
    options.onWait(waited());
    await pause(NEO4J_POLL_MS);
  }
  options.signal.throwIfAborted();
  throw new StartupError(`Neo4j gave no answer within ${options.patienceMs / 1000} s.`);
}

/** What a login came to; silent when it says nothing for so long, thrown out of by the signal. */
async function within({ signal }: ReadyOptions, attempt: Promise<Attempt>): Promise<Attempt> {
  const limit = timeLimit(NEO4J_LOGIN_MS, signal);
  const ended = new Promise<Attempt>((resolve) => {
    limit.signal.addEventListener(
      'abort',
      () => {
        resolve('silent');
      },
      { once: true },
    );
  });
  const outcome = await Promise.race([attempt, ended]).finally(limit.end);
  signal.throwIfAborted();
  return outcome;
}

async function changeFirstPassword({ uri, password }: ReadyOptions): Promise<Attempt> {
  const statement = 'ALTER CURRENT USER SET PASSWORD FROM $old TO $new';
  return login(uri, FIRST_PASSWORD, 'system', statement, { old: FIRST_PASSWORD, new: password });
}

async function login(
  uri: string,
  password: string,
  database: string,
  statement: string,
  parameters: Record<string, string> = {},
): Promise<Attempt> {
  const driver = neo4j.driver(uri, neo4j.auth.basic(NEO4J_USER, password), DRIVER_SETTINGS);
  const session = driver.session({ database });
  try {
    await session.run(statement, parameters);
    return 'answered';
  } catch (error) {
    // Whatever else goes wrong while a server opens is passing; patience bounds it.
    return isRefusal(error) ? 'refused' : 'silent';
  } finally {
    await session.close();
    await driver.close();
  }
}

/** The limit on wrong passwords follows after three of them, so it is an answer of the same kind. */
function isRefusal(error: unknown): boolean {
  const kind = 'Neo.ClientError.Security';
  return hasCode(error, `${kind}.Unauthorized`, `${kind}.AuthenticationRateLimit`);
}

function refusedBoth(passwordFile: string): StartupError {
  return new StartupError(
    `The local Neo4j refuses the password in ${passwordFile}. That file belongs to the database beside it: ` +
      'restore both from the same backup, or move the whole data directory away to begin with an empty one.',
  );
}
