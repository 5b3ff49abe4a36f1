import neo4j, { type Record as Row } from 'neo4j-driver';

import { DATABASE_CONNECT_MS } from '../src/limits.ts';
import type { DatabaseOptions } from './driver.ts';
import { plainValue } from './plain-value.ts';
import { int } from './statement.ts';

/** What an operator asks of the graph. */
export interface OperatorQuery {
  /** One statement that reads. */
  readonly text: string;
  /** Whole numbers that a double holds exactly travel as integers. */
  readonly params: Readonly<Record<string, unknown>>;
  /** How long the statement may take, milliseconds. */
  readonly timeoutMs: number;
  /** Rows at most; what is beyond them is not fetched. */
  readonly rows: number;
}

/** What a statement came to. */
export interface OperatorRows {
  /** Names of the columns, in their order. */
  readonly columns: readonly string[];
  /** Values that JSON can say, column by column. */
  readonly rows: readonly (readonly unknown[])[];
  /** Whether there are more rows than were asked for. */
  readonly more: boolean;
}

/** Rows fetched at once. */
const FETCH_ROWS = 1000;

/** Why a statement came to nothing: it is at fault, takes too long, or the database cannot be asked. */
export type OperatorFailure = 'writes' | 'overdue' | 'user' | 'away' | 'refused';

/** What a failure of {@link readForOperator} says; null where it is none of the database's. */
export function operatorFailure(error: unknown): OperatorFailure | null {
  const code = String((error as { code?: unknown }).code);
  if (code === 'Neo.ClientError.Statement.AccessMode') return 'writes';
  if (code.startsWith('Neo.ClientError.Transaction.TransactionTimedOut')) return 'overdue';
  if (/^Neo\.ClientError\.Security\.(Unauthorized|Authentication|Credentials)/.test(code)) return 'user';
  if (
    /^(ServiceUnavailable|SessionExpired)$|^Neo\.(TransientError|DatabaseError|ClientError\.Database)\./.test(
      code,
    )
  )
    return 'away';
  return code.startsWith('Neo.') ? 'refused' : null;
}

/**
 * Runs a statement of the operator's own in read access mode: the server refuses whatever would write to the graph. Throws what the driver
 * does; {@link operatorFailure} tells it.
 */
export async function readForOperator(
  server: Pick<DatabaseOptions, 'uri' | 'user' | 'password' | 'database'>,
  { text, params, timeoutMs, rows }: OperatorQuery,
): Promise<OperatorRows> {
  const driver = neo4j.driver(server.uri, neo4j.auth.basic(server.user, server.password), {
    connectionTimeout: DATABASE_CONNECT_MS,
    connectionAcquisitionTimeout: DATABASE_CONNECT_MS,
    maxTransactionRetryTime: 0,
    maxConnectionPoolSize: 2,
    telemetryDisabled: true,
    userAgent: 'strata cypher',
    notificationFilter: { minimumSeverityLevel: 'OFF' },
  });
  const session = driver.session({
    database: server.database,
    defaultAccessMode: neo4j.session.READ,
    fetchSize: Math.min(FETCH_ROWS, rows + 1),
  });
  try {
    const result = session.run(text, boltValues(params), { timeout: timeoutMs });
    const columns = await result.keys();
    const found: Row[] = [];
    for await (const row of result) if (found.push(row) > rows) break;
    const shown = found.slice(0, rows).map((row) => columns.map((name) => plainValue(row.get(name))));
    return { columns: columns.map(String), rows: shown, more: found.length > rows };
  } finally {
    await session.close();
    await driver.close();
  }
}

/** As a float, as which a JavaScript number travels else, `LIMIT` and the places of lists refuse it. */
function boltValues(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const convert = (one: unknown): unknown => {
    if (typeof one === 'number') return Number.isSafeInteger(one) ? int(one) : one;
    if (Array.isArray(one)) return one.map(convert);
    return typeof one === 'object' && one !== null ? boltValues(one as Record<string, unknown>) : one;
  };
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, convert(one)]));
}
