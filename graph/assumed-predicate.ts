import type { Integer } from 'neo4j-driver';

import type { Reader } from './driver.ts';
import { int, statement } from './statement.ts';

/** Predicates of which it is assumed that they have one value, as one look at the index found them. */
export interface AssumedPredicates {
  /** In the order of letters, each once. */
  readonly predicates: readonly string[];
  /** Whether nothing lies behind the last of them. */
  readonly complete: boolean;
}

const assumedBehind = statement<
  { scope_ref: string; after: string; scan: Integer },
  { predicates: string[]; facts: number }
>(
  'derivation.assumed_predicates',
  'index fact_assumed, walked in order',
  `MATCH (f:Fact) USING INDEX SEEK f:Fact(scope_ref, assumed_predicate) WHERE f.scope_ref = $scope_ref AND f.assumed_predicate > $after
   WITH f ORDER BY f.scope_ref, f.assumed_predicate LIMIT $scan
   RETURN collect(DISTINCT f.assumed_predicate) AS predicates, count(f) AS facts`,
);

/** Reads which predicates of a scope nothing knows. */
export class AssumedPredicateReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** The predicates of facts of a scope that come behind a name in the order of letters; at most `scan` facts are looked at. */
  async behind(scopeRef: string, after: string, scan: number): Promise<AssumedPredicates> {
    const params = { scope_ref: scopeRef, after, scan: int(scan) };
    const [row] = await this.reader.read(assumedBehind, params);
    const { predicates = [], facts = 0 } = row ?? {};
    return { predicates, complete: facts < scan };
  }
}
