/** A vocabulary as it is stored. Instants are epoch milliseconds. */
export interface StoredVocabulary {
  readonly tenant: string;
  readonly name: string;
  readonly description: string | null;
  /** Path of the scope that it holds in; null: the whole tenant. */
  readonly scope: string | null;
  /** JSON texts of its entries, as they are answered. */
  readonly terms: string;
  readonly predicates: string;
  readonly relations: string;
  readonly revision: number;
  /** Offset of the log behind which its predicates and relations count; null while it never had any. */
  readonly counts_after: number | null;
  /** Id of the change that was made last, by which a repeat of that knows its own work. */
  readonly changed_with: string;
  /** Place among the vocabularies of its tenant, in the order in which they were made. */
  readonly number: number;
  readonly created_at: number;
  readonly created_by: string;
  readonly updated_at: number;
  readonly updated_by: string;
}

const FIELDS = `.tenant, .name, .description, .scope, .terms, .predicates, .relations, .revision, .counts_after, .changed_with,
     .number, .created_at, .created_by, .updated_at, .updated_by`;

/** A vocabulary `v`. */
export const STORED_VOCABULARY = `v {${FIELDS}}`;

/** The same with what derivation goes by of it. */
export const ACTING_VOCABULARY = `v {${FIELDS}, .levels, .acts}`;

/** What derivation goes by of a vocabulary. */
export interface StoredLayer {
  readonly name: string;
  /** References of every level of its scope, root first; null: the whole tenant. */
  readonly levels: readonly string[] | null;
  /** JSON text of its definitions of predicates and relations. */
  readonly acts: string;
}
