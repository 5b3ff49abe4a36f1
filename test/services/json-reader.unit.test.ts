import { readInTurns } from '../../src/services/json-reader.ts';
import { turnsWhile } from '../support/turns.ts';

/** So many that reading them takes many times as long as a turn. */
const ITEMS = 300_000;

describe('reading a body', () => {
  it('lets others have their turn', async () => {
    const body = Buffer.from(`{"items":[${'{"a":1},'.repeat(ITEMS)}{}]}`);
    expect(await turnsWhile(() => readInTurns(body, { listDepths: [1] }))).toBeGreaterThan(2);
  });
});
