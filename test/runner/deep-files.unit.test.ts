import { deepFiles } from '../support/runner/deep-files.ts';

const deep = new Map(deepFiles());

describe('the files that say more in a long run', () => {
  it('are those that ask how deep they go, by project', () => {
    expect(deep.get('unit')).toContain('test/derive/belief-properties.unit.test.ts');
    expect(deep.get('exclusive')).toContain('test/pipeline/claim-histories.exclusive.test.ts');
  });

  it('are no others', () => {
    expect([...deep.values()].flat()).not.toContain('test/version.unit.test.ts');
  });

  it('are all of the long ones', () => {
    expect(deep.get('long')).toContain('test/drill/crash.long.test.ts');
    expect(deep.get('long')?.every((path) => path.endsWith('.long.test.ts'))).toBe(true);
  });
});
