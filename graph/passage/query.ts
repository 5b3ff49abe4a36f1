import type { ScopeSelection } from '../scope-selection.ts';
import type { FilterNode, FilterTextField } from '../../schemas/recall-filter.ts';
import { FIRST_INSTANT, OPEN_END, toEpochMs } from '../../schemas/time.ts';
import {
  observedDay,
  recordedDay,
  tagOf,
  type PresentField,
  type TagField,
} from '../../src/capture/search-tags.ts';
import type { SoughtTerms } from '../../src/capture/search-words.ts';
import { MAX_QUERY_CLAUSES } from '../../src/limits/search.ts';
import { isTime, testsOf, type FieldTest } from '../../src/recall/filter.ts';
import { TEXT_WEIGHTS } from '../../src/recall/recipe.ts';
import { intersection, type Interval } from '../../src/time/interval.ts';
import type { EventInstants } from '../event.ts';

/** Scopes that one query to the index names at most; of more, as many queries are asked beside one another. */
const MAX_QUERY_SCOPES = 256;

/** What of the index a search looks at. */
export interface PassageFilter {
  readonly selection: Pick<ScopeSelection, 'scopes' | 'subtrees'>;
  /** Null for any. */
  readonly filter: FilterNode | null;
  /** When events were observed, and when recorded; null for any time. To the day: the rows are looked at again. */
  readonly observed: Interval | null;
  readonly recorded: Interval | null;
  /** Whether events have to speak of a time. */
  readonly refers: boolean;
}

/** No passage has it: a tag that stands for nothing. */
const NOTHING = 'nothing0';

/** The texts of a turn: its own, and those of the turns around it. */
const TURN_TEXTS = ['text', 'window_1', 'window_3'] as const;
const OWN_TEXTS = ['text'] as const;

/**
 * The query of a search for turns: words in the texts of a turn, each as it weighs, and what narrows it, which does not count for the
 * score. The first words, as many as the parser takes beside that, and before their other forms. With `alone` only the own words of a
 * turn count. Without words whatever is not narrowed out; by a stretch of time that is turns alone.
 */
export function turnQuery(words: readonly SoughtTerms[], filter: PassageFilter, alone = false): string {
  const narrow = narrowing(filter);
  if (words.length === 0) return `${narrow} +*:*`;
  const texts = alone ? OWN_TEXTS : TURN_TEXTS;
  const asked = askedFor(words, Math.floor((MAX_QUERY_CLAUSES - clausesOf(narrow)) / texts.length));
  const fields = texts.map((field) => `${field}:(${asked})^${TEXT_WEIGHTS[field].weight}`);
  return `${narrow} +(${fields.join(' ')})`;
}

/** The query for all passages that a search is narrowed to, whatever their words. */
export function narrowedQuery(filter: PassageFilter): string {
  return narrowing(filter);
}

/** The same for sessions, which have neither tags nor days. */
export function sessionQuery(words: readonly SoughtTerms[], { selection }: PassageFilter): string {
  const scopes = scopeClause(selection);
  const asked = askedFor(words, MAX_QUERY_CLAUSES - clausesOf(scopes));
  return `${scopes} +session_text:(${asked})^${TEXT_WEIGHTS.session_text.weight}`;
}

/** A selection in parts that one query each can name; their rows are the rows of the selection, with the same scores. */
export function searchedParts(selection: PassageFilter['selection']): PassageFilter['selection'][] {
  const { scopes, subtrees } = selection;
  if (scopes.length <= MAX_QUERY_SCOPES) return [selection];
  const count = Math.ceil(scopes.length / MAX_QUERY_SCOPES);
  return Array.from({ length: count }, (_, i) => ({
    scopes: scopes.slice(i * MAX_QUERY_SCOPES, (i + 1) * MAX_QUERY_SCOPES),
    subtrees: i === 0 ? subtrees : [],
  }));
}

/**
 * At most so many terms of some words, those first that weigh most; of letters, digits, `_`, `@` and, behind a letter, `-`, `+` and `#`,
 * in lower case, so that none is syntax.
 */
export function askedFor(words: readonly SoughtTerms[], most: number): string {
  const terms = new Map<string, number>();
  for (const [term, weight] of words.flatMap((word) => [...word]))
    terms.set(term, Math.max(weight, terms.get(term) ?? 0));
  return [...terms]
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([term, weight]) => (weight === 1 ? term : `${term}^${weight}`))
    .join(' ');
}

/** How many parts a query has for its parser: what stands between blanks, a range being one. */
function clausesOf(query: string): number {
  return query.replaceAll(' TO ', '-').split(' ').length;
}

/** When events can have been observed and recorded that are in some stretches and were there at some instants; null for any time. */
export function stretchesAt(
  { observed, recorded }: Pick<PassageFilter, 'observed' | 'recorded'>,
  at: EventInstants,
): Pick<PassageFilter, 'observed' | 'recorded'> {
  return { observed: until(observed, at.valid), recorded: until(recorded, at.recorded) };
}

/** What of a stretch does not lie behind an instant. */
function until(during: Interval | null, instant: number | null): Interval | null {
  if (instant === null || instant >= OPEN_END - 1) return during;
  return intersection(during ?? { from: FIRST_INSTANT, to: OPEN_END }, {
    from: FIRST_INSTANT,
    to: instant + 1,
  });
}

function narrowing({ selection, filter, observed, recorded, refers }: PassageFilter): string {
  const clauses = [
    scopeClause(selection),
    filter === null ? '' : `+${treeClause(filter)}^0`,
    dayClause('observed', observed),
    dayClause('recorded', recorded),
    refers ? `+tags:${tagOf('present', 'refers_to' satisfies PresentField)}^0` : '',
  ];
  return clauses.filter((clause) => clause !== '').join(' ');
}

function scopeClause({ scopes, subtrees }: PassageFilter['selection']): string {
  const own = scopes.length === 0 ? [] : [`scope_ref:(${scopes.join(' ')})`];
  const below = subtrees.length === 0 ? [] : [`scope_tokens:(${subtrees.map(({ ref }) => ref).join(' ')})`];
  return `+(${[...own, ...below].join(' ')})^0`;
}

function treeClause(tree: FilterNode): string {
  if ('AND' in tree && tree.AND.length === 0) return '(*:*)';
  if ('AND' in tree) return `(${tree.AND.map((node) => `+${treeClause(node)}`).join(' ')})`;
  if ('OR' in tree) return `(${tree.OR.map(treeClause).join(' ')})`;
  return `(${testsOf(tree).flatMap(testClauses).join(' ')})`;
}

/** What a comparison asks of the index; of instants the day. */
function testClauses(one: FieldTest): string[] {
  if (isTime(one)) {
    const { gte, lte } = one.test;
    const from = gte === undefined ? FIRST_INSTANT : toEpochMs(gte);
    const to = lte === undefined ? OPEN_END : toEpochMs(lte) + 1;
    return [dayClause(one.field === 'observed_at' ? 'observed' : 'recorded', { from, to })];
  }
  const { field, test } = one;
  const tag = tagFieldOf(field);
  const any = (values: readonly string[]): string =>
    `+tags:(${values.length === 0 ? NOTHING : values.map((value) => tagOf(tag, value)).join(' ')})`;
  return [
    ...(test.eq === undefined ? [] : [any([test.eq])]),
    ...(test.in === undefined ? [] : [any(test.in)]),
    ...(test.exists === undefined ? [] : [existence(field, test.exists)]),
  ];
}

/** The tags that tell the values of a field. */
export function tagFieldOf(field: FilterTextField): TagField {
  return field === 'labels' ? 'label' : field;
}

/** Fields that not every event has. */
const OPTIONAL = ['labels', 'intent', 'language'] as const satisfies readonly PresentField[];

/** The tag that says that an event has a field; null for one that every event has. */
export function tagOfPresence(field: string): string | null {
  const optional = OPTIONAL.find((name) => name === field);
  return optional === undefined ? null : tagOf('present', optional);
}

function existence(field: string, wanted: boolean): string {
  const tag = tagOfPresence(field);
  if (tag === null) return wanted ? '+*:*' : `+tags:${NOTHING}`;
  return wanted ? `+tags:${tag}` : `+(*:* -tags:${tag})`;
}

function dayClause(axis: 'observed' | 'recorded', during: Interval | null): string {
  if (during === null) return '';
  const dayOf = axis === 'observed' ? observedDay : recordedDay;
  return `+${axis}_day:[${dayOf(during.from)} TO ${dayOf(Math.max(during.to - 1, during.from))}]^0`;
}
