import type { ScopeSelection } from '../../graph/event.ts';
import type { ScopeReader } from '../../graph/scope.ts';
import { levelPaths, type View } from '../../schemas/scope.ts';
import { passesRosters } from '../access/principal.ts';
import { prunedTree } from '../access/subtree.ts';
import { levelRefs, NO_SCOPE, scopeRef } from '../capture/scope-key.ts';
import { MAX_MERGED_SCOPES, MAX_SUBTREE_SCOPES } from '../limits.ts';
import type { AccessService, Call } from './access.ts';
import { rulesOf, type ScopeDirectory } from './scope-directory.ts';

/** What a reading covers, and what it leaves out. */
export interface ReadableSelection extends ScopeSelection {
  /** Scopes that the view names and the caller may not read, each with what lies below it counted once. */
  readonly withheld: number;
  /** Paths of rows of the subtrees that have to be looked at one by one; null where every row may be read. */
  readonly check: ((paths: readonly string[]) => Promise<(path: string) => boolean>) | null;
}

/** Nothing, read the way an unknown scope is read. */
const NOTHING: ReadableSelection = { scopes: [NO_SCOPE], subtrees: [], withheld: 0, check: null };

/** Decides before a reading which part of the scope tree it covers. */
export class SelectionService {
  private readonly access: AccessService;
  private readonly directory: ScopeDirectory;
  private readonly scopes: ScopeReader;

  constructor(parts: { access: AccessService; directory: ScopeDirectory; scopes: ScopeReader }) {
    this.access = parts.access;
    this.directory = parts.directory;
    this.scopes = parts.scopes;
  }

  /**
   * `holistic` covers the ancestors, the scope and everything below, `lineage` the ancestors alone, `descend` the scope and
   * everything below, any other view the scope itself; each without what the caller may not read. Of a scope whose roster
   * does not know the caller nothing is covered, except for what below it he is a member of. Throws `POLICY_DENIED` when the
   * view needs a capability that is refused.
   */
  async select(call: Call, scope: string, view: View): Promise<ReadableSelection> {
    const seen = await this.access.sees(call, 'scope.read.local', scope);
    if (view === 'holistic' || view === 'lineage') await this.access.sees(call, 'scope.read.holistic', scope);
    if (view === 'descend') await this.access.sees(call, 'scope.read.descend', scope);
    switch (view) {
      case 'holistic': {
        const above = await this.ancestors(call, scope);
        const below = await this.subtree(call, scope, seen);
        return {
          ...below,
          scopes: [...above.scopes, ...below.scopes],
          withheld: above.withheld + below.withheld,
        };
      }
      case 'lineage': {
        const { scopes, withheld } = await this.ancestors(call, scope);
        return scopes.length === 0
          ? { ...NOTHING, withheld }
          : { scopes, subtrees: [], withheld, check: null };
      }
      case 'descend':
        return this.subtree(call, scope, seen);
      case 'local':
      case 'granular':
      case 'raw':
      case 'structured': {
        const ref = scopeRef(call.principal.tenant, scope);
        return seen ? { scopes: [ref], subtrees: [], withheld: 0, check: null } : NOTHING;
      }
    }
  }

  private async ancestors(call: Call, scope: string): Promise<{ scopes: string[]; withheld: number }> {
    const { principal } = call;
    const paths = levelPaths(scope).slice(0, -1);
    const places = await this.directory.places(paths.map((path) => ({ tenant: principal.tenant, path })));
    const readable = places.filter((place) => this.access.mayRead(principal, place));
    return {
      scopes: readable.map(({ path }) => scopeRef(principal.tenant, path)),
      withheld: places.length - readable.length,
    };
  }

  private async subtree(call: Call, scope: string, seen: boolean): Promise<ReadableSelection> {
    const { principal } = call;
    const levels = levelRefs(principal.tenant, scope);
    const level = levels.length - 1;
    const whole = [{ ref: levels[level] ?? NO_SCOPE, level, levels }];
    if (passesRosters(principal) && seen) return { scopes: [], subtrees: whole, withheld: 0, check: null };
    const [[place], below] = await Promise.all([
      this.directory.places([{ tenant: principal.tenant, path: scope }]),
      this.scopes.below(principal.tenant, scope, principal.actor, MAX_SUBTREE_SCOPES + 1),
    ]);
    if (place === undefined) throw new Error('a scope without a place');
    const tree = prunedTree(
      place,
      below.slice(0, MAX_SUBTREE_SCOPES).map(({ path, rules }) => ({
        path,
        rules: rules === null ? null : rulesOf(rules),
      })),
      (at) => this.access.mayRead(principal, at),
    );
    const withheld = seen ? tree.withheld : 0;
    if (tree.withheld === 0 && below.length <= MAX_SUBTREE_SCOPES)
      return { scopes: [], subtrees: whole, withheld, check: null };
    const known = below.length <= MAX_SUBTREE_SCOPES;
    // A walk over what is not known to be readable would tell by its length how much is hidden there.
    if (!seen && !known) return NOTHING;
    const few = tree.readable.length <= MAX_MERGED_SCOPES || 2 * tree.readable.length <= below.length;
    // Few readable ones are walked side by side; else the walk goes over all, and each row is looked at.
    if (!known || !few) {
      const check = (paths: readonly string[]) => this.readable(call, paths);
      return { scopes: [], subtrees: whole, withheld, check };
    }
    const refs = tree.readable.map((path) => scopeRef(principal.tenant, path));
    return { ...NOTHING, scopes: refs.length === 0 ? [NO_SCOPE] : refs, withheld };
  }

  private async readable(call: Call, paths: readonly string[]): Promise<(path: string) => boolean> {
    const { tenant } = call.principal;
    const places = await this.directory.places([...new Set(paths)].map((path) => ({ tenant, path })));
    const readable = new Set(
      places.filter((place) => this.access.mayRead(call.principal, place)).map(({ path }) => path),
    );
    return (path) => readable.has(path);
  }
}
