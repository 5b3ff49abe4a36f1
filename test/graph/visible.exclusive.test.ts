import type { Driver } from 'neo4j-driver';

import { EVENT_AT, VISIBLE_EXTENT } from '../../graph/visible.ts';
import { OPEN_END } from '../../schemas/time.ts';
import { isVisible, type BitemporalRange } from '../../src/time/bitemporal-range.ts';
import { query, testDriver } from '../support/database.ts';
import fc from '../support/property.ts';
import { inDepth } from '../support/depth.ts';

/** Instants of the rows lie this far apart, so that one before and one after each is another instant. */
const STEP = 10;

let driver: Driver;

beforeAll(() => {
  driver = testDriver();
});
afterAll(async () => {
  await driver.close();
});

const end = fc.oneof(
  fc.constant(OPEN_END),
  fc.integer({ min: -3, max: 6 }).map((n) => n * STEP),
);
const interval = fc.record({ from: fc.integer({ min: -3, max: 6 }).map((n) => n * STEP), to: end });
const rows: fc.Arbitrary<BitemporalRange[]> = fc.array(fc.record({ valid: interval, recorded: interval }), {
  minLength: 1,
  maxLength: 20,
});

const around = (instants: number[]): bigint[] => [
  ...new Set(instants.flatMap((at) => [at - 1, at, at + 1]).map(BigInt)),
];

it('the predicate of events says what the pure rule says of what has no end', async () => {
  const text = `UNWIND range(0, size($rows) - 1) AS i UNWIND $valids AS valid UNWIND $recordeds AS recorded
    WITH i, $rows[i] AS e, valid, recorded
    WHERE ${EVENT_AT.replaceAll('$valid', 'valid').replaceAll('$recorded', 'recorded')}
    RETURN i, valid, recorded`;
  const instants = [-STEP, 0, STEP];
  const events = instants.flatMap((observed) => instants.map((recorded) => ({ observed, recorded })));
  const found = await query<{ i: number; valid: number; recorded: number }>(driver, text, {
    valids: around(instants),
    recordeds: around(instants),
    rows: events.map(({ observed, recorded }) => ({
      observed_at: BigInt(observed),
      recorded_at: BigInt(recorded),
    })),
  });
  const ruled = events.flatMap(({ observed, recorded }, i) =>
    around(instants).flatMap((valid) =>
      around(instants)
        .filter((at) =>
          isVisible(
            { valid: { from: observed, to: OPEN_END }, recorded: { from: recorded, to: OPEN_END } },
            { valid: Number(valid), recorded: Number(at) },
          ),
        )
        .map((at) => `${i} ${valid} ${at}`),
    ),
  );
  expect(new Set(found.map(({ i, valid, recorded }) => `${i} ${valid} ${recorded}`))).toEqual(new Set(ruled));
});

it('the predicate of statements says what the pure rule says, at every instant and a millisecond beside it', async () => {
  const text = `UNWIND range(0, size($rows) - 1) AS i UNWIND $valids AS valid UNWIND $recordeds AS recorded
    WITH i, $rows[i] AS x, valid, recorded
    WHERE ${VISIBLE_EXTENT.replaceAll('$valid', 'valid').replaceAll('$recorded', 'recorded')}
    RETURN i, valid, recorded`;
  const property = fc.asyncProperty(rows, async (extents) => {
    const valids = around(extents.flatMap(({ valid }) => [valid.from, valid.to]));
    const recordeds = around(extents.flatMap(({ recorded }) => [recorded.from, recorded.to]));
    const found = await query<{ i: number; valid: number; recorded: number }>(driver, text, {
      valids,
      recordeds,
      rows: extents.map(({ valid, recorded }) => ({
        valid_from: BigInt(valid.from),
        valid_to: BigInt(valid.to),
        recorded_from: BigInt(recorded.from),
        recorded_to: BigInt(recorded.to),
      })),
    });
    const told = new Set(found.map(({ i, valid, recorded }) => `${i} ${valid} ${recorded}`));
    const ruled = extents.flatMap((extent, i) =>
      valids.flatMap((valid) =>
        recordeds
          .filter((recorded) => isVisible(extent, { valid: Number(valid), recorded: Number(recorded) }))
          .map((recorded) => `${i} ${valid} ${recorded}`),
      ),
    );
    expect(told).toEqual(new Set(ruled));
  });
  await fc.assert(property, { numRuns: inDepth(8, 40) });
});
