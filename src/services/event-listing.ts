import type { EventFilter, EventReader, ScannedEvent, ListedEvent } from '../../graph/event.ts';
import type { VisibleHighWatermark } from '../../graph/high-watermark.ts';
import type { EventItem, EventPage } from '../../schemas/event.ts';
import { toEpochMs } from '../../schemas/time.ts';
import { toEventItem } from '../capture/event-item.ts';
import { StrataError } from '../errors.ts';
import {
  LISTING_FIRST_ROWS,
  LISTING_MOST_ROWS,
  LISTING_PAGE_BYTES,
  MAX_SCANNED_ROWS,
  MAX_SKIPPED_ITEMS,
} from '../limits.ts';
import { admittedRecords } from './placed-rows.ts';
import type { RecordWalk } from './record-page.ts';
import type { ReadableSelection } from './scope-selection.ts';

/** The parsed query of a listing. */
export interface ListingQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly observed_actor?: readonly string[] | undefined;
  readonly modality?: readonly string[] | undefined;
  readonly since?: string | undefined;
}

interface Position {
  /** Walk below this offset; null starts at the head. */
  readonly before: number | null;
  /** Matching events to pass over first (decimal cursors of published clients). */
  readonly skip: number;
}

/** Pages through the log, newest first: no item twice and none skipped, whatever is written meanwhile. */
export class EventListing {
  private readonly reader: EventReader;
  private readonly head: VisibleHighWatermark;

  constructor(reader: EventReader, head: VisibleHighWatermark) {
    this.reader = reader;
    this.head = head;
  }

  async page(selection: ReadableSelection, query: ListingQuery, at: EventFilter['at']): Promise<EventPage> {
    const position = readCursor(query.cursor);
    const filter = filterOf(query, at);
    const collector = new PageCollector(query.limit, position.skip, filter.since);
    const sparse =
      filter.at.valid !== null ||
      [filter.labels, filter.modalities, filter.observed_actors].some((list) => list !== null);
    let rows = Math.min(
      LISTING_MOST_ROWS,
      sparse ? LISTING_FIRST_ROWS : Math.min(LISTING_FIRST_ROWS, query.limit + 1),
    );
    let before = position.before;
    while (!collector.done) {
      const walked: ScannedEvent[] =
        before === null
          ? await this.newest(selection, filter, rows)
          : await this.reader.scan(selection, filter, before, rows);
      collector.take(await this.readable(selection, filter, walked), walked.length < rows);
      before = collector.position;
      rows = collector.nextRows(rows);
    }
    return this.answer(collector, selection.withheld);
  }

  /** Walks the events of a selection. The first walk finds out how far the log can be seen. */
  walk(selection: ReadableSelection, at: EventFilter['at']): RecordWalk<ListedEvent> {
    const filter = filterOf({ limit: 0 }, at);
    let refreshed: Promise<unknown> | null = null;
    return async (position, rows) => {
      await (refreshed ??= this.head.refresh());
      const before = Math.min(position, this.head.settled) + 1;
      const walked = await this.reader.scan(selection, filter, before, rows);
      const readable = await this.readable(selection, filter, walked);
      return readable.map(({ wal_offset, id, event }) => ({ position: wal_offset, id, record: event }));
    };
  }

  /** The cursor that continues a listing, of whatever scopes, after an event. */
  cursorOf(event: EventItem): string {
    return writeCursor(event.wal_offset, 0);
  }

  private async answer({ items, nextCursor }: PageCollector, withheld: number): Promise<EventPage> {
    return {
      items: await this.whole(items),
      has_more: nextCursor !== null,
      ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
      ...(withheld === 0 ? {} : { withheld_scopes: withheld }),
    };
  }

  /** Events with their envelopes, in the order given; large envelopes are read now, in one statement. */
  async whole(events: readonly ListedEvent[]): Promise<EventItem[]> {
    const missing = events.filter(({ envelope }) => envelope === null).map(({ id }) => id);
    const large = await this.reader.envelopes(missing);
    // An event that was erased between the two readings is left out, as it would be a moment later.
    return events.flatMap((event) => {
      const envelope = event.envelope ?? large.get(event.id);
      return envelope === undefined ? [] : [toEventItem({ ...event, envelope })];
    });
  }

  /** Rows with what stands in them, but for those of scopes that may not be read, which keep their places. */
  private async readable(
    selection: ReadableSelection,
    filter: EventFilter,
    rows: readonly ScannedEvent[],
  ): Promise<ScannedEvent[]> {
    const admitted = await admittedRecords(selection, rows, (ids) => this.reader.walked(ids, filter));
    return rows.map((row) => ({ ...row, event: row.event ?? admitted.get(row.id) ?? null }));
  }

  /** The head is looked up beside the first walk; only when another process was ahead is the walk repeated. */
  private async newest(
    selection: ReadableSelection,
    filter: EventFilter,
    rows: number,
  ): Promise<ScannedEvent[]> {
    const settled = this.head.settled;
    const [walked, moved] = await Promise.all([
      this.reader.scan(selection, filter, settled + 1, rows),
      this.head.refresh(),
    ]);
    return moved && this.head.settled > settled
      ? this.reader.scan(selection, filter, this.head.settled + 1, rows)
      : walked;
  }
}

/** Gathers the rows of successive walks into one page. */
class PageCollector {
  private readonly limit: number;
  private readonly since: number | null;
  readonly items: ListedEvent[] = [];
  private skip: number;
  private scanned = 0;
  private bytes = 0;
  private ended = false;
  private full = false;
  /** Everything at or above this offset has been looked at. */
  position = Number.MAX_SAFE_INTEGER;

  constructor(limit: number, skip: number, since: number | null) {
    this.limit = limit;
    this.skip = skip;
    this.since = since;
  }

  get done(): boolean {
    return this.ended || this.full || this.scanned >= MAX_SCANNED_ROWS + this.skip;
  }

  take(rows: readonly ScannedEvent[], last: boolean): void {
    for (const row of rows) {
      if (this.since !== null && row.recorded_at < this.since) {
        this.ended = true;
        return;
      }
      if (
        row.event &&
        this.skip === 0 &&
        (this.items.length === this.limit || this.bytes > LISTING_PAGE_BYTES)
      ) {
        this.full = true;
        return;
      }
      this.scanned += 1;
      this.position = row.wal_offset;
      if (!row.event) continue;
      if (this.skip > 0) {
        this.skip -= 1;
        continue;
      }
      this.items.push(row.event);
      this.bytes += row.event.bytes;
    }
    if (last) this.ended = true;
  }

  /** More rows at a time while matches are few, fewer while events are large. */
  nextRows(rows: number): number {
    const average = this.items.length === 0 ? 1 : this.bytes / this.items.length;
    return Math.max(
      10,
      Math.min(rows * 4, LISTING_MOST_ROWS, Math.floor(LISTING_PAGE_BYTES / Math.max(1, average))),
    );
  }

  /** Where the next page starts; null at the end. */
  get nextCursor(): string | null {
    return this.ended ? null : writeCursor(this.position, this.skip);
  }
}

function filterOf(query: ListingQuery, at: EventFilter['at']): EventFilter {
  return {
    labels: query.labels ?? null,
    observed_actors: query.observed_actor ?? null,
    modalities: query.modality ?? null,
    since: query.since === undefined ? null : toEpochMs(query.since),
    at,
  };
}

function writeCursor(offset: number, skip: number): string {
  return `e${Buffer.from(`before:${offset}:${skip}`).toString('base64url')}`;
}

function readCursor(cursor: string | undefined): Position {
  if (cursor === undefined) return { before: null, skip: 0 };
  if (/^\d+$/.test(cursor)) {
    const skip = Number(cursor);
    if (skip <= MAX_SKIPPED_ITEMS) return { before: null, skip };
    throw new StrataError(
      'INVALID_QUERY',
      `cursor: a decimal cursor skips at most ${MAX_SKIPPED_ITEMS} items; send next_cursor instead.`,
      {
        details: { field_path: 'cursor', reason: 'offset too large' },
      },
    );
  }
  const parts = /^before:(\d{1,16}):(\d{1,5})$/.exec(
    Buffer.from(cursor.slice(1), 'base64url').toString('utf8'),
  );
  const before = Number(parts?.[1]);
  if (cursor.startsWith('e') && Number.isSafeInteger(before)) return { before, skip: Number(parts?.[2]) };
  throw new StrataError('INVALID_QUERY', 'cursor: is not a cursor of this listing.', {
    details: { field_path: 'cursor', reason: 'malformed' },
  });
}
