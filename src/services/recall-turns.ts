import type { Interval } from '../time/interval.ts';
import type { SoughtTerms } from '../capture/search-words.ts';
import { type ListHit, byScore } from '../recall/fusion.ts';
import type { ReadableSelection } from './scope-selection.ts';
import type { RecallSearch, FoundTurn } from '../../graph/recall.ts';

/** What is searched for. */
export interface Search extends RecallSearch {
  readonly selection: ReadableSelection;
  /** The query and its variants. */
  readonly texts: readonly string[];
  /** What is looked for of each of them. */
  readonly sought: readonly SoughtQuery[];
  /** Events that are wanted at least, as far as there are any. */
  readonly wanted: number;
  /** Whether the newer counts for more. */
  readonly recent: boolean;
  /** Events that what is known of named entities was said in, with how well that fits, best first. */
  readonly stated: Promise<readonly ListHit[]>;
}

/** Turns that lie inside of what is asked for, the ids of those outside, and whether there may be more. */
export interface FoundTurns {
  readonly kept: FoundTurn[];
  readonly outside: string[];
  readonly cut: boolean;
}

/** What of some rows may be read, by whether it lies inside of what is asked for; what does not, the best first. */
export async function readableTurns(
  { check }: Pick<ReadableSelection, 'check'>,
  rows: readonly FoundTurn[],
): Promise<Omit<FoundTurns, 'cut'>> {
  const mayRead = check === null ? () => true : await check(rows.map(({ scope }) => scope));
  const readable = rows.filter(({ scope }) => mayRead(scope));
  return {
    kept: readable.filter(({ outside }) => !outside),
    outside: readable
      .filter(({ outside }) => outside)
      .sort(byScore)
      .map(({ id }) => id),
  };
}

/** What one formulation looks for. */
export interface SoughtQuery {
  readonly words: readonly SoughtTerms[];
  /** The stretches of time that it names and asks nothing else of: what was observed then is found as well. */
  readonly during: readonly Interval[];
}
