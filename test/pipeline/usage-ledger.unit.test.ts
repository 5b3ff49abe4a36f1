import type { UsageSum } from '../../graph/usage.ts';
import { silentLog } from '../../src/log.ts';
import { readUsage, MOST_TOLD_TOKENS } from '../../src/models/chat.ts';
import type { Spent } from '../../src/models/call-site.ts';
import { UsageLedger } from '../../src/pipeline/usage-ledger.ts';

/** A ledger over a store that fails as it is told. */
function ledgerOf(failure: (sums: readonly UsageSum[]) => Error | null) {
  const written: UsageSum[] = [];
  const store = {
    add: (sums: readonly UsageSum[]) => {
      const error = failure(sums);
      if (error !== null) return Promise.reject(error);
      written.push(...sums);
      return Promise.resolve();
    },
    sums: () => Promise.resolve([]),
  };
  const parts = { store, clock: { now: () => 0 }, log: silentLog };
  return {
    ledger: new UsageLedger(parts as unknown as ConstructorParameters<typeof UsageLedger>[0]),
    written,
  };
}

const cost = (inputTokens: number): Spent => ({
  role: 'answer',
  model: 'm',
  ok: true,
  inputTokens,
  outputTokens: 1,
});
const place = (tenant: string) => ({ tenant, scope_ref: `s-${tenant}` });

describe('the ledger of usage', () => {
  it('writes what others spent though one sum is refused, and does not try that again', async () => {
    const { ledger, written } = ledgerOf((sums) =>
      sums.some(({ tenant }) => tenant === 't3') ? new RangeError('1e+300 is no safe integer') : null,
    );
    for (let i = 0; i < 7; i += 1) ledger.spent(place(`t${i}`), cost(i));
    await ledger.flush();
    expect(written.map(({ tenant }) => tenant).sort()).toEqual(['t0', 't1', 't2', 't4', 't5', 't6']);
    ledger.spent(place('t0'), cost(5));
    await ledger.flush();
    expect(written.slice(6)).toMatchObject([{ tenant: 't0', input_tokens: 5 }]);
  });

  it('keeps what was spent while the database is away', async () => {
    let away = true;
    const gone = Object.assign(new Error('gone'), { code: 'ServiceUnavailable' });
    const { ledger, written } = ledgerOf(() => (away ? gone : null));
    ledger.spent(place('a'), cost(2));
    await ledger.flush();
    ledger.spent(place('a'), cost(3));
    away = false;
    await ledger.flush();
    expect(written).toMatchObject([{ tenant: 'a', calls: 2, input_tokens: 5 }]);
  });

  it.each([1e300, 1e16, Infinity, NaN, -1, '7', MOST_TOLD_TOKENS + 1])(
    'takes %p tokens for none told',
    (told) => {
      expect(readUsage.parse({ prompt_tokens: told, completion_tokens: 3.4 })).toEqual({
        prompt_tokens: 0,
        completion_tokens: 3,
      });
    },
  );
});
