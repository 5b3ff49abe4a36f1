import { message } from '../support/client.ts';
import { statement } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';

// What a statement said that holds no more: where a recall shows it, it says until when it held.

const SCOPE = 'org:ended/user:ann';
const PEOPLE = Array.from({ length: 45 }, (_, i) => `ent_ended_${i}`);

let service: SharedService;

beforeAll(async () => {
  service = sharedService();
  for (const [city, valid_from] of [
    ['Berlin', '2020-01-01'],
    ['Hamburg', '2024-05-01'],
  ] as const) {
    const items = PEOPLE.map((person) =>
      statement(SCOPE, [person, 'lives in', `=${city}`], { valid_from: `${valid_from}T00:00:00Z` }),
    );
    const { status } = await service.post('/v1/experience/bulk?wait=consolidated', { items });
    expect(status).toBe(202);
  }
  expect((await service.post('/v1/experience', message(SCOPE, 'Berlin has many lakes'))).status).toBe(202);
});

async function linesOf(max_events: number): Promise<string[]> {
  const { json, status } = await service.post('/v1/recall', {
    scope: SCOPE,
    query: 'lives Berlin Hamburg',
    include: ['events'],
    budgets: { max_events, max_tokens: 8000 },
  });
  expect(status).toBe(200);
  return json.context_block.split('\n---\n');
}

it.each([60, 80])(
  'of %i events each that states what is over says so, those read later too',
  async (most) => {
    const lines = await linesOf(most);
    expect(lines.length).toBeGreaterThan(most - 2);
    for (const line of lines) {
      if (line.includes('Hamburg')) expect(line).not.toContain('until');
      if (line.includes('in Berlin')) expect(line).toContain('(until 2024-05-01');
    }
    // All but one for each who lives in Hamburg, and what only names Berlin.
    const ended = lines.filter((line) => line.includes('until'));
    expect(ended.length).toBeGreaterThanOrEqual(lines.length - PEOPLE.length - 1);
  },
);

it('says nothing of an end where the text only names a place', async () => {
  const lines = await linesOf(200);
  expect(lines.filter((line) => line.includes('lakes')).join()).not.toContain('until');
});

it('says so too of an episode that is called by what is over', async () => {
  const scope = 'org:ended/user:priya';
  for (const [city, valid_from] of [
    ['Berlin', '2020-01-01'],
    ['Hamburg', '2026-01-01'],
  ] as const) {
    const sent = statement(scope, ['ent_priya', 'lives in', `=${city}`], { valid_from });
    expect((await service.post('/v1/experience?wait=consolidated', sent)).status).toBe(202);
  }
  const { json } = await service.post('/v1/recall', { scope, query: 'Priya Berlin' });
  const lines: string[] = json.context_block.split('\n---\n');
  const berlin = lines.filter((line) => line.includes('Berlin'));
  expect(berlin.filter((line) => line.includes('(episode of 2 events)'))).toHaveLength(1);
  expect(berlin.filter((line) => !line.includes('Berlin (until 2026-01-01 00:00 UTC)'))).toEqual([]);
});
