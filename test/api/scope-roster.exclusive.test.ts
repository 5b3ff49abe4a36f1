import { callBy, codeOf } from '../support/calls.ts';
import { loseAnswerOf } from '../support/lost-answer.ts';
import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { inDepth } from '../support/depth.ts';
import { ANSWER_PATIENCE_MS, PROMISED_SECOND_MS } from '../support/patience.ts';
import { eventually } from '../support/wait.ts';

const SECOND_MS = inDepth(ANSWER_PATIENCE_MS, PROMISED_SECOND_MS);

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ STRATA_TENANTS: 'acme' });
});
afterAll(async () => {
  await service.stop();
});

const scopes = () => service.context.services.scope;
const at = (path: string): string => `/v1/scopes?path=${encodeURIComponent(path)}`;
const member = (actor: string, role = 'owner') => ({ actor, role });

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a roster', () => {
  it('is left by an owner, though the answer of the commit was lost', async () => {
    const path = 'org:left';
    const owned = [member('user:leaving'), member('user:heir')];
    await scopes().register(callBy('user:leaving'), { path, members: owned });
    loseAnswerOf('scope.change');
    const members = [member('user:heir')];
    const answer = await scopes().setMembers(callBy('user:leaving'), { path }, { members });
    expect(answer.members).toEqual(members);
  });

  it('is known to other processes within a second', async () => {
    const other = await startTestService({ STRATA_TENANTS: 'acme' }, { keepData: true });
    try {
      const path = 'org:two-processes';
      const open = () => codeOf(other.context.services.scope.get(callBy('user:x'), { path }));
      await service.post('/v1/experience', message(path, 'x'));
      expect(await open()).toBe('done');
      await service.post('/v1/scopes', { path, owner: 'user:o' });
      await eventually('the roster is known', async () => (await open()) === 'NOT_FOUND', SECOND_MS);
      await service.request('DELETE', `${at(path)}&records=forget`);
      await service.post('/v1/experience', message(path, 'fresh'));
      await eventually('that it is gone is known', async () => (await open()) === 'done', SECOND_MS);
    } finally {
      await other.stop();
    }
  });
});

describe('a reading of a scope', () => {
  it('takes as many round trips for what is hidden as for what is not there', async () => {
    const sent = async (): Promise<number> => {
      const { text } = await service.get('/v1/admin/metrics');
      const lines = text.matchAll(
        /^strata_statement_seconds_count\{statement="(scope|access)\.(record|rules)"\} (\d+)$/gm,
      );
      return [...lines].reduce((sum, [, , , count]) => sum + Number(count), 0);
    };
    const during = async (path: string): Promise<number> => {
      const before = await sent();
      expect(await codeOf(scopes().get(callBy('user:stranger'), { path }))).toBe('NOT_FOUND');
      return (await sent()) - before;
    };
    await service.post('/v1/scopes', { path: 'ws:counted', owner: 'user:o' });
    // Twice each: rules that are remembered are remembered of both.
    const hidden = [await during('ws:counted'), await during('ws:counted')];
    await service.post('/v1/scopes', { path: 'ws:counts', owner: 'user:o' });
    expect([await during('ws:nobody'), await during('ws:nobody')]).toEqual(hidden);
  });
});
