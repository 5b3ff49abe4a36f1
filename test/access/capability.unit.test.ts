import { CAPABILITIES, covers } from '../../src/access/capability.ts';

describe('capabilities', () => {
  const covered = (pattern: Parameters<typeof covers>[0]) =>
    CAPABILITIES.filter((capability) => covers(pattern, capability));

  it('cover themselves and what they imply', () => {
    expect(covered('scope.read')).toEqual([
      'scope.read',
      'scope.read.local',
      'scope.read.holistic',
      'scope.read.descend',
    ]);
    expect(covered('scope.write')).toEqual([
      'scope.write',
      'scope.write.on_behalf_of',
      'scope.write.about_other',
    ]);
    expect(covered('forget.gdpr')).toEqual(['forget.gdpr']);
    expect(covered('scope.read.local')).toEqual(['scope.read.local']);
  });

  it('are named by family, whole segments only', () => {
    expect(covered('forget.gdpr.*')).toEqual(['forget.gdpr', 'forget.gdpr.cross_workspace']);
    expect(covered('admin.*')).toEqual(['admin.compact', 'admin.layers.stats', 'admin']);
    expect(covered('aud.*')).toEqual([]);
  });

  it('are all named by a star', () => {
    expect(covered('*')).toEqual([...CAPABILITIES]);
  });
});
