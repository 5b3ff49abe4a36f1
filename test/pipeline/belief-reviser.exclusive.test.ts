import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import { migrate } from '../../graph/migrate.ts';
import { NOTHING_STANDS } from '../../src/derive/belief/evidence.ts';
import type { BeliefRow } from '../../src/derive/belief/revise.ts';
import type { Evidence } from '../../src/derive/belief/weight.ts';
import type { ClaimChange } from '../../src/derive/claim/change.ts';
import { BeliefReviser, type BeliefRevised } from '../../src/pipeline/belief-reviser.ts';
import { BeliefShelf, changeOf, dumped, merged, partsOf, story } from '../derive/belief-story.ts';
import { GRAPH, graphOf, inOrder, type BeliefGraph } from './belief-graph.ts';
import { patientDatabase, query, testDriver, wipe } from '../support/database.ts';
import { KEYED_IDS } from '../support/keyed-ids.ts';
import fc from '../support/property.ts';
import { inDepth } from '../support/depth.ts';

let driver: Driver;
let database: Database;

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  database = patientDatabase();
  await migrate(database, await database.serverVersion());
  await query(
    driver,
    `UNWIND range(0, 8) AS i
     CREATE (:Event {id: 'e' + i, wal_offset: i + 1})
     CREATE (:Statement:Fact {id: 's' + i, fact_id: 's' + i, position: i + 1})`,
  );
  // The reasons that declarations of a story name.
  await query(
    driver,
    `UNWIND [1, 2] AS i
     CREATE (:Event {id: 'event ' + i, wal_offset: 100 + i})
     CREATE (:Statement:Fact {id: 'fact ' + i, fact_id: 'fact ' + i, position: 100 + i})`,
  );
});

afterAll(async () => {
  await database.close();
  await driver.close();
  await wipe();
});

async function revise(policy: BeliefShelf['policy'], changes: readonly ClaimChange[]) {
  const reviser = new BeliefReviser(policy, KEYED_IDS);
  return (await database.transaction((transaction) => reviser.revise(transaction, changes))).revised;
}

/** What the store has of the beliefs about a claim. */
async function stored(claim: string): Promise<string> {
  const rows = await query<{ value: string; x: Record<string, any>; evidence: Evidence[] }>(
    driver,
    `MATCH (b:Belief {claim: $claim}) OPTIONAL MATCH (b)-[:HAS_REVISION]->(x)
     RETURN b.value AS value, properties(x) AS x, COLLECT {
       MATCH (x)-[s:WEIGHED]->(n)
       WITH s, n ORDER BY coalesce(s.place, 0)
       RETURN {type: CASE WHEN n:Event THEN 'event' ELSE 'fact' END, id: n.id, weight: s.weight, polarity: s.polarity} } AS evidence`,
    { claim },
  );
  const beliefs = new Map<string, BeliefRow[]>();
  for (const { value, x, evidence } of rows) {
    const { stance, confidence, lower, upper, holds_from, holds_to } = x;
    const holds = { from: holds_from, to: holds_to };
    const said = evidence.map(({ type, id, weight, polarity }) => ({ type, id, weight, polarity }));
    const row = {
      valid: { from: x.valid_from, to: x.valid_to },
      recorded: { from: x.recorded_from, to: x.recorded_to },
      opinion: { stance, confidence, lower, upper, holds, evidence: said },
      revised_at: x.revised_at,
      caused_by: x.caused_by,
      revision: x.revision,
    } as BeliefRow;
    beliefs.set(value, [...(beliefs.get(value) ?? []), row]);
  }
  return dumped(beliefs);
}

/** What the graph says of the beliefs about a claim, beside their rows. */
async function graph(claim: string): Promise<object[]> {
  const found = await query<BeliefGraph>(driver, GRAPH, { claim });
  return found.sort((a, b) => (a.value < b.value ? -1 : 1)).map(inOrder);
}

it('keeps the same beliefs to the byte as the pure derivation, told in parts, and replayed', async () => {
  let run = 0;
  const cuts = fc.array(fc.boolean(), { minLength: 9, maxLength: 9 });
  const property = fc.asyncProperty(story, cuts, async (one, where) => {
    const claim = `claim ${(run += 1)}`;
    const shelf = new BeliefShelf(one.policy);
    shelf.replay(merged(one.steps));
    for (const part of partsOf(one, where)) await revise(one.policy, [changeOf(claim, part)]);
    expect(await stored(claim)).toBe(shelf.dump());
    const drawn = graphOf(shelf.beliefs).map(inOrder);
    expect(await graph(claim)).toEqual(drawn);
    const all = { replayed: true, snapshots: merged(one.steps), before: NOTHING_STANDS };
    await revise(one.policy, [changeOf(claim, all)]);
    expect(await stored(claim)).toBe(shelf.dump());
    expect(await graph(claim)).toEqual(drawn);
  });
  await fc.assert(property, { numRuns: inDepth(20, 60) });
});

describe('what was revised', () => {
  const said = (value: string, i: number) => ({
    id: `s${i}`,
    event_id: `e${i}`,
    position: i + 1,
    recorded_at: 1000 + i,
    value,
    kind: 'asserted' as const,
    valid: { from: 500 + i, to: 253_402_300_799_999 },
    confidence: 1,
  });
  const [paris, london] = [said('x', 0), said('y', 1)];
  const first = { activeFacts: [{ ...paris, supports: [paris] }], denials: [] };
  const ended = { from: paris.valid.from, to: london.valid.from };
  const second = {
    activeFacts: [
      { ...paris, valid: ended, supports: [paris] },
      { ...london, supports: [london] },
    ],
    denials: [],
  };
  const policy = { minChange: 0.05, cooldownMs: 0 };
  const brief = (all: readonly BeliefRevised[]) =>
    all
      .map(({ id: _, ...rest }) => rest)
      .sort((a, b) => Number(b.confidence_before) - Number(a.confidence_before));

  it('names the event, and stance and confidence before and after', async () => {
    const began = await revise(policy, [
      changeOf('told', {
        replayed: false,
        before: NOTHING_STANDS,
        snapshots: [{ recorded_at: 1000, event_id: 'e0', ...first }],
      }),
    ]);
    expect(brief(began)).toEqual([
      {
        event_id: 'e0',
        confidence_before: null,
        confidence_after: 0.75,
        stance_before: null,
        stance_after: 'supported',
      },
    ]);
    const turned = await revise(policy, [
      changeOf('told', {
        replayed: false,
        before: first,
        snapshots: [{ recorded_at: 1001, event_id: 'e1', ...second }],
      }),
    ]);
    expect(brief(turned)).toEqual([
      {
        event_id: 'e1',
        confidence_before: 0.75,
        confidence_after: 0.25,
        stance_before: 'supported',
        stance_after: 'contradicted',
      },
      {
        event_id: 'e1',
        confidence_before: null,
        confidence_after: 0.75,
        stance_before: null,
        stance_after: 'supported',
      },
    ]);
    expect(new Set([...began, ...turned].map(({ id }) => id)).size).toBe(2);
  });

  it('names beliefs that are gone because the log no longer says them, and those that return', async () => {
    const left = await revise(policy, [
      changeOf('told', {
        replayed: true,
        before: NOTHING_STANDS,
        snapshots: [{ recorded_at: 1000, event_id: 'e0', ...first }],
      }),
    ]);
    expect(brief(left)).toEqual([
      {
        event_id: null,
        confidence_before: 0.75,
        confidence_after: null,
        stance_before: 'supported',
        stance_after: null,
      },
      {
        event_id: 'e0',
        confidence_before: 0.25,
        confidence_after: 0.75,
        stance_before: 'contradicted',
        stance_after: 'supported',
      },
    ]);
    const nothing = await revise(policy, [
      changeOf('told', { replayed: true, before: NOTHING_STANDS, snapshots: [] }),
    ]);
    expect(nothing).toHaveLength(1);
    expect(await query(driver, `MATCH (b:Belief {claim: 'told'}) RETURN b`)).toEqual([]);
    expect(await query(driver, `MATCH (x:BeliefRevision {claim: 'told'}) RETURN x`)).toEqual([]);
  });
});
