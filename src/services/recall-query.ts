import type { SoughtQuery } from './recall-turns.ts';
import type { RecallRequest } from '../../schemas/recall.ts';
import { toEpochMs } from '../../schemas/time.ts';
import {
  queryWords,
  searchWords,
  soughtTerms,
  type SearchWord,
  type SoughtTerms,
} from '../capture/search-words.ts';
import { levelRefs } from '../capture/scope-key.ts';
import { termNames } from '../derive/vocabulary/terms.ts';
import { MAX_SEARCH_WORDS } from '../limits.ts';
import { RECALL_RENAMED_QUERIES } from '../limits/recall.ts';
import { stretchesOfDates, type AskedDate } from '../recall/dated.ts';
import { datesAlone, soughtWords } from '../recall/query-words.ts';
import { stretchesOfQuery } from '../recall/query-stretches.ts';
import { renamedQueries } from '../recall/renamed.ts';
import type { RecallWindow } from '../recall/window.ts';
import type { SaidNow } from './tenant-vocabularies.ts';

/** Of a recall without a query. */
export const NO_TERMS: Pick<SaidNow, 'terms'> = { terms: [] };

/** In what words a recall looks for what it is asked. */
export interface Formulations {
  /** The query, those of its variants that say something else, and some that call what it names by its other names; each once. */
  readonly texts: readonly string[];
  /** Those of them in which names of entities are looked for: not the variants, which only say how it may be put. */
  readonly naming: readonly string[];
}

/** The formulations of a query, with what vocabularies of the scope know of the terms in it. */
export function formulationsOf(
  { scope, query = '', query_variants: variants = [] }: RecallRequest,
  terms: SaidNow['terms'],
  { tenant, now }: { readonly tenant: string; readonly now: number },
): Formulations {
  const otherNames = termNames(terms, levelRefs(tenant, scope), now);
  const renamed = terms.length === 0 ? [] : renamedQueries(query, otherNames, RECALL_RENAMED_QUERIES);
  return {
    texts: [...new Set([query, ...variants.map(({ text }) => text), ...renamed])],
    naming: [query, ...renamed],
  };
}

/** What a query is read beside. */
export interface QueryBeside {
  /** The time phrase of the request; left out where it has none. */
  readonly natural?: string | undefined;
  readonly window: Pick<RecallWindow, 'phrase'>;
}

/** What a query looks for. */
export interface ReadQuery {
  /** Its words as the index has them, each once; none where it only asks. */
  readonly words: readonly SoughtTerms[];
  /** The dates that it names, where it has no other words: what was observed then is looked for as well. */
  readonly dates: readonly AskedDate[];
}

/** What is looked for by each formulation of a query. Throws `RangeError` for a time zone that the runtime does not know. */
export function readQueries(
  texts: readonly string[],
  temporal: RecallRequest['temporal'],
  { window, now }: { readonly window: RecallWindow; readonly now: number },
): SoughtQuery[] {
  const { natural, reference_date, timezone = 'UTC' } = temporal ?? {};
  const reference = reference_date === undefined ? now : toEpochMs(reference_date);
  return texts.map((text) => {
    const { words, dates } = readQuery(text, { natural, window });
    return { words, during: stretchesOfDates(dates, { reference, timezone }) };
  });
}

/** Reads a query. The words of a time phrase are not among its words where the phrase has become the time that is asked for. */
export function readQuery(text: string, { natural = '', window }: QueryBeside): ReadQuery {
  const words = stretchesOfQuery(text).flatMap(({ text: part, counts }) =>
    queryWords(part).map((word) => ({ ...word, counts })),
  );
  const others = window.phrase === null ? words : withoutTime(words, searchWords(natural));
  const sought = soughtWords(others, MAX_SEARCH_WORDS);
  const terms = sought.map(soughtTerms);
  return {
    words: [...new Map(terms.map((term) => [[...term.keys()].join(' '), term])).values()],
    dates: datesAlone(sought),
  };
}

/** The words of a query without a time phrase: without that as it is where it stands in it, else without each of its words. */
function withoutTime<Word extends SearchWord>(
  words: readonly Word[],
  time: readonly string[],
): readonly Word[] {
  const others = words.filter((_, i) => !time.some((_word, before) => standsAt(words, i - before, time)));
  if (others.length < words.length) return others;
  return words.filter(({ word }) => word === null || !time.includes(word));
}

function standsAt(words: readonly SearchWord[], from: number, run: readonly string[]): boolean {
  return run.every((word, i) => words[from + i]?.word === word);
}
