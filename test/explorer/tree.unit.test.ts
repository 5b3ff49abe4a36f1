import { treeOf, type Branch } from '../../src/explorer/views/scopes/tree.ts';

const item = (path: string) => ({
  path,
  autoProvisioned: true,
  eventCount: 1,
  eventCountCapped: false,
  owner: null,
  memberCount: 0,
});

/** Paths by depth; one that nothing was stored in is in brackets. */
function drawn(branches: readonly Branch[], depth = 0): string[] {
  return branches.flatMap(({ name, path, item: own, children }) => [
    `${'-'.repeat(depth)}${own === null ? `[${name}]` : name}`,
    ...(own !== null && own.path !== path ? [`${path} is ${own.path}`] : []),
    ...drawn(children, depth + 1),
  ]);
}

describe('the tree of scopes', () => {
  it('holds each below the one above it, and those that are on the way only', () => {
    const paths = ['user:b', 'user:a/app:x/thread:1', 'user:a', 'user:a/app:y'];
    expect(drawn(treeOf(paths.map(item)))).toEqual(['user:a', '-[app:x]', '--thread:1', '-app:y', 'user:b']);
  });

  it('of nothing is empty', () => {
    expect(treeOf([])).toEqual([]);
  });
});
