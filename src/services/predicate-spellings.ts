import { levelRefs } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import type { PredicateNames } from '../derive/predicate-names.ts';
import type { AccessService, Call } from './access.ts';
import type { SaidNow, TenantVocabularies } from './tenant-vocabularies.ts';

/** Whose predicates are asked for, and where. */
export interface PredicatePlaces {
  readonly tenant: string;
  /**
   * Paths of the scopes that are looked at; one with all that lies below it ends in `/*`. The spelling of the first comes first. Empty: what
   * holds in the whole tenant.
   */
  readonly paths: readonly string[];
  /** The caller, who is shown nothing by a vocabulary of a scope below that he may not read; null: nobody is shown anything. */
  readonly call: Call | null;
}

/** Knows how predicates that are asked for may be spelt in the store, by what was said of them at one instant. */
export interface PredicateLook {
  /**
   * The spellings of a predicate, the one in force first: by the vocabularies that hold in the places, then by the deployment. What was
   * stated before an alias was known has got its own name, so all names of the predicate are among them.
   */
  spellings(places: Omit<PredicatePlaces, 'tenant'>, text: string): Promise<string[]>;
}

/** Knows how a predicate that is asked for may be spelt in the store. */
export class PredicateSpellings {
  private readonly parts: {
    readonly names: PredicateNames;
    readonly vocabularies: Pick<TenantVocabularies, 'of'>;
    readonly access: Pick<AccessService, 'readableNow'>;
    readonly clock: Clock;
  };

  constructor(parts: PredicateSpellings['parts']) {
    this.parts = parts;
  }

  /** {@link PredicateLook} of a tenant and its spellings at once. One round trip, one more where vocabularies of scopes below are there. */
  async of({ tenant, ...places }: PredicatePlaces, text: string): Promise<string[]> {
    const look = await this.in(tenant);
    return look.spellings(places, text);
  }

  /** What the vocabularies of a tenant and the deployment say now; one round trip. */
  async in(tenant: string): Promise<PredicateLook> {
    const { names, vocabularies, clock } = this.parts;
    const { predicates, scopes } = await vocabularies.of(tenant);
    if (predicates === null) return { spellings: (_, text) => Promise.resolve(names.spellings(text)) };
    return {
      spellings: async (places, text) => {
        const counting = await this.countingAmong(scopes, { tenant, ...places });
        const [first] = places.paths;
        const place = first === undefined ? [] : levelRefs(tenant, scopeIn(first));
        const own = predicates.spellings(
          text,
          names.vocabulary,
          { place, counts: (name) => counting.has(name) },
          clock.now(),
        );
        return [...new Set([...own, ...names.spellings(text)])];
      },
    };
  }

  /** Names of the vocabularies that hold in one of the places, or in a scope within one that the caller may read. */
  private async countingAmong(
    scopes: SaidNow['scopes'],
    { tenant, paths, call }: PredicatePlaces,
  ): Promise<ReadonlySet<string>> {
    const counting = new Set<string>();
    const below = new Map<string, string>();
    for (const [name, scope] of scopes) {
      if (scope === null || paths.some((path) => lies(scopeIn(path), scope))) counting.add(name);
      else if (paths.some((path) => path.endsWith(ALL_BELOW) && lies(scope, scopeIn(path))))
        below.set(name, scope);
    }
    if (below.size === 0) return counting;
    const asked = [...below.values()].map((path) => ({ tenant, path }));
    const mayRead = call === null ? () => true : await this.parts.access.readableNow(call, asked);
    for (const [name, path] of below) if (mayRead({ tenant, path })) counting.add(name);
    return counting;
  }
}

const ALL_BELOW = '/*';

function scopeIn(path: string): string {
  return path.endsWith(ALL_BELOW) ? path.slice(0, -ALL_BELOW.length) : path;
}

/** Whether a scope is another one, or lies below it. */
function lies(scope: string, within: string): boolean {
  return scope === within || scope.startsWith(`${within}/`);
}
