import { message, type Answer } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';

// Offsets number the events of the whole store, so these cases want it for themselves.

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const capture = (body: unknown): Promise<Answer> => service.post('/v1/experience', body);

describe('offsets', () => {
  it('are counted without a gap, and instants never backwards', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => capture(message(`org:ack/user:u${i % 3}`, `n${i}`))),
    );
    const acks = answers.map(({ json }) => json).sort((a, b) => a.wal_offset - b.wal_offset);
    expect(acks.map(({ wal_offset }) => wal_offset)).toEqual(acks.map((_, i) => i + 1));
    const instants = acks.map(({ recorded_at }) => recorded_at);
    expect(instants).toEqual([...instants].sort());
  });

  it('are not used up by what is refused', async () => {
    const scope = 'org:refused';
    const keyed = (text: string): object => message(scope, text, { idempotency_key: 'held' });
    const before = await capture(keyed('first'));
    const refused = [
      [message(scope, 'good'), message(scope, 'bad', { colour: 1 })],
      [message(scope, ' '), message(scope, 'good')],
      [message(scope, 'x'), keyed('other')],
    ];
    for (const items of refused) {
      const answer = await service.post('/v1/experience/bulk', { items, ordering: 'strict_temporal' });
      expect([409, 422]).toContain(answer.status);
    }
    const next = await capture(message(scope, 'the next'));
    expect(next.json.wal_offset).toBe(Number(before.json.wal_offset) + 1);
  });
});
