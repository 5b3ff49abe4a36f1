import type { Cardinality } from '../../../schemas/scope-policy.ts';
import { FIRST_INSTANT, OPEN_END } from '../../../schemas/time.ts';
import { MAX_REPLACEMENTS } from '../../../schemas/vocabulary-record.ts';
import type { Interval } from '../../time/interval.ts';

/** What an entry of a vocabulary says of a name, as far as anything goes by it. */
export interface Definition {
  readonly id: string;
  /** In the spelling in which names are compared, as are the synonyms. */
  readonly name: string;
  readonly synonyms: readonly string[];
  readonly cardinality?: Cardinality;
  readonly inactive?: true;
  /** When it counts, epoch milliseconds; left out: always, and without an end. */
  readonly from?: number;
  readonly to?: number;
  /** Id of the definition that its names stand for from `to` on, or at once without that. */
  readonly replaced_by?: string;
}

/** What is wrong with definitions. */
export type DefinitionFault =
  /** A definition is replaced by one that is not there, or by itself over others, or over too many. */
  | { readonly kind: 'unknown' | 'circle' | 'long'; readonly id: string }
  /** A name is that of two at once. */
  | { readonly kind: 'twice'; readonly name: string; readonly ids: readonly [string, string] };

/** The definition that the names of each stand for at an instant, by id; of those that stand for none nothing. */
export function definedAt(definitions: readonly Definition[], instant: number): Map<string, Definition> {
  const byId = new Map(definitions.map((one) => [one.id, one]));
  return new Map(
    definitions.flatMap((one) => {
      const meant = meantAt(byId, one, instant);
      return meant === null ? [] : [[one.id, meant] as const];
    }),
  );
}

/** The instants at which what definitions stand for may change, in their order. */
export function boundariesOf(definitions: readonly Definition[]): number[] {
  return [
    ...new Set(definitions.flatMap(({ from, to }) => [from, to].filter((at) => at !== undefined))),
  ].sort((a, b) => a - b);
}

function meantAt(
  byId: ReadonlyMap<string, Definition>,
  definition: Definition,
  instant: number,
): Definition | null {
  let one: Definition | undefined = definition;
  for (let step = 0; step <= MAX_REPLACEMENTS && one !== undefined; step += 1) {
    const { from = FIRST_INSTANT, to, inactive, replaced_by } = one;
    const isReplaced = replaced_by !== undefined && (to === undefined || instant >= to);
    if (!isReplaced) return inactive !== true && instant >= from && instant < (to ?? Infinity) ? one : null;
    one = byId.get(replaced_by);
  }
  return null;
}

/** What is wrong with definitions of one vocabulary; null for nothing. */
export function definitionFault(definitions: readonly Definition[]): DefinitionFault | null {
  const byId = new Map(definitions.map((one) => [one.id, one]));
  for (const one of definitions) {
    const kind = replacementFault(byId, one);
    if (kind !== null) return { kind, id: one.id };
  }
  return doubledName(definitions, byId);
}

function replacementFault(
  byId: ReadonlyMap<string, Definition>,
  definition: Definition,
): 'unknown' | 'circle' | 'long' | null {
  const passed = new Set([definition.id]);
  for (let id = definition.replaced_by; id !== undefined;) {
    const next = byId.get(id);
    if (next === undefined) return 'unknown';
    if (passed.has(id)) return 'circle';
    if (passed.size > MAX_REPLACEMENTS) return 'long';
    passed.add(id);
    id = next.replaced_by;
  }
  return null;
}

/** When a name stands for a definition. */
interface Claim extends Interval {
  readonly id: string;
}

/** A name that stands for two definitions at one instant, with their ids. */
function doubledName(
  definitions: readonly Definition[],
  byId: ReadonlyMap<string, Definition>,
): DefinitionFault | null {
  const claims = new Map<string, Claim[]>();
  for (const one of definitions) {
    const own = claimsOf(byId, one);
    for (const name of new Set([one.name, ...one.synonyms]))
      claims.set(name, [...(claims.get(name) ?? []), ...own]);
  }
  for (const [name, all] of claims) {
    const sorted = [...all].sort((a, b) => a.from - b.from);
    for (const [i, claim] of sorted.entries()) {
      const other = sorted.slice(0, i).find(({ id, to }) => id !== claim.id && to > claim.from);
      if (other !== undefined) return { kind: 'twice', name, ids: [other.id, claim.id] };
    }
  }
  return null;
}

/** What the names of a definition stand for, and when. */
function claimsOf(byId: ReadonlyMap<string, Definition>, definition: Definition): Claim[] {
  const claims: Claim[] = [];
  let since = FIRST_INSTANT;
  for (let one: Definition | undefined = definition; one !== undefined;) {
    const { id, from = FIRST_INSTANT, to, inactive, replaced_by }: Definition = one;
    const end = to ?? (replaced_by === undefined ? OPEN_END : FIRST_INSTANT);
    const begin = Math.max(since, from);
    if (inactive !== true && begin < end) claims.push({ id, from: begin, to: end });
    since = Math.max(since, end);
    one = replaced_by === undefined ? undefined : byId.get(replaced_by);
  }
  return claims;
}
