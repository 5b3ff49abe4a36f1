import type { AuditRow } from '../../schemas/audit.ts';

/** A row as it is written with what it tells of; its place in the chain comes later. */
export type AuditEntry = Omit<AuditRow, 'id' | 'event_id' | 'response_status' | 'prev_hash' | 'hash'>;

/** Rows of one tenant that are written together. */
export interface AuditBatch {
  /** Id of its first row. */
  readonly id: string;
  readonly tenant: string;
  /**
   * JSON text: an array of rows, of which each says only what differs from the first one. Ids follow from that of the batch;
   * `event_id`, `response_status` and hashes stand beside it. Rows of one group have most in common, and what is written with
   * captures has to be small.
   */
  readonly rows: string;
  readonly count: number;
}

/** A batch as it is stored. The lists have one value for each row. */
export interface StoredBatch extends AuditBatch {
  readonly sequence: number;
  /** Empty text for a row of no event. A statement of captures fills it, since it finds out what was there before. */
  readonly event_ids: readonly string[];
  readonly statuses: readonly number[];
  /** Hash before the first row; null until the batch is sealed. */
  readonly prev_hash: string | null;
  readonly hashes: readonly string[] | null;
  /** Place of the first row in the chain, from 0. */
  readonly first_index: number | null;
}

/** A row before it has a place in the chain. */
export type OpenRow = Omit<AuditRow, 'prev_hash' | 'hash'>;

/** Digits at the end of the id of a row that say its place in the batch; the others are those of the batch. */
const PLACE_DIGITS = 4;
/** Rows that one batch can hold. */
export const MAX_BATCH_ROWS = 16 ** PLACE_DIGITS;

const ROW_ID = /^audit_[0-9a-f]{32}$/;

/** The id of a row in a batch. */
export function rowId(batchId: string, place: number): string {
  return batchId.slice(0, -PLACE_DIGITS) + place.toString(16).padStart(PLACE_DIGITS, '0');
}

/** The batch that a row stands in, and its place there; null when the text is no id of a row. */
export function whereIs(id: string): { readonly batchId: string; readonly place: number } | null {
  if (!ROW_ID.test(id)) return null;
  return { batchId: rowId(id, 0), place: Number.parseInt(id.slice(-PLACE_DIGITS), 16) };
}

/** Puts rows of one tenant together; `freshId` is any id of a row, of which the last digits are not used. */
export function toBatch(freshId: string, tenant: string, entries: readonly AuditEntry[]): AuditBatch {
  if (entries.length > MAX_BATCH_ROWS) throw new RangeError('more rows than a batch can hold');
  const [first] = entries;
  const rows = entries.map((entry) =>
    first === undefined || entry === first ? entry : differing(entry, first),
  );
  return { id: rowId(freshId, 0), tenant, rows: JSON.stringify(rows), count: rows.length };
}

function differing(entry: AuditEntry, first: AuditEntry): Partial<AuditEntry> {
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry)) {
    if (value !== first[name as keyof AuditEntry]) rest[name] = value;
  }
  return rest;
}

/**
 * The rows of a stored batch, complete. What does not fit together any more, because somebody changed it, is read as far as
 * it does; the hashes tell.
 */
export function rowsOf({ id, rows, event_ids, statuses }: StoredBatch): OpenRow[] {
  const parsed = parsedRows(rows) as Partial<AuditEntry>[];
  const longest = Math.max(parsed.length, event_ids.length, statuses.length);
  return Array.from({ length: longest }, (_, place) => ({
    ...(parsed[0] as AuditEntry),
    ...parsed[place],
    id: rowId(id, place),
    event_id: event_ids[place] === '' ? null : (event_ids[place] ?? null),
    response_status: statuses[place] ?? 0,
  }));
}

function parsedRows(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch (error) {
    if (error instanceof SyntaxError || (error as { name?: string }).name === 'SyntaxError') return [];
    throw error;
  }
}
