import type { FactItem } from '../../schemas/fact.ts';
import { OPEN_END, toEpochMs } from '../../schemas/time.ts';
import type { RecallWindow } from '../recall/window.ts';
import type { NamedInstants } from '../time/as-of.ts';
import { contains, overlap } from '../time/interval.ts';

/** What the instants of a recall follow from. */
export interface AskedInstants {
  readonly window: RecallWindow;
  readonly include_superseded: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Whether a record holds, and was recorded, when it is asked for. */
export function holds(
  record: Pick<FactItem, 'valid_from' | 'valid_to' | 'recorded_from'>,
  { during, recorded_during: recorded }: RecallWindow,
): boolean {
  const to = record.valid_to === null ? OPEN_END : toEpochMs(record.valid_to);
  // What holds at an instant holds at least in that instant.
  const from = toEpochMs(record.valid_from);
  if (during !== null && !overlap({ from, to: Math.max(to, from + 1) }, during)) return false;
  return recorded === null || contains(recorded, toEpochMs(record.recorded_from));
}

/** The valid instant that is asked about: now where none is named. */
export function instantOf({ window, now }: Pick<AskedInstants, 'window' | 'now'>): number {
  return window.valid ?? now;
}

/** The valid instant of which the interval of a fact is shown: the one that is asked about, of a stretch that is asked for the last one. */
export function shownInstant({ window, now }: Pick<AskedInstants, 'window' | 'now'>): number {
  const { valid, during } = window;
  return valid === null && during !== null ? during.to - 1 : (valid ?? now);
}

/** Whether what does not hold any more is asked for: all of it, or what held within a stretch. */
export function wantsEnded({ window, include_superseded: any }: AskedInstants): boolean {
  return any || (window.valid === null && window.during !== null);
}

/**
 * The instants that beliefs are read at: what is true now, unless other times are asked for. What is believed is so at an instant, of a
 * stretch that is asked for at its last one.
 */
export function beliefInstants(question: AskedInstants): NamedInstants {
  const { window, now } = question;
  const { valid, during, recorded } = window;
  if (valid === null && during !== null) return { valid: Math.min(now, during.to - 1), recorded };
  return { valid: wantsEnded(question) ? null : instantOf(question), recorded };
}
