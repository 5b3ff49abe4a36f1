import { derivedDump, unlike } from '../support/derived-dump.ts';
import { factsOf, statement } from '../support/facts.ts';
import { ownService } from '../support/own-service.ts';
import { allDerived, askForRebuild } from '../support/rebuild.ts';
import { startTestService, type TestService } from '../support/service.ts';

const own = ownService();
let other: TestService;

beforeAll(async () => {
  other = await startTestService({ STRATA_PIPELINE_POLL_MS: '200' }, { keepData: true });
});
afterAll(() => other.stop());

const scope = 'org:shared/ws:words';

async function patch(by: TestService, name: string, body: object): Promise<void> {
  const answer = await by.request('PATCH', `/v1/vocabularies/${name}`, { body });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
}

async function state(by: TestService, ...said: [string, string, string]): Promise<void> {
  const answer = await by.post('/v1/experience?wait=consolidated', statement(scope, said));
  expect([answer.status, answer.text]).toEqual([202, answer.text]);
}

const predicates = async (): Promise<string[]> =>
  (await factsOf(own.driver, scope)).map(({ subject, predicate }) => `${subject} ${predicate}`).sort();

it('what one process is told of words counts in all, lasts, and is derived again as it was', async () => {
  await state(own.service, 'a', 'toils_for', '=x');
  await patch(own.service, 'jobs', {
    scope,
    relations: [{ id: 'serves', aliases: ['toils_for'], cardinality: 'many' }],
  });
  await state(other, 'b', 'toils_for', '=x');
  await state(other, 'b', 'serves', '=y');
  await patch(other, 'jobs', {
    relations: [
      { id: 'serves', aliases: [] },
      { id: 'labours_for', aliases: ['toils_for'] },
    ],
  });
  await state(own.service, 'c', 'toils_for', '=x');
  await patch(other, 'jobs', { scope: 'org:elsewhere' });
  await state(own.service, 'd', 'toils_for', '=x');
  // Of the last of several changes before one event, that alone counts.
  await patch(own.service, 'jobs', { scope: null });
  await patch(other, 'jobs', { relations: [{ id: 'labours_for', active: false }] });
  await patch(own.service, 'more', {
    scope: 'org:shared',
    predicates: [{ id: 'drudges_for', aliases: ['toils_for'] }],
  });
  await state(other, 'e', 'toils_for', '=x');
  const removed = await own.service.request('DELETE', '/v1/vocabularies/more');
  expect(removed.status).toBe(204);
  await state(other, 'f', 'toils_for', '=x');
  const expected = [
    'a toils_for',
    'b serves',
    'b serves',
    'c labours_for',
    'd toils_for',
    'e drudges_for',
    'f toils_for',
  ];
  expect(await predicates()).toEqual(expected);

  await allDerived(own.driver);
  const before = await derivedDump(own.driver);
  await own.restart();
  await askForRebuild(own.database, scope);
  await allDerived(own.driver);
  expect(await predicates()).toEqual(expected);
  expect(unlike(before, await derivedDump(own.driver))).toEqual({ lost: [], new: [] });
});

it('changes of one tenant come one after another, and none is lost', async () => {
  const made = Array.from({ length: 12 }, (_, i) => i);
  await Promise.all(
    made.map((i) =>
      patch(i % 2 === 0 ? own.service : other, i < 8 ? 'busy' : `busy-${String(i)}`, {
        terms: [{ id: `t${String(i)}`, aliases: [`alias ${String(i)}`] }],
        predicates: [{ id: `p${String(i)}` }],
      }),
    ),
  );
  const busy = (await other.get('/v1/vocabularies/busy')).json;
  const ids = ({ items }: { items: readonly { id: string }[] }): string[] => items.map(({ id }) => id).sort();
  expect([ids({ items: busy.terms }), ids({ items: busy.predicates }), busy.revision]).toEqual([
    made.slice(0, 8).map((i) => `t${String(i)}`),
    made.slice(0, 8).map((i) => `p${String(i)}`),
    8,
  ]);
  const { items } = (await own.service.get('/v1/vocabularies?limit=100')).json;
  expect(items).toHaveLength(1 + 1 + 4);
});
