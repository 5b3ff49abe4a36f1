import { useEffect } from 'preact/hooks';

import { usePages, type Pages } from '../../api/use-pages.ts';
import { FACTS, type FactItem } from './queries.ts';
import { recordedOnly } from './recorded-only.ts';

/** So many facts of one predicate are read, about: the newest. */
const MOST_FACTS = 1000;
const NO_PAGE = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };

/** The facts of one predicate, newest first. */
export interface PredicateFacts extends Omit<Pages<FactItem>, 'state'> {
  /** `whole` with all of them, `cut` where there are older ones that are not read. */
  readonly state: 'loading' | 'refused' | 'whole' | 'cut';
}

/** Reads the facts about an entity that have a predicate, whenever they are true, page by page until {@link MOST_FACTS} are there. */
export function usePredicateFacts(about: {
  readonly scope: string;
  readonly subject: string;
  readonly predicate: string;
}): PredicateFacts {
  const variables = { ...about, asOf: recordedOnly() };
  const pages = usePages(FACTS, variables, ({ facts }) => facts ?? NO_PAGE);
  const { state, items, more } = pages;
  const isEnough = items.length >= MOST_FACTS;
  useEffect(() => {
    if (state === 'ready' && !isEnough) more();
  }, [state, items]);
  if (state === 'end') return { ...pages, state: 'whole' };
  if (state === 'ready') return { ...pages, state: isEnough ? 'cut' : 'loading' };
  return { ...pages, state };
}
