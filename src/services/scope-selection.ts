import type { ScopeSelection } from '../../graph/scope-selection.ts';
import type { ScopeBelow, ScopeReader } from '../../graph/scope.ts';
import type { Capability } from '../../schemas/policy.ts';
import type { View } from '../../schemas/scope.ts';
import { passesRosters, type Principal } from '../access/principal.ts';
import type { ScopeWithRules } from '../access/rules.ts';
import { auditOf, defaultViewOf } from '../access/scope-uses.ts';
import { prunedTree } from '../access/subtree.ts';
import { levelRefs, NO_SCOPE, scopeRef } from '../capture/scope-key.ts';
import type { AccessService, Call } from './access.ts';
import { rulesOf, type ScopeDirectory } from './scope-directory.ts';

/** Scopes below another that a reading decides about one by one beforehand; beyond, every row is looked at. */
const MAX_SUBTREE_SCOPES = 2_000;

/** Readable scopes that are walked side by side, however many are withheld; each costs a walk of a page. */
const MAX_MERGED_SCOPES = 64;

/** What a reading covers, and what it leaves out. */
export interface ReadableSelection extends ScopeSelection {
  /** Scopes that the view names and the caller may not read, each with what lies below it counted once. */
  readonly withheld: number;
  /** The scopes that are looked at, by name; one with all that lies below it ends in `/*`. Of what is hidden as of what is empty. */
  readonly paths: readonly string[];
  /** Paths of rows of the subtrees that have to be looked at one by one; null where every row may be read. */
  readonly check: ((paths: readonly string[]) => Promise<(path: string) => boolean>) | null;
}

/** Nothing, read the way an unknown scope is read. */
const NOTHING = { scopes: [NO_SCOPE], subtrees: [], withheld: 0, check: null };

/** What is known of a scope when it is decided what a reading covers. */
interface Look {
  readonly place: ScopeWithRules;
  /** It and those above it, the root first. */
  readonly places: readonly ScopeWithRules[];
  /** Whether the caller may read in it. */
  readonly seen: boolean;
  /** What he needs in a scope beside reading there; null for nothing. */
  readonly also: Capability | null;
  /** What lies below it, one more than are looked at at most; empty where rosters do not bind the caller. */
  readonly below: readonly ScopeBelow[];
}

/** What a reading covers, and by which view. */
export interface ChosenSelection {
  readonly view: View;
  readonly selection: ReadableSelection;
  /** `off` where the reading is of the scope alone, which the caller may read, and that leaves no rows in the audit log. */
  readonly audit: 'on' | 'off';
}

/** Options of a choice. */
export interface ChoiceOptions {
  /** The view of a reading that names none, in a scope of which nobody states one; default `local`. */
  readonly usual?: 'local' | 'holistic';
  /** A capability that a scope takes beside reading: what lacks it is withheld. Default none. */
  readonly also?: Capability | null;
}

/** What a view takes in the scope beside reading there; left out: nothing. */
const NEEDED: Partial<Record<View, Capability>> = {
  holistic: 'scope.read.holistic',
  lineage: 'scope.read.holistic',
  descend: 'scope.read.descend',
};

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
   * does not know the caller nothing is covered, except for what below it he is a member of. One round trip for whom rosters bind,
   * or two beside one another. `also` names a capability that a scope takes beside reading: what lacks it is withheld. Throws
   * `POLICY_DENIED` when the view needs a capability that is refused, or the scope itself refuses `also`.
   */
  async select(
    call: Call,
    scope: string,
    view: View,
    also: Capability | null = null,
  ): Promise<ReadableSelection> {
    return (await this.choose(call, scope, view, { also })).selection;
  }

  /**
   * The same with the view: where none is asked for the one that the scope states (`default_view`, to whom may read it), else the usual
   * one; `local` for a caller who may not have that. One round trip more where the scope states a view of what lies below it. Throws as
   * {@link select} does.
   */
  async choose(
    call: Call,
    scope: string,
    asked: View | undefined,
    { usual = 'local', also = null }: ChoiceOptions = {},
  ): Promise<ChosenSelection> {
    const { access } = this;
    const expected = asked ?? usual;
    const [places, found] = await Promise.all([
      access.lineageNow(call, scope),
      this.below(call, scope, { view: expected, also }),
    ]);
    const [place] = places.slice(-1);
    if (place === undefined) throw new Error('a scope without a place');
    const reads = access.seesAt(call, 'scope.read.local', place);
    const seen = also === null ? reads : access.seesAt(call, also, place) && reads;
    const view = asked ?? this.permitted(call, place, (reads ? defaultViewOf(place) : null) ?? usual);
    const needed = NEEDED[view];
    if (needed !== undefined) access.seesAt(call, needed, place);
    const isKnown = looksBelow(expected) || !looksBelow(view);
    const below = isKnown ? found : await this.below(call, scope, { view, also });
    return {
      view,
      selection: this.covered(call, view, { places, place, seen, also, below }),
      audit: seen && isAlone(view) ? auditOf(place) : 'on',
    };
  }

  /** A view that nobody asked for, or `local` for a caller who may not have it. */
  private permitted({ principal }: Call, place: ScopeWithRules, view: View): View {
    const needed = NEEDED[view];
    if (needed === undefined) return view;
    return this.access.decideAt(principal, needed, place).outcome === 'refused' ? 'local' : view;
  }

  /** What lies below a scope with the rules that concern the caller; nothing is asked where all of it may be read. */
  private async below(
    { principal }: Call,
    scope: string,
    { view, also }: { readonly view: View; readonly also: Capability | null },
  ): Promise<ScopeBelow[]> {
    if (!looksBelow(view)) return [];
    if (passesRosters(principal) && also === null) return [];
    return this.scopes.below(principal.tenant, scope, principal.actor, MAX_SUBTREE_SCOPES + 1);
  }

  private covered(call: Call, view: View, look: Look): ReadableSelection {
    switch (view) {
      case 'holistic': {
        const above = this.ancestors(call, look);
        const below = this.subtree(call, look);
        return {
          ...below,
          scopes: [...above.scopes, ...below.scopes],
          paths: [...above.paths, ...below.paths],
          withheld: above.withheld + below.withheld,
        };
      }
      case 'lineage': {
        const { scopes, paths, withheld } = this.ancestors(call, look);
        return scopes.length === 0
          ? { ...NOTHING, paths, withheld }
          : { scopes, paths, subtrees: [], withheld, check: null };
      }
      case 'descend':
        return this.subtree(call, look);
      case 'local':
      case 'granular':
      case 'raw':
      case 'structured': {
        const ref = scopeRef(call.principal.tenant, look.place.path);
        return { ...NOTHING, scopes: [look.seen ? ref : NO_SCOPE], paths: [look.place.path] };
      }
    }
  }

  private ancestors(
    { principal }: Call,
    look: Look,
  ): { scopes: string[]; paths: string[]; withheld: number } {
    const places = look.places.slice(0, -1);
    const readable = places.filter((place) => this.mayUse(principal, place, look.also));
    return {
      scopes: readable.map(({ path }) => scopeRef(principal.tenant, path)),
      paths: readable.map(({ path }) => path),
      withheld: places.length - readable.length,
    };
  }

  private subtree(call: Call, { place, seen, also, below }: Look): ReadableSelection {
    const { principal } = call;
    const levels = levelRefs(principal.tenant, place.path);
    const level = levels.length - 1;
    const whole = [{ ref: levels[level] ?? NO_SCOPE, level, levels }];
    const all = { scopes: [], subtrees: whole, paths: [`${place.path}/*`] };
    if (passesRosters(principal) && seen && also === null) return { ...all, withheld: 0, check: null };
    const tree = prunedTree(
      place,
      below.slice(0, MAX_SUBTREE_SCOPES).map(({ path, rules }) => ({
        path,
        rules: rules === null ? null : rulesOf(rules),
      })),
      (at) => this.mayUse(principal, at, also),
    );
    const withheld = seen ? tree.withheld : 0;
    if (tree.withheld === 0 && below.length <= MAX_SUBTREE_SCOPES) return { ...all, withheld, check: null };
    const known = below.length <= MAX_SUBTREE_SCOPES;
    // A walk over what is not known to be readable would tell by its length how much is hidden there.
    if (!seen && !known) return { ...NOTHING, paths: all.paths };
    const few = tree.readable.length <= MAX_MERGED_SCOPES || 2 * tree.readable.length <= below.length;
    // Few readable ones are walked side by side; else the walk goes over all, and each row is looked at.
    if (!known || !few) {
      const check = (paths: readonly string[]) => this.readable(call, paths, also);
      return { ...all, withheld, check, partlyHidden: true };
    }
    const refs = tree.readable.map((path) => scopeRef(principal.tenant, path));
    const paths = seen ? tree.readable : all.paths;
    return { ...NOTHING, scopes: refs.length === 0 ? [NO_SCOPE] : refs, paths, withheld };
  }

  private mayUse(principal: Principal, place: ScopeWithRules, also: Capability | null): boolean {
    const { access } = this;
    return (
      access.mayRead(principal, place) &&
      (also === null || access.decideAt(principal, also, place).outcome === 'allowed')
    );
  }

  private async readable(
    call: Call,
    paths: readonly string[],
    also: Capability | null,
  ): Promise<(path: string) => boolean> {
    const { tenant } = call.principal;
    const places = await this.directory.places([...new Set(paths)].map((path) => ({ tenant, path })));
    const readable = new Set(
      places.filter((place) => this.mayUse(call.principal, place, also)).map(({ path }) => path),
    );
    return (path) => readable.has(path);
  }
}

/** Whether a view covers what lies below the scope. */
function looksBelow(view: View): boolean {
  return view === 'holistic' || view === 'descend';
}

/** Whether a view covers the scope and no other. */
function isAlone(view: View): boolean {
  return NEEDED[view] === undefined;
}
