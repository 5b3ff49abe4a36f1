import type { DerivationReader } from '../../graph/derivation.ts';
import type { DerivedReader } from '../../graph/derived.ts';
import type { LifecycleReader } from '../../graph/lifecycle.ts';
import type { VisibleHighWatermark } from '../../graph/high-watermark.ts';
import {
  lifecycleListQuery,
  lifecycleSequence,
  lifecycleStreamQuery,
  type LifecycleItem,
  type LifecyclePage,
  type LifecycleStreamQuery,
  type MemoryEventTrace,
} from '../../schemas/lifecycle.ts';
import { passesRosters } from '../access/principal.ts';
import { NO_SCOPE } from '../capture/scope-key.ts';
import { eventNotFound, StrataError } from '../errors.ts';
import { withScopeRules, toItem, type LostRight } from '../lifecycle/frame.ts';
import { frameFilter, type FrameFilter, type FrameQuery } from '../lifecycle/frame-filter.ts';
import type { FrameReader } from '../lifecycle/frame-reader.ts';
import type { Outbox, ReaderRequest } from '../lifecycle/outbox.ts';
import { MAX_SCANNED_ROWS } from '../limits.ts';
import { joinSignals } from '../time-limit.ts';
import type { AccessService, Call, RuleDirectory } from './access.ts';
import type { CallerWatch } from './caller-watch.ts';
import { memoryEvents } from './memory-event.ts';
import type { LifecycleSubscription } from './operations.ts';
import { parseQuery } from './query-input.ts';
import type { RecordGate } from './record-gate.ts';
import { StreamScopes, type StreamRights } from './stream-rights.ts';

/** Time for a reader to take the end of its stream after its token has ended, milliseconds; then its connection is cut. */
const TOKEN_END_GRACE_MS = 2_000;

/** What the service needs. */
export interface LifecycleParts {
  readonly access: AccessService;
  readonly gate: RecordGate;
  readonly frames: LifecycleReader;
  readonly places: RuleDirectory;
  readonly derivation: DerivationReader;
  readonly derived: DerivedReader;
  /** The settled head of the frames. */
  readonly head: VisibleHighWatermark;
  readonly outbox: Outbox;
  /** Tells when the token of a caller ends. */
  readonly callers: Pick<CallerWatch, 'watch'>;
  /** Tells when a change of rules takes the right to a stream away. */
  readonly rights: StreamRights;
}

/** What a query asks for, confined to what its caller may read. */
interface ReadableFrames {
  readonly filter: FrameFilter;
  /** Whether the caller may follow the scope that the query names; false where it names none. */
  readonly follows: boolean;
}

/** Tells what happened to events. */
export class LifecycleService {
  private readonly parts: LifecycleParts;

  constructor(parts: LifecycleParts) {
    this.parts = parts;
  }

  /** A page of frames, oldest first, from `offset` or after `since_lifecycle_id`. Throws `INVALID_QUERY`, `POLICY_DENIED`. */
  async list(call: Call, query: unknown): Promise<LifecyclePage> {
    const parsed = parseQuery(lifecycleListQuery, query);
    const { filter } = await this.readable(call, parsed);
    const { head } = this.parts;
    await head.refresh();
    const { since_lifecycle_id: cursor } = parsed;
    const since = cursor === undefined ? 0 : await sequenceOf(cursor, head);
    // An offset beyond the head must not become a cursor that is then refused.
    const start = Math.max(Math.min(Number(parsed.offset ?? 0), head.settled), since);
    if (ofOne(parsed) && !passesRosters(call.principal) && !(await this.followsSome(call, filter)))
      return { items: [], next_offset: Math.max(head.settled, start), has_more: false };
    return this.page(filter, { start, head: head.settled, limit: parsed.limit });
  }

  /**
   * Whether the caller may follow any scope in which something happened to the one thing that is asked about, by where that was: of what
   * may not be read no frame is, so that it costs what one costs that does not exist.
   */
  private async followsSome({ principal }: Call, { range }: FrameFilter): Promise<boolean> {
    const { access, frames, places } = this.parts;
    const { tenant, actor } = principal;
    const names = (await frames.scopesOf(range)).map((path) => ({ tenant, path }));
    const found = await places.placesNow(names, actor);
    return found.some((place) => access.mayFollow(principal, place));
  }

  /** One frame. Throws `NOT_FOUND`. */
  async get(call: Call, id: string): Promise<LifecycleItem> {
    const sequence = lifecycleSequence(id);
    const question = { kind: 'frame', ids: sequence === null ? [] : [String(sequence)] } as const;
    const [frame] = await this.parts.gate.read(call, question, async ([admitted], tenant) => {
      const found = await this.parts.frames.bySequence(Number(admitted), tenant);
      return found === null ? [] : [found];
    });
    if (frame === undefined) throw new StrataError('NOT_FOUND', 'lifecycle event not found');
    return toItem(frame);
  }

  /**
   * Frames after the cursor, then live, until the call or the token of its caller ends, the reader falls too far behind, or a change of rules
   * takes the right to it away: then its last frame is `policy_revoked`. Throws `INVALID_QUERY`, `POLICY_DENIED`, `SERVER_BUSY`.
   */
  async subscribe(call: Call, query: unknown): Promise<LifecycleSubscription> {
    return this.follow(call, parseQuery(lifecycleStreamQuery, query));
  }

  /** {@link subscribe} with what is known already. */
  async follow(call: Call, parsed: LifecycleStreamQuery): Promise<LifecycleSubscription> {
    const since = this.parts.rights.version;
    const { filter, follows } = await this.readable(call, parsed);
    const after = await this.startOf(call, parsed, filter);
    const watched = watchedFrames(filter, { follows, of: parsed });
    return this.whileAllowed(call, { ...watched, since }, (signal) =>
      this.parts.outbox.subscribe({ filter: watched.filter, after, signal }),
    );
  }

  /**
   * Where a stream begins: of one event, bulk or job with what is kept, unless the caller may follow nothing of what happened to it by now.
   * Throws `INVALID_QUERY`.
   */
  private async startOf(
    call: Call,
    parsed: FrameQuery & Pick<LifecycleStreamQuery, 'since_lifecycle_id'>,
    filter: FrameFilter,
  ): Promise<ReaderRequest['after']> {
    const { head } = this.parts;
    const { since_lifecycle_id: cursor } = parsed;
    const after = cursor === undefined ? 'oldest' : await sequenceOf(cursor, head);
    if (!ofOne(parsed)) return cursor === undefined ? 'now' : after;
    if (passesRosters(call.principal)) return after;
    // Taken before the question: what is committed meanwhile is not passed over.
    await head.refresh();
    const { settled } = head;
    return (await this.followsSome(call, filter)) ? after : settled;
  }

  /** A subscription that ends with the call, when the token of its caller expires or is revoked, and when rules take its scopes away. */
  private async whileAllowed(
    call: Call,
    { scopes, since }: { scopes: StreamScopes; since: number },
    open: (signal: AbortSignal) => Promise<FrameReader>,
  ): Promise<LifecycleSubscription> {
    const { principal, signal } = call;
    const over = new AbortController();
    const cut = new AbortController();
    const ends = joinSignals(signal, over.signal);
    // Whoever does not take the end of his stream is cut off, with whatever still waits for him.
    const cutSoon = (): void => {
      setTimeout(() => {
        cut.abort();
      }, TOKEN_END_GRACE_MS).unref();
    };
    const unwatchToken = this.parts.callers.watch(principal, () => {
      over.abort();
      cutSoon();
    });
    let unwatchRights = (): void => undefined;
    const unwatch = (): void => {
      unwatchToken();
      unwatchRights();
    };
    const release = (): void => {
      unwatch();
      ends.end();
    };
    signal.addEventListener('abort', unwatch, { once: true });
    try {
      const frames = await open(ends.signal);
      const onLost = (lost: LostRight): void => {
        frames.revoke(lost);
        cutSoon();
      };
      if (!ends.signal.aborted) unwatchRights = this.parts.rights.watch({ call, scopes, since, onLost });
      return released(frames, release, joinSignals(frames.abandoned, cut.signal).signal);
    } catch (error) {
      release();
      throw error;
    }
  }

  /** The stages and frames of one event. Throws `NOT_FOUND`, `INVALID_QUERY`. */
  async memoryEvent(call: Call, id: string, query: unknown): Promise<MemoryEventTrace> {
    const [trace] = await this.memoryEvents(call, [id], query);
    if (trace) return trace;
    throw eventNotFound();
  }

  /** The same of many events at once, null where there is none that the caller may read. */
  memoryEvents(call: Call, ids: readonly string[], query: unknown): Promise<(MemoryEventTrace | null)[]> {
    return memoryEvents(this.parts, call, ids, query);
  }

  /** What the caller asked for and may read. Throws `POLICY_DENIED`. */
  private async readable(call: Call, query: FrameQuery): Promise<ReadableFrames> {
    const { access } = this.parts;
    const { principal } = call;
    const filter = frameFilter(principal.tenant, query, (place) => access.mayFollow(principal, place));
    // A stranger is not refused: to him the scope is one in which nothing happens.
    if (filter.scope === null) {
      await access.authorize(call, 'lifecycle.subscribe', null);
      return { filter, follows: false };
    }
    const subscribes = await access.sees(call, 'lifecycle.subscribe', filter.scope);
    const seen = (await access.sees(call, 'scope.read.local', filter.scope)) && subscribes;
    const exact = filter.range.scope_ref !== undefined;
    if (seen || !exact) return { filter, follows: seen };
    return { filter: { ...filter, range: { ...filter.range, scope_ref: NO_SCOPE } }, follows: false };
  }

  private async page(
    filter: FrameFilter,
    walk: { start: number; head: number; limit: number },
  ): Promise<LifecyclePage> {
    const items: LifecycleItem[] = [];
    let position = walk.start;
    let last = position;
    let scanned = 0;
    for (;;) {
      const size = Math.min(1_000, Math.max(walk.limit + 1, 200));
      const stored = await this.parts.frames.scan(filter.range, position + 1, walk.head, size);
      const frames = await withScopeRules(stored, this.parts.places);
      for (const frame of frames) {
        const matches = filter.matches(frame);
        // A full page ends at its last frame: what lies behind it may be nothing that the caller may know of.
        if (matches && items.length === walk.limit) return { items, next_offset: last, has_more: true };
        if (matches) items.push(frame.item);
        if (matches) last = frame.sequence;
        position = frame.sequence;
        scanned += 1;
      }
      if (frames.length < size)
        return { items, next_offset: Math.max(walk.head, walk.start), has_more: false };
      if (scanned >= MAX_SCANNED_ROWS) return { items, next_offset: position, has_more: true };
    }
  }
}

/** Whether a query asks about one event, bulk or job. */
function ofOne({ event_id, batch_id, job_id }: FrameQuery): boolean {
  return [event_id, batch_id, job_id].some((id) => id !== undefined);
}

/**
 * The filter of a stream, and the scopes without all of which its caller has no right to it any more: the one that it names, where he may
 * follow that; of a stream of one event, bulk or job those that it has shown.
 */
function watchedFrames(
  filter: FrameFilter,
  { follows, of }: { follows: boolean; of: FrameQuery },
): { filter: FrameFilter; scopes: StreamScopes } {
  if (follows && filter.scope !== null) return { filter, scopes: new StreamScopes([filter.scope]) };
  const scopes = new StreamScopes();
  if (filter.scope !== null || !ofOne(of)) return { filter, scopes };
  const matches: FrameFilter['matches'] = (frame) => {
    const wanted = filter.matches(frame);
    if (wanted) scopes.show(frame.stored.scope);
    return wanted;
  };
  return { filter: { ...filter, matches }, scopes };
}

/** A subscription that lets go of what it holds when it ends. */
function released(
  frames: LifecycleSubscription,
  release: () => void,
  abandoned: AbortSignal,
): LifecycleSubscription {
  return {
    abandoned,
    next: async () => {
      const next = await frames.next();
      if (next.done === true) release();
      return next;
    },
    return: () => {
      release();
      return frames.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The number that a cursor names. Throws `INVALID_QUERY` when it is no cursor or lies in the future. */
async function sequenceOf(id: string, head: VisibleHighWatermark): Promise<number> {
  const sequence = lifecycleSequence(id);
  if (sequence !== null && (await head.knows(sequence))) return sequence;
  const reason = sequence === null ? 'is not a lifecycle id' : 'lies in the future';
  throw new StrataError('INVALID_QUERY', `since_lifecycle_id: ${reason}`, {
    details: { field_path: 'since_lifecycle_id', reason },
  });
}
