/** The part of the scope tree that a read covers; access was decided before it was built. */
export interface ScopeSelection {
  /** Scopes read for themselves. */
  readonly scopes: readonly string[];
  /** Scopes read with everything below them: reference and level (0 = root). */
  readonly subtrees: readonly {
    readonly ref: string;
    readonly level: number;
    readonly levels: readonly string[];
  }[];
  /** Whether the caller may not read all of it: then walks bring places alone, and contents are read of those that he may. Default false. */
  readonly partlyHidden?: boolean;
}
