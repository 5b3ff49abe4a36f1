import type { Cardinality, ScopePolicies } from '../../schemas/scope-policy.ts';
import { grouped } from './grouped.ts';
import { SHIPPED, type Vocabulary } from './vocabulary.ts';
import type { TenantVocabulary } from './vocabulary/tenant.ts';

/** What of a scope's policies derivation depends on. */
export type DerivationPolicies = Pick<ScopePolicies, 'cardinality' | 'conflict_resolution' | 'consolidation'>;

/** The names of what derivation depends on. */
export const DERIVATION_POLICIES = ['cardinality', 'conflict_resolution', 'consolidation'] as const;

/** Where an entry stands in the log: it counts for events behind `after_offset`; of several at one place the last number counts. */
interface EntryPosition {
  readonly id: string;
  readonly after_offset: number;
  /** Grows from entry to entry. */
  readonly number: number;
}

/** From its place in the log on a scope states this, and nothing else. */
export interface PolicyEntry extends EntryPosition {
  readonly scope_ref: string;
  readonly policies: DerivationPolicies;
  /** References of the scopes that it inherits from by name, first ones first. */
  readonly inherit_refs: readonly string[];
}

/** From its place in the log on the deployment knows these predicates. */
export interface VocabularyEntry extends EntryPosition {
  readonly vocabulary: Vocabulary;
}

/** From its place in the log on a tenant has these vocabularies, and no others. */
export interface TenantVocabularyEntry extends EntryPosition {
  /** Reference of the tenant's entries; see {@link vocabulariesRef}. */
  readonly scope_ref: string;
  readonly vocabulary: TenantVocabulary;
}

/** The reference that stands in entries of a tenant's vocabularies where others have that of a scope. */
export function vocabulariesRef(tenant: string): string {
  return `vocabularies ${tenant}`;
}

/** A place in the log, and in the tree of scopes. */
export interface LogPosition {
  /** References of every level of the scope, root first; the last is the scope's own. */
  readonly levels: readonly string[];
  /** {@link vocabulariesRef} of its tenant. */
  readonly vocabularies: string;
  /** Offset of an event. */
  readonly position: number;
  /** When that was recorded, epoch milliseconds: entries of vocabularies may count for some time only. */
  readonly recorded_at: number;
}

/** What derivation goes by at a place. */
export interface DerivationRules {
  /** The same text means the same rules: ids of the entries that count. */
  readonly version: string;
  /** A predicate in its one spelling. */
  readonly canonical: (predicate: string) => string;
  /** How many values a predicate in its canonical spelling has at once. */
  readonly cardinalityOf: (predicate: string) => Cardinality;
  /** Whether that is said of a predicate in its canonical spelling, and not the default. */
  readonly states: (predicate: string) => boolean;
  /** Default `latest_wins`. */
  readonly conflictResolution: NonNullable<ScopePolicies['conflict_resolution']>;
  /** Default `eager`. */
  readonly consolidation: NonNullable<ScopePolicies['consolidation']>;
}

/** A stretch of the log in which entries of one scope are wanted: the one that counts at `from`, and those up to `to`. */
export interface EntrySpan {
  readonly scope_ref: string;
  readonly from: number;
  readonly to: number;
}

/** The entries of the log that rules come from, as far as they were read. */
export interface PolicyEntries {
  readonly policies: readonly PolicyEntry[];
  /** Of the deployment. */
  readonly vocabularies: readonly VocabularyEntry[];
  readonly tenants: readonly TenantVocabularyEntry[];
}

/** The stretches that places need at first: each level of each path, and the vocabularies of each tenant, once. */
export function spansOf(places: readonly LogPosition[]): EntrySpan[] {
  return joined(
    places.flatMap(({ levels, vocabularies, position }) =>
      [...levels, vocabularies].map((ref) => ({ scope_ref: ref, from: position, to: position })),
    ),
  );
}

/** The stretches that places need besides, once what their scopes inherit from by name is known. */
export function inheritedSpansOf(places: readonly LogPosition[], { policies }: PolicyEntries): EntrySpan[] {
  const byRef = grouped(policies, ({ scope_ref }) => scope_ref);
  const known = new Map(spansOf(places).map((span) => [span.scope_ref, span]));
  const named = places.flatMap((place) =>
    (inForce(byRef.get(ownOf(place)), place.position)?.inherit_refs ?? []).map((ref) => ({
      scope_ref: ref,
      from: place.position,
      to: place.position,
    })),
  );
  return joined(named).filter(({ scope_ref, from, to }) => {
    const span = known.get(scope_ref);
    return span === undefined || from < span.from || to > span.to;
  });
}

/**
 * The rules at each place, in the order of the places: what the scope states, else what the scopes state that it inherits from by
 * name, else the nearest scope above it, else the vocabularies of the tenant as they hold there, else that of the deployment. Cardinality
 * is decided predicate by predicate.
 */
export function rulesAt(places: readonly LogPosition[], entries: PolicyEntries): DerivationRules[] {
  const byRef = grouped(entries.policies, ({ scope_ref }) => scope_ref);
  const ofTenant = grouped(entries.tenants, ({ scope_ref }) => scope_ref);
  const made = new Map<string, DerivationRules>();
  return places.map((place) => {
    const { levels, position } = place;
    const own = ownOf(place);
    const named = inForce(byRef.get(own), position)?.inherit_refs ?? [];
    const sources = [own, ...named, ...levels.slice(0, -1).reverse()]
      .map((ref) => inForce(byRef.get(ref), position))
      .filter((entry) => entry !== undefined);
    const vocabulary = inForce(entries.vocabularies, position);
    const tenant = inForce(ofTenant.get(place.vocabularies), position);
    const held = tenant?.vocabulary.at(levels, place.recorded_at) ?? null;
    const entryIds = [vocabulary, ...sources].map((entry) => entry?.id ?? '').join(' ');
    const version = held === null ? entryIds : `${entryIds} ${tenant?.id ?? ''} ${held.key}`;
    const base = vocabulary?.vocabulary ?? SHIPPED;
    const rules = made.get(version) ?? rulesOf(version, sources, held?.over(base) ?? base);
    made.set(version, rules);
    return rules;
  });
}

function ownOf({ levels }: LogPosition): string {
  return levels.at(-1) ?? '';
}

function rulesOf(version: string, sources: readonly PolicyEntry[], vocabulary: Vocabulary): DerivationRules {
  const stated = new Map<string, Cardinality>();
  for (const { policies } of sources) {
    const own = cardinalitiesOf(policies, vocabulary);
    for (const [predicate, cardinality] of own)
      if (!stated.has(predicate)) stated.set(predicate, cardinality);
  }
  const first = <Key extends 'conflict_resolution' | 'consolidation'>(key: Key): DerivationPolicies[Key] =>
    sources.find(({ policies }) => policies[key] !== undefined)?.policies[key];
  return {
    version,
    canonical: (predicate) => vocabulary.canonical(predicate),
    cardinalityOf: (predicate) => stated.get(predicate) ?? vocabulary.cardinality(predicate),
    states: (predicate) => stated.has(predicate) || vocabulary.knows(predicate),
    conflictResolution: first('conflict_resolution') ?? 'latest_wins',
    consolidation: first('consolidation') ?? 'eager',
  };
}

/** What one scope states by canonical predicate: of several names of one predicate its own goes before, then the first by code. */
function cardinalitiesOf(
  { cardinality = {} }: DerivationPolicies,
  vocabulary: Vocabulary,
): Map<string, Cardinality> {
  const found = new Map<string, Cardinality>();
  const names = Object.keys(cardinality).sort();
  for (const name of [...names.filter((each) => vocabulary.canonical(each) === each), ...names]) {
    const predicate = vocabulary.canonical(name);
    if (!found.has(predicate)) found.set(predicate, cardinality[name] as Cardinality);
  }
  return found;
}

/** The last entry that counts for an event at a position. */
function inForce<Entry extends EntryPosition>(
  entries: readonly Entry[] = [],
  position: number,
): Entry | undefined {
  let last: Entry | undefined;
  for (const entry of entries)
    if (entry.after_offset < position && (last === undefined || entry.number > last.number)) last = entry;
  return last;
}

function joined(spans: readonly EntrySpan[]): EntrySpan[] {
  const byRef = new Map<string, EntrySpan>();
  for (const span of spans) {
    const { scope_ref, from, to } = span;
    const known = byRef.get(scope_ref) ?? span;
    byRef.set(scope_ref, { scope_ref, from: Math.min(known.from, from), to: Math.max(known.to, to) });
  }
  return [...byRef.values()];
}
