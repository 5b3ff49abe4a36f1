/** Predicates by cardinality: one a line, its synonyms behind it, all in canonical spelling. */
export interface PredicateTable {
  readonly one: string;
  readonly many: string;
  readonly exclusive: string;
}
