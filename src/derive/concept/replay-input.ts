import { OPEN_END } from '../../../schemas/time.ts';
import { supportKey, type SupportChange, type SupportRow } from './support.ts';
import type { ConceptReplayInput } from './evolve.ts';
import { byPlace } from '../visible-supports.ts';

/** What is stored of a concept before its supports change. */
export interface FoundConcept extends Omit<ConceptReplayInput, 'kept' | 'kept_count'> {
  /**
   * Of the supports that began before the instant and have no end: the newest, newest first; as many as may be cited and those that are
   * {@link leaving}.
   */
  readonly newest: readonly SupportRow[];
  /** How many supports have no end. */
  readonly open: number;
}

/** How many of the newest supports of a concept that begin before an instant a change takes away: so many more of them have to be read. */
export function leaving(since: number, { moved }: Pick<SupportChange, 'moved'>): number {
  return moved.filter(({ recorded: { from, to } }) => from < since && to !== OPEN_END).length;
}

/**
 * What a concept is told from once its supports have changed; `most` is how many facts a version may cite. A support that is removed may be
 * gone from what was found: it goes with its fact.
 */
export function replayInputAfter(
  { newest, open, ...found }: FoundConcept,
  { opened, moved, removed }: SupportChange,
  most: number,
): ConceptReplayInput {
  const changing = new Map([...found.changing, ...removed].map((row) => [supportKey(row), row]));
  const staying = new Map(newest.map((row) => [supportKey(row), row]));
  let count = open - endless([...changing.values()]);
  for (const row of [...removed, ...moved]) {
    const key = supportKey(row);
    if (changing.delete(key)) continue;
    staying.delete(key);
    count -= 1;
  }
  for (const row of [...opened, ...moved]) {
    const stays = row.recorded.from < found.since && row.recorded.to === OPEN_END;
    (stays ? staying : changing).set(supportKey(row), row);
    if (stays) count += 1;
  }
  return {
    ...found,
    kept: [...staying.values()].sort((a, b) => byPlace(b, a)).slice(0, most),
    kept_count: count,
    changing: [...changing.values()],
  };
}

/** How many supports a concept has that is told from this. */
export function supportCount({ kept_count, changing }: ConceptReplayInput): number {
  return kept_count + endless(changing);
}

function endless(rows: readonly SupportRow[]): number {
  return rows.filter(({ recorded }) => recorded.to === OPEN_END).length;
}
