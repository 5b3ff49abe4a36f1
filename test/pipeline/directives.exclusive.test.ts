import type { Driver } from 'neo4j-driver';

import type { Database } from '../../graph/driver.ts';
import { patientDatabase, query, testDriver } from '../support/database.ts';
import { derivedDump, unlike } from '../support/derived-dump.ts';
import { factsOf, statement } from '../support/facts.ts';
import { allDerived, askForRebuild } from '../support/rebuild.ts';
import { startWarmService, type TestService } from '../support/service.ts';

// `directives.extract`: an event counts in the layers that it asks for, and in what these rest on.

let service: TestService;
let driver: Driver;
let database: Database;

beforeAll(async () => {
  service = await startWarmService({ STRATA_PIPELINE_POLL_MS: '200' });
  driver = testDriver();
  database = patientDatabase();
});
afterAll(async () => {
  await database.close();
  await driver.close();
  await service.stop();
});

interface Saying {
  readonly object: string;
  readonly extract?: readonly string[];
  readonly observed_at?: string;
}

async function say(scope: string, ...sayings: readonly Saying[]): Promise<void> {
  for (const { object, extract, observed_at } of sayings) {
    const more = observed_at === undefined ? {} : { observed_at };
    const envelope = {
      ...statement(scope, ['ent_a', 'lives in', object], more),
      ...(extract === undefined ? {} : { directives: { extract } }),
    };
    expect((await service.post('/v1/experience?wait=consolidated', envelope)).status).toBe(202);
  }
}

interface Made {
  readonly facts: number;
  readonly beliefs: number;
  readonly concepts: number;
  readonly episodes: number;
}

async function madeOf(scope: string): Promise<Made> {
  const { built } = (await service.get(`/v1/derivation/status?scope=${scope}`)).json;
  return { facts: (await factsOf(driver, scope)).length, ...built };
}

describe('an event that asks for', () => {
  it.each<[string, readonly string[] | undefined, Made]>([
    ['all', undefined, { facts: 1, beliefs: 1, concepts: 2, episodes: 1 }],
    ['understanding', ['understanding'], { facts: 1, beliefs: 1, concepts: 2, episodes: 0 }],
    ['beliefs', ['beliefs'], { facts: 1, beliefs: 1, concepts: 0, episodes: 0 }],
    ['facts', ['facts', 'entities'], { facts: 1, beliefs: 0, concepts: 0, episodes: 0 }],
    ['facts and episodes', ['facts', 'episodes'], { facts: 1, beliefs: 0, concepts: 0, episodes: 1 }],
    ['episodes', ['episodes'], { facts: 0, beliefs: 0, concepts: 0, episodes: 1 }],
    ['entities', ['entities'], { facts: 0, beliefs: 0, concepts: 0, episodes: 0 }],
    ['nothing', [], { facts: 0, beliefs: 0, concepts: 0, episodes: 0 }],
  ])('%s makes these and what they rest on', async (name, extract, made) => {
    const scope = `org:asks/ws:${name.replaceAll(' ', '-')}`;
    await say(scope, { object: 'ent_turin', ...(extract === undefined ? {} : { extract }) });
    expect(await madeOf(scope)).toEqual(made);
  });
});

describe('beside others', () => {
  const stances = async (scope: string): Promise<Record<string, [string, number]>> => {
    const { json } = await service.get(`/v1/beliefs?scope=${scope}`);
    return Object.fromEntries(
      json.items.map(({ object, stance, confidence }: any) => [object.id ?? object, [stance, confidence]]),
    );
  };

  it('adds nothing to a belief that it asks not to be part of', async () => {
    const [alone, both] = ['org:beside/ws:alone', 'org:beside/ws:both'] as const;
    const at = { observed_at: '2026-01-01T00:00:00Z' };
    await say(alone, { object: 'ent_turin', ...at });
    await say(both, { object: 'ent_turin', ...at }, { object: 'ent_turin', extract: ['facts'], ...at });
    const [[fact], [one]] = [await factsOf(driver, both), await factsOf(driver, alone)];
    expect(fact?.supports).toHaveLength(2);
    expect(one?.supports).toHaveLength(1);
    expect(await stances(both)).toEqual(await stances(alone));
  });

  it('ends facts, and speaks against no belief', async () => {
    const scope = 'org:beside/ws:ends';
    await say(
      scope,
      { object: 'ent_turin', observed_at: '2026-01-01T00:00:00Z' },
      { object: 'ent_rome', extract: ['facts'], observed_at: '2026-02-01T00:00:00Z' },
    );
    const facts = await service.get(`/v1/facts?scope=${scope}`);
    expect(facts.json.items.map(({ object }: any) => object.id)).toEqual(['ent_rome']);
    expect(Object.keys(await stances(scope))).not.toContain('ent_rome');
    const rows = await query<{ stance: string }>(
      driver,
      `MATCH (b:Belief)-[:HAS_REVISION]->(r:BeliefRevision) WHERE b.scope_ref = $ref AND r.recorded_to = datetime('9999-12-31T23:59:59.999Z')
       RETURN r.stance AS stance ORDER BY r.valid_from`,
      {
        ref:
          (
            await query<{ ref: string }>(
              driver,
              'MATCH (e:Event {scope: $scope}) RETURN e.scope_ref AS ref LIMIT 1',
              { scope },
            )
          )[0]?.ref ?? '',
      },
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ stance }) => stance)).not.toContain('contradicted');
  });

  it('is derived again to the same, with long claims that go on from their end too', async () => {
    const scope = 'org:beside/ws:long';
    const items = Array.from({ length: 60 }, (_, i) => ({
      ...statement(scope, ['ent_a', 'lives in', `ent_x${i % 7}`], {
        observed_at: new Date(Date.UTC(2026, 0, 1) + i * 3_600_000).toISOString(),
      }),
      ...(i % 3 === 0 ? {} : { directives: { extract: i % 3 === 1 ? ['facts'] : ['facts', 'beliefs'] } }),
    }));
    for (let from = 0; from < items.length; from += 7)
      expect(
        (await service.post('/v1/experience/bulk?wait=consolidated', { items: items.slice(from, from + 7) }))
          .status,
      ).toBe(202);
    await allDerived(driver);
    const before = await derivedDump(driver);
    await askForRebuild(database, null);
    await allDerived(driver);
    expect(unlike(before, await derivedDump(driver))).toEqual({ lost: [], new: [] });
  });
});
