import { layerStats, type LayerStats } from '../../schemas/layer-stats.ts';
import { scopeRef, shardOf } from '../../src/capture/scope-key.ts';
import { message } from '../support/client.ts';
import { query } from '../support/database.ts';
import { statement } from '../support/facts.ts';
import { ownService } from '../support/own-service.ts';
import { allDerived } from '../support/rebuild.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { ask } from './graphql/ask.ts';
import { expectProblem } from './problem.ts';

const own = ownService({ STRATA_TENANTS: 'acme', STRATA_V1_MINTER_ENABLE: '1' });

const stats = async (): Promise<LayerStats['layers']> => {
  const { status, json } = await own.service.get('/v1/admin/layers/stats');
  expect(status).toBe(200);
  return layerStats.parse(json).layers;
};

it('the counts of layers are those of the whole deployment, and say for how much each waits', async () => {
  await allDerived(own.driver);
  const before = await stats();
  const scope = 'org:counted';
  for (const object of ['=tea', '=coffee'])
    expect(
      (await own.service.post('/v1/experience', statement(scope, ['ann', 'likes', object]))).status,
    ).toBe(202);
  const elsewhere = { headers: { 'x-strata-tenant': 'acme' } };
  for (const text of ['one', 'two', 'three'])
    expect((await own.service.post('/v1/experience', message(scope, text), elsewhere)).status).toBe(202);
  await allDerived(own.driver);
  const after = await stats();
  expect(after).toEqual({
    events: { count: before.events.count + 5, lag: 0 },
    episodes: { count: before.episodes.count + 2, lag: 0 },
    facts: { count: before.facts.count + 2, lag: 0 },
    beliefs: { count: before.beliefs.count + 2, lag: 0 },
    understanding: { count: before.understanding.count + 1, lag: 0 },
  });
  const { data, errors } = await ask(
    own.service,
    '{ layerStats { layers { events { count lag } facts { count } } } }',
  );
  expect([data, errors]).toEqual([
    { layerStats: { layers: { events: after.events, facts: { count: after.facts.count } } } },
    undefined,
  ]);

  // As if no worker had come to the two shards yet.
  const shards = ['default', 'acme'].map((tenant) => shardOf(scopeRef(tenant, scope)));
  const events = await query<{ events: number }>(
    own.driver,
    'MATCH (e:Event) WHERE e.shard IN $shards RETURN count(e) AS events',
    { shards },
  );
  await query(
    own.driver,
    'UNWIND $shards AS number MATCH (i:ShardIntake {number: number}) MATCH (s:Shard {number: number}) SET i.indexed = 0, s.consolidated = 0',
    { shards },
  );
  const waiting = await stats();
  const lags = Object.values(waiting).map(({ lag }) => lag);
  expect(lags).toEqual(lags.map(() => events[0]?.events));
});

it('who has no right to see all of a deployment is refused', async () => {
  const { token } = await mintFrom(own.service, { subject: 'user:small', caps: ['scope.*'] });
  const answer = await own.service.get('/v1/admin/layers/stats', { headers: bearer(token, 'user:small') });
  expectProblem(answer, { status: 403, code: 'POLICY_DENIED' });
});
