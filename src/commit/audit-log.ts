import type { AuditWriter, FinishedBatch } from '../../graph/audit.ts';
import { toBatch, type AuditEntry } from '../audit/batch.ts';
import type { Clock } from '../clock.ts';
import { StrataError } from '../errors.ts';
import type { Ids } from '../ids.ts';

/** Rows of the audit log that wait to be written beside captures, at most: a flood of refusals must not fill memory. */
const AUDIT_QUEUE_ROWS = 10_000;

/** Those of one tenant among them, at most: it must not take the room of the others. */
export const AUDIT_QUEUE_ROWS_OF_TENANT = 2_500;

/** Such rows that are written at once. */
const AUDIT_APPEND_ROWS = 500;

/** A row with what became of its request. */
export interface FinishedEntry {
  readonly entry: AuditEntry;
  readonly status: number;
  readonly event_id: string | null;
}

interface Waiting extends FinishedEntry {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** What the log is built from. */
export interface AuditLogParts {
  readonly writer: AuditWriter;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'audit'>;
  /** Told of the newest number after each append, before anybody is answered. */
  readonly onAppend: (newest: number) => void;
}

/**
 * Adds rows that are not part of a capture. One append is in flight at a time, and whatever came meanwhile goes into the next,
 * so that a flood of refusals costs few transactions.
 */
export class AuditLog {
  private readonly parts: AuditLogParts;
  private readonly waiting: Waiting[] = [];
  /** Rows of each tenant among those that wait. */
  private readonly queued = new Map<string, number>();
  private running: Promise<void> | null = null;

  constructor(parts: AuditLogParts) {
    this.parts = parts;
  }

  /** Resolves when the row is durable. Throws `SERVER_BUSY` when too many wait, `DATABASE_UNAVAILABLE`. */
  append(finished: FinishedEntry): Promise<void> {
    const { tenant_id: tenant } = finished.entry;
    const ofTenant = this.queued.get(tenant) ?? 0;
    if (this.waiting.length >= AUDIT_QUEUE_ROWS || ofTenant >= AUDIT_QUEUE_ROWS_OF_TENANT) {
      return Promise.reject(
        new StrataError('SERVER_BUSY', 'too many rows of the audit log wait to be written'),
      );
    }
    this.queued.set(tenant, ofTenant + 1);
    return new Promise((resolve, reject) => {
      this.waiting.push({ ...finished, resolve, reject });
      this.running ??= this.drain();
    });
  }

  /** Resolves when every row that was handed in is written or refused. */
  async close(): Promise<void> {
    await this.running;
  }

  private async drain(): Promise<void> {
    try {
      while (this.waiting.length > 0) await this.write(this.next());
    } finally {
      this.running = null;
    }
  }

  private next(): Waiting[] {
    const group = this.waiting.splice(0, AUDIT_APPEND_ROWS);
    for (const { entry } of group) {
      const left = (this.queued.get(entry.tenant_id) ?? 1) - 1;
      if (left > 0) this.queued.set(entry.tenant_id, left);
      else this.queued.delete(entry.tenant_id);
    }
    return group;
  }

  private async write(group: readonly Waiting[]): Promise<void> {
    try {
      const now = this.parts.clock.now();
      this.parts.onAppend(await this.parts.writer.append(this.batchesOf(group), now));
      for (const { resolve } of group) resolve();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  private batchesOf(group: readonly Waiting[]): FinishedBatch[] {
    const byTenant = new Map<string, Waiting[]>();
    for (const one of group) {
      const { tenant_id: tenant } = one.entry;
      byTenant.set(tenant, [...(byTenant.get(tenant) ?? []), one]);
    }
    return [...byTenant].map(([tenant, rows]) => ({
      ...toBatch(
        this.parts.ids.audit(),
        tenant,
        rows.map(({ entry }) => entry),
      ),
      event_ids: rows.map(({ event_id }) => event_id ?? ''),
      statuses: rows.map(({ status }) => status),
    }));
  }
}
