import type { FinishedBatch } from '../../graph/audit.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import type { Call } from '../access/call.ts';
import { rowId, toBatch, type AuditEntry } from '../audit/batch.ts';
import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import { allowEntry } from './audit-entry.ts';

/** What the rows of changes are made with. */
export interface ChangeAuditParts {
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'audit'>;
  /** Told of the newest number after each commit, before anybody is answered. */
  readonly onAppend: (newest: number) => void;
}

/** What became of a change, as far as its row tells of it. */
interface ChangeOutcome {
  /** Default: the status that the operation answers with when it succeeds. */
  readonly status?: number;
  /** Default: the row is about no event. */
  readonly eventId?: string;
}

/** Makes the rows that are written in one transaction with the change that they tell of. */
export class ChangeAudit {
  private readonly parts: ChangeAuditParts;

  constructor(parts: ChangeAuditParts) {
    this.parts = parts;
  }

  /** The row of what a call changes. It keeps its id, so that a transaction that is repeated leaves it once. */
  of(call: Call): ChangeRow {
    return new ChangeRow(this.parts, call);
  }

  /** The row of what is done later on behalf of a request; see {@link ChangeRow.kept}. */
  later(): ChangeRow {
    return new ChangeRow(this.parts, null);
  }
}

/** The row of one change. */
export class ChangeRow {
  readonly #parts: ChangeAuditParts;
  readonly #call: Call | null;
  /** Id of the row, whether or not it is ever written. */
  readonly id: string;

  constructor(parts: ChangeAuditParts, call: Call | null) {
    this.#parts = parts;
    this.#call = call;
    this.id = rowId(parts.ids.audit(), 0);
  }

  /** What the transaction has to add; nothing where the call leaves no row. To be asked for once the gate has decided. */
  batches({ status, eventId = '' }: ChangeOutcome = {}): FinishedBatch[] {
    const entry = this.#entry();
    const answered = status ?? this.#call?.request?.origin.status;
    return entry === null || answered === undefined ? [] : this.#batch(entry, answered, eventId);
  }

  /** What the transaction has to add of a later change, by what was kept of the call; nothing where that left no row. */
  batchesBy(kept: string | null, status: number): FinishedBatch[] {
    if (kept === null) return [];
    const entry = JSON.parse(kept) as AuditEntry;
    const now = this.#parts.clock.now();
    const elapsed = entry.elapsed_ms + Math.max(0, now - Date.parse(entry.ts));
    return this.#batch({ ...entry, ts: toRfc3339(now), elapsed_ms: elapsed }, status, '');
  }

  /** What {@link ChangeRow.batchesBy} takes, for a change that goes on when the request may be over; null where the call leaves no row. */
  kept(): string | null {
    const entry = this.#entry();
    return entry === null ? null : JSON.stringify(entry);
  }

  /** Says that the transaction is committed, with the newest number of the audit log in it; 0 when it added nothing. */
  committed(newest: number): void {
    if (newest === 0) return;
    if (this.#call?.request !== undefined) this.#call.request.recorded = true;
    this.#parts.onAppend(newest);
  }

  #entry(): AuditEntry | null {
    const request = this.#call?.request;
    if (this.#call === null || request === undefined) return null;
    const elapsedMs = Math.round(performance.now() - request.origin.began);
    return allowEntry(this.#call, { now: this.#parts.clock.now(), elapsedMs });
  }

  #batch(entry: AuditEntry, status: number, eventId: string): FinishedBatch[] {
    const batch = toBatch(this.id, entry.tenant_id, [entry]);
    return [{ ...batch, event_ids: [eventId], statuses: [status] }];
  }
}
