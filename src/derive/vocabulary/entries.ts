import { toEpochMs, toRfc3339 } from '../../../schemas/time.ts';
import {
  MAX_REPLACEMENTS,
  MAX_VOCABULARY_CHARACTERS,
  MAX_VOCABULARY_ENTRIES,
  type VocabularyChange,
  type VocabularyItem,
  type VocabularyPredicate,
  type VocabularyTerm,
} from '../../../schemas/vocabulary-record.ts';
import { normalisedName } from '../entity.ts';
import { spelt } from '../vocabulary.ts';
import { definitionFault, type Definition, type DefinitionFault } from './definition.ts';

/** The entries of a vocabulary, each list in the order of ids. */
export type VocabularyEntries = Pick<VocabularyItem, 'terms' | 'predicates' | 'relations'>;

/** The name of a list of entries. */
type ListName = keyof VocabularyEntries;

const LISTS: readonly ListName[] = ['terms', 'predicates', 'relations'];

/** Of a vocabulary that there is none of yet. */
export const NO_ENTRIES: VocabularyEntries = { terms: [], predicates: [], relations: [] };

/** What a field of a change would lead to that cannot be. */
export interface EntryFault {
  /** `predicates[2].replaced_by`. */
  readonly field: string;
  readonly reason: string;
}

/** Entries with a change applied to them, and what is gone by of them; or why they cannot be changed so. */
export type ChangedEntries =
  | {
      readonly entries: VocabularyEntries;
      /** What predicates and relations say, and what terms say. */
      readonly acts: readonly Definition[];
      readonly calls: readonly Definition[];
    }
  | { readonly fault: EntryFault };

/** Entries after a change: those of the ids that are given get the fields that are given, others are added. */
export function changedEntries(known: VocabularyEntries, change: VocabularyChange): ChangedEntries {
  const entries: VocabularyEntries = {
    terms: merged(known.terms, change.terms, termOf),
    predicates: merged(known.predicates, change.predicates, predicateOf),
    relations: merged(known.relations, change.relations, predicateOf),
  };
  for (const list of LISTS) {
    const fault = listFault(list, change[list] ?? [], entries[list]);
    if (fault !== null) return { fault };
  }
  const acts = [...definitions('predicates', entries), ...definitions('relations', entries)];
  const calls = definitions('terms', entries);
  const wrong = definitionFault(acts) ?? definitionFault(calls);
  if (wrong !== null) return { fault: faultOf(wrong, change) };
  const characters = JSON.stringify(entries).length;
  if (characters <= MAX_VOCABULARY_CHARACTERS) return { entries, acts, calls };
  const given = LISTS.find((list) => (change[list] ?? []).length > 0) ?? 'terms';
  const reason = `would have the entries of the vocabulary take ${String(characters)} characters; ${String(MAX_VOCABULARY_CHARACTERS)} at most`;
  return { fault: { field: given, reason } };
}

type Change =
  | NonNullable<VocabularyChange['predicates']>[number]
  | NonNullable<VocabularyChange['terms']>[number];

function merged<Entry extends { readonly id: string }, Given extends { readonly id: string }>(
  known: readonly Entry[],
  change: readonly Given[] = [],
  entryOf: (given: Given, before: Entry | undefined) => Entry,
): Entry[] {
  const byId = new Map(known.map((entry) => [entry.id, entry]));
  for (const given of change) byId.set(given.id, entryOf(given, byId.get(given.id)));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function termOf(given: Change, before: VocabularyTerm | undefined): VocabularyTerm {
  // What is left out stays; null is given.
  const {
    term = before?.term ?? null,
    label = before?.label ?? null,
    category = before?.category ?? null,
    definition = before?.definition ?? null,
    aliases = before?.aliases ?? [],
    active = before?.active ?? true,
    valid_from = before?.valid_from ?? null,
    valid_to = before?.valid_to ?? null,
    replaced_by = before?.replaced_by ?? null,
  } = given;
  const instantOf = (text: string | null): string | null =>
    text === null ? null : toRfc3339(toEpochMs(text));
  return {
    ...{ id: given.id, term, label, category, definition, aliases, active },
    valid_from: instantOf(valid_from),
    valid_to: instantOf(valid_to),
    replaced_by,
  };
}

function predicateOf(
  given: NonNullable<VocabularyChange['predicates']>[number],
  before: VocabularyPredicate | undefined,
): VocabularyPredicate {
  const { cardinality = before?.cardinality ?? null } = given;
  return { ...termOf(given, before), cardinality };
}

/** What is wrong with one list: an id that is given twice, too many entries, or one that ends before it begins. */
function listFault(
  list: ListName,
  given: readonly Change[],
  entries: readonly VocabularyTerm[],
): EntryFault | null {
  const ids = given.map(({ id }) => id);
  const twice = ids.findIndex((id, i) => ids.indexOf(id) < i);
  if (twice >= 0) return { field: `${list}[${String(twice)}].id`, reason: 'is given twice' };
  if (entries.length > MAX_VOCABULARY_ENTRIES)
    return {
      field: list,
      reason: `would have ${String(entries.length)} entries; ${String(MAX_VOCABULARY_ENTRIES)} at most`,
    };
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const reversed = ids.findIndex((id) => {
    const { valid_from: from = null, valid_to: to = null } = byId.get(id) ?? {};
    return from !== null && to !== null && toEpochMs(from) >= toEpochMs(to);
  });
  return reversed < 0
    ? null
    : { field: `${list}[${String(reversed)}].valid_to`, reason: 'does not lie after valid_from' };
}

/** What entries of a list say of names; an id stands for its list too. */
function definitions(list: ListName, entries: VocabularyEntries): Definition[] {
  const spell = list === 'terms' ? normalisedName : spelt;
  return entries[list].map((entry): Definition => {
    const name = spell(entry.term ?? entry.id);
    const { valid_from: from, valid_to: to, replaced_by } = entry;
    const cardinality = 'cardinality' in entry ? entry.cardinality : null;
    return {
      id: `${list}:${entry.id}`,
      name,
      synonyms: [...new Set(entry.aliases.map(spell))].filter((synonym) => synonym !== name),
      ...(cardinality === null ? {} : { cardinality }),
      ...(entry.active ? {} : { inactive: true as const }),
      ...(from === null ? {} : { from: toEpochMs(from) }),
      ...(to === null ? {} : { to: toEpochMs(to) }),
      ...(replaced_by === null ? {} : { replaced_by: `${list}:${replaced_by}` }),
    };
  });
}

function faultOf(wrong: DefinitionFault, change: VocabularyChange): EntryFault {
  const [list, id] = placeOf(wrong.kind === 'twice' ? wrong.ids[1] : wrong.id);
  const given = (change[list] ?? []).findIndex((one) => one.id === id);
  const field = given < 0 ? list : `${list}[${String(given)}]`;
  if (wrong.kind === 'twice') {
    const [other] = wrong.ids.map((one) => placeOf(one)[1]);
    return { field, reason: `${wrong.name} is a name of ${other ?? ''} and of ${id} at once` };
  }
  const reason = {
    unknown: `names no entry of ${list}`,
    circle: 'leads back to an entry that it replaces',
    long: `leads over more than ${String(MAX_REPLACEMENTS)} entries`,
  }[wrong.kind];
  return { field: `${field}.replaced_by`, reason: given < 0 ? `of ${id} ${reason}` : reason };
}

function placeOf(id: string): [ListName, string] {
  const end = id.indexOf(':');
  return [id.slice(0, end) as ListName, id.slice(end + 1)];
}
