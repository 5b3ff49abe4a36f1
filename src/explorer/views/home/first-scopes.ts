import type { FirstScopes } from './queries.ts';

/** At most so many parts of the tree are shown where no scope is chosen: each asks the service twice. */
const ROOTS_AT_MOST = 4;

/**
 * Whether the caller can tell that nothing is stored. A list without scopes says so to an operator alone: to anybody else it says that
 * there is none that he may read.
 */
export function seesEmptyStore({ scopes, effectivePolicy }: FirstScopes): boolean {
  const isNone = scopes?.nodes.length === 0 && !scopes.pageInfo.hasNextPage;
  const mayRead = effectivePolicy?.decisions['scope.read.local']?.decision === 'allow';
  return isNone && mayRead && effectivePolicy.naturalLevel === 'operator';
}

/** The first scopes that lie below no other one of the list. */
export function rootsOf({ scopes }: FirstScopes): readonly string[] {
  const paths = (scopes?.nodes ?? []).map(({ path }) => path);
  const isBelow = (path: string, other: string): boolean => path.startsWith(`${other}/`);
  return paths.filter((path) => !paths.some((other) => isBelow(path, other))).slice(0, ROOTS_AT_MOST);
}
