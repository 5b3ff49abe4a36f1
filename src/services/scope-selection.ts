import type { ScopeSelection } from '../../graph/event.ts';
import { levelPaths, type View } from '../../schemas/scope.ts';
import { levelRefs } from '../capture/scope-key.ts';
import type { AccessService, Call } from './access.ts';

/**
 * The scopes that a reading covers, decided before it: `holistic` adds the ancestors and everything below, `lineage` is
 * the ancestors alone, `descend` the scope and everything below, any other view the scope itself. Scopes that the caller may not
 * read are left out. Throws `POLICY_DENIED` when the view needs a capability that is refused.
 */
export function selectScopes(access: AccessService, call: Call, scope: string, view: View): ScopeSelection {
  access.authorize(call, 'scope.read.local', scope);
  if (view === 'holistic' || view === 'lineage') access.authorize(call, 'scope.read.holistic', scope);
  if (view === 'descend') access.authorize(call, 'scope.read.descend', scope);
  const levels = levelRefs(call.principal.tenant, scope);
  const paths = levelPaths(scope);
  const level = levels.length - 1;
  const ref = levels[level] ?? '';
  const ancestors = levels
    .slice(0, level)
    .filter((_, i) => access.decide(call, 'scope.read', paths[i] ?? scope).allowed);
  const subtree = { ref, level, levels };
  switch (view) {
    case 'holistic':
      return { scopes: ancestors, subtrees: [subtree] };
    case 'descend':
      return { scopes: [], subtrees: [subtree] };
    case 'lineage':
      return { scopes: ancestors, subtrees: [] };
    case 'local':
    case 'granular':
    case 'raw':
    case 'structured':
      return { scopes: [ref], subtrees: [] };
  }
}
