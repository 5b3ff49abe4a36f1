import type { Driver } from 'neo4j-driver';

import { instant } from '../../graph/instant.ts';
import { DerivationReader } from '../../graph/derivation.ts';
import type { Database } from '../../graph/driver.ts';
import { EntityReader } from '../../graph/entity/read.ts';
import { keepResolved, NameReader } from '../../graph/known-name.ts';
import { LogOffsets } from '../../graph/log-offset.ts';
import { migrate } from '../../graph/migrate.ts';
import { KnownNames, type KnownForm } from '../../src/derive/known-names.ts';
import { MAX_AMBIGUOUS_IDS } from '../../src/limits.ts';
import { MAX_ENTITY_PLACES } from '../../src/limits/reading.ts';
import { KNOWN_NOW } from '../../src/time/as-of.ts';
import { patientDatabase, query, testDriver, wipe } from '../support/database.ts';
import { inDepth } from '../support/depth.ts';
import fc from '../support/property.ts';

const ANY_PLACE = Number.MAX_SAFE_INTEGER;
const NAMES = ['ann', 'anna', 'bo'];

let driver: Driver;
let database: Database;

beforeAll(async () => {
  await wipe();
  driver = testDriver();
  database = patientDatabase();
  await migrate(database, await database.serverVersion());
});
afterAll(async () => {
  await database.close();
  await driver.close();
  await wipe();
});

/** Writes forms as consolidation leaves them. */
async function store(forms: readonly KnownForm[]): Promise<void> {
  const rows = forms.map((form) => ({
    ...form,
    position: BigInt(form.position),
    recorded_at: instant(form.recorded_at),
    entity_key: `${form.scope_ref} ${form.id}`,
  }));
  await query(
    driver,
    `UNWIND $rows AS row
     CREATE (m:EntityName {tenant: 'acme', scope: 'user:' + row.scope_ref, name: row.normalised_name, a0: row.scope_ref}) SET m += row`,
    { rows },
  );
}

const form = (scope_ref: string, id: string, normalised_name: string, position: number): KnownForm => ({
  scope_ref,
  id,
  normalised_name,
  given: true,
  position,
  recorded_at: position,
});

describe('names that are looked up', () => {
  it('are read as far as it takes, however many names an entity has, and however many entities a name', async () => {
    const many = Array.from({ length: 1_000 }, (_, i) => i);
    await store([
      ...many.map((i) => form('many', 'ent_x', `n${i}`, i + 1)),
      ...many.map((i) => form('many', `ent_${String(i).padStart(4, '0')}`, 'bo', 3_000 - i)),
    ]);
    const names = new NameReader(database);
    const sought = ['n500', 'n999', 'bo'].map((normalised_name) => ({
      scope_ref: 'many',
      normalised_name,
      before: ANY_PLACE,
    }));
    const forms = await names.forms({ sought });
    expect(forms.length).toBeLessThanOrEqual(3 * (2 + MAX_AMBIGUOUS_IDS));
    const known = new KnownNames(forms);
    expect(known.bearers('many', 'n500', ANY_PLACE)).toEqual([{ id: 'ent_x', since: 1, isCaption: false }]);
    expect(known.bearers('many', 'n999', ANY_PLACE)).toEqual([{ id: 'ent_x', since: 1, isCaption: true }]);
    const first = Array.from({ length: MAX_AMBIGUOUS_IDS }, (_, i) => `ent_0${999 - i}`);
    expect(known.resolve('many', 'Bo', ANY_PLACE).among).toEqual(first);
  });

  it('are found in the order in which entities had them, where more have one than are read', async () => {
    const others = MAX_ENTITY_PLACES + 50;
    await store([
      ...Array.from({ length: others }, (_, i) => form('full', `ent_${i}`, 'cy', 5_000 + others - i)),
      form('full', 'ent_first', 'cy', 10),
    ]);
    const entities = new EntityReader(database, new LogOffsets(database));
    const subtrees = [{ ref: 'full', level: 0, levels: ['full'] }];
    for (const selection of [
      { scopes: ['full'], subtrees: [] },
      { scopes: [], subtrees },
    ]) {
      const found = await entities.named(selection, 'acme', ['cy'], KNOWN_NOW);
      expect(found).toHaveLength(MAX_ENTITY_PLACES);
      expect(found[0]).toMatchObject({ id: 'ent_first', scope_ref: 'full' });
    }
  });

  it('stand for the same by what is read as by all that is known, at whatever place and instant', async () => {
    let run = 0;
    const naming = fc.record({
      id: fc.constantFrom('ent_a', 'ent_b', 'ent_c'),
      name: fc.option(fc.constantFrom(...NAMES)),
      /** Several are given by one event. */
      step: fc.nat(1),
    });
    const logs = fc.array(naming, { maxLength: 14 });
    /** Which places of the log were consolidated before; the others are now, with a look at what is known. */
    const consolidated = fc.nat(2 ** 15 - 1);
    await fc.assert(
      fc.asyncProperty(logs, fc.nat(15), consolidated, async (log, place, before) => {
        run += 1;
        const ref = `ref${run}`;
        let position = 0;
        const all = log.map(({ id, name, step }) => {
          position += step;
          return { ...form(ref, id, name ?? id, position), given: name !== null };
        });
        const isStored = (one: KnownForm): boolean => ((before >> one.position) & 1) === 1;
        const stored = new Map<string, KnownForm>();
        for (const one of all.filter(isStored)) {
          const key = `${one.id} ${one.normalised_name}`;
          if (!stored.has(key)) stored.set(key, one);
        }
        await store([...stored.values()]);
        const batch = all.filter((one) => !isStored(one));
        const read = await new NameReader(database).forms({
          sought: NAMES.map((normalised_name) => ({ scope_ref: ref, normalised_name, before: place })),
          given: batch.map((one) => ({ ...one, key: `${ref} ${one.id}` })),
        });
        const known = new KnownNames([...read, ...batch]);
        const whole = new KnownNames(all);
        for (const name of NAMES)
          expect(known.resolve(ref, name, place)).toEqual(whole.resolve(ref, name, place));
      }),
      { numRuns: inDepth(60, 300) },
    );
  });
});

it('keeps what names stand for apart from the names that are ambiguous, and tells progress of neither', async () => {
  await query(
    driver,
    `UNWIND ['evt_1', 'evt_2'] AS id
     CREATE (:Event {id: id, tenant: 'acme', scope: 'user:a', scope_ref: 'a', shard: 1, wal_offset: CASE id WHEN 'evt_1' THEN 1 ELSE 2 END,
       recorded_at: datetime({epochMillis: 1}), content_kind: 'text'})`,
  );
  const ambiguous = '[{"name":"bo","ids":["ent_a","ent_b"]}]';
  await database.transaction((transaction) => {
    keepResolved(transaction, [
      { event_id: 'evt_1', resolved: '{"bo":"ent_a"}', ambiguous },
      { event_id: 'evt_2', resolved: '{"al":"ent_c"}', ambiguous: null },
    ]);
    return Promise.resolve();
  });
  expect(await new NameReader(database).ambiguous(['evt_1', 'evt_2', 'evt_3'])).toEqual([
    { event_id: 'evt_1', tenant: 'acme', scope: 'user:a', scope_ref: 'a', ambiguous },
  ]);
  const progress = await new DerivationReader(database).progress(['evt_1'], null);
  expect(progress).toHaveLength(1);
  expect(JSON.stringify(progress)).not.toContain('ent_a');
});
