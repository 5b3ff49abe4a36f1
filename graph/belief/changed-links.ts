import type { BeliefDifference, RevisedBelief } from '../../src/derive/belief/change.ts';
import type { BeliefRow } from '../../src/derive/belief/revise.ts';
import type { Evidence } from '../../src/derive/belief/weight.ts';
import { OPEN_END } from '../../schemas/time.ts';
import { evidenceKey } from './drawn.ts';
import { CITED, CONTESTED, type LinksToCheck } from './links.ts';
import type { Param } from '../statement.ts';

/** When the rows cited something that may have changed: until when those do that end, and when those did or do that were opened. */
interface Uses {
  readonly evidence: Evidence;
  readonly ended: number[];
  readonly opened: BeliefRow['recorded'][];
  removed: boolean;
}

/** Which edges of a belief follow from the rows that a change found and made, so that they are not checked. */
export interface DrawnLinks {
  /** Whether those to this evidence do. */
  readonly isDrawn: (evidence: Evidence) => boolean;
  /** Whether those do that lead here from all beliefs which this evidence supports. */
  readonly isContradictionDrawn: (evidence: Evidence) => boolean;
}

/** The edges of a belief that have to be checked after a change of its rows. */
export function linksOf(
  { id: belief_id, stored }: RevisedBelief,
  { opened, moved, removed }: BeliefDifference,
  replayed: boolean,
  { isDrawn, isContradictionDrawn }: DrawnLinks,
): LinksToCheck {
  // What an instant left behind before may have closed or opened something that goes on now.
  const sure = !replayed && (stored?.rows ?? []).every(({ recorded }) => recorded.to === OPEN_END);
  const changed = (keyOf: (evidence: Evidence) => string): Uses[] =>
    [...usesOf({ opened, moved, removed }, keyOf).values()].filter((uses) => !(sure && goesOn(uses)));
  const weights = changed((evidence) =>
    [evidenceKey(evidence), evidence.weight, evidence.polarity].join(' '),
  ).filter(({ evidence }) => !isDrawn(evidence));
  const links = [...new Map(weights.map(({ evidence }) => [evidenceKey(evidence), evidence])).values()];
  const citedOf = (type: Evidence['type']): Param[] =>
    links.flatMap((one) => (one.type === type ? [CITED.row({ belief_id, id: one.id })] : []));
  const against = changed((evidence) => [evidenceKey(evidence), evidence.polarity].join(' ')).filter(
    ({ evidence }) => evidence.polarity === 'against' && !isContradictionDrawn(evidence),
  );
  const contested = against.map((uses) => {
    const { type, id } = uses.evidence;
    const [fact_id, event_id] = type === 'fact' ? [id, null] : [null, id];
    return CONTESTED.row({ belief_id, fact_id, event_id, ended: replayed || !begins(uses) });
  });
  if (replayed && stored !== null)
    contested.push(CONTESTED.row({ belief_id, fact_id: null, event_id: null, ended: true }));
  return { cited_facts: citedOf('fact'), cited_events: citedOf('event'), contested };
}

function usesOf(
  { opened, moved, removed }: BeliefDifference,
  keyOf: (evidence: Evidence) => string,
): Map<string, Uses> {
  const found = new Map<string, Uses>();
  const note = (rows: readonly BeliefRow[], how: (uses: Uses, row: BeliefRow) => void): void => {
    for (const row of rows)
      for (const evidence of row.opinion.evidence) {
        const key = keyOf(evidence);
        const uses = found.get(key) ?? { evidence, ended: [], opened: [], removed: false };
        found.set(key, uses);
        how(uses, row);
      }
  };
  note(opened, (uses, { recorded }) => uses.opened.push(recorded));
  note(moved, (uses, { recorded }) => uses.ended.push(recorded.to));
  note(removed, (uses) => (uses.removed = true));
  return found;
}

/** Whether rows that ended are followed by others that cite the same, so that it was cited all the time. */
function goesOn({ ended, opened, removed }: Uses): boolean {
  const [at] = ended;
  return (
    !removed &&
    at !== undefined &&
    ended.every((end) => end === at) &&
    opened.length > 0 &&
    opened.every(isOpenFrom(at))
  );
}

/** Whether nothing has ended that cited it. */
function begins({ ended, opened, removed }: Uses): boolean {
  return !removed && ended.length === 0 && opened.every(({ to }) => to === OPEN_END);
}

function isOpenFrom(at: number): (recorded: BeliefRow['recorded']) => boolean {
  return ({ from, to }) => from === at && to === OPEN_END;
}
