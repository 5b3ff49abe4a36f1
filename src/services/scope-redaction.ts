import { failureCode, failureOf } from '../../graph/errors.ts';
import type { DoomedEvent, RedactBounds, ScopeRedactor } from '../../graph/scope-removal.ts';
import { scopeRef, shardOf } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import { StrataError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { DELETION_BATCH_BYTES, STAGE_FIRST_PAUSE_MS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { Suspicion } from '../pipeline/suspicion.ts';
import { Wakeup } from '../wakeup.ts';
import type { ScopeName } from './scope-directory.ts';

/** Events redacted in one transaction when a scope is deleted: keeps it short beside the captures. */
export const DELETION_BATCH_EVENTS = 250;

/** Tries for an event that the database refuses to redact, before a deletion passes over it. */
const DELETION_TRIES = 3;

/** Events that one run of a deletion passes over at most, and names; then it ends, to be asked for again. */
const DELETION_LEFT_EVENTS = 100;

/** Rest between two such transactions, milliseconds: captures come between. */
const DELETION_REST_MS = 10;

/** What redaction needs. */
export interface ScopeRedactionParts {
  readonly redactor: ScopeRedactor;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Told of each batch once it is committed. */
  readonly onRedacted: (ids: readonly string[], newestFrame: number) => void;
  /** Ends it after the batch that it is at. */
  readonly ending: AbortSignal;
}

/** The scope whose events are redacted, as statements know it. */
interface Place {
  readonly ref: string;
  readonly shard: number;
}

/** Redacts the events of scopes that are being deleted, batch by batch, and passes over those that the database refuses. */
export class ScopeRedaction {
  private readonly parts: ScopeRedactionParts;
  // The redactor has tried again by itself what fails as if the database were away.
  private readonly suspicion = new Suspicion({ tries: DELETION_TRIES, awayTries: 1 });

  constructor(parts: ScopeRedactionParts) {
    this.parts = parts;
  }

  /**
   * Redacts what the mark of a scope covers. Throws `DATABASE_UNAVAILABLE` with `events_left` when the others are done and some were
   * refused, or as many as one run passes over, and `SERVER_SHUTTING_DOWN` at an end.
   */
  async run({ tenant, path }: ScopeName): Promise<void> {
    const ref = scopeRef(tenant, path);
    const place = { ref, shard: shardOf(ref) };
    const left: string[] = [];
    let bounds: RedactBounds = { after: 0, events: DELETION_BATCH_EVENTS, bytes: DELETION_BATCH_BYTES };
    for (let more = true; more;) {
      this.goesOn();
      try {
        more = await this.redact(place, bounds);
        bounds = scaled(bounds, 2);
      } catch {
        // What is at fault is found by its parts, or thrown by them.
        const through = await this.inParts(place, bounds, left);
        more = through !== null;
        bounds = { ...scaled(bounds, 1 / 2), after: through ?? bounds.after };
      }
      if (more) await new Wakeup().wait(DELETION_REST_MS);
    }
    if (left.length > 0) await this.tellLeft(place);
  }

  /** Redacts one batch; whether there may be more. */
  private async redact(place: Place, bounds: RedactBounds): Promise<boolean> {
    const { redactor, ids, clock, onRedacted } = this.parts;
    const batch = await redactor.redact(place, { id: ids.entry(), now: clock.now() }, bounds);
    if (batch.ids.length > 0) onRedacted(batch.ids, batch.newest_frame);
    return batch.more;
  }

  /** Redacts a batch that failed in halves, without those that are refused alone; answers its last offset, null where nothing is left. */
  private async inParts(place: Place, bounds: RedactBounds, left: string[]): Promise<number | null> {
    const { redactor, clock, log, metrics } = this.parts;
    const events = await redactor.doomed(place.ref, bounds);
    await this.suspicion.through(events, {
      keyOf: ({ id }) => id,
      work: async (part) => {
        await this.redact(place, partOf(part, bounds));
      },
      probe: () => redactor.probe(place.shard, clock.now()),
      giveUp: async ({ id }, { error }) => {
        log.error('the deletion of a scope passes an event over', {
          event_id: id,
          error: failureCode(error),
        });
        metrics.count('strata_scope_deletion_left_events_total', failureOf(error));
        left.push(id);
        if (left.length === DELETION_LEFT_EVENTS) await this.tellLeft(place);
      },
      onRetry: async (attempts) => {
        metrics.count('strata_retries_total', 'deletion');
        this.goesOn();
        if (attempts > 0) await new Wakeup().wait(STAGE_FIRST_PAUSE_MS * 2 ** (attempts - 1));
      },
    });
    return events.at(-1)?.wal_offset ?? null;
  }

  /** Throws what tells of the events that are left; another process may have redacted them meanwhile. */
  private async tellLeft({ ref }: Place): Promise<void> {
    const bounds = { after: 0, events: DELETION_LEFT_EVENTS, bytes: Number.MAX_SAFE_INTEGER };
    const events = await this.parts.redactor.doomed(ref, bounds);
    if (events.length === 0) return;
    throw new StrataError(
      'DATABASE_UNAVAILABLE',
      'the scope is not deleted yet: the database refuses to redact the events that `details.events_left` names; ask again to have them tried again',
      { details: { reason: 'events_left', events_left: events.map(({ id }) => id) } },
    );
  }

  private goesOn(): void {
    if (this.parts.ending.aborted)
      throw new StrataError(
        'SERVER_SHUTTING_DOWN',
        'the server is stopping; the deletion goes on with its next start',
      );
  }
}

/** Larger or smaller batches, of one event at least and no more than the usual. */
function scaled({ after, events, bytes }: RedactBounds, by: number): RedactBounds {
  return {
    after,
    events: Math.min(DELETION_BATCH_EVENTS, Math.ceil(events * by)),
    bytes: Math.min(DELETION_BATCH_BYTES, Math.ceil(bytes * by)),
  };
}

/** The bounds that hold some events of a batch and nothing else. */
function partOf(part: readonly DoomedEvent[], { bytes }: RedactBounds): RedactBounds {
  const [first] = part;
  const last = part.at(-1);
  if (first === undefined || last === undefined) throw new Error('a part without events');
  return { after: first.wal_offset - 1, upTo: last.wal_offset, events: part.length, bytes };
}
