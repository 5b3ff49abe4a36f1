import { StrataError } from '../errors.ts';
import {
  LISTING_FIRST_ROWS,
  LISTING_MOST_ROWS,
  LISTING_PAGE_BYTES,
  MAX_SCANNED_ROWS,
  MAX_SKIPPED_ITEMS,
} from '../limits.ts';

/** Where a record stands in the order of a listing: by a number that falls along it, such as its place in the log, then by its id. */
export interface RecordCursor {
  readonly position: number;
  readonly id: string;
}

/** One row of a walk: a record that is wanted, or the place of one that is not. */
export interface WalkedRecord<T> extends RecordCursor {
  readonly record: T | null;
}

/** Reads at most `rows` rows at or below a position, newest first; fewer mean that the end was reached. */
export type RecordWalk<T> = (position: number, rows: number) => Promise<readonly WalkedRecord<T>[]>;

/** The listings whose cursors name places of records. One of another listing is refused: what stands there is something else. */
export type Listing =
  | 'facts'
  | 'timeline'
  | 'beliefs'
  | 'revisions'
  | 'concepts'
  | 'versions'
  | 'episodes'
  | 'entities'
  | 'relations'
  | 'phrases'
  | 'vocabularies'
  | 'holds'
  | 'suppressions'
  | 'graph'
  | 'neighbours'
  | 'differences';

/** What a page is asked for. */
export interface PageQuery {
  readonly listing: Listing;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Whether few of the rows are wanted, so that more are looked at from the first; default false. */
  readonly sparse?: boolean;
}

/** A page of records; `next` is the cursor behind it, null at the end. */
export interface RecordPage<T> {
  readonly records: readonly T[];
  readonly next: string | null;
}

/** Before everything that there is. */
const START: RecordCursor = { position: Number.MAX_SAFE_INTEGER, id: '' };

/**
 * A page of derived records, newest first by their places in the log: no record twice and none skipped, whatever is written
 * meanwhile. Ends early, with a cursor, after a bounded number of rows or bytes. Throws `INVALID_QUERY` for a cursor that is none.
 */
export async function recordPage<T extends { readonly bytes: number }>(
  walk: RecordWalk<T>,
  { listing, limit, cursor, sparse = false }: PageQuery,
): Promise<RecordPage<T>> {
  const start = readRecordCursor(listing, cursor);
  const page = new Collector<T>({ listing, limit }, start.skip, start.place);
  // One row tells whether there is more, another is left to the next walk: its position may have more rows.
  let rows = sparse ? LISTING_FIRST_ROWS : Math.min(LISTING_FIRST_ROWS, limit + 2);
  while (!page.done) {
    page.take(await walk(page.place.position, rows), rows);
    // Where most rows are wanted a few more fill the page. What stands at one place is looked at together, however much it is.
    if (page.dense) rows = Math.min(4 * page.missing + 1, LISTING_MOST_ROWS);
    else rows = page.stuck ? rows * 4 : Math.min(rows * 4, LISTING_MOST_ROWS);
  }
  return { records: page.records, next: page.next };
}

/** Remembers where the items of pages stand, as long as somebody holds them. */
export class PageCursors<Item extends { readonly id: string }> {
  private readonly listing: Listing;
  private readonly positions = new WeakMap<Item, number>();

  constructor(listing: Listing) {
    this.listing = listing;
  }

  /** Notes the positions of the items of a page. */
  note(places: readonly (readonly [Item, number])[]): void {
    for (const [item, position] of places) this.positions.set(item, position);
  }

  /** The cursor that continues a listing, of whatever scopes, behind an item of a page. */
  cursorOf(item: Item): string {
    const position = this.positions.get(item);
    if (position === undefined) throw new Error('an item of no page');
    return writeRecordCursor(this.listing, { position, id: item.id });
  }
}

/** The cursor that goes on behind a record of a listing. */
export function writeRecordCursor(listing: Listing, { position, id }: RecordCursor, skip = 0): string {
  return `e${Buffer.from(`${listing}:${position}:${skip}:${id}`).toString('base64url')}`;
}

/** Gathers the rows of successive walks into one page. */
class Collector<T extends { readonly bytes: number }> {
  private readonly listing: Listing;
  private readonly limit: number;
  readonly records: T[] = [];
  private skip: number;
  private scanned = 0;
  private bytes = 0;
  private ended = false;
  private full = false;
  /** True when the last walk brought nothing to go on with: it ended within the first place that is left to look at. */
  stuck = false;
  /** Whether at least half of the rows that the last walk brought were wanted. */
  dense = false;
  /** Everything up to here has been looked at. */
  place: RecordCursor;

  constructor({ listing, limit }: Pick<PageQuery, 'listing' | 'limit'>, skip: number, place: RecordCursor) {
    this.listing = listing;
    this.limit = limit;
    this.skip = skip;
    this.place = place;
  }

  get done(): boolean {
    return this.ended || this.full || this.scanned >= MAX_SCANNED_ROWS + this.skip;
  }

  /** Records that the page still lacks, with the one that tells whether there is more. */
  get missing(): number {
    return this.limit + 1 + this.skip - this.records.length;
  }

  take(walked: readonly WalkedRecord<T>[], asked: number): void {
    const last = walked.length < asked;
    const fresh = wholeGroups(walked, last).filter((row) => isBehind(row, this.place));
    this.stuck = !last && fresh.length === 0;
    this.dense = fresh.length > 0 && 2 * fresh.filter(({ record }) => record !== null).length >= fresh.length;
    for (const row of fresh) {
      if (row.record !== null && this.isFull()) {
        this.full = true;
        return;
      }
      this.scanned += 1;
      this.place = { position: row.position, id: row.id };
      if (row.record === null) continue;
      if (this.skip > 0) {
        this.skip -= 1;
        continue;
      }
      this.records.push(row.record);
      this.bytes += row.record.bytes;
    }
    if (last) this.ended = true;
  }

  private isFull(): boolean {
    return this.skip === 0 && (this.records.length === this.limit || this.bytes > LISTING_PAGE_BYTES);
  }

  get next(): string | null {
    return this.ended ? null : writeRecordCursor(this.listing, this.place, this.skip);
  }
}

/** The rows in order, without those of the last position where more of them may follow. */
function wholeGroups<Row extends RecordCursor>(walked: readonly Row[], last: boolean): Row[] {
  const rows = [...walked].sort((a, b) => b.position - a.position || (a.id < b.id ? -1 : 1));
  const end = rows.at(-1)?.position;
  return last ? rows : rows.filter(({ position }) => position !== end);
}

function isBehind(row: RecordCursor, place: RecordCursor): boolean {
  return row.position < place.position || (row.position === place.position && row.id > place.id);
}

function readRecordCursor(
  listing: Listing,
  cursor: string | undefined,
): { place: RecordCursor; skip: number } {
  if (cursor === undefined) return { place: START, skip: 0 };
  if (/^\d+$/.test(cursor)) {
    const skip = Number(cursor);
    if (skip <= MAX_SKIPPED_ITEMS) return { place: START, skip };
    throw cursorFault(
      `a decimal cursor skips at most ${MAX_SKIPPED_ITEMS} items; send next_cursor instead.`,
      'offset too large',
    );
  }
  const text = Buffer.from(cursor.slice(1), 'base64url').toString('utf8');
  const [, of, position, skip, id = ''] = /^([a-z]+):(-?\d{1,16}):(\d{1,5}):(.{0,256})$/s.exec(text) ?? [];
  if (!cursor.startsWith('e') || of !== listing || !Number.isSafeInteger(Number(position)))
    throw cursorFault('is not a cursor of this listing.', 'malformed');
  return { place: { position: Number(position), id }, skip: Number(skip) };
}

function cursorFault(message: string, reason: string): StrataError {
  return new StrataError('INVALID_QUERY', `cursor: ${message}`, {
    details: { field_path: 'cursor', reason },
  });
}
