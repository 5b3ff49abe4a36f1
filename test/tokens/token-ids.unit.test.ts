import { TokenIds } from '../../src/tokens/token-ids.ts';

describe('ids of tokens', () => {
  const ids = new TokenIds('secret');

  it('are known by every process with the same secret, and by no other', () => {
    const made = Array.from({ length: 100 }, () => ids.make());
    expect(new Set(made).size).toBe(100);
    for (const id of made) {
      expect(id).toMatch(/^tok_[0-9a-f]{32}$/);
      expect(new TokenIds('secret').isOwn(id)).toBe(true);
      expect(new TokenIds('another').isOwn(id)).toBe(false);
    }
  });

  it.each([
    ['made up', `tok_${'0'.repeat(32)}`],
    ['with one digit changed', changed(ids.make())],
    ['longer', `${ids.make()}0`],
    ['in capitals', ids.make().toUpperCase()],
    ['of another kind', ids.make().replace('tok_', 'evt_')],
    ['empty', ''],
  ])('are not what is %s', (_what, id) => {
    expect(ids.isOwn(id)).toBe(false);
  });
});

function changed(id: string): string {
  return id.slice(0, -1) + (id.endsWith('0') ? '1' : '0');
}
