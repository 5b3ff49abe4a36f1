import type { Statement } from '../../src/derive/claim/statement.ts';
import { OPEN_END, toRfc3339 } from '../../schemas/time.ts';
import { valueAt } from '../derive/oracle.ts';
import { queryOnce } from '../support/database.ts';
import { inDepth, SEED } from '../support/depth.ts';
import { statement } from '../support/facts.ts';
import fc from '../support/property.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';

// Random histories of one claim each: what the readings answer at every pair of instants, and a millisecond beside it, is what a naive
// reading of the statements says. The claim is asked for by name (a look-up near the instants), and as a page of its scope (a walk).

const HISTORIES = inDepth(3, 8);
const STEPS = inDepth(5, 7);

const said = fc.record({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constant('asserted' as const) },
    { weight: 1, arbitrary: fc.constant('denied' as const) },
    { weight: 1, arbitrary: fc.constant('never' as const) },
  ),
  object: fc.constantFrom('ent_x', 'ent_y', 'ent_z'),
  from: fc.integer({ min: 2010, max: 2014 }),
  length: fc.option(fc.integer({ min: 0, max: 3 })),
});
const histories = fc.array(fc.array(said, { minLength: 2, maxLength: STEPS }), {
  minLength: HISTORIES,
  maxLength: HISTORIES,
});

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

type Saying = ReturnType<typeof said.generate>['value'];

function item(scope: string, { kind, object, from, length }: Saying): Record<string, unknown> {
  return statement(scope, ['ent_a', 'lives in', object], {
    ...(kind === 'never' ? {} : { valid_from: `${from}-01-01` }),
    ...(kind === 'asserted' && length !== null ? { valid_to: `${from + length}-01-01` } : {}),
    ...(kind === 'asserted' ? {} : { polarity: 'negative' }),
  });
}

/** What was stated in a scope, as it is stored. */
async function logOf(scope: string): Promise<Statement[]> {
  const rows = await queryOnce(
    service.driver(),
    `MATCH (s:Statement {scope: $scope, tenant: $tenant}) RETURN s {.*} AS s ORDER BY s.position`,
    { scope, tenant: service.tenant },
  );
  return rows.map(
    ({ s }) =>
      ({
        ...s,
        confidence: s.stated_confidence,
        valid: { from: s.stated_from, to: s.stated_to },
      }) as Statement,
  );
}

const around = (instants: number[]): number[] =>
  [...new Set(instants.flatMap((at) => [at - 1, at, at + 1]))].filter((at) => at < OPEN_END - 1);

async function objectsAt(query_: string, valid: number, recorded: number): Promise<string[]> {
  const at = `as_of_valid=${toRfc3339(valid)}&as_of_recorded=${toRfc3339(recorded)}`;
  const { status, json, text } = await service.get(`/v1/facts?${query_}&${at}`);
  if (status !== 200) throw new Error(text);
  return json.items.map(({ object }: any) => `entity ${object.id as string}`);
}

it('readings answer what a naive reading of the statements says', async () => {
  const [all = []] = fc.sample(histories, { numRuns: 1, seed: SEED });
  for (let step = 0; step < STEPS; step += 1) {
    const items = all.flatMap((history, i) => {
      const next = history[step];
      return next === undefined ? [] : [item(`org:at/ws:${i}`, next)];
    });
    if (items.length === 0) continue;
    const answer = await service.post('/v1/experience/bulk?wait=consolidated', { items });
    expect(answer.status).toBe(202);
  }
  const wrong: unknown[] = [];
  for (const i of all.keys()) {
    const scope = `org:at/ws:${i}`;
    const log = await logOf(scope);
    const valids = around(log.flatMap(({ valid }) => [valid.from, Math.min(valid.to, OPEN_END)]));
    const recordeds = around(log.map(({ recorded_at }) => recorded_at));
    for (const recorded of recordeds) {
      const asked = await Promise.all(
        valids.map(async (valid) => {
          const value = valueAt(log, valid, recorded);
          const expected = value === null ? [] : [value];
          const [named, walked] = await Promise.all([
            objectsAt(`scope=${scope}&subject=ent_a&predicate=lives_in`, valid, recorded),
            objectsAt(`scope=${scope}`, valid, recorded),
          ]);
          return { valid, recorded, scope, expected, named, walked };
        }),
      );
      wrong.push(
        ...asked.filter(
          ({ expected, named, walked }) =>
            JSON.stringify([named, walked]) !== JSON.stringify([expected, expected]),
        ),
      );
    }
  }
  expect(wrong).toEqual([]);
});
