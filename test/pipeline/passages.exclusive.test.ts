import type { Driver } from 'neo4j-driver';

import { scopeRef } from '../../src/capture/scope-key.ts';
import { observedDay, tagOf } from '../../src/capture/search-tags.ts';
import { query, testDriver } from '../support/database.ts';
import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import fc from '../support/property.ts';
import { inDepth } from '../support/depth.ts';
import { HISTORY, passagesOf, PassagePlay } from './passage-history.ts';

let service: TestService;
let driver: Driver;

beforeAll(async () => {
  service = await startTestService({ STRATA_PIPELINE_POLL_MS: '200' });
  driver = testDriver();
  // Histories are told at once: a cold server plans for longer than a request waits.
  await eventually('the statements to be planned', async () => {
    const captured = await service.post('/v1/experience?wait=indexed', message('org:cold', 'cold'));
    return captured.status === 202 && (await cancel(String(captured.json.event_id))) === 200;
  });
});
afterAll(async () => {
  await driver.close();
  await service.stop();
});

async function cancel(id: string): Promise<number> {
  return (await service.request('POST', `/v1/lifecycle/memory-event/${id}/cancel`)).status;
}

/** What the index finds, best first. */
async function found(text: string): Promise<{ id: string; kind: string; score: number }[]> {
  await service.context.passages.refreshed();
  return query(
    driver,
    `CALL db.index.fulltext.queryNodes('passage_text', $text) YIELD node, score
     RETURN coalesce(node.event_id, 'session') AS id, node.kind AS kind, score ORDER BY score DESC, id`,
    { text },
  );
}

const saidIn = async (scope: string, text: string, more: object = {}): Promise<string> => {
  const body = message(scope, text, { observed_actor: { id: 'user:ann', session: 's' }, ...more });
  return String((await service.post('/v1/experience?wait=indexed', body)).json.event_id);
};

describe('windows and sessions', () => {
  it('are those of the turns that are there, whatever came and went', async () => {
    let plays = 0;
    await fc.assert(
      fc.asyncProperty(HISTORY, async (history) => {
        plays += 1;
        const play = new PassagePlay(service, `p${plays}`);
        await play.play(history);
        for (const scope of play.scopes) {
          const { turns, alone, sessions, naive } = await passagesOf(driver, scope);
          expect(turns).toEqual(naive.windows);
          expect(sessions).toEqual(naive.sessions);
          const expected = play.live.filter(({ said }) => play.scopes[said.scope] === scope);
          expect(new Map([...turns, ...alone].map(({ event_id, text }) => [event_id, text]))).toEqual(
            new Map(expected.map((event) => [event.id, play.indexed(event)])),
          );
          const stated = expected.filter(({ said }) => said.stated).map(({ id }) => id);
          expect(alone.map(({ event_id }) => event_id).sort()).toEqual(stated.sort());
          for (const passage of alone)
            for (const name of ['place', 'segment', 'window_1', 'window_3'])
              expect(passage).not.toHaveProperty(name);
          const inThreads = [...turns].sort((a, b) => a.wal_offset - b.wal_offset);
          expect(inThreads.sort((a, b) => (a.thread < b.thread ? -1 : a.thread > b.thread ? 1 : 0))).toEqual(
            turns,
          );
        }
      }),
      { numRuns: inDepth(2, 6), endOnFailure: true },
    );
  });

  it('hold nothing of an event that was cancelled or replaced, or whose scope was deleted', async () => {
    const scope = 'org:gone/user:a';
    const replaced = { idempotency_key: 'k' };
    for (const text of ['one', 'two', 'three']) await saidIn(scope, text);
    const id = await saidIn(scope, 'the xylograph');
    await saidIn(scope, 'a zyzzyva', replaced);
    for (const text of ['five', 'six']) await saidIn(scope, text);
    const kinds = async (words: string): Promise<string[]> =>
      (await found(words)).map(({ kind }) => kind).sort();
    const six = ['turn', 'turn', 'turn', 'turn', 'turn', 'turn'];
    expect(await kinds('xylograph')).toEqual(['session', ...six, ...six.slice(0, 1)]);
    expect(await kinds('zyzzyva')).toEqual(['session', ...six]);
    expect(await cancel(id)).toBe(200);
    await saidIn(scope, 'an aardvark', { ...replaced, on_conflict: 'replace' });
    expect(await kinds('xylograph zyzzyva')).toEqual([]);
    expect(await kinds('aardvark')).toContain('session');
    const deleted = await service.request(
      'DELETE',
      `/v1/scopes?path=${encodeURIComponent(scope)}&records=forget`,
    );
    expect(deleted.status).toBeLessThan(300);
    expect(await kinds(`scope_ref:${scopeRef('default', scope)}`)).toEqual([]);
  });
});

describe('a search of the index', () => {
  it('meets whoever speaks, and words of any ending', async () => {
    const scope = 'org:speaks/user:a';
    const body = { observed_actor: { id: 'user:caroline' } };
    const { json } = await service.post(
      '/v1/experience?wait=indexed',
      message(scope, 'we adopted a dog', body),
    );
    await saidIn(scope, 'nothing of the kind');
    const search = (text: string) => service.context.passages.search(scopeRef('default', scope), text, 10);
    for (const text of ["Caroline's", 'adoption dogs'])
      expect((await search(text)).map(({ event_id }) => event_id)).toEqual([json.event_id]);
  });

  it('is narrowed by scope, tags and days without another score', async () => {
    const scope = 'org:narrow/user:a';
    const ref = scopeRef('default', scope);
    const days = [
      '2026-01-30T10:00:00Z',
      '2026-01-31T23:00:00Z',
      '2026-02-01T00:00:00Z',
      '0001-01-01T00:00:00Z',
    ];
    const ids: string[] = [];
    for (const [i, observed_at] of days.entries())
      ids.push(
        await saidIn(scope, `ostrich ${'egg '.repeat(i)}`, { context: { observed_at, labels: [`n${i}`] } }),
      );
    await saidIn(scope, 'only emus', { context: { labels: ['n0'] } });
    await saidIn('org:narrow/user:b', 'ostrich egg', { context: { labels: ['n0'] } });
    const words = '(text:(ostrich egg)^0.7 window_1:(ostrich egg) window_3:(ostrich egg)^0.5)';
    const tags = [0, 1, 2].map((i) => tagOf('label', `n${i}`)).join(' ');
    const until = observedDay(Date.parse('2026-01-31T00:00:00Z'));
    // While the index merges, what was deleted stops counting, and scores change between two searches.
    const narrow = await eventually('scores that narrowing does not change', async () => {
      const scores = new Map((await found(words)).map(({ id, score }) => [id, score]));
      const hits = await found(
        `+scope_ref:${ref}^0 +tags:(${tags})^0 +observed_day:[d00010101 TO ${until}]^0 +${words}`,
      );
      return hits.every(({ id, score }) => Math.abs(score - (scores.get(id) ?? 0)) < 1e-5) && hits;
    });
    expect(narrow.map(({ id }) => id).sort()).toEqual(ids.slice(0, 2).sort());
    expect(
      (await found(`+scope_ref:${ref} +observed_day:[d00010101 TO d00010101]`)).map(({ id }) => id),
    ).toEqual(ids.slice(3));
    const below = scopeRef('default', 'org:narrow');
    expect(
      new Set((await found(`+scope_tokens:${below}^0 +session_text:(ostrich)`)).map(({ kind }) => kind)),
    ).toEqual(new Set(['session']));
  });
});
