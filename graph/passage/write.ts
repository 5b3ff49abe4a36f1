import type { Integer } from 'neo4j-driver';

import { queryWords, soughtTerms, type SoughtTerms } from '../../src/capture/search-words.ts';
import type { Reader } from '../driver.ts';
import { int, statement } from '../statement.ts';
import { MAX_SEARCH_WORDS } from '../../src/limits.ts';
import { MAX_QUERY_CLAUSES } from '../../src/limits/search.ts';
import { askedFor } from './query.ts';
import { TAKEN_OUT } from '../visible.ts';

/** A hit of the full-text search. */
export interface PassageHit {
  readonly event_id: string;
  /** BM25; comparable within one result only. */
  readonly score: number;
}

// The name of the index is fixed by graph/schema.ts.
const search = statement<{ query: string; scope_ref: string; limit: Integer }, PassageHit>(
  'passage.search',
  'full-text index passage_text; the scope is part of its query and is checked again on the node',
  `CALL db.index.fulltext.queryNodes('passage_text', $query, {limit: $limit}) YIELD node AS p, score
   WITH p, score WHERE $scope_ref IN p.scope_tokens
   MATCH (p)-[:OF]->(e:Event) WHERE NOT ${TAKEN_OUT}
   WITH p.event_id AS event_id, score ORDER BY score DESC, event_id LIMIT $limit
   RETURN event_id, score`,
);

const awaitRefresh = statement<Record<string, never>, Record<string, never>>(
  'passage.await_refresh',
  'no data is read',
  'CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()',
);

/** What a search asks the index for: the words of a text, the first of them. */
export function searchTerms(text: string): SoughtTerms[] {
  return queryWords(text).slice(0, MAX_SEARCH_WORDS).map(soughtTerms);
}

/** Searches the words of events. */
export class PassageReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** Events of a scope and everything below it that hold words of the text, whatever their ending, best first; none for a text without words. */
  async search(scopeRef: string, text: string, limit: number): Promise<PassageHit[]> {
    const terms = searchTerms(text);
    if (terms.length === 0) return [];
    const query = `+scope_tokens:${scopeRef}^0 +text:(${askedFor(terms, MAX_QUERY_CLAUSES - 1)})`;
    return this.reader.read(search, { query, scope_ref: scopeRef, limit: int(limit) });
  }

  /** Resolves when everything indexed by a transaction that is committed by now can be found. */
  async refreshed(): Promise<void> {
    await this.reader.read(awaitRefresh, {});
  }
}
