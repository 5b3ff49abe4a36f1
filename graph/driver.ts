import neo4j, { type BookmarkManager, type Driver, type Session } from 'neo4j-driver';

import { DATABASE_FETCH_ROWS, DATABASE_RETRY_MS, DATABASE_TRIES } from '../src/limits.ts';
import type { Metrics } from '../src/metrics.ts';
import { asStrataError, failureOf, OVERDUE } from './errors.ts';
import { gatherWritesTo } from './gathered-writes.ts';
import { boltParameters, type Params, type Statement } from './statement.ts';

/** How much longer than it is waited for the server lets a transaction run, milliseconds: then its locks are free, whatever became of who sent it. */
const DATABASE_GRACE_MS = 1000;

/** First pause between the tries of a transaction (`DATABASE_TRIES`), milliseconds; it doubles each time. */
const DATABASE_FIRST_PAUSE_MS = 10;

/** Writes in a row that have to fail before the database counts as taking none: one may have been too large. */
const DATABASE_FAILED_WRITES = 2;

/** Wait for the connections to the database to close, milliseconds: a network that swallows everything never says so. */
const DATABASE_CLOSE_MS = 5000;

/** Where the database is and how it is spoken to. */
export interface DatabaseOptions {
  /** `neo4j://` routes (one server answers routing with itself), `neo4j+s://` adds TLS. */
  readonly uri: string;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Connections kept at most. */
  readonly poolSize: number;
  /** Milliseconds to wait for a free connection. */
  readonly acquisitionTimeoutMs: number;
  /** Milliseconds to wait for a new connection. */
  readonly connectTimeoutMs: number;
  /** Milliseconds that a statement may take; then it is given up with its outcome unknown. */
  readonly statementTimeoutMs: number;
  /** Another driver of the same process whose writes this one has to read in a cluster; default none. */
  readonly sibling?: Database;
  /** Told of statements and repeats; default nobody. */
  readonly metrics?: Metrics;
  /** Whole numbers of rows arrive as `Integer`, so that what was read can be written back as it was stored; default false: as numbers. */
  readonly exact?: boolean;
}

/** Sends reading statements. */
export interface Reader {
  /** The rows of one reading statement; transient failures are retried. Throws `DATABASE_UNAVAILABLE`. */
  read<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]>;
}

/** Reads what is too much to be held at once. */
export interface RowStreams {
  /**
   * The rows of one reading statement one after the other, `fetchRows` of them fetched at once: however many there are, memory holds few.
   * Waited for however long they take, and never repeated.
   */
  stream<P extends Params, R>(statement: Statement<P, R>, params: P, fetchRows: number): AsyncGenerator<R>;
}

/** Statements within one open transaction. */
export interface Transaction {
  run<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]>;
  /**
   * Sends a statement without waiting for its end: whatever is sent next comes behind it, and its failure is that of the transaction. It
   * lets the server write while what comes next is thought out.
   */
  send<P extends Params, R>(statement: Statement<P, R>, params: P): void;
}

/** Sends writing statements; what it throws is the driver's own error, for the caller to classify. */
export interface Writer extends Reader {
  /** One statement in a transaction of its own, committed when the rows have arrived; never repeated here. `extraMs`: beyond the usual deadline. */
  write<P extends Params, R>(statement: Statement<P, R>, params: P, extraMs?: number): Promise<R[]>;
  /** Several statements in one transaction, committed when `work` resolves and rolled back when it throws. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, extraMs?: number): Promise<T>;
  /** `write`, repeated on transient failures; only for statements that may be repeated. Throws `DATABASE_UNAVAILABLE`. */
  writeRepeatable<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]>;
}

/** Runs work in transactions. */
export interface Transactions {
  /** `transaction`, begun anew on transient failures; only for work that may be repeated. Throws `DATABASE_UNAVAILABLE`. */
  transactionRepeatable<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
}

/** One driver of a process, with a bookmark manager so that it reads its own writes in a cluster. */
export class Database implements Writer, Transactions, RowStreams {
  private readonly driver: Driver;
  private readonly bookmarks: BookmarkManager;
  private readonly database: string;
  private readonly statementTimeoutMs: number;
  private readonly metrics: Metrics | undefined;
  private open = 0;
  private failedWrites = 0;
  private hasWritten = false;

  constructor(options: DatabaseOptions) {
    this.database = options.database;
    this.statementTimeoutMs = options.statementTimeoutMs;
    this.metrics = options.metrics;
    this.bookmarks = options.sibling?.bookmarks ?? neo4j.bookmarkManager();
    gatherWritesTo(options.uri);
    this.driver = neo4j.driver(options.uri, neo4j.auth.basic(options.user, options.password), {
      disableLosslessIntegers: options.exact !== true,
      maxConnectionPoolSize: options.poolSize,
      connectionAcquisitionTimeout: options.acquisitionTimeoutMs,
      connectionTimeout: options.connectTimeoutMs,
      fetchSize: DATABASE_FETCH_ROWS,
      telemetryDisabled: true,
      userAgent: 'strata',
      notificationFilter: { minimumSeverityLevel: 'OFF' },
    });
  }

  read<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    return this.repeat(() => this.autocommit(neo4j.session.READ, statement, params));
  }

  async *stream<P extends Params, R>(
    statement: Statement<P, R>,
    params: P,
    fetchRows: number,
  ): AsyncGenerator<R> {
    const session = this.session(neo4j.session.READ, fetchRows);
    try {
      for await (const record of session.run(statement.text, boltParameters(params)))
        yield record.toObject() as R;
    } finally {
      await session.close();
    }
  }

  write<P extends Params, R>(statement: Statement<P, R>, params: P, extraMs = 0): Promise<R[]> {
    return this.noted(this.autocommit(neo4j.session.WRITE, statement, params, extraMs));
  }

  writeRepeatable<P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    return this.repeat(() => this.write(statement, params));
  }

  transactionRepeatable<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.repeat(() => this.transaction(work));
  }

  async transaction<T>(work: (transaction: Transaction) => Promise<T>, extraMs = 0): Promise<T> {
    const session = this.session(neo4j.session.WRITE);
    const timed = <P extends Params, R>(statement: Statement<P, R>, rows: Promise<R[]>): Promise<R[]> =>
      this.timed(statement, rows);
    const open = (): ReturnType<Session['beginTransaction']> =>
      session.beginTransaction(this.serverLimit(extraMs));
    return this.noted(this.inTime(inOneTransaction(open, work, timed), session, extraMs));
  }

  /** Product version of the server, such as `2026.09.0`; fails when it cannot be reached. */
  async serverVersion(): Promise<string> {
    const info = await this.before(
      this.statementTimeoutMs,
      this.driver.getServerInfo({ database: this.database }),
    );
    return /(?<!\d)\d+\.\d+(?:\.\d+)?/.exec(info.agent ?? '')?.[0] ?? '0.0';
  }

  /** Units of work now; each has a connection or waits for one. */
  get sessions(): number {
    return this.open;
  }

  /**
   * Whether the database took the latest writes; false until one has succeeded, and from the second one in a row on that it answered
   * as unavailable or not in time, until one succeeds. Reads may work all the while, as with a full disk.
   */
  get takesWrites(): boolean {
    return this.hasWritten && this.failedWrites < DATABASE_FAILED_WRITES;
  }

  /** Closes every connection; resolves after five seconds whether or not they say so. */
  async close(): Promise<void> {
    try {
      await this.before(DATABASE_CLOSE_MS, this.driver.close());
    } catch (error) {
      if (failureOf(error) !== 'overdue') throw error;
    }
  }

  private async autocommit<P extends Params, R>(
    mode: 'READ' | 'WRITE',
    statement: Statement<P, R>,
    params: P,
    extraMs = 0,
  ): Promise<R[]> {
    const session = this.session(mode);
    const patience = statement.patient === true ? null : extraMs;
    const sent = session.run(statement.text, boltParameters(params), this.serverLimit(patience));
    const rows = sent.then((result) => rowsOf<R>(result));
    return this.timed(statement, this.inTime(rows, session, patience));
  }

  /**
   * How long the server lets a transaction run: a little longer than it is waited for, so that the locks of a process that froze, or that
   * the network lost, do not stop all others. Without a limit of its own it would keep them as long as the connection stands.
   */
  private serverLimit(extraMs: number | null): { timeout?: number } {
    return extraMs === null
      ? {}
      : { timeout: Math.ceil(this.statementTimeoutMs + extraMs) + DATABASE_GRACE_MS };
  }

  /** Waits for work on a session and closes it; after the deadline nobody waits for either. */
  private async inTime<T>(work: Promise<T>, session: Session, extraMs: number | null): Promise<T> {
    this.open += 1;
    const done = this.closing(work, session);
    return extraMs === null ? done : this.before(this.statementTimeoutMs + extraMs, done);
  }

  private async closing<T>(work: Promise<T>, session: Session): Promise<T> {
    try {
      try {
        return await work;
      } finally {
        await session.close();
      }
    } finally {
      this.open -= 1;
    }
  }

  /** What the work comes to, or a failure when it takes longer than so many milliseconds. */
  private async before<T>(ms: number, work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(Object.assign(new Error('the database did not answer in time'), { code: OVERDUE }));
      }, ms);
    });
    try {
      return await Promise.race([work, deadline]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Passes the outcome of a write on and remembers whether the database took it. */
  private async noted<T>(write: Promise<T>): Promise<T> {
    try {
      const outcome = await write;
      this.failedWrites = 0;
      this.hasWritten = true;
      return outcome;
    } catch (error) {
      const failure = failureOf(error);
      if (failure === 'unavailable' || failure === 'overdue') this.failedWrites += 1;
      throw error;
    }
  }

  private async timed<P extends Params, R>(statement: Statement<P, R>, rows: Promise<R[]>): Promise<R[]> {
    if (this.metrics === undefined) return rows;
    const began = performance.now();
    try {
      const answer = await rows;
      this.metrics.observe('strata_statement_seconds', (performance.now() - began) / 1000, statement.name);
      return answer;
    } catch (error) {
      this.metrics.count('strata_statement_failures_total', failureOf(error));
      throw error;
    }
  }

  private session(mode: 'READ' | 'WRITE', fetchSize = DATABASE_FETCH_ROWS): Session {
    return this.driver.session({
      database: this.database,
      defaultAccessMode: mode,
      bookmarkManager: this.bookmarks,
      fetchSize,
    });
  }

  private async repeat<T>(work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        const failure = failureOf(error);
        const late = performance.now() - started > DATABASE_RETRY_MS;
        if (late || attempt === DATABASE_TRIES || (failure !== 'transient' && failure !== 'unavailable'))
          throw asStrataError(error);
        this.metrics?.count('strata_retries_total', 'statement');
        await new Promise((resolve) => setTimeout(resolve, DATABASE_FIRST_PAUSE_MS * 2 ** (attempt - 1)));
      }
    }
  }
}

/** Passes the rows of a statement on and takes the time. */
type Timed = <P extends Params, R>(statement: Statement<P, R>, rows: Promise<R[]>) => Promise<R[]>;

async function inOneTransaction<T>(
  begin: () => ReturnType<Session['beginTransaction']>,
  work: (transaction: Transaction) => Promise<T>,
  timed: Timed,
): Promise<T> {
  const open = await begin();
  const answers: Promise<unknown>[] = [];
  let failed = false;
  const run = <P extends Params, R>(statement: Statement<P, R>, params: P): Promise<R[]> => {
    if (failed) return Promise.reject(new Error('the transaction has failed'));
    const sent = open.run(statement.text, boltParameters(params));
    const rows = sent.then((result) => rowsOf<R>(result));
    const answer = timed(statement, rows);
    answers.push(answer);
    return answer;
  };
  try {
    const outcome = await work({
      run,
      send: (statement, params) => {
        // Its failure is found below, or by whatever is waited for next.
        void Promise.allSettled([run(statement, params)]);
      },
    });
    await Promise.all(answers);
    await open.commit();
    return outcome;
  } catch (error) {
    // Work that goes on beside what has failed sends nothing any more.
    failed = true;
    // What is sent behind a statement that failed fails for that reason alone.
    const first = (await Promise.allSettled(answers)).find((one) => one.status === 'rejected');
    throw first === undefined ? error : first.reason;
  } finally {
    if (open.isOpen()) await open.rollback();
  }
}

function rowsOf<R>(result: { records: { toObject(): unknown }[] }): R[] {
  return result.records.map((record) => record.toObject() as R);
}
