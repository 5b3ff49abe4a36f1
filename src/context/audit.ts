import type { Base } from './base.ts';
import { AuditReader, AuditWriter, auditHeadSource } from '../../graph/audit.ts';
import { AuditRemover } from '../../graph/audit-removal.ts';
import type { Database } from '../../graph/driver.ts';
import { VisibleHighWatermark } from '../../graph/high-watermark.ts';
import { ChangeAudit } from '../commit/change-audit.ts';
import { AuditLog } from '../commit/audit-log.ts';
import { AuditRetention } from '../commit/audit-retention.ts';
import { AuditSealer } from '../commit/audit-sealer.ts';
import { AuditService } from '../services/audit.ts';
import { Auditing } from '../services/auditing.ts';
import type { Gate } from './gate.ts';

/** What keeps the audit log. */
export interface Audit {
  readonly auditReader: AuditReader;
  readonly auditLog: AuditLog;
  readonly sealer: AuditSealer;
  readonly auditing: Auditing;
  /** Removes rows that are kept long enough; undefined where they are kept for ever. */
  readonly auditRetention: AuditRetention | undefined;
  /** Rows of changes that write them themselves. */
  readonly changes: ChangeAudit;
}

/** Builds what keeps the audit log; rows are written beside the captures, sealed and read beside the requests. */
export function createAudit(
  { database, work }: { database: Database; work: Database },
  { clock, config, ids, log, metrics, requestHash }: Base,
): Audit {
  const auditReader = new AuditReader(database);
  const head = new VisibleHighWatermark(auditHeadSource(database, clock));
  const sealer = new AuditSealer({ reader: auditReader, writer: new AuditWriter(database), head, log });
  const onAppend = (newest: number): void => {
    sealer.committed(newest);
  };
  const auditLog = new AuditLog({ writer: new AuditWriter(work), clock, ids, onAppend });
  const changes = new ChangeAudit({ clock, ids, onAppend });
  const auditing = new Auditing({ log: auditLog, requestHash, clock, diagnostics: log, metrics });
  const { retentionDays: days } = config.audit;
  const auditRetention =
    days === 0
      ? undefined
      : new AuditRetention({ remover: new AuditRemover(work), clock, ids, log, metrics, days, onAppend });
  return { auditReader, auditLog, sealer, auditing, auditRetention, changes };
}

/** Builds what reads the audit log and checks it. */
export function createAuditService({
  access,
  auditReader: reader,
  sealer,
  requestHash,
}: Pick<Audit, 'auditReader' | 'sealer'> & Pick<Gate, 'access'> & Pick<Base, 'requestHash'>): AuditService {
  return new AuditService({ access, reader, sealer, requestHash });
}
