import type { Driver } from 'neo4j-driver';

import type { CaptureInput, CaptureResult } from '../../graph/capture.ts';
import { Database } from '../../graph/driver.ts';
import { systemIds } from '../../src/ids.ts';
import { systemClock } from '../../src/clock.ts';
import { parseEnvelope } from '../../src/capture/envelope.ts';
import { toEventRecord } from '../../src/capture/event-record.ts';
import { Committer } from '../../src/commit/committer.ts';
import { Metrics } from '../../src/metrics.ts';
import { silentLog } from '../../src/log.ts';
import { query, testDatabase, testDriver } from '../support/database.ts';
import { startTestService, type TestService } from '../support/service.ts';
import fc from '../support/property.ts';
import { inDepth } from '../support/depth.ts';
import { Oracle, type ModelCommand, type ModelItem } from './oracle.ts';

// Random sequences of captures with few keys and bodies, on the real database, beside a naive model of what they mean.

let service: TestService;
let driver: Driver;
let runs = 0;

beforeAll(async () => {
  service = await startTestService();
  driver = testDriver();
});
afterAll(async () => {
  await driver.close();
  await service.stop();
});

const item: fc.Arbitrary<ModelItem> = fc
  .record({
    scope: fc.nat(1),
    key: fc.option(fc.nat(2), { freq: 5 }),
    body: fc.nat(1),
    hint: fc.nat(1),
    replace: fc.boolean(),
  })
  .map((one) => ({ ...one, replace: one.replace && one.key !== null }));

const command: fc.Arbitrary<ModelCommand> = fc.record({
  kind: fc.constantFrom('singles', 'bulk', 'all-or-none'),
  items: fc.array(item, { minLength: 1, maxLength: 6 }),
});

function inputOf(run: number, { scope, key, body, hint, replace }: ModelItem): CaptureInput {
  const envelope = parseEnvelope({
    scope: `org:run${run}/user:${scope}`,
    modality: 'conversation',
    content: { text: `body ${body}` },
    language: hint === 0 ? 'en' : 'de',
    ...(key === null ? {} : { idempotency_key: `key ${key}` }),
    ...(replace ? { on_conflict: 'replace' } : {}),
  });
  const made = { id: service.context.ids.event(), tenant: 'default', caller: 'user:local' };
  return { record: toEventRecord(envelope, made), batch_id: null };
}

function commit({ kind }: ModelCommand, inputs: readonly CaptureInput[]): Promise<CaptureResult[]> {
  const { committer } = service.context;
  if (kind === 'singles') return Promise.all(inputs.map((input) => committer.one(input)));
  return kind === 'bulk' ? committer.many(inputs) : committer.manyOrNone(inputs);
}

async function head(): Promise<number> {
  const [row] = await query<{ head: number }>(
    driver,
    "MATCH (c:Counter {name: 'wal'}) RETURN c.value AS head",
  );
  return row?.head ?? 0;
}

/** Sends the commands and compares answer by answer; returns the ids by the model's numbers of events. */
async function compare(run: number, commands: readonly ModelCommand[], oracle: Oracle): Promise<string[]> {
  const base = await head();
  const ids: string[] = [];
  for (const one of commands) {
    const inputs = one.items.map((each) => inputOf(run, each));
    const actual = await commit(one, inputs);
    const { results, written } = oracle.apply(one);
    results.forEach(({ outcome, event }, i) => {
      if (outcome === 'captured' || outcome === 'replaced') ids[event] = inputs[i]!.record.id;
    });
    const expected = results.map((result) => ({
      outcome: result.outcome,
      event_id: ids[result.event],
      wal_offset: base + result.event + 1,
      hints_differ: result.hints_differ,
      replaces: result.replaces === null ? null : ids[result.replaces],
    }));
    expect(actual.map(({ recorded_at: _instant, ...rest }) => rest)).toEqual(expected);
    if (!written) ids.length = oracle.events;
  }
  return ids;
}

async function stored(run: number): Promise<{ events: unknown[]; keys: unknown[] }> {
  const events = await query(
    driver,
    `MATCH (e:Event) WHERE e.scope STARTS WITH $prefix
     OPTIONAL MATCH (e)<-[:SUPERSEDED_BY]-(earlier:Event)
     RETURN e.id AS id, e.wal_offset AS wal_offset, earlier.id AS replaces ORDER BY e.wal_offset`,
    { prefix: `org:run${run}/` },
  );
  const keys = await query(
    driver,
    `MATCH (e:Event) WHERE e.scope STARTS WITH $prefix
     MATCH (k:IdempotencyKey {scope_ref: e.scope_ref}) WHERE k.event_id = e.id
     RETURN split(e.scope, ':')[2] + substring(k.key, 3) AS at, k.event_id AS id ORDER BY at`,
    { prefix: `org:run${run}/` },
  );
  return { events, keys };
}

describe('the committer', () => {
  it('agrees with the naive ledger on every answer and on what is stored', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 8 }), async (commands) => {
        runs += 1;
        const run = runs;
        const base = await head();
        const oracle = new Oracle();
        const ids = await compare(run, commands, oracle);
        const { events, keys } = await stored(run);
        expect(events).toMatchObject(ids.map((id, i) => ({ id, wal_offset: base + i + 1 })));
        const holders = [...oracle.holders].map(([at, { event }]) => ({ at, id: ids[event] }));
        expect(keys).toEqual(
          holders.filter(({ at }) => !at.endsWith(' ')).sort((a, b) => (a.at < b.at ? -1 : 1)),
        );
        expect(await head()).toBe(base + oracle.events);
      }),
      { numRuns: inDepth(8, 40) },
    );
  });

  it('reports no offset of a refused batch as committed', async () => {
    const { uri, user, password, database } = testDatabase();
    const pool = {
      poolSize: 2,
      acquisitionTimeoutMs: 5000,
      connectTimeoutMs: 5000,
      statementTimeoutMs: 60_000,
    };
    const writer = new Database({ uri, user, password, database, ...pool });
    const committed: number[] = [];
    const committer = new Committer({
      writer,
      clock: systemClock,
      ids: systemIds,
      log: silentLog,
      metrics: new Metrics({ version: '0.0.0', git_sha: 'unknown', built_at: 'unknown' }),
      contentHash: () => '',
      limits: { groupEvents: 10, groupBytes: 1e6, queueEvents: 10, queueBytes: 1e6 },
      onCommit: ({ newestOffset }) => committed.push(newestOffset),
    });
    const one = (key: number, body: number) => inputOf(0, { scope: 0, key, body, hint: 0, replace: false });
    const [first] = await committer.many([one(1, 0)]);
    const refused = await committer.manyOrNone([one(2, 0), one(1, 1)]);
    await committer.close();
    await writer.close();
    expect(refused.map(({ outcome }) => outcome)).toEqual(['captured', 'conflict']);
    expect(committed).toEqual([first?.wal_offset]);
  });
});
