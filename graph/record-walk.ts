import type { ScopeSelection } from './scope-selection.ts';
import type { Reader } from './driver.ts';
import { INDEXED_LEVELS } from './schema.ts';
import type { Params, Statement } from './statement.ts';

/** A row of a walk, and where it lies (see {@link isBare}). */
export interface WalkedRow {
  readonly position: number;
  readonly id: string;
  /** The path of its scope in a walk over places, else null, as of a row outside of the selection. */
  readonly scope: string | null;
}

/** Parameters by which a walk brings places alone. */
export interface BareParams extends Params {
  /** Whether rows say where they lie and nothing else. */
  bare: boolean;
}

/** Whether a walk over a selection brings places alone: of what may partly not be read, contents are read once that is decided. */
export function isBare({ partlyHidden = false }: ScopeSelection): BareParams {
  return { bare: partlyHidden };
}

/** The scope of the row `variable` of a walk over places, else null, as where `within` is not so. */
export const scopeOf = (variable: string, within = 'true'): string =>
  `CASE WHEN $bare AND ${within} THEN ${variable}.scope END AS scope`;

/** What a walk over everything below a scope takes beside its own parameters. */
export interface SubtreeParams extends Params {
  /** The level that the walk goes by. */
  readonly ref: string;
  /** The scope itself, where it lies deeper than any level that is indexed; else null. */
  readonly within: string | null;
}

/**
 * Walks everything below scopes, side by side. There is one statement for each indexed level; a scope below those is reached through
 * the last of them.
 */
export function subtreeWalks<P extends Params, Row>(
  reader: Reader,
  levelStatements: readonly Statement<P & SubtreeParams, Row>[],
  params: P,
  subtrees: ScopeSelection['subtrees'],
): Promise<Row[]>[] {
  return subtrees.map(({ ref, level, levels }) => {
    const indexed = Math.min(level, INDEXED_LEVELS - 1);
    const text = levelStatements[indexed];
    const anchor = levels[indexed];
    if (text === undefined || anchor === undefined)
      throw new Error(`a subtree at level ${level} without its levels`);
    return reader.read(text, { ...params, ref: anchor, within: level >= INDEXED_LEVELS ? ref : null });
  });
}

/** The newest rows of several walks, each once: a record may be found by two of them. */
export function newestOf<Row extends { readonly position: number; readonly id: string }>(
  walks: readonly Row[][],
  scan: number,
): Row[] {
  const [only, ...others] = walks;
  if (others.length === 0) return only ?? [];
  const rows = [...new Map(walks.flat().map((row) => [row.id, row])).values()];
  return rows.sort((a, b) => b.position - a.position || (a.id < b.id ? -1 : 1)).slice(0, scan);
}
