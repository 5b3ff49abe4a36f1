import type { CaptureInput, CaptureResult } from '../../graph/capture.ts';
import type { PendingEvent } from '../../graph/pending-event.ts';

/** An event that this process captured, with what the stages need of it. */
export interface RecentEvent extends PendingEvent {
  /** JSON text of the envelope. */
  readonly envelope: string;
}

/** A stretch of the log that one shard has to do: above `from`, up to and including `to`. */
export interface Span {
  readonly number: number;
  readonly from: number;
  readonly to: number;
}

/** Bounds of the memory of recent events. */
export interface RecentEventLimits {
  readonly events: number;
  /** Bytes of envelopes. */
  readonly bytes: number;
}

/**
 * The newest stretch of the log that this process wrote without a gap, so that its stages need not read back what was
 * just written. It only saves reading: whether an event is excluded or held is asked by the statement that applies
 * a stage, and what is not known here is read from the database.
 */
export class RecentEvents {
  private readonly limits: RecentEventLimits;
  private readonly events: (RecentEvent | null)[] = [];
  /** Place of the oldest event that is kept; the empty places before it are dropped from time to time. */
  private start = 0;
  private bytes = 0;

  constructor(limits: RecentEventLimits) {
    this.limits = limits;
  }

  /** Takes in what a commit wrote; a gap in the offsets (another process wrote between) forgets what lies before it. */
  add(inputs: readonly CaptureInput[], results: readonly CaptureResult[]): void {
    const written = results
      .flatMap((result, i) => {
        const input = inputs[i];
        const isNew = result.outcome === 'captured' || result.outcome === 'replaced';
        return isNew && input ? [recentEvent(input, result)] : [];
      })
      .sort((a, b) => a.wal_offset - b.wal_offset);
    for (const event of written) this.append(event);
  }

  /** Whether every event above `from` up to and including `to` is known here. */
  covers(from: number, to: number): boolean {
    const oldest = this.events[this.start];
    const newest = this.events.at(-1);
    return oldest && newest ? from >= oldest.wal_offset - 1 && to <= newest.wal_offset : false;
  }

  /**
   * At most `limit` events of the spans that are wholly known, in the order of the log, and the spans that are not. Both are
   * told at once: what a commit brings a moment later may push the oldest events out.
   */
  take(spans: readonly Span[], limit: number): { found: RecentEvent[]; unknown: Span[] } {
    const known = spans.filter(({ from, to }) => this.covers(from, to));
    const unknown = spans.filter((span) => !known.includes(span));
    const oldest = this.events[this.start];
    if (known.length === 0 || !oldest) return { found: [], unknown };
    const byShard = new Map(known.map((span) => [span.number, span]));
    const first = Math.min(...known.map(({ from }) => from)) + 1;
    const found: RecentEvent[] = [];
    for (
      let i = this.start + first - oldest.wal_offset;
      i < this.events.length && found.length < limit;
      i += 1
    ) {
      const event = this.events[i];
      const span = event && byShard.get(event.shard);
      if (span && event.wal_offset > span.from && event.wal_offset <= span.to) found.push(event);
    }
    return { found, unknown };
  }

  /** How many of the newest events are waiting, counted up to `most`. */
  count(isWaiting: (event: RecentEvent) => boolean, most: number): number {
    let found = 0;
    for (let i = this.events.length - 1; i >= this.start && found < most; i -= 1) {
      const event = this.events[i];
      if (event && isWaiting(event)) found += 1;
    }
    return found;
  }

  /** Empties events; their places stay, and stages pass over them. */
  redact(ids: readonly string[]): void {
    const wanted = new Set(ids);
    for (let i = this.start; i < this.events.length; i += 1) {
      const event = this.events[i];
      if (!event || !wanted.has(event.event_id)) continue;
      this.bytes -= event.bytes;
      this.events[i] = { ...event, bytes: 0, excluded: true, envelope: '{}' };
    }
  }

  private append(event: RecentEvent): void {
    const newest = this.events.at(-1);
    // The repeat of a group whose answer was lost brings offsets that are known already.
    if (newest && event.wal_offset <= newest.wal_offset) return;
    if (newest && event.wal_offset > newest.wal_offset + 1) this.forget();
    this.events.push(event);
    this.bytes += event.bytes;
    this.trim();
  }

  private forget(): void {
    this.events.length = 0;
    this.start = 0;
    this.bytes = 0;
  }

  private trim(): void {
    while (this.events.length - this.start > this.limits.events || this.bytes > this.limits.bytes) {
      const oldest = this.events[this.start];
      if (!oldest) break;
      this.bytes -= oldest.bytes;
      this.events[this.start] = null;
      this.start += 1;
    }
    // Dropped in large pieces: moving the rest down for each event would cost more than it frees.
    if (this.start > 0 && this.start * 2 >= this.events.length) {
      this.events.splice(0, this.start);
      this.start = 0;
    }
  }
}

function recentEvent(
  { record }: CaptureInput,
  { wal_offset, recorded_at }: Pick<CaptureResult, 'wal_offset' | 'recorded_at'>,
): RecentEvent {
  return {
    event_id: record.id,
    tenant: record.tenant,
    scope: record.scope,
    scope_ref: record.scope_ref,
    shard: record.shard,
    wal_offset,
    content_kind: record.content_kind,
    bytes: record.bytes,
    caller: record.caller,
    observed_at: record.observed_at ?? recorded_at,
    recorded_at,
    excluded: false,
    retry_id: null,
    envelope: record.envelope,
  };
}
