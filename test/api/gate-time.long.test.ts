import { OPERATION_IDS } from '../../schemas/operation.ts';
import { expectedOf } from './gate/expected.ts';
import { REST_ROWS } from './gate/rest-rows.ts';
import type { Row } from './gate/row.ts';
import { CLOSED, createWorld, GONE, type Caller, type World } from './gate/world.ts';

// To whom may not know, what is hidden and what is absent are answered in the same time: it must not be possible to tell them apart by it.

/** Pairs of requests of each operation; by turns, so that what else the machine does meets both. */
const PAIRS = 150;
const WARM_UP = 20;
/**
 * Bounds of the median time for what is hidden by that for what is absent. They are for what takes long: one further look at the database
 * makes it 1.1 to 1.3 of a loaded machine, and is found by gate.exclusive, which counts statements.
 */
const ALIKE = { from: 2 / 3, to: 3 / 2 };
/** Whoever is let into the tenant and has no part in the scope. */
const CALLER: Caller = 'stranger';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  await world.service.stop();
});

const hiding = OPERATION_IDS.map((id) => [id, REST_ROWS[id]] as const).filter(
  ([, row]) => row.guard !== 'stream' && expectedOf(CALLER, row).kind === 'hidden',
);

async function timeOf(row: Row, there: boolean): Promise<number> {
  const { method, path, body } = row.knock(there ? world.there : world.gone, there ? CLOSED : GONE, CALLER);
  const began = performance.now();
  await world.send(CALLER, method, path, body);
  return performance.now() - began;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
}

it('is asked of operations that hide', () => {
  expect(hiding.length).toBeGreaterThan(15);
});

it.each(hiding)('%s takes as long for what is hidden as for what is absent', async (_id, row) => {
  const hidden: number[] = [];
  const absent: number[] = [];
  for (let i = 0; i < WARM_UP + PAIRS; i += 1) {
    const order = i % 2 === 0 ? [true, false] : [false, true];
    for (const there of order) {
      const took = await timeOf(row, there);
      if (i >= WARM_UP) (there ? hidden : absent).push(took);
    }
  }
  const ratio = median(hidden) / median(absent);
  expect(ratio).toBeGreaterThan(ALIKE.from);
  expect(ratio).toBeLessThan(ALIKE.to);
});
