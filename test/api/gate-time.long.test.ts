import { OPERATION_IDS } from '../../schemas/operation.ts';
import { expectedOf } from './gate/expected.ts';
import { REST_ROWS, type Row } from './gate/rest-rows.ts';
import { CLOSED, createWorld, GONE, type Caller, type World } from './gate/world.ts';

// To whom may not know, what is hidden and what is absent are answered in the same time: it must not be possible to tell them apart by it.

/** Pairs of requests of each operation; by turns, so that what else the machine does meets both. */
const PAIRS = 300;
const WARM_UP = 20;
/**
 * Bounds of the probability that hiding takes longer than absence, which is a half where the two are alike. Its standard error with so
 * many pairs is 1 / sqrt(6 * 300) = 0.024 (Mann and Whitney 1947), so a bound is missed by chance once in three million.
 */
const ALIKE = { from: 0.38, to: 0.62 };
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

/** How probable it is that one of the first takes longer than one of the others; a tie counts half. */
function probabilityOfLonger(first: readonly number[], others: readonly number[]): number {
  const longer = first.flatMap((one) => others.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)));
  return longer.reduce<number>((sum, one) => sum + one, 0) / longer.length;
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
  const probability = probabilityOfLonger(hidden, absent);
  expect(probability).toBeGreaterThan(ALIKE.from);
  expect(probability).toBeLessThan(ALIKE.to);
});
