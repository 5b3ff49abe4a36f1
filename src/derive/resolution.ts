import type { Decision } from './claim/statement.ts';
import type { ConflictResolution } from '../../schemas/content.ts';
import { OPEN_END, toEpochMs } from '../../schemas/time.ts';
import type { Interval } from '../time/interval.ts';
import { disagree, type Evidence } from './conflict.ts';
import type { TripleTerms } from './statement.ts';
import { termKey } from './statement.ts';

/** Extractor of what holds because somebody settled a conflict so. */
export const RESOLUTION = 'resolution';

/** What one asks for, in the terms of the contract; instants are epoch milliseconds. */
export type Settling =
  | { readonly action: 'pick'; readonly winner: string }
  | { readonly action: 'split'; readonly boundary: number; readonly earlier: string; readonly later: string }
  | {
      readonly action: 'new_information';
      readonly value: string;
      /** Null where it says nothing of its validity: then it takes the place of all evidence. */
      readonly valid: Interval | null;
    }
  | { readonly action: 'dismiss' };

/** Why a conflict cannot be settled so. */
export interface Unsettled {
  readonly field: string;
  readonly reason: string;
}

/** Ids of the evidence that does not count any more when a conflict is settled so, or why it cannot be. */
export function displacedBy(settling: Settling, evidence: readonly Evidence[]): string[] | Unsettled {
  const known = new Map(evidence.map((one) => [one.id, one]));
  const ids = (gone: (one: Evidence) => boolean): string[] => evidence.filter(gone).map(({ id }) => id);
  switch (settling.action) {
    case 'pick': {
      const winner = known.get(settling.winner);
      if (winner === undefined) return stranger('winner');
      return ids(({ value }) => value !== winner.value);
    }
    case 'split': {
      const [earlier, later] = [known.get(settling.earlier), known.get(settling.later)];
      const { boundary } = settling;
      if (earlier === undefined) return stranger('earlier');
      if (later === undefined) return stranger('later');
      if (later.value === earlier.value) return { field: 'later', reason: 'has the same value as earlier' };
      if (boundary <= earlier.valid.from)
        return { field: 'boundary', reason: 'does not lie behind the beginning of earlier' };
      if (boundary >= later.valid.to)
        return { field: 'boundary', reason: 'does not lie before the end of later' };
      return ids(({ value, valid }) => value === later.value || valid.from >= boundary);
    }
    case 'new_information':
      return displacedByNews(settling, evidence);
    case 'dismiss':
      return [];
  }
}

function stranger(field: string): Unsettled {
  return { field, reason: 'is not the id of a record of this conflict' };
}

/** New information takes the place of what has its value, and of what it disagrees with; what is left must not contradict itself. */
function displacedByNews(
  { value, valid }: Extract<Settling, { action: 'new_information' }>,
  evidence: readonly Evidence[],
): string[] | Unsettled {
  if (valid === null) return evidence.map(({ id }) => id);
  const [first] = evidence;
  if (first === undefined) return [];
  const news: Evidence = {
    ...first,
    id: '',
    event_id: '',
    kind: 'asserted',
    value,
    valid,
    has_explicit_valid_from: true,
  };
  const gone = evidence.filter((one) => one.value === value || disagree(news, one, evidence));
  const left = evidence.filter((one) => !gone.includes(one));
  if (left.some((one) => left.some((other) => disagree(one, other, evidence))))
    return { field: 'record', reason: 'says nothing of the time that is in dispute' };
  return gone.map(({ id }) => id);
}

/** A statement as far as a decision depends on it. */
export interface SettledStatement {
  readonly value: string;
  readonly valid_from: number;
  readonly valid_to: number;
}

/** What a stored resolution decides, and what it states besides: a value, since when and until when. */
export interface Decided {
  readonly decision: Decision;
  readonly states: { readonly value: string; readonly valid: Interval } | null;
}

/**
 * What a resolution comes to; `find` gives the statements that it names. Null where one of them is not there any more: then there is
 * nothing to decide between.
 */
export function decidedBy(
  resolution: ConflictResolution,
  cardinality: string,
  find: (id: string) => SettledStatement | undefined,
): Decided | null {
  const { conflict_id, action, displaces } = resolution;
  const status = action === 'dismiss' ? 'dismissed' : 'manually_resolved';
  const common = { conflict_id, status, displaces } as const;
  const decided = (holds: Decision['holds'], rests_on: string[], states: Decided['states']): Decided => ({
    decision: { ...common, holds, rests_on },
    states,
  });
  switch (action) {
    case 'pick': {
      const { winner = '' } = resolution;
      const won = find(winner);
      return won ? decided([{ value: won.value, valid: validOf(won) }], [winner], null) : null;
    }
    case 'split': {
      const { earlier = '', later = '', boundary } = resolution;
      const [before, after] = [find(earlier), find(later)];
      if (!before || !after || boundary === undefined) return null;
      const at = toEpochMs(boundary);
      const states = { value: after.value, valid: { from: at, to: Math.max(at, after.valid_to) } };
      const first = { value: before.value, valid: { from: before.valid_from, to: at } };
      return decided([first, states], [earlier], states);
    }
    case 'new_information': {
      const { record } = resolution;
      if (record === undefined) return null;
      const from = toEpochMs(record.valid_from);
      const to = record.valid_to === undefined ? OPEN_END : Math.max(from, toEpochMs(record.valid_to));
      const states = { value: valueOf(record, cardinality), valid: { from, to } };
      return decided([states], [], states);
    }
    case 'dismiss':
      return decided([], [], null);
  }
}

/** The canonical value that terms give a claim. */
export function valueOf({ subject, object }: TripleTerms, cardinality: string): string {
  return termKey(cardinality === 'exclusive' ? subject : object);
}

function validOf({ valid_from: from, valid_to: to }: SettledStatement): Interval {
  return { from, to };
}
