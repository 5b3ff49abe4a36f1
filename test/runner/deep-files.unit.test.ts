import { deepFiles } from '../support/runner/deep-files.ts';

const deep = deepFiles();

describe('the files that say more in a long run', () => {
  it('are those that ask how deep they go or draw at random, by project', () => {
    expect(deep.unit).toContain('test/derive/belief-properties.unit.test.ts');
    expect(deep.exclusive).toContain('test/graph/keyed-blob.exclusive.test.ts');
    // It only draws at random.
    expect(deep.unit).toContain('test/audit/chain.unit.test.ts');
  });

  it('are no others', () => {
    expect(Object.values(deep).flat()).not.toContain('test/version.unit.test.ts');
  });

  it('are all of the long ones', () => {
    expect(deep.long).toContain('test/drill/crash.long.test.ts');
    expect(deep.long.every((path) => path.endsWith('.long.test.ts'))).toBe(true);
  });
});
