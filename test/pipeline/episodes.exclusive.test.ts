import type { Driver } from 'neo4j-driver';

import { instant } from '../../graph/instant.ts';
import type { Database } from '../../graph/driver.ts';
import { EpisodeLoader } from '../../graph/episode/load.ts';
import { PostponedReplays } from '../../graph/episode/postponed.ts';
import { EpisodeRemovals } from '../../graph/episode/removal.ts';
import { writeEpisodes } from '../../graph/episode/write.ts';
import { migrate } from '../../graph/migrate.ts';
import { SHARD_COUNT, scopeRef, shardOf } from '../../src/capture/scope-key.ts';
import type { EpisodeEvent, SealEntry } from '../../src/derive/episode/episode.ts';
import { systemIds } from '../../src/ids.ts';
import { EpisodeReplays } from '../../src/pipeline/episode-replays.ts';
import { EpisodeSweep } from '../../src/pipeline/episode-sweep.ts';
import { consolidateEpisodes, type EpisodeWork } from '../../src/pipeline/episodes.ts';
import { OPEN_END } from '../../schemas/time.ts';
import { knownAt, plainEpisodes } from '../derive/episode-oracle.ts';
import { patientDatabase, query, testDriver, wipe } from '../support/database.ts';
import fc from '../support/property.ts';
import { inDepth } from '../support/depth.ts';
import { history, Play, talk, WINDOW, type World } from './episode-play.ts';

const WORKER = 'wkr_test';
const HISTORIES = inDepth(6, 60);

let driver: Driver;
let database: Database;

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  database = patientDatabase();
  await migrate(database, await database.serverVersion());
  await query(
    driver,
    `UNWIND range(0, ${SHARD_COUNT - 1}) AS i MATCH (s:Shard {number: i}) SET s.owner = $worker, s.epoch = 1`,
    { worker: WORKER },
  );
});
afterAll(async () => {
  await database.close();
  await driver.close();
  await wipe();
});

function consolidate(work: EpisodeWork, window = WINDOW): ReturnType<World['consolidate']> {
  return database.transaction((transaction) => {
    const write = (writes: Parameters<typeof writeEpisodes>[1]): void => {
      writeEpisodes(transaction, writes);
    };
    const [loader, removals] = [new EpisodeLoader(transaction), new EpisodeRemovals(transaction)];
    const postponed = new PostponedReplays(transaction);
    return consolidateEpisodes({ loader, removals, postponed, write }, work, window);
  });
}

/** A scope of the database as a world; every event is consolidated as far as shards tell. */
class StoredWorld implements World {
  readonly place: { tenant: string; scope: string; scope_ref: string };
  private offset: number;

  constructor(number: number, offset: number) {
    const scope = `user:play${number}`;
    this.place = { tenant: 'default', scope, scope_ref: scopeRef('default', scope) };
    this.offset = offset;
  }

  async capture({ id, position, recorded_at, observed_at }: EpisodeEvent): Promise<void> {
    this.offset = position;
    await query(
      driver,
      `CREATE (:Event {id: $id, wal_offset: $position, recorded_at: datetime({epochMillis: $recorded_at}), observed_at: datetime({epochMillis: $observed_at}), shard: $shard, tenant: 'default', scope_ref: $ref})
       WITH 1 AS one
       MATCH (wal:Counter {name: 'wal'}) SET wal.value = $position, wal.recorded_at = $recorded_at
       WITH 1 AS one
       MATCH (s:Shard {number: $shard}) SET s.consolidated = $position`,
      {
        id,
        ref: this.place.scope_ref,
        position: BigInt(position),
        recorded_at: BigInt(recorded_at),
        observed_at: BigInt(observed_at),
        shard: BigInt(shardOf(this.place.scope_ref)),
      },
    );
  }

  async cancel(id: string): Promise<void> {
    await query(
      driver,
      `MATCH (e:Event {id: $id}) CREATE (:LogEntry {id: $entry, kind: 'cancel'})-[:CANCELS]->(e)`,
      {
        id,
        entry: systemIds.entry(),
      },
    );
  }

  consolidate(work: EpisodeWork): ReturnType<World['consolidate']> {
    return consolidate(work);
  }

  async seal({ recorded_at }: SealEntry): Promise<SealEntry[]> {
    const now = recorded_at + WINDOW + 1;
    const parts = { writer: database, worker: WORKER, ids: systemIds, window: WINDOW, batch: 3 };
    const sweep = new EpisodeSweep({ ...parts, clock: { now: () => now } });
    const watermarks = { extracted: 0, indexed: 0, consolidated: 0 };
    const lease = { number: shardOf(this.place.scope_ref), epoch: 1, watermarks };
    const before = await this.entries();
    while (await sweep.round([lease]));
    return (await this.entries()).slice(before.length);
  }

  async episodeOf(id: string): Promise<string | undefined> {
    const rows = await query<{ id: string }>(
      driver,
      'MATCH (:Event {id: $id})<-[:CONTAINS]-(ep:Episode) RETURN ep.id AS id',
      { id },
    );
    expect(rows.length).toBeLessThanOrEqual(1);
    return rows[0]?.id;
  }

  private entries(): Promise<SealEntry[]> {
    return query<SealEntry>(
      driver,
      `MATCH (l:LogEntry) WHERE l.sealed_scope = $ref
       RETURN l.after_offset AS after_offset, l.recorded_at AS recorded_at, l.idle_before AS idle_before ORDER BY l.idle_before`,
      { ref: this.place.scope_ref },
    );
  }

  /** What is stored of every episode at a recorded instant. */
  async at(recorded: number): Promise<Record<string, unknown>[]> {
    const rows = await query(
      driver,
      `MATCH (ep:Episode {scope_ref: $ref})
       MATCH (v:EpisodeRevision {episode_id: ep.id}) WHERE v.recorded_from <= $at
       WITH ep, v ORDER BY v.recorded_from DESC
       WITH ep, collect(v)[0] AS v
       RETURN ep.id AS id, ep.follows AS follows, v.started_at AS started_at, nullif(v.ended_at, $open) AS ended_at,
         v.opening AS opening, v.closing AS closing, v.centrality_score AS score,
         COLLECT { MATCH (ep)-[c:CONTAINS]->(e) WHERE c.recorded_from <= $at RETURN e.id ORDER BY c.observed_at, c.position } AS events,
         EXISTS { MATCH (ep)-[:FOLLOWS]->(old:Episode) WHERE old.id = ep.follows } AS edge
       ORDER BY ep.position`,
      { ref: this.place.scope_ref, at: instant(recorded), open: instant(OPEN_END) },
    );
    return rows.map(({ score, edge, ...row }) => {
      expect(edge).toBe(row.follows !== null);
      return { ...row, doubled: Math.round(1 / (1 - (score as number))) - 1 };
    });
  }
}

/** An event of one long talk. */
function leftEvent(number: number): EpisodeEvent {
  const id = `left_${number}`;
  const at = 5_000_000 + number;
  return {
    id,
    position: 1_000_000 + number,
    recorded_at: at,
    observed_at: at,
    threads: ['left'],
    preceded_by: [],
    role: 'follow_up',
    quote: id,
  };
}

describe('episodes in the database', () => {
  it('are at every recorded instant what the log says', async () => {
    let number = 0;
    let offset = 0;
    let now = 1_000_000;
    await fc.assert(
      fc.asyncProperty(fc.oneof(history, talk), async (steps) => {
        number += 1;
        const world = new StoredWorld(number, offset);
        const play = new Play(world, { place: world.place, prefix: `p${number}_`, offset, now });
        try {
          await play.run(steps);
        } finally {
          offset += play.events.length;
          now = play.now + 1;
        }
        const expected = plainEpisodes(world.place.scope_ref, WINDOW, play.remaining);
        const instants = new Set(play.log.map((one) => ('event' in one ? one.event : one.seal).recorded_at));
        for (const at of [...instants].flatMap((instant) => [instant - 1, instant])) {
          const known = expected.flatMap((one) => {
            const row = knownAt(one, at);
            const inOrder = [...one.events].sort(
              (a, b) => a.observed_at - b.observed_at || a.position - b.position,
            );
            const events = inOrder.filter(({ recorded_at }) => recorded_at <= at).map(({ id }) => id);
            return row === null ? [] : [{ ...row, events }];
          });
          expect(await world.at(at)).toEqual(known);
        }
      }),
      { numRuns: HISTORIES },
    );
  });

  it('are replayed once where a forget takes very many events out, when the last of them has left', async () => {
    const world = new StoredWorld(1_000, 1_000_000);
    const { place } = world;
    const events = Array.from({ length: 7 }, (_, i) => leftEvent(i));
    for (const event of events) await world.capture(event);
    await consolidate({ events: events.map((event) => ({ place, event })), retracted: [] });
    await query(
      driver,
      `CREATE (:ForgetPlan {id: 'left', scope_ref: $ref}), (:ForgetStep {plan_id: 'left', number: 1, redacted: ['left_3', 'left_4']})`,
      { ref: place.scope_ref },
    );
    const redact = (ids: string[]): Promise<unknown> =>
      query(driver, 'UNWIND $ids AS id MATCH (e:Event {id: id}) SET e.redacted_at = datetime()', { ids });
    const counted = (): Promise<unknown> =>
      query(
        driver,
        'MATCH (ep:Episode {scope_ref: $ref}) RETURN ep.event_count AS count, ep.first_quote AS first',
        {
          ref: place.scope_ref,
        },
      );
    await redact(['left_0', 'left_1', 'left_2']);
    await consolidate({ events: [], retracted: ['left_0'] });
    expect(await counted()).toEqual([{ count: 7, first: 'left_0' }]);
    const replays = new EpisodeReplays(database, WORKER, 2);
    const lease = { number: shardOf(place.scope_ref), epoch: 1 };
    expect(await replays.round([lease])).toBe(false);
    expect(await counted()).toEqual([{ count: 7, first: 'left_0' }]);
    await redact(['left_3', 'left_4']);
    await query(driver, `MATCH (s:ForgetStep {plan_id: 'left'}) DELETE s`);
    expect(await replays.round([{ ...lease, epoch: 2 }])).toBe(false);
    let rounds = 0;
    while (await replays.round([lease])) rounds += 1;
    expect(rounds).toBe(2);
    expect(await counted()).toEqual([{ count: 2, first: 'left_5' }]);
    const left = plainEpisodes(
      place.scope_ref,
      WINDOW,
      events.slice(5).map((event) => ({ event })),
    );
    expect((await world.at(6_000_000)).map(({ id, events: ids }) => ({ id, ids }))).toEqual(
      left.map(({ id, events: of }) => ({ id, ids: of.map((event) => event.id) })),
    );
    const marks = await query(
      driver,
      'MATCH (p:EpisodeProgress) WHERE p.postponed_shard IS NOT NULL RETURN p',
    );
    expect(marks).toEqual([]);
  });
});
