import canonicalize from 'canonicalize';

import type { AuditRow } from '../../schemas/audit.ts';
import { packed, unpacked, type Columns } from './columns.ts';

/** A row as it is written with what it tells of; its place in the chain comes later. */
export type AuditEntry = Omit<AuditRow, 'id' | 'event_id' | 'response_status' | 'prev_hash' | 'hash'>;

/** The same with what will become of its request unless the statement that writes it finds out otherwise. */
export type ExpectedEntry = AuditEntry & Pick<AuditRow, 'event_id' | 'response_status'>;

/** Rows of one tenant that are written together. */
export interface AuditBatch {
  /** Id of its first row. */
  readonly id: string;
  readonly tenant: string;
  /**
   * The rows as {@link packed} text, without what follows from elsewhere: ids follow from that of the batch, hashes stand beside
   * it. Rows of one group have most in common, and what is written with captures has to be small.
   */
  readonly rows: string;
  readonly count: number;
}

/** A batch as it is stored. */
export interface StoredBatch extends AuditBatch {
  readonly sequence: number;
  /** What became of a request where the rows do not say so: place, status and event, if any, with spaces between. */
  readonly told: readonly string[];
  /** Hash before the first row; null until the batch is sealed. */
  readonly prev_hash: string | null;
  /** Hash of the last row. */
  readonly end_hash: string | null;
  /** The first {@link MARK_DIGITS} digits of the hash of each row, one after the other: they tell which row was changed. */
  readonly marks: string | null;
  /** Place of the first row in the chain, from 0. */
  readonly first_index: number | null;
}

/** A row before it has a place in the chain. */
export type OpenRow = Omit<AuditRow, 'prev_hash' | 'hash'>;

/** Digits at the end of the id of a row that say its place in the batch; the others are those of the batch. */
const PLACE_DIGITS = 4;
/** Rows that one batch can hold. */
export const MAX_BATCH_ROWS = 16 ** PLACE_DIGITS;

/** Digits of a hash that are kept for each row. */
export const MARK_DIGITS = 16;

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
export function toBatch(
  freshId: string,
  tenant: string,
  entries: readonly (AuditEntry | ExpectedEntry)[],
): AuditBatch {
  if (entries.length > MAX_BATCH_ROWS) throw new RangeError('more rows than a batch can hold');
  return { id: rowId(freshId, 0), tenant, rows: packed(entries), count: entries.length };
}

/** What became of requests, one after the other, as it is stored; empty text stands for no event. */
export function outcomesOf(statuses: readonly number[], eventIds: readonly string[]): string[] {
  return statuses.map((status, place) => `${place} ${status} ${eventIds[place] ?? ''}`);
}

/**
 * The rows of a stored batch, complete. What does not fit together any more, because somebody changed it, is read as far as
 * it does; the hashes tell.
 */
export function rowsOf(batch: StoredBatch): OpenRow[] {
  const { count, same, each } = fieldsOf(batch);
  const shared = Object.fromEntries(same);
  return Array.from({ length: count }, (_, place) => ({
    ...shared,
    ...Object.fromEntries([...each].map(([name, column]) => [name, column[place]])),
  })) as OpenRow[];
}

/** Whose a row is and what scope it tells of, which decides who sees it. */
export type AuditRowKey = Pick<OpenRow, 'tenant_id' | 'actor' | 'scope'>;

/** Where the rows of a batch lie: each place once, and for each row the number of its own; no numbers where all have the same. */
export function placesOf(batch: StoredBatch): { readonly places: string[]; readonly place_of: number[] } {
  const numbers = new Map<string, number>();
  const place_of = rowsOf(batch).map((row) => {
    const text = placeText(row);
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  });
  return { places: [...numbers.keys()], place_of: numbers.size > 1 ? place_of : [] };
}

/** Where the rows of a stored batch lie. */
export interface AuditBatchKeys extends Pick<StoredBatch, 'id' | 'sequence' | 'count'> {
  /** Each place once, as {@link readPlace} reads it; null of a batch that is not sealed, or was before places were noted. */
  readonly places: readonly string[] | null;
}

/** Actor and scope with a space between, which neither has; empty text for none. */
function placeText({ actor, scope }: AuditRowKey): string {
  return `${actor ?? ''} ${scope ?? ''}`;
}

/** Reads what {@link placesOf} wrote. */
export function readPlace(tenant: string, text: string): AuditRowKey {
  const [actor = '', scope = ''] = text.split(' ');
  return { tenant_id: tenant, actor: actor === '' ? null : actor, scope: scope === '' ? null : scope };
}

/** The rows of a stored batch as they are hashed: canonical JSON (RFC 8785), without `elapsed_ms`. */
export function canonicalRows(batch: StoredBatch): string[] {
  const { count, same, each } = fieldsOf(batch);
  const names = [...same.keys(), ...each.keys()].filter((name) => name !== 'elapsed_ms').sort();
  // What comes between two fields that differ from row to row is made once.
  const columns: { readonly before: string; readonly column: readonly unknown[] }[] = [];
  let between = '{';
  names.forEach((name, i) => {
    between += `${i === 0 ? '' : ','}${JSON.stringify(name)}:`;
    const column = each.get(name);
    if (column === undefined) between += canonical(same.get(name));
    else {
      columns.push({ before: between, column });
      between = '';
    }
  });
  return Array.from({ length: count }, (_, place) => {
    let text = '';
    for (const { before, column } of columns) text += before + canonical(column[place]);
    return `${text}${between}}`;
  });
}

function fieldsOf({ id, rows, told }: StoredBatch): Columns {
  const { count, same, each } = unpacked(rows, MAX_BATCH_ROWS);
  const [ownSame, ownEach] = [new Map(same), new Map(each)];
  for (const name of ['event_id', 'response_status']) {
    if (!ownSame.has(name) && !ownEach.has(name)) ownSame.set(name, name === 'event_id' ? null : 0);
    if (told.length === 0) continue;
    ownEach.set(name, ownEach.get(name)?.slice() ?? Array.from({ length: count }, () => ownSame.get(name)));
    ownSame.delete(name);
  }
  for (const one of told) {
    const [place = '', status, eventId = ''] = one.split(' ');
    (ownEach.get('event_id') as unknown[])[Number(place)] = eventId === '' ? null : eventId;
    (ownEach.get('response_status') as unknown[])[Number(place)] = Number(status);
  }
  ownEach.set(
    'id',
    Array.from({ length: count }, (_, place) => rowId(id, place)),
  );
  return { count, same: ownSame, each: ownEach };
}

/** Empty for what has no canonical form, such as a number beyond all bounds, which only somebody else can have put there. */
function canonical(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  try {
    return canonicalize(value) ?? '';
  } catch (error) {
    if (error instanceof Error) return '';
    throw error;
  }
}
