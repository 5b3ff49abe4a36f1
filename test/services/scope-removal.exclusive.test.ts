import type { Driver } from 'neo4j-driver';

import type { Database, Transaction, Transactions, Writer } from '../../graph/driver.ts';
import { migrate } from '../../graph/migrate.ts';
import { ScopeStore } from '../../graph/scope-record.ts';
import { EntityTraces } from '../../graph/forget/traces.ts';
import { ScopeRedactor } from '../../graph/scope-removal.ts';
import type { Params } from '../../graph/statement.ts';
import { scopeRef, shardOf } from '../../src/capture/scope-key.ts';
import { systemClock } from '../../src/clock.ts';
import { ChangeAudit } from '../../src/commit/change-audit.ts';
import { systemIds } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { Metrics } from '../../src/metrics.ts';
import { ScopeRedaction } from '../../src/services/scope-redaction.ts';
import { ScopeRemoval, type ScopeRemovalParts } from '../../src/services/scope-removal.ts';
import { patientDatabase, query, testDatabase, testDriver, wipe } from '../support/database.ts';
import { eventually } from '../support/wait.ts';
import { testJobs } from '../support/jobs.ts';

let driver: Driver;
let database: Database;

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  database = patientDatabase();
  await migrate(database, testDatabase().version);
});
afterAll(async () => {
  await database.close();
  await driver.close();
});

let offset = 0;
const metrics = new Metrics({ version: '0.0.0', git_sha: 'unknown', built_at: 'unknown' });

/** A scope that is marked, with events of so many bytes. */
async function marked(path: string, sizes: readonly number[]): Promise<string> {
  const ref = scopeRef('default', path);
  const events = sizes.map((bytes) => {
    offset += 1;
    return { offset: BigInt(offset), bytes: BigInt(bytes) };
  });
  await query(
    driver,
    `CREATE (:Scope {ref: $ref, tenant: 'default', path: $path, a0: $ref, created_at: 1, created_by: 'user:o',
       auto_provisioned: false, deleting_through: $through, deleting_by: 'user:o'})
     WITH * UNWIND $events AS event
     CREATE (:Event {id: 'evt_' + event.offset, tenant: 'default', scope: $path, scope_ref: $ref, a0: $ref, shard: $shard,
       wal_offset: event.offset, recorded_at: datetime({epochMillis: 1}), bytes: event.bytes, envelope: '{}'})`,
    { ref, path, events, through: BigInt(offset), shard: BigInt(shardOf(ref)) },
  );
  return ref;
}

async function left(path: string): Promise<{ scopes: number; events: number }> {
  const [found] = await query<{ scopes: number; events: number }>(
    driver,
    `RETURN COUNT { MATCH (s:Scope {ref: $ref}) } AS scopes, COUNT { MATCH (e:Event {scope_ref: $ref}) } AS events`,
    { ref: scopeRef('default', path) },
  );
  return found ?? { scopes: -1, events: -1 };
}

/** The database as one that grants no memory for some batches. */
function grudging(refuses: (params: Params) => boolean): Writer & Transactions {
  const tight = (open: Transaction): Transaction => ({
    run: (statement, params) =>
      statement.name === 'scope.redact' && refuses(params)
        ? Promise.reject(
            Object.assign(new Error('memory'), {
              code: 'Neo.TransientError.General.MemoryPoolOutOfMemoryError',
            }),
          )
        : open.run(statement, params),
    send: (statement, params) => {
      open.send(statement, params);
    },
  });
  return {
    read: (statement, params) => database.read(statement, params),
    write: (statement, params) => database.write(statement, params),
    transaction: (work) => database.transaction(work),
    writeRepeatable: (statement, params) => database.writeRepeatable(statement, params),
    transactionRepeatable: (work) => database.transactionRepeatable((open) => work(tight(open))),
  };
}

function removalWith(writer: Writer & Transactions): ScopeRemoval {
  const parts: Partial<ScopeRemovalParts> = {
    store: new ScopeStore(database),
    redactor: new ScopeRedactor(writer),
    traces: new EntityTraces(writer, systemClock),
    ids: systemIds,
    clock: systemClock,
    log: silentLog,
    metrics,
    changes: new ChangeAudit({ clock: systemClock, ids: systemIds, onAppend: () => undefined }),
    onFrames: () => undefined,
    onRedacted: () => undefined,
  };
  return new ScopeRemoval(parts as ScopeRemovalParts);
}

describe('a batch of a deletion', () => {
  it('takes as many events as its bytes allow, one at least, and says whether more may follow', async () => {
    const ref = await marked('ws:sizes', [40, 40, 30, 500, 20, 20]);
    const redactor = new ScopeRedactor(database);
    const batch = async (events: number): Promise<[number, boolean]> => {
      const entry = { id: systemIds.entry(), now: 1 };
      const { ids, more } = await redactor.redact({ ref, shard: shardOf(ref) }, entry, {
        after: 0,
        events,
        bytes: 100,
      });
      return [ids.length, more];
    };
    expect([await batch(10), await batch(10), await batch(10), await batch(1), await batch(10)]).toEqual([
      [2, true],
      [1, true],
      [1, true],
      [1, true],
      [1, false],
    ]);
    expect(await batch(10)).toEqual([0, false]);
  });
});

describe('deletions that were cut short', () => {
  it('go on in smaller batches where the database refuses one, and do not wait for each other', async () => {
    await query(driver, 'MATCH (s:Scope) DETACH DELETE s');
    const stuck = await marked('ws:stuck', [10, 10]);
    await marked(
      'ws:tight',
      Array.from({ length: 20 }, () => 10),
    );
    await marked('ws:easy', [10]);
    const removal = removalWith(grudging(({ ref, max_events }) => ref === stuck || Number(max_events) > 3));
    removal.start(testJobs());
    try {
      await eventually('two of them are done', async () => {
        const [tight, easy] = await Promise.all([left('ws:tight'), left('ws:easy')]);
        return tight.scopes === 0 && easy.scopes === 0;
      });
    } finally {
      await removal.stop();
    }
    expect(await left('ws:tight')).toEqual({ scopes: 0, events: 0 });
    expect(await left('ws:stuck')).toEqual({ scopes: 1, events: 2 });
  });
});

describe('an event that the database refuses to redact', () => {
  const events = () =>
    query<{ id: string }>(driver, 'MATCH (e:Event) WHERE e.scope_ref IS NOT NULL RETURN e.id AS id');

  beforeEach(async () => {
    await query(driver, 'MATCH (s:Scope) DETACH DELETE s');
    await query(driver, 'MATCH (e:Event) DETACH DELETE e');
  });

  /** Has removals look for deletions until a condition holds. */
  async function looking(writer: Writer & Transactions, what: string, until: () => Promise<boolean>) {
    const removal = removalWith(writer);
    removal.start(testJobs());
    try {
      await eventually(what, until);
    } finally {
      await removal.stop();
    }
  }

  /** The deletion of a scope up to its end, which tells of what is left. */
  const outcomeOf = async (path: string, writer: Writer & Transactions): Promise<unknown> => {
    const redaction = new ScopeRedaction({
      redactor: new ScopeRedactor(writer),
      ids: systemIds,
      clock: systemClock,
      log: silentLog,
      metrics,
      onRedacted: () => undefined,
      ending: new AbortController().signal,
    });
    const [outcome] = await Promise.allSettled([redaction.run({ tenant: 'default', path })]);
    return outcome.status === 'fulfilled' ? 'done' : outcome.reason;
  };

  /** The database with a fault of an unknown kind in whatever redacts an event. */
  function faulty(culprits: readonly string[]): Writer & Transactions {
    const within = (open: Transaction): Transaction => ({
      run: async (statement, params) => {
        const rows = await open.run(statement, params);
        const ids = (rows[0] as { ids?: readonly string[] } | undefined)?.ids ?? [];
        if (statement.name === 'scope.redact' && culprits.some((id) => ids.includes(id)))
          throw Object.assign(new Error('something went wrong'), {
            code: 'Neo.DatabaseError.General.UnknownError',
          });
        return rows;
      },
      send: (statement, params) => {
        open.send(statement, params);
      },
    });
    return {
      ...grudging(() => false),
      transactionRepeatable: (work) => database.transactionRepeatable((open) => work(within(open))),
    };
  }

  it('is passed over and named, the others go, and the next try ends the deletion', async () => {
    const ref = await marked(
      'ws:one',
      Array.from({ length: 40 }, () => 10),
    );
    await query(
      driver,
      'CREATE CONSTRAINT test_frame_once IF NOT EXISTS FOR (f:LifecycleEvent) REQUIRE (f.type, f.event_id) IS UNIQUE',
    );
    const culprit = `evt_${offset - 20}`;
    // Its frame `forgotten` is there already, and the constraint allows one.
    await query(driver, "CREATE (:LifecycleEvent {sequence: -1, type: 'forgotten', event_id: $culprit})", {
      culprit,
    });
    try {
      const left = await outcomeOf('ws:one', database);
      expect(left).toMatchObject({
        code: 'DATABASE_UNAVAILABLE',
        details: { reason: 'events_left', events_left: [culprit] },
      });
      expect(await events()).toEqual([{ id: culprit }]);
      expect(await metrics.text()).toMatch(
        /^strata_scope_deletion_left_events_total{failure="constraint"} 1$/m,
      );
      const marks = await query(driver, 'MATCH (s:Scope {ref: $ref}) RETURN s.deleting_through >= 0 AS on', {
        ref,
      });
      expect(marks).toEqual([{ on: true }]);
    } finally {
      await query(driver, 'DROP CONSTRAINT test_frame_once IF EXISTS');
    }
    await looking(database, 'the deletion to be finished', async () => (await left('ws:one')).scopes === 0);
    expect(await left('ws:one')).toEqual({ scopes: 0, events: 0 });
  });

  it('for a reason that nobody knows holds up neither the others nor other scopes', async () => {
    await marked(
      'ws:odd',
      Array.from({ length: 9 }, () => 10),
    );
    const culprits = [`evt_${offset - 8}`, `evt_${offset - 3}`];
    await marked('ws:behind', [10, 10]);
    await looking(faulty(culprits), 'what else there is to go', async () => {
      const behind = await left('ws:behind');
      return behind.scopes === 0 && (await events()).length === culprits.length;
    });
    expect((await events()).map(({ id }) => id).sort()).toEqual([...culprits].sort());
    expect(await left('ws:odd')).toEqual({ scopes: 1, events: 2 });
    expect(await outcomeOf('ws:odd', faulty(culprits))).toMatchObject({
      details: { events_left: culprits },
    });
    expect(await outcomeOf('ws:odd', database)).toBe('done');
  });

  it('is not to blame while the database takes nothing at all', async () => {
    await marked('ws:away', [10, 10, 10]);
    const away: Writer & Transactions = {
      ...faulty([`evt_${offset}`]),
      write: () => Promise.reject(Object.assign(new Error('away'), { code: 'ServiceUnavailable' })),
    };
    const failure = await outcomeOf('ws:away', away);
    expect(failure).toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect(failure).not.toMatchObject({ details: { reason: 'events_left' } });
    expect(await events()).toHaveLength(3);
  });
});
