import { createHash } from 'node:crypto';

import { AuditReader, AuditWriter, auditHeadSource } from '../../graph/audit.ts';
import type { CaptureInput } from '../../graph/capture.ts';
import type { Writer } from '../../graph/driver.ts';
import { SettledHead } from '../../graph/settled-head.ts';
import { RequestRecord } from '../../src/access/request-record.ts';
import { systemClock } from '../../src/clock.ts';
import { AuditSealer } from '../../src/commit/audit-sealer.ts';
import { auditOfGroup } from '../../src/commit/group-audit.ts';
import { systemIds } from '../../src/ids.ts';
import { createLog } from '../../src/log.ts';
import { OPERATOR } from '../support/principals.ts';
import type { GroupAudit } from './raw-groups.ts';

/** Makes rows as the service does, hash of the body included, and seals them beside the captures. */
export async function startAudit(writer: Writer): Promise<GroupAudit & { end(): Promise<void> }> {
  const head = new SettledHead(auditHeadSource(writer, systemClock));
  await head.refresh();
  const sealer = new AuditSealer({
    reader: new AuditReader(writer),
    writer: new AuditWriter(writer),
    head,
    log: createLog('warn'),
  });
  sealer.start();
  return {
    rows: (group) => auditOfGroup(group.map(submissionOf), { clock: systemClock, ids: systemIds }),
    committed: (newest) => {
      sealer.committed(newest);
    },
    end: () => sealer.close(),
  };
}

function submissionOf(input: CaptureInput) {
  const sha256 = createHash('sha256').update(input.record.envelope).digest('hex');
  const request = new RequestRecord({
    endpoint: 'POST /v1/experience',
    capability: 'scope.write',
    audited: true,
    status: 202,
    bodySha256: () => sha256,
    began: performance.now(),
  });
  const allowed = { outcome: 'allowed', tier: 'operator', decidedBy: 'deployment' } as const;
  request.note({ ...allowed, capability: 'scope.write' }, input.record.scope);
  const signal = new AbortController().signal;
  const call = { principal: OPERATOR, requestId: systemIds.request(), signal, request };
  const unanswered = (): void => undefined;
  return {
    inputs: [input],
    kind: 'single' as const,
    origin: { call, status: 202 },
    resolve: unanswered,
    reject: unanswered,
  };
}
