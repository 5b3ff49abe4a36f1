import type { SweptScope } from '../../graph/retention/scope.ts';
import { RetentionSweeping } from '../../src/services/retention-sweeping.ts';
import { BY_OPERATOR, callBy } from '../support/calls.ts';

const REPORT = { scope: 'org:a', errors: [{ scope: 'org:a/ws:b' }] };
const STATE = { after: 'org:a', passed: 7, pass: 1, since: 0, default_days: null, running: false };

/** A tenant of 150 scopes whose last sweep somebody asked for. */
function sweepingOf(actor: string, hidden: readonly string[] = [], more: object = {}) {
  const [pages, asked] = [[] as number[], [] as string[]];
  const sweeping = new RetentionSweeping({
    access: {
      authorize: () => Promise.resolve(),
      readableNow: () => Promise.resolve(({ path }: { path: string }) => !hidden.includes(path)),
    },
    sweeper: {
      hold: () => asked.push('hold') && Promise.resolve(null),
      look: () => asked.push('look') && Promise.resolve(REPORT),
    },
    sweeps: { status: () => Promise.resolve({ ...STATE, last: { report: JSON.stringify(REPORT), actor } }) },
    scopes: {
      walk: (_tenant: string, after: string, limit: number) => {
        pages.push(limit);
        const count = after === '' ? limit : 150 - limit;
        return Promise.resolve(
          Array.from(
            { length: count },
            (_, i) => ({ path: `org:${String(i)}`, policies: null }) as SweptScope,
          ),
        );
      },
    },
    head: { refresh: () => Promise.resolve(), settled: 9 },
    settings: { sweepIntervalMs: 0, maxEventsPerTick: 1, tickBudgetMs: 1_000, defaultDays: null },
    ...more,
  } as never);
  return { sweeping, pages, asked };
}

describe('how sweeps stand', () => {
  it('is told to the operator', async () => {
    const { sweeping, pages } = sweepingOf('user:kim');
    expect(await sweeping.status(BY_OPERATOR)).toMatchObject({ cursor: 7, last: REPORT });
    expect(pages).toEqual([100, 100]);
  });

  it('is told to others as far as they asked for it themselves, and may read what it tells of', async () => {
    const asIf = (actor: string, ...hidden: string[]) =>
      sweepingOf('user:kim', hidden).sweeping.status(callBy(actor));
    expect(await asIf('user:kim')).toMatchObject({ cursor: null, last: REPORT });
    expect(await asIf('user:lee')).toMatchObject({ cursor: null, last: null });
    expect((await asIf('user:kim', 'org:a')).last).toBe(null);
    expect((await asIf('user:kim', 'org:a/ws:b')).last).toBe(null);
  });
});

it('a dry run holds nothing', async () => {
  const { sweeping, asked } = sweepingOf('user:kim');
  expect(await sweeping.sweep(BY_OPERATOR, {})).toEqual(REPORT);
  expect(asked).toEqual(['look']);
  await expect(sweeping.sweep(BY_OPERATOR, { dry_run: false })).rejects.toMatchObject({
    code: 'RETENTION_SWEEP_RUNNING',
  });
});

it('a sweep that takes longer than it is waited for is answered with where to look, and goes on', async () => {
  let isSwept = false;
  let end = (_report: object): void => undefined;
  const sweep = () =>
    new Promise((resolve) => {
      end = (report) => {
        isSwept = true;
        resolve(report);
      };
    });
  const sweeper = { hold: () => Promise.resolve({ lease: {}, state: STATE }), sweep };
  const { sweeping } = sweepingOf('user:kim', [], { sweeper, answerMs: 1 });
  expect(await sweeping.sweep(BY_OPERATOR, { dry_run: false })).toEqual({
    running: true,
    poll: '/v1/admin/retention',
  });
  expect(isSwept).toBe(false);
  end(REPORT);
});
