import { CLAIM_END } from '../../src/pipeline/consolidation.ts';
import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import { OPEN_END } from '../../schemas/time.ts';
import { scopeRef, shardOf } from '../../src/capture/scope-key.ts';
import { systemIds } from '../../src/ids.ts';
import { EPISODE_IDLE_MS } from '../../src/limits.ts';
import { EpisodeSweep } from '../../src/pipeline/episode-sweep.ts';
import { patientDatabase, query, testDriver } from '../support/database.ts';
import { derivedDump, unlike } from '../support/derived-dump.ts';
import { allDerived, askForRebuild } from '../support/rebuild.ts';
import { statement } from '../support/facts.ts';
import { startWarmService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { inDepth, SEED } from '../support/depth.ts';
import { historiesOf } from './rebuild-histories.ts';
import { Play } from './rebuild-play.ts';

// Dropping what is derived and deriving it again leaves the same records to the byte, whatever the history was.

const SCOPES = inDepth(4, 24);
const STEPS = 12;

let service: TestService;
let driver: Driver;
let database: Database;

beforeAll(async () => {
  service = await startWarmService({
    STRATA_PIPELINE_POLL_MS: '200',
    STRATA_PIPELINE_BATCH_EVENTS: '7',
    STRATA_LOG_LEVEL: 'warn',
  });
  driver = testDriver();
  database = patientDatabase();
});
afterAll(async () => {
  await database.close();
  await driver.close();
  await service.stop();
});

const scopeOf = (i: number): string => `org:r/ws:${i}`;

/** Rebuilds a scope, or everything. */
async function rebuild(scope: string | null): Promise<void> {
  await askForRebuild(database, scope);
  await allDerived(driver);
}

/** Seals what is open, as if a week had passed. */
async function seal(scope: string): Promise<void> {
  const number = shardOf(scopeRef('default', scope));
  const [lease] = await query<{ owner: string; epoch: number }>(
    driver,
    'MATCH (s:Shard {number: $number}) RETURN s.owner AS owner, s.epoch AS epoch',
    { number: BigInt(number) },
  );
  if (lease === undefined) throw new Error('no shard');
  const sweep = new EpisodeSweep({
    writer: database,
    worker: lease.owner,
    ids: systemIds,
    window: EPISODE_IDLE_MS,
    batch: 3,
    // The log has the newest instant of all that it was told, so each sweep comes later than the one before.
    clock: { now: () => Date.now() + EPISODE_IDLE_MS + 60_000 },
  });
  const watermarks = { extracted: 0, indexed: 0, consolidated: 0 };
  while (await sweep.round([{ number, epoch: lease.epoch, watermarks }]));
}

async function play(seed: number): Promise<void> {
  expect((await service.post('/v1/scopes', { path: 'org:r' })).status).toBe(201);
  const histories = historiesOf(seed, { scopes: SCOPES, steps: STEPS });
  const plays = histories.map((_, i) => new Play(service, { driver, database }, scopeOf(i)));
  for (let at = 0; at < STEPS; at += 1) {
    for (const [i, own] of plays.entries()) {
      const next = histories[i]?.[at];
      if (next !== undefined) await own.act(next);
    }
    if (at % 4 === 1) await allDerived(driver);
    if (at === 9) for (const { scope } of plays.slice(0, 10)) await seal(scope);
  }
  for (const own of plays.slice(5)) await own.release();
  await allDerived(driver);
  for (const { scope } of plays.slice(6, 14)) await seal(scope);
  for (const own of plays.slice(20, 22)) await own.forget();
  await allDerived(driver);
}

/** How often histories did what happens in few of them; resolutions and long claims are stored with the events that state them. */
async function rareSteps(): Promise<Record<string, number>> {
  const [row] = await query<Record<string, number>>(
    driver,
    `RETURN COUNT { (e:Event) WHERE e.content_kind = 'declared_belief' } AS declared,
       COUNT { (e:Event) WHERE e.content_kind = 'conflict_resolution' } AS settled,
       COUNT { (:LogEntry {kind: 'forget'})-[:FORGETS]->() } AS wishes, COUNT { (:Synthesis) } AS syntheses, COUNT { (:MultiValueStatement) } AS kept,
       COUNT { (s:Statement) WHERE s.policy = 'highest_confidence' } AS weighed,
       COUNT { (s:Statement) WHERE s.premises IS NOT NULL } AS concluded,
       COUNT { MATCH (s:Statement) WITH s.claim AS claim, count(s) AS statements WHERE statements > $end RETURN claim } AS long`,
    { end: BigInt(CLAIM_END) },
  );
  return row ?? {};
}

async function frames(): Promise<number> {
  const [row] = await query<{ value: number }>(
    driver,
    `MATCH (c:Counter {name: 'lifecycle'}) RETURN c.value AS value`,
  );
  return row?.value ?? 0;
}

describe('an event that the database refuses', () => {
  const scope = 'org:refused/ws:a';
  const named = (i: number) =>
    statement(scope, [`ent_n${i}`, 'lives in', `=place ${i}`], { idempotency_key: `n${i}` });
  const subjects = async (): Promise<string[]> =>
    (await service.get(`/v1/facts?scope=${scope}&limit=100`)).json.items
      .map((one: any) => one.subject.id)
      .sort();
  const holds = () =>
    query<{ id: string; state: string; reason: string }>(
      driver,
      'MATCH (h:StageRetry) RETURN h.event_id AS id, h.state AS state, h.reason AS reason',
    );
  const REFUSED = 'Neo.ClientError.Schema.ConstraintValidationFailed';
  let bad: string;

  beforeAll(() =>
    // No event states a value that another one stated: of the two that do, the second is refused.
    query(driver, 'CREATE CONSTRAINT refused FOR (s:Statement) REQUIRE s.value IS UNIQUE'),
  );
  afterAll(() => query(driver, 'DROP CONSTRAINT refused IF EXISTS'));

  it('is parked by the stage with the reason, and those behind it are derived', async () => {
    const poison = statement(scope, ['ent_bad', 'lives in', '=place 2'], { idempotency_key: 'bad' });
    const items = [...[0, 1, 2, 3].map(named), poison, ...[5, 6, 7, 8, 9].map(named)];
    // A busy machine may take it and not answer in time.
    const { json } = await eventually('an answer to the bulk', async () => {
      const answer = await service.post('/v1/experience/bulk', { items });
      return answer.status !== 503 && answer;
    });
    bad = json.results[4].event_id;
    await allDerived(driver);
    expect(await holds()).toEqual([
      { id: bad, state: 'failed', reason: `consolidated failed 3 times: ${REFUSED}` },
    ]);
    expect(await subjects()).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9].map((i) => `ent_n${i}`));
    const { json: status } = await service.get(`/v1/derivation/status?scope=${scope}`);
    expect(status).toMatchObject({ failed: 1, held: 0 });
  });

  it('is parked by a rebuild, which derives the others', async () => {
    await query(driver, 'MATCH (h:StageRetry) DELETE h');
    await rebuild(scope);
    const reason = `consolidated, in a rebuild, failed 3 times: ${REFUSED}`;
    expect(await holds()).toEqual([{ id: bad, state: 'failed', reason }]);
    expect(await subjects()).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9].map((i) => `ent_n${i}`));
  });

  it('is derived when it is sent again, once the database takes it', async () => {
    await query(driver, 'DROP CONSTRAINT refused');
    await service.post(
      '/v1/experience?wait=consolidated',
      statement(scope, ['ent_bad', 'lives in', '=place 2'], { idempotency_key: 'bad' }),
    );
    await allDerived(driver);
    expect(await holds()).toEqual([]);
    expect(await subjects()).toContain('ent_bad');
  });
});

// In front of the random histories, which seal as if weeks had passed: their log is ahead of the clock.
describe('a rebuild of a scope', () => {
  async function comesToTheSame(scope: string): Promise<void> {
    await allDerived(driver);
    const before = await derivedDump(driver);
    await rebuild(scope);
    expect(unlike(before, await derivedDump(driver))).toEqual({ lost: [], new: [] });
  }

  async function captured(envelope: object): Promise<string> {
    const { status, json } = await service.post('/v1/experience?wait=consolidated', envelope);
    expect(status).toBe(202);
    return json.event_id as string;
  }

  it('finds what a conclusion rests on among what it derives together with it', async () => {
    const scope = 'org:again/ws:premise';
    await captured(statement(scope, ['ent_ada', 'lives in', 'ent_paris']));
    const [fact] = (await service.get(`/v1/facts?scope=${scope}`)).json.items;
    await captured(statement(scope, ['ent_ada', 'speaks', 'ent_french'], { derived_from: [fact.id] }));
    const declared = { scope, statement: 'It is so.', confidence: 0.5, supports: [fact.id] };
    expect((await service.post('/v1/beliefs', declared)).status).toBe(201);
    await comesToTheSame(scope);
  });

  it('finds what came late in front of the end of a long claim, at the instant at which the claim went on', async () => {
    const scope = 'org:again/ws:undercut';
    const lives = (day: string, where: string) =>
      statement(scope, ['ent_ada', 'lives in', where], { valid_from: day });
    // As many as leave room for the two in one batch of seven of the rebuild; they come to be in two where they are captured.
    const monthly = Array.from({ length: CLAIM_END + 21 }, (_, i) =>
      lives(new Date(Date.UTC(2001, i, 1)).toISOString().slice(0, 10), `ent_${'xy'[i % 2]}`),
    );
    const others = Array.from({ length: 6 }, (_, i) =>
      statement(scope, [`ent_other${i}`, 'lives in', 'ent_z']),
    );
    const late = lives('2002-03-15', 'ent_y');
    const second = [...others.slice(0, 2), late, ...others.slice(2), lives('2010-01-01', 'ent_y')];
    for (const items of [monthly, second]) {
      expect((await service.post('/v1/experience/bulk', { items })).status).toBe(202);
      await allDerived(driver);
    }
    const recorded = await query<{ at: number }>(
      driver,
      'MATCH (e:Event {scope: $scope}) RETURN DISTINCT e.recorded_at AS at',
      { scope },
    );
    expect(recorded).toHaveLength(2);
    await comesToTheSame(scope);
  });

  it('finds later stretches of a conclusion cited that was told once more meanwhile', async () => {
    const scope = 'org:again/ws:stretches';
    const lives = ['ent_ada', 'lives in', 'ent_paris'] as const;
    const first = { valid_from: '2010-01-01', valid_to: '2012-01-01' };
    await captured(statement(scope, lives, first));
    await captured(statement(scope, lives, { valid_from: '2014-01-01', valid_to: '2016-01-01' }));
    const [fact] = (await service.get(`/v1/facts?scope=${scope}&include_superseded=true`)).json.items;
    const concluded = { valid_from: '2009-01-01', derived_from: [fact.id] };
    await captured(statement(scope, ['ent_ada', 'speaks', 'ent_french'], concluded));
    await captured(statement(scope, lives, first));
    await comesToTheSame(scope);
  });

  it('finds what others conclude from what it derives after a later stretch of theirs was told', async () => {
    const [scope, other] = ['org:again/ws:late', 'org:again/ws:concluding'];
    const state = (subject: string) =>
      statement(scope, [subject, 'state', '=fine'], { valid_from: '2000-01-01' });
    await captured(state('ent_a'));
    // More than one batch lies between the two.
    for (let i = 0; i < 8; i += 1) await captured(state(`ent_between${i}`));
    await captured(state('ent_z'));
    const { items } = (await service.get(`/v1/facts?scope=${scope}`)).json;
    const idOf = (id: string): string => items.find(({ subject }: any) => subject.id === id).id;
    const concluded = (from: string, to: string | undefined, on: string) =>
      statement(other, ['ent_q', 'state', '=fine'], {
        valid_from: from,
        ...(to === undefined ? {} : { valid_to: to }),
        derived_from: [idOf(on)],
      });
    await captured(concluded('2010-01-01', '2012-01-01', 'ent_a'));
    await captured(concluded('2014-01-01', undefined, 'ent_z'));
    await comesToTheSame(scope);
  });

  it('draws the edges of entities that are one, also of those that were linked before anything was known of them', async () => {
    const scope = 'org:again/ws:linked';
    const link = async (entity: string, same_as: string): Promise<any> => {
      const { json } = await service.post('/v1/entities/link', { scope, entity, same_as });
      return json;
    };
    const edges = () =>
      query<{ edge: unknown[] }>(
        driver,
        `MATCH (a:Entity {scope: $scope})-[s:SAME_AS]->(b)
           RETURN [a.id, b.id, s.link_id, s.recorded_from, s.recorded_to] AS edge ORDER BY a.id`,
        { scope },
      );
    await captured(statement(scope, ['ent_cat', 'likes', 'ent_tea']));
    const late = await link('ent_ada', 'ent_ida');
    await captured(statement(scope, ['ent_ada', 'lives in', 'ent_paris']));
    const ended = await link('ent_cat', 'ent_tom');
    await service.request('DELETE', `/v1/entities/link/${ended.link_id}`);
    await allDerived(driver);
    const drawn = await edges();
    expect(drawn.map(({ edge }) => edge)).toEqual([
      ['ent_ada', 'ent_ida', late.link_id, Date.parse(late.recorded_at), OPEN_END],
      ['ent_cat', 'ent_tom', ended.link_id, Date.parse(ended.recorded_at), expect.any(Number)],
    ]);
    expect(drawn[1]?.edge.at(-1)).toBeLessThan(OPEN_END);
    await comesToTheSame(scope);
    expect(await edges()).toEqual(drawn);
  });

  it('leaves statements of events that were taken out as they were, by every policy', async () => {
    const scope = 'org:again/ws:kept';
    const policies = { conflict_resolution: 'keep_both' };
    expect((await service.post('/v1/scopes', { path: scope, policies })).status).toBe(201);
    const id = await captured(statement(scope, ['ent_ada', 'lives in', 'ent_paris']));
    expect((await service.post(`/v1/lifecycle/memory-event/${id}/cancel`)).status).toBe(200);
    await comesToTheSame(scope);
  });
});

describe('a rebuild', () => {
  let before: string[];

  beforeAll(async () => {
    await play(SEED);
    before = await derivedDump(driver);
  });

  it('of everything leaves what was there, to the byte, and no frame', async () => {
    const framed = await frames();
    await rebuild(null);
    expect({ seed: SEED, ...unlike(before, await derivedDump(driver)) }).toEqual({
      seed: SEED,
      lost: [],
      new: [],
    });
    expect(await frames()).toBe(framed);
    expect(before.length).toBeGreaterThan(1000);
    const rare = await rareSteps();
    expect({
      seed: SEED,
      ...rare,
      never: Object.keys(rare).filter((step) => rare[step] === 0),
    }).toMatchObject({
      never: [],
    });
  });

  it('of one scope leaves others, and what they conclude from it, as they were', async () => {
    for (const i of [0, 7, 15]) await rebuild(scopeOf(i));
    expect({ seed: SEED, ...unlike(before, await derivedDump(driver)) }).toEqual({
      seed: SEED,
      lost: [],
      new: [],
    });
  });
});
