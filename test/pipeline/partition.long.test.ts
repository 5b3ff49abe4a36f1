import { scopeRef, shardOf } from '../../src/capture/scope-key.ts';
import { statement } from '../support/facts.ts';
import { startTestService, type TestService } from '../support/service.ts';

const SCOPES = ['org:lanes-one', 'org:lanes-two'] as const;
const PUMPS = 8;

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await service.stop();
});

const other = (scope: string): string => (scope === SCOPES[0] ? SCOPES[1] : SCOPES[0]);
const state = (scope: string, pump: string, value: string, premises: string[] = []): object =>
  statement(scope, [pump, 'state', `=${value}`], premises.length === 0 ? {} : { derived_from: premises });

/** Captures everything at once, and waits until it is consolidated. */
async function say(items: object[]): Promise<void> {
  const { status, text } = await service.post('/v1/experience/bulk?wait=consolidated', { items });
  expect([status, text]).toEqual([202, text]);
}

const everywhere = <T>(make: (scope: string, pump: string) => T): T[] =>
  Array.from({ length: PUMPS }, (_, i) => SCOPES.map((scope) => make(scope, `pump_${i}`))).flat();

/** What holds of each subject of both scopes now. */
async function states(prefix: string): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const scope of SCOPES) {
    const { json } = await service.get(`/v1/facts?scope=${scope}&limit=100`);
    for (const { subject, object } of json.items as { subject: { id: string }; object: { value: string } }[])
      if (subject.id.startsWith(prefix)) (found[`${scope} ${subject.id}`] ??= []).push(object.value);
  }
  return found;
}

it('scopes of two shards whose conclusions rest on one another fall and return together, and nothing is given up', async () => {
  expect(new Set(SCOPES.map((scope) => shardOf(scopeRef('default', scope)))).size).toBe(2);
  await say(everywhere((scope, pump) => state(scope, pump, 'fine')));
  const facts = new Map<string, string>();
  for (const scope of SCOPES) {
    const { json } = await service.get(`/v1/facts?scope=${scope}&limit=100`);
    for (const { id, subject } of json.items as { id: string; subject: { id: string } }[])
      facts.set(`${scope} ${subject.id}`, id);
  }
  const premise = (scope: string, pump: string): string[] => [
    facts.get(`${other(scope)} ${pump}`) ?? 'no fact',
  ];
  await say(everywhere((scope, pump) => state(scope, `line_${pump}`, 'ready', premise(scope, pump))));
  const ready = Object.fromEntries(everywhere((scope, pump) => [`${scope} line_${pump}`, ['ready']]));
  expect(await states('line_')).toEqual(ready);
  for (let round = 0; round < 3; round += 1) {
    // Each of the two shards has something to fall in the other one.
    await say(everywhere((scope, pump) => state(scope, pump, 'worn')));
    expect(await states('line_')).toEqual({});
    await say(everywhere((scope, pump) => state(scope, pump, 'fine')));
    expect(await states('line_')).toEqual(ready);
  }
});
