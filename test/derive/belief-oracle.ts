import { judged, type Evidence } from '../../src/derive/belief-weight.ts';
import type { BeliefRow, RevisionPolicy } from '../../src/derive/belief.ts';
import type { ClaimMoment, ClaimStand } from '../../src/derive/claim-change.ts';
import type { Standing, Statement } from '../../src/derive/claim.ts';

/** What is believed at one valid instant. */
export type Belief = Pick<BeliefRow, 'opinion' | 'revised_at' | 'caused_by'>;

/** What is believed of a value at one valid instant after each moment, found out for that instant alone; null: nothing. */
export function beliefsAt(
  value: string,
  valid: number,
  moments: readonly ClaimMoment[],
  policy: RevisionPolicy,
): (Belief | null)[] {
  let stand: ClaimStand = { standing: [], denials: [] };
  let belief: Belief | null = null;
  return moments.map((moment) => {
    const [was, is] = [heard(value, valid, stand), heard(value, valid, moment)];
    stand = moment;
    if (JSON.stringify(was) === JSON.stringify(is)) return belief;
    const evidence =
      is?.evidence ?? moment.standing.filter((fact) => at(fact, valid)).map((fact) => against(fact));
    const from = belief?.opinion.holds.from ?? valid;
    const opinion = { ...judged(evidence), holds: is?.holds ?? { from, to: from }, evidence };
    const next = { opinion, revised_at: moment.recorded_at, caused_by: moment.event_id };
    if (belief === null || counts(belief, next, policy)) belief = next;
    return belief;
  });
}

function heard(value: string, valid: number, { standing, denials }: ClaimStand) {
  const own = standing.filter((fact) => fact.value === value);
  const others = standing.filter((fact) => fact.value !== value);
  const here = own.find((fact) => at(fact, valid));
  if (here) {
    const beside = others.filter((fact) => at(fact, valid)).map((fact) => against(fact));
    return { holds: here.valid, evidence: [supporting(here), ...beside] };
  }
  const behind = own.filter((fact) => fact.valid.to <= valid).at(-1);
  const since = behind?.valid.to ?? -Infinity;
  const denied = denials.filter(
    (one) =>
      one.value === value && (one.kind === 'never' || (one.valid.from >= since && one.valid.from <= valid)),
  );
  const ender = others.find((fact) => behind && fact.valid.to > since);
  const ended = ender && ender.valid.from <= valid ? [against(ender)] : [];
  const evidence = [...ended, ...denying(denied)];
  if (behind) return { holds: behind.valid, evidence };
  return evidence.length > 0 ? { holds: null, evidence } : null;
}

function counts(before: Belief, next: Belief, { minChange, cooldownMs }: RevisionPolicy): boolean {
  const [a, b] = [before.opinion, next.opinion];
  const rests = ({ evidence }: typeof a) =>
    evidence
      .filter(({ polarity }) => polarity === 'supports')
      .map(({ id }) => id)
      .join();
  if (a.stance !== b.stance || rests(a) !== rests(b)) return true;
  if (a.holds.from !== b.holds.from || a.holds.to !== b.holds.to) return true;
  const moved = Math.abs(a.confidence - b.confidence);
  return moved > 0 && moved >= minChange - 1e-9 && next.revised_at >= before.revised_at + cooldownMs;
}

function at({ valid }: Standing, instant: number): boolean {
  return valid.from <= instant && instant < valid.to;
}

function supporting(fact: Standing): Evidence {
  return { type: 'fact', id: fact.id, weight: harmonic(fact.supports).total, polarity: 'supports' };
}

function against(fact: Standing): Evidence {
  return { type: 'fact', id: fact.id, weight: harmonic(fact.supports).total, polarity: 'against' };
}

function denying(denials: readonly Statement[]): Evidence[] {
  return harmonic(denials).each.map(({ id, weight }) => ({ type: 'event', id, weight, polarity: 'against' }));
}

/** Confidences by event, the greatest first, each divided by its place. */
function harmonic(statements: readonly Statement[]) {
  const ids = [...new Set(statements.map(({ event_id }) => event_id))];
  const each = ids
    .map((id) => ({
      id,
      confidence: Math.max(...statements.filter((one) => one.event_id === id).map((one) => one.confidence)),
    }))
    .sort((a, b) => b.confidence - a.confidence || a.id.localeCompare(b.id))
    .map(({ id, confidence }, i) => ({ id, weight: Number((confidence / (i + 1)).toFixed(6)) }));
  return { each, total: Number(each.reduce((sum, { weight }) => sum + weight, 0).toFixed(6)) };
}
