import { OPERATION_IDS, operationOf } from '../../schemas/operation.ts';
import type { Decision } from '../../src/access/decide.ts';
import { rowsOf, outcomesOf } from '../../src/audit/batch.ts';
import { denyEntry } from '../../src/commit/audit-entry.ts';
import { AuditLog, type FinishedEntry, AUDIT_QUEUE_ROWS_OF_TENANT } from '../../src/commit/audit-log.ts';
import { RequestRecord } from '../../src/access/request-record.ts';
import { StrataError } from '../../src/errors.ts';
import { systemIds } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { Metrics } from '../../src/metrics.ts';
import type { Call } from '../../src/services/access.ts';
import { Auditing, AUDIT_DENIAL_WAIT_MS } from '../../src/services/auditing.ts';
import type { RequestOrigin } from '../../src/services/operations.ts';
import { holder, OPERATOR } from '../support/principals.ts';
import { shortenWaits } from '../support/short-waits.ts';

shortenWaits(AUDIT_DENIAL_WAIT_MS);

const NOW = 1_800_000_000_000;
const CALL: Call = { principal: OPERATOR, requestId: 'req_1', signal: new AbortController().signal };
const ORIGIN: RequestOrigin = {
  endpoint: 'POST /v1/things',
  capability: 'scope.manage',
  audited: true,
  status: 201,
  bodySha256: () => 'ab'.repeat(32),
  began: 0,
};
const REFUSED: Decision = {
  outcome: 'refused',
  tier: 'operator',
  capability: 'scope.manage',
  decidedBy: 'tenant',
};
const ALLOWED: Decision = { ...REFUSED, outcome: 'allowed', decidedBy: 'deployment' };
const denied = (): StrataError =>
  new StrataError('POLICY_DENIED', 'no', { details: { capability: 'auth.mint' } });

/** A log over a writer that is handed the rows, each with its status and event. */
function logOn(append: (rows: any[]) => Promise<number>): AuditLog {
  const writer = {
    append: (batches: any[]) =>
      append(
        batches.flatMap((batch) =>
          rowsOf({ ...batch, told: outcomesOf(batch.statuses, batch.event_ids) }).map(
            ({ response_status: status, event_id: event, ...row }) => ({
              ...row,
              status,
              event,
            }),
          ),
        ),
      ),
  };
  return new AuditLog({
    writer: writer as never,
    clock: { now: () => NOW },
    ids: systemIds,
    onAppend: () => undefined,
  });
}

/** Rows as they were written, each with its status and event; `append` may fail or never end. */
function auditingOn(append: (rows: any[]) => Promise<number>) {
  const logged: unknown[] = [];
  const log = logOn(append);
  const metrics = new Metrics({ version: '0', git_sha: '', built_at: '' });
  const diagnostics = { ...silentLog, error: (...said: unknown[]) => logged.push(said) };
  return {
    auditing: new Auditing({
      log,
      requestHash: { ofDigest: (digest) => `keyed ${digest}` },
      clock: { now: () => NOW },
      diagnostics,
      metrics,
    }),
    metrics,
    logged,
  };
}

function recording() {
  const rows: any[] = [];
  const appends: number[] = [];
  const parts = auditingOn((written) => {
    rows.push(...written);
    appends.push(written.length);
    return Promise.resolve(rows.length);
  });
  return { ...parts, rows, appends };
}

describe('the queue of rows', () => {
  const entry = (tenant: string): FinishedEntry => ({
    entry: {
      ...denyEntry({ ...CALL, request: new RequestRecord(ORIGIN) }, { now: NOW, elapsedMs: 1 }, {})!,
      tenant_id: tenant,
    },
    status: 403,
    event_id: null,
  });

  it('has room for every tenant when one floods it, and again when that is written', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let written = 0;
    const log = logOn(async (rows) => {
      await gate;
      return (written += rows.length);
    });
    const flood = Array.from({ length: AUDIT_QUEUE_ROWS_OF_TENANT + 10 }, () => log.append(entry('loud')));
    const outcomes = Promise.allSettled(flood);
    const quiet = log.append(entry('quiet'));
    open();
    const refused = (await outcomes).filter(({ status }) => status === 'rejected');
    // The first was on its way to the database when the others came.
    expect(refused).toHaveLength(9);
    expect(refused[0]).toMatchObject({ reason: { code: 'SERVER_BUSY' } });
    await quiet;
    await log.append(entry('loud'));
    expect(written).toBe(AUDIT_QUEUE_ROWS_OF_TENANT + 3);
  });
});

describe('the row of a change', () => {
  it('is there before the answer, with what the gate decided and where', async () => {
    const { auditing, rows } = recording();
    const answer = await auditing.around(CALL, ORIGIN, (call) => {
      call.request?.note(ALLOWED, null);
      call.request?.note(ALLOWED, 'org:a');
      return { event_id: 'evt_1' };
    });
    expect(answer).toEqual({ event_id: 'evt_1' });
    expect(rows).toEqual([
      {
        id: expect.stringMatching(/^audit_[0-9a-f]{28}0000$/),
        ts: new Date(NOW).toISOString(),
        actor: 'user:local',
        token_jti: null,
        tenant_id: 'default',
        scope: 'org:a',
        endpoint: 'POST /v1/things',
        capability: 'scope.manage',
        decision: 'allow',
        decided_by_tier: 'deployment',
        request_sha256: `keyed ${'ab'.repeat(32)}`,
        request_id: 'req_1',
        elapsed_ms: expect.any(Number),
        remote: null,
        status: 201,
        event: 'evt_1',
      },
    ]);
  });

  it('names no scope where it was several', async () => {
    const { auditing, rows } = recording();
    await auditing.around(CALL, ORIGIN, (call) => {
      for (const scope of [null, 'org:a', 'org:b', 'org:b']) call.request?.note(ALLOWED, scope);
    });
    expect(rows[0].scope).toBeNull();
  });

  it.each([
    [[], 'unless_off', 1],
    [['off'], 'unless_off', 0],
    [['off', 'off'], 'unless_off', 0],
    [['off', 'on', 'off'], 'unless_off', 1],
    [['on'], 'unless_off', 1],
    [['off'], true, 1],
    [['on'], false, 0],
  ] as const)(
    'about scopes that state %j of an operation that is audited %j: %d',
    async (stated, audited, count) => {
      const { auditing, rows } = recording();
      await auditing.around(CALL, { ...ORIGIN, audited }, (call) => {
        for (const audit of stated) call.request?.concerns(audit);
      });
      expect(rows).toHaveLength(count);
    },
  );

  it('that a scope does not want is left all the same by a refusal', async () => {
    const { auditing, rows } = recording();
    const refused = auditing.around(CALL, { ...ORIGIN, audited: 'unless_off' }, (call) => {
      call.request?.concerns('off');
      call.request?.note(REFUSED, 'org:a');
      throw denied();
    });
    await expect(refused).rejects.toMatchObject({ code: 'POLICY_DENIED' });
    expect(rows).toMatchObject([{ decision: 'deny', scope: 'org:a', status: 403 }]);
  });

  it('has the status of the answer where there are several', async () => {
    const { auditing, rows } = recording();
    await auditing.around(
      CALL,
      ORIGIN,
      () => ({ status: 207 }),
      ({ status }) => status,
    );
    expect(rows[0].status).toBe(207);
  });

  it('is not written twice, nor for what is read, nor for what failed', async () => {
    const { auditing, rows } = recording();
    await auditing.around(CALL, ORIGIN, (call) => {
      if (call.request) call.request.recorded = true;
    });
    await auditing.around(CALL, { ...ORIGIN, audited: false }, () => 1);
    await auditing.around(null, ORIGIN, () => 1);
    const failing = auditing.around(CALL, ORIGIN, () => {
      throw new StrataError('NOT_FOUND', 'no');
    });
    await expect(failing).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(rows).toEqual([]);
  });

  it('that cannot be written fails the request, and is told to log and metrics', async () => {
    const { auditing, metrics, logged } = auditingOn(() => Promise.reject(new Error('away')));
    await expect(auditing.around(CALL, ORIGIN, () => 1)).rejects.toMatchObject({
      code: 'DATABASE_UNAVAILABLE',
    });
    expect(logged).toEqual([
      [expect.any(String), expect.objectContaining({ request_id: 'req_1', error: 'away' })],
    ]);
    expect(await metrics.text()).toMatch(/strata_audit_lost_rows_total\{decision="allow"\} 1/);
  });
});

describe('the row of a refusal', () => {
  it('is there before the refusal, with the capability and the scope that were refused', async () => {
    const { auditing, rows } = recording();
    const refused = auditing.around(CALL, { ...ORIGIN, audited: false }, (call) => {
      call.request?.note(REFUSED, 'org:a');
      throw denied();
    });
    await expect(refused).rejects.toMatchObject({ code: 'POLICY_DENIED' });
    expect(rows).toMatchObject([
      {
        decision: 'deny',
        capability: 'scope.manage',
        scope: 'org:a',
        decided_by_tier: 'tenant',
        status: 403,
      },
    ]);
  });

  it('is written too where something else than the gate refused', async () => {
    const { auditing, rows } = recording();
    await expect(auditing.around(CALL, ORIGIN, () => Promise.reject(denied()))).rejects.toThrow('no');
    expect(rows).toMatchObject([{ decision: 'deny', capability: 'auth.mint', scope: null, status: 403 }]);
  });

  it('is the same for a change of what is hidden as for one of what is not there', async () => {
    const { auditing, rows } = recording();
    const by = { ...CALL, principal: holder('user:a') };
    const missing = () => Promise.reject(new StrataError('NOT_FOUND', 'no'));
    const attempts: ((call: Call) => Promise<never>)[] = [
      (call) => {
        call.request!.named = { capability: 'scope.manage', scope: 'org:a' };
        return missing();
      },
      (call) => {
        call.request!.named = { capability: 'scope.manage', scope: 'org:a' };
        call.request!.note(ALLOWED, 'org:a');
        return missing();
      },
      missing,
    ];
    for (const work of attempts) {
      await expect(auditing.around(by, ORIGIN, work)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(auditing.around(by, { ...ORIGIN, audited: false }, work)).rejects.toThrow();
      await expect(auditing.around(CALL, ORIGIN, work)).rejects.toThrow();
    }
    const told = rows.map(({ id: _, elapsed_ms: __, ...row }) => row);
    expect(told[0]).toMatchObject({
      ...{ decision: 'deny', capability: 'scope.manage', scope: 'org:a', decided_by_tier: 'scope' },
      status: 404,
    });
    expect(told).toEqual([told[0], told[0], { ...told[0], scope: null, decided_by_tier: null }]);
  });

  it('does not keep the refusal from leaving when the database is away', async () => {
    const { auditing, metrics, logged } = auditingOn(() => Promise.reject(new Error('away')));
    await expect(auditing.around(CALL, ORIGIN, () => Promise.reject(denied()))).rejects.toMatchObject({
      code: 'POLICY_DENIED',
    });
    expect(logged).toHaveLength(1);
    expect(await metrics.text()).toMatch(/strata_audit_lost_rows_total\{decision="deny"\} 1/);
  });

  it('does not keep it for ever when the database says nothing', async () => {
    const { auditing } = auditingOn(() => new Promise(() => undefined));
    await expect(auditing.around(CALL, ORIGIN, () => Promise.reject(denied()))).rejects.toMatchObject({
      code: 'POLICY_DENIED',
    });
  });

  it('goes with others that came meanwhile', async () => {
    const { auditing, appends } = recording();
    const refusals = Array.from({ length: 50 }, () =>
      auditing.around(CALL, ORIGIN, () => Promise.reject(denied())),
    );
    await Promise.allSettled(refusals);
    expect(appends.length).toBeLessThan(5);
    expect(appends.reduce((sum, count) => sum + count, 0)).toBe(50);
  });
});

/** Operations that change nothing, though they are sent as if they did; reviewed. */
const CHANGES_NOTHING: Readonly<Record<string, string>> = {
  recall: 'brings memory back',
  answer: 'answers from memory; what models cost is booked as usage',
  compose: 'writes from memory; likewise',
  previewForget: 'says what would go; the preview itself is kept for some minutes',
  previewErasure: 'likewise; its list is kept for a day',
  verifyErasure: 'looks again whether anything is left',
  signup: 'Nobody is recognised yet whose row it could be; the tenant itself tells when it was made.',
  verifyAudit: 'Compares; the body is too large for a query.',
  verifyAuditChain: 'Reads; the path is that of published clients.',
  queryCodeGraph: 'reads code, as do those below; what to read is too large for a query',
  codeInventory: 'likewise',
  codeContext: 'likewise',
  workspaceContext: 'likewise',
  certifyCode: 'likewise',
};

describe('the table of operations', () => {
  it('has every operation that changes something audited', () => {
    const changing = OPERATION_IDS.filter((id) => operationOf(id).method !== 'GET');
    const silent = changing.filter((id) => operationOf(id).audited === undefined);
    expect(silent.sort()).toEqual(Object.keys(CHANGES_NOTHING).sort());
    expect(changing.length).toBeGreaterThan(silent.length);
  });
});
