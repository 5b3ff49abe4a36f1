import type { Driver } from 'neo4j-driver';

import { disputedBy, undisputed, type Evidence } from '../../src/derive/conflict.ts';
import { query } from '../support/database.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import fc from '../support/property.ts';
import { inDepth } from '../support/depth.ts';

let service: SharedService;
let driver: Driver;

beforeAll(() => {
  service = sharedService();
  driver = service.driver();
});
afterAll(async () => {
  await driver.close();
});

/** A scope that no other file has: stored rows are looked up by scope, and those of all tenants are there. */
const own = (name: string): string => `user:${service.tenant}-${name}`;

interface Said {
  readonly value: string;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly negative?: boolean | undefined;
  readonly predicate?: string | undefined;
  readonly subject?: string | undefined;
  readonly derived_from?: string[] | undefined;
}

function item(scope: string, { value, from, to, negative, predicate, subject, derived_from }: Said): object {
  const triple = {
    subject: { type: 'entity', id: subject ?? 'ent_a' },
    predicate: predicate ?? 'lives in',
    object: { type: 'literal', datatype: 'string', value },
    ...(from === undefined ? {} : { valid_from: `${from}-01-01` }),
    ...(to === undefined ? {} : { valid_to: `${to}-01-01` }),
    ...(negative === true ? { polarity: 'negative' } : {}),
    ...(derived_from === undefined ? {} : { derived_from }),
  };
  return { scope, modality: 'observation', content: { kind: 'triple', triple } };
}

/** Captures statements in one transaction, and waits until they are consolidated; answers the ids of the events. */
async function state(scope: string, ...said: Said[]): Promise<string[]> {
  const items = said.map((one) => item(scope, one));
  const { status, json } = await service.post('/v1/experience/bulk?wait=consolidated', { items });
  expect(status).toBe(202);
  return json.results.map(({ event_id }: any) => event_id as string);
}

async function cancel(eventId: string): Promise<void> {
  expect((await service.post(`/v1/lifecycle/memory-event/${eventId}/cancel`)).status).toBe(200);
}

async function conflictsOf(scope: string): Promise<any[]> {
  const rows = await query(
    driver,
    `MATCH (c:Conflict {scope: $scope})
     RETURN c {.*, evidence: COLLECT { MATCH (c)-[:EVIDENCE]->(s) RETURN s.id ORDER BY s.id }} AS conflict ORDER BY c.position, c.id`,
    { scope },
  );
  return rows.map(({ conflict }) => conflict);
}

const shown = (conflicts: any[]): string[] =>
  conflicts.map(({ status, value_a, value_b }) => `${status} ${value_a} ${value_b}`);

describe('conflicts of what is captured', () => {
  it('open with the second of two values for one time, and say where they lie', async () => {
    const scope = `${own('one')}/app:x`;
    await state(scope, { value: 'Paris', from: 2020, to: 2024 });
    await state(scope, { value: 'London', from: 2022 });
    const [conflict, ...others] = await conflictsOf(scope);
    expect(others).toEqual([]);
    expect(conflict).toMatchObject({
      status: 'open',
      tenant: service.tenant,
      scope,
      cardinality: 'one',
      subject_id: 'ent_a',
      predicate: 'lives_in',
      confidence: 1,
    });
    expect(conflict.evidence).toHaveLength(2);
    expect([typeof conflict.a0, typeof conflict.a1]).toEqual(['string', 'string']);
  });

  it('do not open for what is superseded, for many-valued predicates, for conclusions and for feedback', async () => {
    const scope = own('none');
    await state(scope, { value: 'Paris', from: 2020 }, { value: 'London', from: 2021 }, { value: 'Rome' });
    await state(
      scope,
      { value: 'tea', from: 2020, predicate: 'likes' },
      { value: 'coffee', from: 2020, predicate: 'likes' },
    );
    const [premise] = await state(scope, { value: 'Bern', from: 1990, to: 1991 });
    await state(scope, { value: 'Basel', from: 1990, to: 1991, derived_from: [premise!] });
    expect(await conflictsOf(scope)).toEqual([]);
  });

  it('tell spellings from values, and owners of one thing', async () => {
    const scope = own('names');
    await state(scope, { value: 'Zürich', from: 2020 }, { value: 'Zurich', from: 2020 });
    await state(
      scope,
      { value: 'billing', subject: 'ent_priya', predicate: 'owner of', from: 2020 },
      { value: 'billing', subject: 'ent_marcus', predicate: 'owner of', from: 2020 },
    );
    const found = await conflictsOf(scope);
    expect(found.map(({ cardinality, confidence }) => [cardinality, confidence])).toEqual([
      ['one', 0.5],
      ['exclusive', 1],
    ]);
  });

  it('end by a denial, which its frame counts, and are gone with a cancelled event', async () => {
    const scope = own('ends');
    const [, london] = await state(scope, { value: 'a', from: 2020 }, { value: 'b', from: 2020 });
    const [denial] = await state(scope, { value: 'a', negative: true });
    expect(shown(await conflictsOf(scope))).toEqual(['withdrawn string "a" string "b"']);
    const frames = (await service.get(`/v1/lifecycle?event_id=${denial}&events=consolidated`)).json.items;
    expect(frames[0].data.conflicts_resolved).toBe(1);
    await cancel(denial!);
    await state(scope, { value: 'c' });
    expect(shown(await conflictsOf(scope))).toEqual(['open string "a" string "b"']);
    await cancel(london!);
    await state(scope, { value: 'd' });
    expect(await conflictsOf(scope)).toEqual([]);
  });
});

const said = fc.record({
  value: fc.constantFrom('x', 'y', 'z'),
  from: fc.option(fc.integer({ min: 2000, max: 2006 }), { nil: undefined, freq: 8 }),
  length: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  negative: fc.boolean().chain((rare) => (rare ? fc.boolean() : fc.constant(false))),
});
const step = fc.record({
  said: fc.array(said, { minLength: 1, maxLength: 4 }),
  /** Which of the events so far is cancelled afterwards. */
  cancel: fc.option(fc.nat(), { freq: 3 }),
});

/** What is stored of statements, as the fold takes it; the whole log of a claim at once. */
async function evidenceOf(scope: string): Promise<Evidence[]> {
  const rows = await query(
    driver,
    'MATCH (s:Statement {scope: $scope}) WHERE s.retracted = false RETURN s {.*} AS s ORDER BY s.position, s.id',
    { scope },
  );
  return rows.map(({ s }) => ({
    ...s,
    confidence: s.stated_confidence,
    valid: { from: s.stated_from, to: s.stated_to },
    settles: null,
  }));
}

describe('conflicts of random histories', () => {
  let run = 0;

  it('are those of the whole log, however it came', async () => {
    const histories = fc.array(step, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        run += 1;
        const scope = own(`random${run}`);
        const events: string[] = [];
        for (const { said: all, cancel: place } of steps) {
          events.push(
            ...(await state(
              scope,
              ...all.map(({ length, from, ...one }) => ({
                ...one,
                from,
                to: length === undefined || from === undefined || one.negative ? undefined : from + length,
              })),
            )),
          );
          const gone = place === null ? undefined : events.splice(place % events.length, 1)[0];
          if (gone !== undefined) await cancel(gone);
        }
        // What was cancelled last is taken out with the next event of the scope.
        await state(scope, { value: 'x' });
        const evidence = await evidenceOf(scope);
        const claim = (evidence[0] as any).claim as string;
        const wanted = evidence.reduce(disputedBy, undisputed(claim)).conflicts;
        const found = await conflictsOf(scope);
        const short = (all: any[]): any[] =>
          all
            .map(({ id, status, position, resolved_at, evidence: ids }) => [
              id,
              status,
              position,
              resolved_at ?? null,
              ids,
            ])
            .sort((a, b) => (a[0] < b[0] ? -1 : 1));
        expect(short(found)).toEqual(
          short(
            wanted.map((one) => ({
              ...one,
              evidence: one.sides
                .flat()
                .map(({ id }) => id)
                .sort(),
            })),
          ),
        );
      }),
      { numRuns: inDepth(6, 60) },
    );
  });
});
