import type { StatedScope, SweptScope } from '../../graph/retention/scope.ts';
import { StrataError } from '../../src/errors.ts';
import { silentLog } from '../../src/log.ts';
import { RetentionTick, type SweepTask, type TickParts } from '../../src/services/retention-tick.ts';

const LEASE = { tenant: 'default', owner: 'own' };
const DAY_MS = 86_400_000;
const NOW = 100 * DAY_MS;

const TASK: SweepTask = {
  tenant: 'default',
  author: { actor: 'system:strata', endpoint: 'job retention', requestId: 'req_1' },
  scope: null,
  olderThanMs: null,
  maxEvents: 100,
  budgetMs: 1_000,
  deploymentDays: 30,
  admits: null,
  authorizeElsewhere: null,
};

const scopeAt = (path: string, more: Partial<SweptScope> = {}): SweptScope => ({
  ref: `ref of ${path}`,
  path,
  policies: null,
  governed: false,
  progress: null,
  deleting: false,
  ...more,
});

/** What one erasure asks and tells. */
type Watch = Parameters<TickParts['erasing']['erase']>[1];

/** A tick over one old event in each scope; answers what it erased, kept and logged too. */
function tickOf(own: Record<string, unknown> = {}, erase?: (watch: Watch) => Promise<unknown>) {
  const done = { erased: 0, kept: [] as string[], logged: [] as unknown[], asked: [] as string[][] };
  const erasing = {
    isEnding: false,
    erase: async (_expired: unknown, watch: Watch) => {
      if (erase !== undefined) return erase(watch);
      const began = await watch.mayBegin();
      if (typeof began === 'string') return began;
      watch.onRecord({ erased: 1, held: new Set(), erasureId: 'ers_1' });
      done.erased += 1;
      return null;
    },
  };
  const parts = {
    scopes: {
      stated: (refs: string[]) => {
        done.asked.push(refs);
        return Promise.resolve([] as StatedScope[]);
      },
      events: (_ref: string, { after }: { after: number }) =>
        Promise.resolve(after < 1 ? [{ id: 'evt_1', offset: 1, recorded_at: 0, sources: [] }] : []),
    },
    sweeps: {
      renew: () => Promise.resolve(1),
      keepProgress: (_lease: unknown, ref: string) => {
        done.kept.push(ref);
        return Promise.resolve(true);
      },
    },
    lease: LEASE,
    erasing,
    log: { ...silentLog, warn: (_message: string, fields?: object) => done.logged.push(fields) },
    now: () => NOW,
    signal: new AbortController().signal,
    ...own,
  } as unknown as TickParts;
  return { tick: new RetentionTick(parts, TASK, { pass: 1, since: 0, through: 10 }), done };
}

const swept = async ({ tick }: ReturnType<typeof tickOf>, scope: SweptScope) => {
  await tick.learn([scope]);
  return tick.through(scope);
};
const errorsOf = ({ tick }: ReturnType<typeof tickOf>) =>
  tick.report({ cursorBefore: 0, cursorAfter: 0, stopped: 'complete' }).errors;

describe('a sweep of a scope', () => {
  it('erases what is old enough, and keeps how far it is', async () => {
    const own = tickOf();
    expect([await swept(own, scopeAt('org:a')), own.done.erased, own.done.kept.length]).toEqual([null, 1, 1]);
  });

  it('erases nothing once another sweep has taken the tenant over, and keeps nothing either', async () => {
    const lost = tickOf({ sweeps: { renew: () => Promise.resolve(null) } });
    expect([await swept(lost, scopeAt('org:a')), lost.done.erased]).toEqual(['lease_lost', 0]);
    const later = tickOf({
      sweeps: { renew: () => Promise.resolve(1), keepProgress: () => Promise.resolve(false) },
    });
    expect([await swept(later, scopeAt('org:a')), later.done.erased]).toEqual(['lease_lost', 1]);
  });

  it('goes by rules as they are when an erasure begins', async () => {
    const own = tickOf({
      scopes: {
        events: () => Promise.resolve([{ id: 'evt_1', offset: 1, recorded_at: 0, sources: [] }]),
        stated: (refs: readonly string[]) =>
          Promise.resolve(
            refs.map((ref) => ({ ref, policies: '{"retention": {"events": null}}', governed: false })),
          ),
      },
    });
    const scope = scopeAt('org:a');
    await own.tick.learn([]);
    expect([await own.tick.through(scope), own.done.erased]).toEqual(['rules_changed', 0]);
  });

  it('logs what went wrong, and tells the caller what the contract knows alone', async () => {
    const raw = tickOf({}, () => Promise.reject(new Error('bolt://secret')));
    expect(await swept(raw, scopeAt('org:a'))).toBe(null);
    expect(errorsOf(raw)).toEqual([
      { scope: 'org:a', error_code: 'INTERNAL', message: expect.not.stringContaining('secret') },
    ]);
    expect(raw.done.logged).toEqual([expect.objectContaining({ scope: 'org:a', error: 'bolt://secret' })]);
    const cause = new Error('the socket');
    const known = tickOf({}, () => Promise.reject(new StrataError('WAIT_TIMEOUT', 'too long', { cause })));
    await swept(known, scopeAt('org:a'));
    expect(errorsOf(known)).toEqual([{ scope: 'org:a', error_code: 'WAIT_TIMEOUT', message: 'too long' }]);
    expect(known.done.logged).toEqual([
      expect.objectContaining({ error_code: 'WAIT_TIMEOUT', error: 'the socket' }),
    ]);
  });

  it('remembers what scopes state for one page alone', async () => {
    const { tick, done } = tickOf();
    for (const path of ['org:a/ws:1', 'org:a/ws:2']) await tick.learn([scopeAt(path)]);
    expect(done.asked.map((refs) => refs.length)).toEqual([done.asked[0]?.length, done.asked[0]?.length]);
    expect(done.asked[1]).toEqual(expect.arrayContaining([done.asked[0]?.[0]]));
  });
});
