import type { RequestHash } from '../audit/request-hash.ts';
import type { AuditLog, FinishedEntry } from '../commit/audit-log.ts';
import { allowEntry, denyEntry, strangerEntry, type Moment } from '../commit/audit-entry.ts';
import { passesRosters } from '../access/principal.ts';
import { RequestRecord, type Decided, type RequestOrigin } from '../access/request-record.ts';
import type { Clock } from '../clock.ts';
import { errorText, StrataError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { DEFAULT_TENANT, type Call } from './access.ts';
import type { Attempt } from './authenticator.ts';

/** A refusal waits so long for its row, milliseconds, and leaves without it then: the caller may not write in any case. */
export const AUDIT_DENIAL_WAIT_MS = 3_000;

/** What the service needs. */
export interface AuditingParts {
  readonly log: AuditLog;
  readonly requestHash: Pick<RequestHash, 'ofDigest'>;
  readonly clock: Clock;
  readonly diagnostics: Log;
  readonly metrics: Metrics;
}

/**
 * Leaves the row of a request before it is answered. Every transport does its work in here, so that no operation can be
 * forgotten: what the operation table calls audited leaves a row when it succeeds, and everything leaves one when it is refused.
 */
export class Auditing {
  private readonly parts: AuditingParts;

  constructor(parts: AuditingParts) {
    this.parts = parts;
  }

  /**
   * Does the work of a request. A change that wrote its row itself, in its own transaction, gets no second one; any other
   * gets its row after it is done, and where that cannot be written the request fails with `DATABASE_UNAVAILABLE`. A refusal
   * leaves without its row when the database is away; the log and a metric tell of it.
   */
  async around<T, C extends Call | null>(
    call: C,
    origin: RequestOrigin,
    work: (call: C) => T | Promise<T>,
    statusOf: (answer: T) => number = () => origin.status,
  ): Promise<T> {
    if (call === null) return work(call);
    const request = new RequestRecord({ ...origin, bodySha256: () => this.hashOf(origin) });
    const noted = { ...call, request };
    let answer: T;
    try {
      answer = await work(noted);
    } catch (error) {
      await this.denied(noted, error);
      throw error;
    }
    const status = statusOf(answer);
    if (request.refused !== null) await this.deny(noted, request.refused, status);
    if (request.recorded) return answer;
    const entry = allowEntry(noted, this.momentOf(noted));
    if (entry !== null) await this.keep({ entry, status, event_id: eventIdOf(answer) });
    return answer;
  }

  /** Leaves the row of a bearer that nobody knows, in the default tenant. Keeps nobody waiting; where it is lost, the log tells. */
  stranger(attempt: Attempt): void {
    const { clock } = this.parts;
    const moment = { now: clock.now(), elapsedMs: Math.round(performance.now() - attempt.began) };
    const entry = strangerEntry(attempt, DEFAULT_TENANT, moment);
    void this.keep({ entry, status: 401, event_id: null }).catch(() => 'lost');
  }

  /** What rows say of the body; null where nothing is. */
  private hashOf(origin: RequestOrigin): string | null {
    const digest = origin.bodySha256();
    return digest === null ? null : this.parts.requestHash.ofDigest(digest);
  }

  private async denied(call: Call, error: unknown): Promise<void> {
    if (!(error instanceof StrataError)) return;
    const { refused = null } = call.request ?? {};
    if (refused !== null) await this.deny(call, refused, error.status);
    else if (error.status === 403) await this.deny(call, refusalIn(error), error.status);
    else if (error.status === 404) await this.missed(call, error.status);
  }

  /**
   * A change of what is not there, or must not be seen to be there. Both leave the same row, after the same time, because callers
   * read their own rows. Nothing is hidden from whom no roster binds.
   */
  private async missed(call: Call, status: number): Promise<void> {
    const { principal, request } = call;
    if (request === undefined || request.origin.audited === false || passesRosters(principal)) return;
    const { named } = request;
    await this.deny(call, named === null ? {} : { ...named, decidedBy: 'scope' }, status);
  }

  /** Never throws: a refusal stays one. */
  private async deny(call: Call, refusal: Partial<Decided>, status: number): Promise<void> {
    const entry = denyEntry(call, this.momentOf(call), refusal);
    if (entry === null) return;
    const kept = this.keep({ entry, status, event_id: null }).catch(() => 'lost');
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, AUDIT_DENIAL_WAIT_MS);
    });
    await Promise.race([kept, patience]);
    clearTimeout(timer);
  }

  private async keep(finished: FinishedEntry): Promise<void> {
    const { decision } = finished.entry;
    try {
      await this.parts.log.append(finished);
    } catch (error) {
      this.parts.metrics.count('strata_audit_lost_rows_total', decision);
      this.parts.diagnostics.error('a row of the audit log could not be written', {
        error: errorText(error),
        ...columnsOf(finished),
      });
      throw new StrataError(
        'DATABASE_UNAVAILABLE',
        'the row of the audit log could not be written; what was asked for may be done',
        { cause: error },
      );
    }
  }

  private momentOf({ request }: Call): Moment {
    const began = request?.origin.began ?? performance.now();
    return { now: this.parts.clock.now(), elapsedMs: Math.round(performance.now() - began) };
  }
}

/** What the log says of a row that is lost: the row itself. */
function columnsOf({ entry, status, event_id }: FinishedEntry): Record<string, string | number | null> {
  const { elapsed_ms: _elapsed, ...row } = entry;
  return { ...row, response_status: status, event_id };
}

function refusalIn({ details }: StrataError): Partial<Decided> {
  const { capability, decided_by_tier: decidedBy } = (details ?? {}) as Record<string, unknown>;
  return {
    ...(typeof capability === 'string' ? { capability: capability as Decided['capability'] } : {}),
    ...(typeof decidedBy === 'string' ? { decidedBy: decidedBy as Decided['decidedBy'] } : {}),
  };
}

function eventIdOf(answer: unknown): string | null {
  const body: unknown =
    typeof answer === 'object' && answer !== null && 'body' in answer ? answer.body : answer;
  const id = typeof body === 'object' && body !== null && 'event_id' in body ? body.event_id : null;
  return typeof id === 'string' ? id : null;
}
