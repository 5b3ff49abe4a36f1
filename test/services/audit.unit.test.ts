import { CHAIN_BEGINNING } from '../../graph/audit.ts';
import { EMPTY_CHAIN, sealed } from '../../src/audit/chain.ts';
import { toBatch, type AuditEntry, type StoredBatch } from '../../src/audit/batch.ts';
import { requestHasher } from '../../src/audit/request-hash.ts';
import { AuditService } from '../../src/services/audit.ts';
import { callBy } from '../support/calls.ts';
import { OPERATOR } from '../support/principals.ts';

const ENTRY: AuditEntry = {
  ts: '2026-01-31T12:00:00.000Z',
  actor: 'user:a',
  token_jti: null,
  tenant_id: 'default',
  scope: 'org:a',
  endpoint: 'POST /v1/experience',
  capability: 'scope.write',
  decision: 'allow',
  decided_by_tier: 'deployment',
  request_sha256: null,
  request_id: 'req_1',
  remote: null,
  elapsed_ms: 1,
};

/** A sealed chain of so many batches, with what the chain says of its end. */
function chainOf(tenant: string, count: number, more: Partial<AuditEntry> = {}) {
  let head = EMPTY_CHAIN;
  const batches = Array.from({ length: count }, (_, n): StoredBatch => {
    const open = {
      ...toBatch(`audit_${String(n).padStart(28, '0')}0000`, tenant, [
        { ...ENTRY, ...more, tenant_id: tenant },
      ]),
      ...{
        sequence: n + 1,
        told: [],
        prev_hash: null,
        end_hash: null,
        marks: null,
        first_index: null,
      },
    };
    const next = sealed(head, open);
    head = next.head;
    return { ...open, ...next.seal };
  });
  return { batches, chain: { ...head, sealed_sequence: count } };
}

/** A service over chains of ten batches, which are read once `read` resolves. */
function serviceOf(read: Promise<void> = Promise.resolve()): AuditService {
  const reader = {
    chain: async (tenant: string) => {
      await read;
      return { chain: chainOf(tenant, 10).chain, start: CHAIN_BEGINNING, open: false };
    },
    oldest: ({ tenant, after }: { tenant: string; after: number }) =>
      Promise.resolve(after === 0 ? chainOf(tenant, 10).batches : []),
  };
  const access = { authorize: () => Promise.resolve() };
  const sealer = { upToDate: () => Promise.resolve(10) };
  return new AuditService({ access, reader, sealer } as never);
}

const by = (tenant: string) => callBy('user:a', { tenant });

describe('the verification of a chain', () => {
  it('asks for an object, where it is given something', async () => {
    await expect(serviceOf().verifyChain(by('default'), null)).rejects.toMatchObject({
      code: 'INVALID_BODY',
    });
  });

  it('lets others have their turn after each batch', async () => {
    let turns = 0;
    const other = (): void => {
      turns += 1;
      pending = setImmediate(other);
    };
    let pending = setImmediate(other);
    expect(await serviceOf().verifyChain(by('default'), {})).toMatchObject({ valid: true, length: 10 });
    clearImmediate(pending);
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('runs once at a time for a tenant, so that none keeps all others from theirs', async () => {
    let go = (): void => undefined;
    const service = serviceOf(new Promise<void>((resolve) => (go = resolve)));
    const first = service.verifyChain(by('loud'), {});
    const again = service.verifyChain(by('loud'), {});
    await expect(again).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    const quiet = service.verifyChain(by('quiet'), {});
    const third = service.verifyChain(by('third'), {});
    await expect(third).rejects.toMatchObject({ code: 'SERVER_BUSY' });
    go();
    expect(await Promise.all([first, quiet])).toMatchObject([{ valid: true }, { valid: true }]);
    expect(await service.verifyChain(by('loud'), {})).toMatchObject({ valid: true });
  });

  /** A chain of ten batches, read two at a time, of which one more is removed at each look but the last; the word for what is gone may be false. */
  function shrinking(looks: number, hashOf = (hash: string): string => hash) {
    const { batches, chain } = chainOf('default', 10);
    let looked = 0;
    const read: number[] = [];
    const reader = {
      chain: () => {
        const gone = Math.min(looked++, looks);
        const last = batches[gone - 1];
        const start =
          last === undefined
            ? CHAIN_BEGINNING
            : { head_hash: hashOf(last.end_hash ?? ''), length: gone, sequence: gone };
        return Promise.resolve({ chain, start, open: false });
      },
      oldest: ({ after, to }: { after: number; to: number }) => {
        const page = batches.filter(({ sequence }) => sequence > after && sequence <= to).slice(0, 2);
        read.push(...page.map(({ sequence }) => sequence));
        return Promise.resolve(page);
      },
    };
    const access = { authorize: () => Promise.resolve() };
    const sealer = { upToDate: () => Promise.resolve(10) };
    return { service: new AuditService({ access, reader, sealer } as never), read };
  }

  it('goes on where rows are removed meanwhile, and walks to the next place that it knows alone', async () => {
    const { service, read } = shrinking(6);
    expect(await service.verifyChain(by('default'), {})).toMatchObject({
      valid: true,
      length: 10,
      removed_rows: 6,
    });
    expect(read).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 2, 4, 6]);
  });

  it('finds that what stands for removed rows is not what was walked', async () => {
    const { service } = shrinking(2, () => 'f'.repeat(64));
    expect(await service.verifyChain(by('default'), {})).toMatchObject({
      valid: false,
      first_broken_index: 2,
    });
  });
});

describe('a verification of a body', () => {
  const body = '{"scope":"org:a"}';
  const hash = requestHasher('k'.repeat(43));

  it.each([
    ['keyed, as rows hold it now', hash.ofBody(body).keyed],
    ['plain, as rows of before hold it', hash.ofBody(body).plain],
  ])('compares it with the hash that the row holds: %s', async (_what, request_sha256) => {
    const { batches } = chainOf('default', 1, { request_sha256 });
    const reader = { batch: () => Promise.resolve(batches[0]) };
    const access = {
      authorize: () => Promise.resolve(),
      decide: () => Promise.resolve({ outcome: 'allowed' }),
    };
    const sealer = { upToDate: () => Promise.resolve(1) };
    const service = new AuditService({ access, reader, sealer, requestHash: hash } as never);
    const verify = (text: string) =>
      service.verify({ ...by('default'), principal: OPERATOR }, { audit_id: batches[0]!.id, body: text });
    expect(await verify(body)).toMatchObject({
      valid: true,
      request_sha256,
      computed_sha256: request_sha256,
    });
    expect(await verify(`${body} `)).toMatchObject({ valid: false, row_hash_valid: true });
  });
});
