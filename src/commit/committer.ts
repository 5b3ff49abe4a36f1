import type { CommitterLimits } from './limits.ts';
import {
  ContentsNotHashed,
  extraTime,
  captureGroupAlone,
  captureGroupWithin,
  isRefused,
  type CapturedGroup,
  type CaptureInput,
  type CaptureResult,
} from '../../graph/capture.ts';
import type { CaptureAudit } from '../../graph/capture-audit.ts';
import type { Writer } from '../../graph/driver.ts';
import { asStrataError, failureCode, failureOf, isAway } from '../../graph/errors.ts';
import { appendAuditWithin } from '../../graph/audit.ts';
import { countRefused } from '../../graph/suppression/store.ts';
import type { ContentHash } from '../capture/content-hash.ts';
import type { Clock } from '../clock.ts';
import { StrataError } from '../errors.ts';
import { DATABASE_RETRY_MS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Ids } from '../ids.ts';
import { auditOfGroup, finished } from './group-audit.ts';
import { GroupQueue, type AuditedRequest, type Submission } from './group-queue.ts';
import { segmentsOf } from './segments.ts';

/** Tries of a capture transaction that fails for a passing reason. */
const COMMIT_TRIES = 8;

/** First pause between those tries, milliseconds; it doubles each time. The driver's own starts at a second. */
const COMMIT_FIRST_PAUSE_MS = 5;

/** Beyond the usual deadline for each statement of a batch that repeats its keys, milliseconds. */
const COMMIT_SEGMENT_EXTRA_MS = 20;

/** What a committer needs. */
export interface CommitterParts {
  readonly writer: Writer;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'audit'>;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly limits: CommitterLimits;
  /** Whether captures leave rows in the audit log; default true. */
  readonly auditCaptures?: boolean;
  /** Hashes what events say, once the store suppresses any content. */
  readonly contentHash: ContentHash;
  /** Called after each commit, before anybody is answered. */
  readonly onCommit: (commit: Commit) => void;
}

/** One committed transaction of captures. */
export interface Commit extends CapturedGroup {
  /** What was handed in, in the order of the results. */
  readonly inputs: readonly CaptureInput[];
  /** The newest offset among the results. */
  readonly newestOffset: number;
}

/**
 * Writes captures in groups: one transaction is in flight at a time, and whatever arrived meanwhile goes into the next.
 * There is no timer, so an idle committer adds no delay. A promise resolves after the commit of its records, never before.
 */
export class Committer {
  private readonly parts: CommitterParts;
  private readonly queue: GroupQueue;
  private running: Promise<void> | null = null;
  private closed = false;
  /** Whether the store is known to suppress contents; until it says so nothing is hashed. */
  private suppresses = false;

  constructor(parts: CommitterParts) {
    this.parts = parts;
    this.queue = new GroupQueue(parts.limits);
  }

  /**
   * Commits one event. Throws `SERVER_BUSY` when the queue is full, `DATABASE_UNAVAILABLE` when the outcome is unknown
   * or nothing was written; resending with the same idempotency key is safe. The row of the audit log for `origin` is part
   * of the same commit; a conflict leaves one too, and what is refused because its scope is being deleted or its content suppressed, since these are found out
   * only while the group is written.
   */
  async one(input: CaptureInput, origin: AuditedRequest | null = null): Promise<CaptureResult> {
    const [result] = await this.submit([input], 'single', origin);
    if (!result) throw new Error('a committed group left a record without an answer');
    return result;
  }

  /** Commits a bulk, and its one row, in a transaction of its own, in order; offsets of its new events are consecutive. */
  many(inputs: readonly CaptureInput[], origin: AuditedRequest | null = null): Promise<CaptureResult[]> {
    return this.submit(inputs, 'bulk', origin);
  }

  /**
   * Commits a bulk only when no record of it is refused: else nothing is written, and the results (whose
   * offsets then mean nothing) come back so that the caller can name what was refused.
   */
  manyOrNone(
    inputs: readonly CaptureInput[],
    origin: AuditedRequest | null = null,
  ): Promise<CaptureResult[]> {
    return this.submit(inputs, 'all-or-none', origin);
  }

  /** Events waiting to be committed. */
  get depth(): number {
    return this.queue.events;
  }

  /** Bytes of envelopes waiting to be committed. */
  get depthBytes(): number {
    return this.queue.bytes;
  }

  /** Refuses what comes from now on and resolves when all that was accepted is answered. */
  async close(): Promise<void> {
    this.closed = true;
    await this.running;
  }

  private submit(
    inputs: readonly CaptureInput[],
    kind: Submission['kind'],
    origin: AuditedRequest | null,
  ): Promise<CaptureResult[]> {
    if (this.parts.auditCaptures === false && origin?.call.request) origin.call.request.recorded = true;
    if (this.closed)
      return Promise.reject(new StrataError('SERVER_SHUTTING_DOWN', 'The server is stopping.'));
    if (inputs.length === 0) return Promise.resolve([]);
    if (!this.queue.accepts(inputs)) {
      this.refused('queue_full', inputs.length);
      return Promise.reject(
        new StrataError('SERVER_BUSY', 'The capture queue is full; nothing was written. Try again.'),
      );
    }
    return new Promise((resolve, reject) => {
      this.queue.push({ inputs, kind, origin, resolve, reject });
      this.running ??= this.drain();
    });
  }

  private async drain(): Promise<void> {
    try {
      for (let group = this.queue.next(); group !== null; group = this.queue.next()) {
        try {
          await this.commit(group);
        } finally {
          this.queue.done(group);
        }
      }
    } finally {
      // In the turn that saw the queue empty: a microtask later, a new submission would find a loop that has ended.
      this.running = null;
    }
  }

  /** Commits a group of submissions; after a permanent failure in halves, until only the offender is refused. */
  private async commit(group: readonly Submission[]): Promise<void> {
    const began = performance.now();
    try {
      const { committed, ...written } = await this.attempt(group);
      const { results } = written;
      this.measure(results, committed, performance.now() - began);
      const inputs = group.flatMap((submission) => submission.inputs);
      if (committed) this.parts.onCommit({ ...written, inputs, newestOffset: newestOf(results) });
      let start = 0;
      for (const submission of group) {
        const end = start + submission.inputs.length;
        if (committed && submission.origin?.call.request) submission.origin.call.request.recorded = true;
        submission.resolve(results.slice(start, end));
        start = end;
      }
    } catch (error) {
      const [only] = group;
      const failure = failureOf(error);
      if (group.length > 1 && !isAway(failure)) {
        const middle = Math.ceil(group.length / 2);
        await this.commit(group.slice(0, middle));
        await this.commit(group.slice(middle));
        return;
      }
      if (only && group.length === 1 && failure === 'permanent') {
        this.parts.log.error('a capture was refused by the database', {
          error: failureCode(error),
          events: only.inputs.length,
        });
      }
      this.refused(isAway(failure) ? 'database_away' : 'refused_by_database', eventsOf(group));
      for (const submission of group) submission.reject(asStrataError(error));
      // A database that is away would keep each waiting group as long again.
      if (failure === 'overdue' || failure === 'unavailable') this.refuseWaiting(error);
    }
  }

  private refuseWaiting(error: unknown): void {
    for (let group = this.queue.next(); group !== null; group = this.queue.next()) {
      for (const submission of group) submission.reject(asStrataError(error));
      this.refused('database_away', eventsOf(group));
      this.queue.done(group);
    }
  }

  private refused(reason: 'queue_full' | 'database_away' | 'refused_by_database', events: number): void {
    this.parts.metrics.count('strata_commit_refused_events_total', reason, events);
  }

  /** Counts a decided group; what a refused batch would have written was rolled back and does not count. */
  private measure(results: readonly CaptureResult[], committed: boolean, ms: number): void {
    const { metrics } = this.parts;
    const outcomes = { captured: 0, replaced: 0, replayed: 0, conflict: 0, deleting: 0, suppressed: 0 };
    for (const { outcome } of results) outcomes[outcome] += 1;
    metrics.count('strata_captures_total', 'conflict', outcomes.conflict);
    metrics.count('strata_captures_total', 'deleting', outcomes.deleting);
    metrics.count('strata_captures_total', 'suppressed', outcomes.suppressed);
    metrics.count('strata_captures_suppressed_total', undefined, outcomes.suppressed);
    if (!committed) return;
    metrics.count('strata_captures_total', 'captured', outcomes.captured);
    metrics.count('strata_captures_total', 'replaced', outcomes.replaced);
    metrics.count('strata_captures_total', 'replayed', outcomes.replayed);
    metrics.observe('strata_commit_events', results.length);
    metrics.observe('strata_commit_seconds', ms / 1000);
  }

  private async attempt(group: readonly Submission[]): Promise<Attempt> {
    const inputs = group.flatMap((submission) => submission.inputs);
    const segments = segmentsOf(inputs);
    // Made once, so that a try that comes after one with an unknown outcome finds its rows by their ids.
    const audit = this.parts.auditCaptures === false ? [] : auditOfGroup(group, this.parts);
    const allOrNone = group.some(({ kind }) => kind === 'all-or-none');
    const started = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const [first] = segments;
        if (first && segments.length === 1 && !allOrNone) {
          const extras = { audit, hash: this.hash };
          const written = await captureGroupAlone(this.parts.writer, first, this.parts.clock.now(), extras);
          return { ...written, committed: true };
        }
        return await this.inOneTransaction(segments, allOrNone, audit);
      } catch (error) {
        if (error instanceof ContentsNotHashed && !this.suppresses) {
          this.suppresses = true;
          continue;
        }
        const failure = failureOf(error);
        // A lost connection leaves the outcome unknown; event ids are recognised, so the repeat finds what was written.
        const repeatable = failure === 'transient' || failure === 'unavailable' || failure === 'constraint';
        const late = performance.now() - started > DATABASE_RETRY_MS;
        if (!repeatable || late || attempt === COMMIT_TRIES) throw error;
        this.parts.metrics.count('strata_retries_total', 'commit');
        this.parts.log.warn('a capture group is tried again', { failure, attempt, events: inputs.length });
        await new Promise((resolve) => setTimeout(resolve, COMMIT_FIRST_PAUSE_MS * 2 ** (attempt - 1)));
      }
    }
  }

  private get hash(): ContentHash | undefined {
    return this.suppresses ? this.parts.contentHash : undefined;
  }

  private async inOneTransaction(
    segments: readonly CaptureInput[][],
    allOrNone: boolean,
    audit: readonly CaptureAudit[],
  ): Promise<Attempt> {
    const refused = new RefusedBatch();
    try {
      const all = await this.parts.writer.transaction(
        async (transaction) => {
          const results: CaptureResult[] = [];
          // One instant for all: what becomes readable together was recorded together.
          const now = this.parts.clock.now();
          let newestFrame = 0;
          for (const segment of segments) {
            const written = await captureGroupWithin(transaction, segment, now, this.hash);
            results.push(...written.results);
            newestFrame = written.newestFrame;
          }
          if (allOrNone && results.some(isRefused)) {
            refused.results = results;
            throw refused;
          }
          const batches = audit.map((batch) => finished(batch, results));
          const newestAudit = await appendAuditWithin(transaction, batches, now);
          return { results, newestFrame, newestAudit };
        },
        extraTime(segments.flat()) + COMMIT_SEGMENT_EXTRA_MS * segments.length,
      );
      return { ...all, committed: true };
    } catch (error) {
      if (error === refused) {
        // What the transaction had counted is gone with it.
        const by = refused.results.flatMap(({ suppression_id }) => suppression_id ?? []);
        if (by.length > 0) await countRefused(this.parts.writer, by);
        return { results: refused.results, newestFrame: 0, newestAudit: 0, committed: false };
      }
      throw error;
    }
  }
}

/** What became of a group; the offsets of one that was rolled back belong to whoever commits next. */
interface Attempt extends CapturedGroup {
  readonly committed: boolean;
}

function eventsOf(group: readonly Submission[]): number {
  return group.reduce((sum, { inputs }) => sum + inputs.length, 0);
}

function newestOf(results: readonly CaptureResult[]): number {
  return results.reduce(
    (newest, result) => (isRefused(result) ? newest : Math.max(newest, result.wal_offset)),
    0,
  );
}

/** Leaves the transaction by the door that rolls it back. */
class RefusedBatch extends Error {
  results: CaptureResult[] = [];
}
