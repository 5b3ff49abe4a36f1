import type { Cancellation, EventReader, EventWriter, ListedEvent } from '../../graph/event.ts';
import type { VisibleHighWatermark } from '../../graph/high-watermark.ts';
import {
  cancelResponse,
  eventGetQuery,
  type EventGetQuery,
  eventListQuery,
  type CancelResponse,
  type EventItem,
  type EventPage,
} from '../../schemas/event.ts';
import { cancelRequest } from '../../schemas/operation/cancel.ts';
import { scopeFault } from '../../schemas/scope.ts';
import { toEventItem } from '../capture/event-item.ts';
import type { Clock } from '../clock.ts';
import type { ChangeAudit, ChangeRow } from '../commit/change-audit.ts';
import { eventNotFound, StrataError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { MAX_EVENTS_BY_ID_BYTES } from '../limits.ts';
import { parseInput } from '../validation.ts';
import { knownAt, knownInstants, namedInstants, type NamedInstants } from '../time/as-of.ts';
import type { AccessService, Call } from './access.ts';
import { EventListing } from './event-listing.ts';
import { underLegalHold, type LegalHolds } from './legal-holds.ts';
import { parseQuery } from './query-input.ts';
import type { RecordGate } from './record-gate.ts';
import type { ReadableSelection, SelectionService } from './scope-selection.ts';
import type { StageWait } from './stage-wait.ts';

/** What the service needs. */
export interface EventParts {
  readonly access: AccessService;
  readonly gate: RecordGate;
  readonly selection: SelectionService;
  readonly reader: EventReader;
  readonly writer: EventWriter;
  readonly head: VisibleHighWatermark;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly changes: ChangeAudit;
  readonly stageWait: Pick<StageWait, 'repeated'>;
  readonly holds: Pick<LegalHolds, 'ofEvent'>;
}

const eventManyQuery = eventGetQuery.omit({ scope: true });

/** Some events, how many bytes they have, and how many more there are than fit. */
export interface SomeEvents {
  readonly events: EventItem[];
  readonly bytes: number;
  readonly left_out: number;
}

/** Gives the log back. */
export class EventService {
  private readonly parts: EventParts;
  private readonly listing: EventListing;

  constructor(parts: EventParts) {
    this.parts = parts;
    this.listing = new EventListing(parts.reader, parts.head);
  }

  /**
   * A page of events, newest first. Sparse filters may end a page early: `has_more` and `next_cursor` then go on.
   * Throws `INVALID_QUERY`, `POLICY_DENIED`.
   */
  async list(call: Call, query: unknown): Promise<EventPage> {
    const parsed = parseQuery(eventListQuery, query);
    const at = knownInstants(parsed);
    const { selection } = await this.parts.selection.choose(call, parsed.scope, parsed.view);
    return this.listing.page(selection, parsed, at);
  }

  /** The newest events of a part of the scope tree that was chosen before, at instants that are known already. */
  listIn(
    selection: ReadableSelection,
    instants: NamedInstants,
    page: { readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<EventPage> {
    return this.listing.page(selection, page, knownAt(instants));
  }

  /**
   * One event; with `scope` only when its own scope equals it, at other instants than now only when it was there then. Throws
   * `NOT_FOUND`, `INVALID_QUERY`, `INVALID_SCOPE_GRAMMAR`.
   */
  async get(call: Call, id: string, query: unknown): Promise<EventItem> {
    const { scope, ...instants } = eventQuery(query);
    const at = knownInstants(instants);
    const { gate, reader } = this.parts;
    const [event] = await gate.read(call, { kind: 'event', ids: [id] }, async ([admitted = ''], tenant) => {
      const found = await reader.byId(admitted, tenant, at);
      return found?.visible === true ? [found.event] : [];
    });
    if (event === undefined || (scope !== undefined && event.scope !== scope)) throw eventNotFound();
    return toEventItem(event);
  }

  /**
   * Events by id in the order of the ids, null where there is none that the caller may read, or none at the instants of the query: one
   * round trip, one more for large ones. Throws `INVALID_QUERY`, also when they are together too large for one answer.
   */
  async getMany(call: Call, ids: readonly string[], query: unknown): Promise<(EventItem | null)[]> {
    const named = namedInstants(parseQuery(eventManyQuery, query));
    const readable = await this.readable(call, ids, named, true);
    const bytes = readable.reduce((sum, event) => sum + event.bytes, 0);
    if (bytes > MAX_EVENTS_BY_ID_BYTES) {
      const reason = `the events are together larger than ${MAX_EVENTS_BY_ID_BYTES} bytes; ask for fewer at once`;
      throw new StrataError('INVALID_QUERY', reason, {
        details: { reason: 'event_bytes', limit: MAX_EVENTS_BY_ID_BYTES },
      });
    }
    const whole = await this.listing.whole(readable);
    const byId = new Map(whole.map((event) => [event.id, event]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  /**
   * The same as far as they are together no larger than so many bytes, in the order of the ids, and only if `derived` is so with what
   * derives from them; what is not there, or not for the caller, is left out, and what lies behind that is counted.
   */
  async getSome(
    call: Call,
    ids: readonly string[],
    instants: NamedInstants,
    { bytes: most, derived = false }: { readonly bytes: number; readonly derived?: boolean },
  ): Promise<SomeEvents> {
    const rows = await this.readable(call, ids, instants, derived);
    const readable = new Map(rows.map((event) => [event.id, event]));
    const found = ids.flatMap((id) => readable.get(id) ?? []);
    const fitting: ListedEvent[] = [];
    let bytes = 0;
    for (const event of found) {
      if (bytes + event.bytes > most) break;
      bytes += event.bytes;
      fitting.push(event);
    }
    const events = await this.listing.whole(fitting);
    return { events, bytes, left_out: found.length - fitting.length };
  }

  private async readable(
    call: Call,
    ids: readonly string[],
    instants: NamedInstants,
    derived: boolean,
  ): Promise<ListedEvent[]> {
    const at = knownAt(instants);
    const { gate, reader } = this.parts;
    return gate.read(call, { kind: 'event', ids }, (admitted, tenant) =>
      reader.byIds(admitted, tenant, at, derived),
    );
  }

  /** The cursor that continues a listing after an event. */
  cursorOf(event: EventItem): string {
    return this.listing.cursorOf(event);
  }

  /**
   * Takes an event out of every reading for good; it stays in the log and its idempotency key becomes free.
   * Cancelling again changes nothing. Throws `NOT_FOUND`, `POLICY_DENIED`, `LEGAL_HOLD`, `REDERIVE_IN_PROGRESS`, `WAIT_TIMEOUT`.
   */
  async cancel(call: Call, id: string, body: unknown): Promise<CancelResponse> {
    parseInput(cancelRequest, body, 'INVALID_BODY');
    // Only reads by id look into every tenant; a write stays in the caller's own.
    const { tenant } = call.principal;
    const place = (await this.parts.gate.admitted(call, { kind: 'event', ids: [id], tenant })).get(id);
    if (place === undefined) throw eventNotFound();
    await this.parts.access.authorize(call, 'scope.write', place.scope);
    const row = this.parts.changes.of(call);
    const cancellation = await this.cancelFree(call, { id, scope: place.scope }, row);
    if (cancellation === null) throw eventNotFound();
    row.committed(cancellation.newestAudit);
    if (cancellation.queued) await this.parts.stageWait.repeated(id, call.signal);
    return cancelResponse.parse({
      event_id: id,
      stages_cancelled: cancellation.already ? [] : cancellation.open,
      stages_already_completed: ['captured', ...cancellation.completed],
      excluded_from_recall: true,
    });
  }

  /** Cancels an event that no legal hold keeps; null when it is unknown. Throws `LEGAL_HOLD`. */
  private async cancelFree(
    { principal: { tenant, actor }, signal }: Call,
    { id, scope }: { readonly id: string; readonly scope: string },
    row: ChangeRow,
  ): Promise<Cancellation | null> {
    const { holds, writer, ids, clock } = this.parts;
    for (;;) {
      const now = clock.now();
      const found = await holds.ofEvent({ tenant, scope, now }, id, signal);
      if (found.held.size > 0) throw underLegalHold(found, 'nothing was cancelled');
      const event = { id, tenant, holdsVersion: found.version };
      const entry = { id: ids.entry(), actor, now };
      const done = await writer.cancel(event, entry, row.batches({ eventId: id }));
      // A hold came or went meanwhile.
      if (done !== 'holds changed') return done;
    }
  }
}

function eventQuery(query: unknown): EventGetQuery {
  const given = (query ?? {}) as Record<string, unknown>;
  if (Array.isArray(given.scope)) {
    throw new StrataError('INVALID_QUERY', 'the query parameter scope may be given once', {
      plainText: true,
    });
  }
  const { scope, ...instants } = parseQuery(eventGetQuery, given);
  const fault = scope === undefined ? null : scopeFault(scope);
  if (fault !== null)
    throw new StrataError('INVALID_SCOPE_GRAMMAR', `scope: ${fault}`, {
      details: { field_path: 'scope', reason: fault },
    });
  return { scope, ...instants };
}
