import { instant } from '../../graph/instant.ts';
import { queryOnce } from '../support/database.ts';
import { declare } from '../support/declared.ts';
import { statement, stateEach } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';

// What somebody reads of beliefs who opens the database with nothing but Cypher.

const SCOPE = 'org:drawn/user:beliefs';
const NEVER = 253_402_300_799_999;

let service: SharedService;
let events: string[];

async function read(text: string, more: Record<string, unknown> = {}): Promise<any[]> {
  return queryOnce(service.driver(), text, { scope: SCOPE, tenant: service.tenant, ...more });
}

beforeAll(async () => {
  service = sharedService();
  const lives = (place: string, from: string, observed_at: string) =>
    statement(SCOPE, ['Ann', 'lives in', place], { valid_from: from, observed_at });
  events = await stateEach(service, [
    lives('Oslo', '2020-01-01', '2020-01-02T00:00:00Z'),
    lives('Oslo', '2020-06-01', '2020-06-02T00:00:00Z'),
    lives('Rome', '2022-01-01', '2022-01-02T00:00:00Z'),
  ]);
});

it('says in a belief what it is, and what is held of it', async () => {
  const rows = await read(
    `MATCH (b:Belief {scope: $scope, tenant: $tenant})
     RETURN b {.text, .stance, .confidence, .lower, .upper, .revision, .valid_from, .valid_to, .recorded_from} AS belief ORDER BY b.text`,
  );
  const [oslo, rome] = rows.map(({ belief }) => belief);
  const { json } = await service.get(`/v1/beliefs?scope=${SCOPE}`);
  const said = (object: string) => json.items.find((one: any) => one.object.id === object);
  for (const [belief, item] of [
    [oslo, said('Oslo')],
    [rome, said('Rome')],
  ]) {
    const { stance, confidence, confidence_interval: interval, revision_count, recorded_from } = item;
    const held = {
      stance,
      confidence,
      lower: interval.lower,
      upper: interval.upper,
      revision: revision_count,
    };
    expect(belief).toMatchObject({ ...held, recorded_from: Date.parse(recorded_from), valid_to: NEVER });
  }
  expect([oslo.text, oslo.stance, oslo.valid_from]).toEqual([
    'Ann lives_in Oslo',
    'contradicted',
    Date.parse('2022-01-01'),
  ]);
  expect([rome.text, rome.stance]).toEqual(['Ann lives_in Rome', 'supported']);
});

it('leads from a belief to what it rests on, what that was weighed at, and what it is about', async () => {
  const rows = await read(
    `MATCH (b:Belief {scope: $scope, tenant: $tenant, text: 'Ann lives_in Oslo'})-[s:SUPPORTED_BY]->(f:Fact)-[:DERIVED_FROM]->(e:Event)
     RETURN f.object_id AS object, s.weight AS weight, s.polarity AS polarity, s.recorded_to = $never AS still, collect(e.id) AS events
     ORDER BY still, object`,
    { never: instant(NEVER) },
  );
  const [first, second, third] = events;
  const oslo = { object: 'Oslo', polarity: 'supports', events: [first, second] };
  const found = rows.map((row) => ({ ...row, events: events.filter((id) => row.events.includes(id)) }));
  expect(found).toEqual([
    { ...oslo, weight: 1, still: false },
    { ...oslo, weight: 1.5, still: true },
    { object: 'Rome', weight: 1, polarity: 'against', still: true, events: [third] },
  ]);
  const about = await read(
    `MATCH (b:Belief {scope: $scope, tenant: $tenant})-[:ABOUT]->(n:Entity)
     RETURN b.text AS text, collect(n.id) AS entities ORDER BY text`,
  );
  expect(about.map(({ text, entities }) => [text, [...entities].sort()])).toEqual([
    ['Ann lives_in Oslo', ['Ann', 'Oslo']],
    ['Ann lives_in Rome', ['Ann', 'Rome']],
  ]);
});

it('leads from each revision to the event that brought it about', async () => {
  const rows = await read(
    `MATCH (b:Belief {scope: $scope, tenant: $tenant, text: 'Ann lives_in Oslo'})-[:HAS_REVISION]->(x:BeliefRevision)-[:REVISED_BY]->(e:Event)
     RETURN DISTINCT x.revision AS revision, e.id AS event ORDER BY revision`,
  );
  expect(rows).toEqual(events.map((event, i) => ({ revision: i + 1, event })));
});

it('says which beliefs contradict one another, and when that was known', async () => {
  const text = `MATCH (a:Belief {scope: $scope, tenant: $tenant})-[c:CONTRADICTS]->(b:Belief)
     WHERE c.recorded_from <= $recorded AND $recorded < c.recorded_to
     RETURN a.text AS by, b.text AS text`;
  const [{ at }] = await read(`MATCH (e:Event {id: $id}) RETURN e.recorded_at AS at`, { id: events[2] });
  expect(await read(text, { recorded: instant(at) })).toEqual([
    { by: 'Ann lives_in Rome', text: 'Ann lives_in Oslo' },
  ]);
  expect(await read(text, { recorded: instant(at - 1) })).toEqual([]);
});

it('leads from a declared belief to the reasons that it names', async () => {
  const [rome] = (await service.get(`/v1/facts?scope=${SCOPE}&predicate=lives_in`)).json.items;
  const { id } = await declare(service, SCOPE, { statement: 'Ann likes snow.', supports: [rome.id] });
  const rows = await read(
    `MATCH (b:Belief {id: $id})-[s:SUPPORTED_BY]->(n)
     RETURN b.text AS text, labels(n) AS labels, s.polarity AS polarity, n.id = $fact AS named`,
    { id, fact: rome.id },
  );
  expect(rows.map(({ text, polarity }) => [text, polarity])).toEqual(
    rows.map(() => ['Ann likes snow.', 'supports']),
  );
  expect(rows.some(({ labels, named }) => labels.includes('Fact') && named)).toBe(true);
  expect(rows.some(({ labels }) => labels.includes('Event'))).toBe(true);
});
