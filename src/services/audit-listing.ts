import type { AuditReader } from '../../graph/audit.ts';
import type { AuditListQuery, AuditPage, AuditRow } from '../../schemas/audit.ts';
import { scopeOfFilter } from '../../schemas/scope.ts';
import { toEpochMs } from '../../schemas/time.ts';
import { isWithin } from '../access/grant.ts';
import {
  readPlace,
  rowsOf,
  type AuditBatchKeys,
  type OpenRow,
  type AuditRowKey,
  type StoredBatch,
} from '../audit/batch.ts';
import { chainedRows } from '../audit/chain.ts';
import { AUDIT_READ_ROWS, AUDIT_SCAN_BATCHES, MAX_SCANNED_ROWS } from '../limits.ts';
import { othersTurn } from '../wakeup.ts';
import type { AuditView, SeenRow } from './audit-view.ts';

/** A place in the log: a batch, and a row in it. */
interface Place {
  readonly sequence: number;
  readonly place: number;
}

/** What is asked for, and by whom it is seen. */
interface PageRequest {
  readonly tenant: string;
  readonly query: AuditListQuery;
  readonly view: AuditView;
  readonly signal: AbortSignal;
}

/** Before everything: numbers start at 1. */
const NEWEST: Place = { sequence: Number.MAX_SAFE_INTEGER, place: 0 };

/** Walks the log of a tenant from its newest row on. */
export class AuditListing {
  private readonly reader: AuditReader;
  private readonly cursors = new WeakMap<AuditRow, string>();

  constructor(reader: AuditReader) {
    this.reader = reader;
  }

  /**
   * A page of the sealed rows of a tenant that the view shows; one that tells of another tenant is not listed, wherever it stands.
   * It ends early after so many rows that do not match; the cursor then goes on.
   */
  async page({ tenant, query, view, signal }: PageRequest): Promise<AuditPage> {
    const wanted = matching(query);
    const from = placeOf(query.cursor);
    const items: AuditRow[] = [];
    const chained = chainer();
    let at = from;
    let to = from.sequence;
    for (let looked = 0; looked < MAX_SCANNED_ROWS;) {
      signal.throwIfAborted();
      const bounds = { scan: AUDIT_SCAN_BATCHES, rows: AUDIT_READ_ROWS };
      const walked = await this.reader.newest({ tenant, after: 0, to, ...bounds });
      if (walked.length === 0) return { items, has_more: false };
      looked += walked.reduce((sum, { count }) => sum + count, 0);
      const { batches, see } = await this.admitted(walked, { tenant, query, view });
      for (const { row: open, batch, place } of batches.flatMap((one) => rowsBefore(one, from))) {
        if (open.tenant_id !== tenant || !wanted(open)) continue;
        const seen = see(open);
        const row = seen === null ? undefined : (await chained(batch))[place.place];
        if (seen === null || row === undefined) continue;
        const item = { ...row, ...seen };
        items.push(item);
        this.cursors.set(item, cursorOf(place));
        if (items.length === query.limit) return this.goesOn(tenant, items, place);
      }
      at = { sequence: walked.at(-1)?.sequence ?? 0, place: 0 };
      to = at.sequence - 1;
    }
    return this.goesOn(tenant, items, at);
  }

  /** The cursor that continues behind a row of a page. */
  cursorOf(row: AuditRow): string {
    const cursor = this.cursors.get(row);
    if (cursor === undefined) throw new Error('a row that no page has listed');
    return cursor;
  }

  /**
   * Those of the batches that hold a row which the view shows and whose actor and scope are asked for, newest first, and how their rows are
   * seen: what batches say is read once that is known. Where places of some were not noted, these are read to know.
   */
  private async admitted(
    walked: readonly AuditBatchKeys[],
    { tenant, query, view }: Omit<PageRequest, 'signal'>,
  ): Promise<{ batches: StoredBatch[]; see: SeenRow }> {
    const lies = lyingIn(query);
    const placed = walked.map(({ id, places }) => ({
      id,
      places: places?.map((text) => readPlace(tenant, text)).filter(lies) ?? null,
    }));
    const unknown = await this.reader.batches(
      placed.flatMap(({ id, places }) => (places === null ? [id] : [])),
    );
    const known = placed.flatMap(({ places }) => places ?? []);
    const see = await view([...known, ...unknown.flatMap(rowsOf).filter(lies)]);
    const shown = placed.filter(({ places }) => places?.some((place) => see(place) !== null) === true);
    const read = await this.reader.batches(shown.map(({ id }) => id));
    return { batches: [...read, ...unknown].sort((a, b) => b.sequence - a.sequence), see };
  }

  private async goesOn(tenant: string, items: AuditRow[], at: Place): Promise<AuditPage> {
    if (at.place === 0) {
      const before = { tenant, after: 0, to: at.sequence - 1, scan: 1, rows: 1 };
      if ((await this.reader.newest(before)).length === 0) return { items, has_more: false };
    }
    return { items, has_more: true, next_cursor: cursorOf(at) };
  }
}

/** The rows of a batch that a page from some place on may list, newest first. */
function rowsBefore(batch: StoredBatch, from: Place): { row: OpenRow; batch: StoredBatch; place: Place }[] {
  const { sequence } = batch;
  const rows = rowsOf(batch);
  const listed = sequence === from.sequence ? rows.slice(0, from.place) : rows;
  return listed.map((row, place) => ({ row, batch, place: { sequence, place } })).reverse();
}

/** Hands out the rows of a batch with their hashes, which are computed once for each batch: others get their turn meanwhile. */
function chainer(): (batch: StoredBatch) => Promise<AuditRow[]> {
  let last: { batch: StoredBatch; rows: AuditRow[] } | null = null;
  return async (batch) => {
    if (last?.batch !== batch) {
      await othersTurn();
      last = { batch, rows: chainedRows(batch) };
    }
    return last.rows;
  };
}

function cursorOf({ sequence, place }: Place): string {
  return `${sequence}-${place}`;
}

/** Where a page begins: what lies below it is listed. */
function placeOf(cursor: string | undefined): Place {
  const [sequence, place] = cursor?.split('-').map(Number) ?? [];
  return sequence === undefined || place === undefined ? NEWEST : { sequence, place };
}

function matching(query: AuditListQuery): (row: OpenRow) => boolean {
  const { capability, decision, since } = query;
  const from = since === undefined ? null : toEpochMs(since);
  const lies = lyingIn(query);
  return (row) =>
    lies(row) &&
    (capability === undefined || row.capability === capability) &&
    (decision === undefined || row.decision === decision) &&
    (from === null || toEpochMs(row.ts) >= from);
}

/** What of a query is about places. */
function lyingIn({ actor, scope }: AuditListQuery): (place: AuditRowKey) => boolean {
  const within = scope === undefined ? null : scopeOfFilter(scope);
  return (place) =>
    (actor === undefined || place.actor === actor) && (within === null || inScope(place.scope, within));
}

function inScope(scope: string | null, { path, subtree }: { path: string; subtree: boolean }): boolean {
  return scope !== null && (subtree ? isWithin(scope, path) : scope === path);
}
