import type { ActiveFact, Statement } from '../../src/derive/claim/statement.ts';
import { judged, type Evidence } from '../../src/derive/belief/weight.ts';
import type { BeliefRow, RevisionPolicy } from '../../src/derive/belief/revise.ts';
import type { ClaimSnapshot, ClaimStand } from '../../src/derive/claim/change.ts';

/** What is believed at one valid instant. */
export type Belief = Pick<BeliefRow, 'opinion' | 'revised_at' | 'caused_by'>;

/** What is believed of a value at one valid instant after each moment, found out for that instant alone; null: nothing. */
export function beliefsAt(
  value: string,
  valid: number,
  snapshots: readonly ClaimSnapshot[],
  policy: RevisionPolicy,
): (Belief | null)[] {
  let stand: ClaimStand = { activeFacts: [], denials: [] };
  let belief: Belief | null = null;
  return snapshots.map((snapshot) => {
    const [was, is] = [heard(value, valid, stand), heard(value, valid, snapshot)];
    stand = snapshot;
    if (JSON.stringify(was) === JSON.stringify(is)) return belief;
    const evidence =
      is?.evidence ?? snapshot.activeFacts.filter((fact) => at(fact, valid)).flatMap((fact) => against(fact));
    const from = belief?.opinion.holds.from ?? valid;
    const opinion = { ...judged(evidence), holds: is?.holds ?? { from, to: from }, evidence };
    const next = { opinion, revised_at: snapshot.recorded_at, caused_by: snapshot.event_id };
    if (belief === null || counts(belief, next, policy)) belief = next;
    return belief;
  });
}

function heard(value: string, valid: number, { activeFacts, denials }: ClaimStand) {
  const own = activeFacts.filter((fact) => fact.value === value);
  const others = activeFacts.filter((fact) => fact.value !== value);
  const here = own.find((fact) => at(fact, valid));
  if (here) {
    const beside = others.filter((fact) => at(fact, valid)).flatMap((fact) => against(fact));
    return { holds: here.valid, evidence: [...supporting(here, valid), ...beside] };
  }
  const behind = own.filter((fact) => fact.valid.to <= valid).at(-1);
  const since = behind?.valid.to ?? -Infinity;
  const denied = denials.filter(
    (one) =>
      one.value === value && (one.kind === 'never' || (one.valid.from >= since && one.valid.from <= valid)),
  );
  const ender = others.find((fact) => behind && fact.valid.to > since);
  const ended = ender && ender.valid.from <= valid ? against(ender) : [];
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

function at({ valid }: ActiveFact, instant: number): boolean {
  return valid.from <= instant && instant < valid.to;
}

/** The fact for all that states it, and what declares it with its reasons: of those that hold, and of its own word, an equal part each. */
function supporting(fact: ActiveFact, valid: number): Evidence[] {
  const weights = new Map<string, Pick<Evidence, 'type' | 'weight'>>();
  const add = (type: Evidence['type'], id: string, weight: number): void => {
    weights.set(id, { type, weight: (weights.get(id)?.weight ?? 0) + weight });
  };
  for (const { id, weight } of harmonic(fact.supports)) {
    const grounds = declaring(fact, id);
    const part = weight / ((grounds?.length ?? 0) + 1);
    if (grounds === undefined) continue;
    add('event', id, part);
    for (const ground of grounds)
      if (ground.holds.some(({ from, to }) => from <= valid && valid < to)) add(ground.type, ground.id, part);
  }
  const declared = [...weights].map(([id, { type, weight }]): Evidence => {
    return { type, id, weight: Number(weight.toFixed(6)), polarity: 'supports' };
  });
  return [...stating(fact, 'supports'), ...declared];
}

function against(fact: ActiveFact): Evidence[] {
  const declared = harmonic(fact.supports).filter(({ id }) => declaring(fact, id) !== undefined);
  return [
    ...stating(fact, 'against'),
    ...declared.map(({ id, weight }): Evidence => ({ type: 'event', id, weight, polarity: 'against' })),
  ];
}

/** A fact as far as it is stated, where it is. */
function stating(fact: ActiveFact, polarity: Evidence['polarity']): Evidence[] {
  const stated = harmonic(fact.supports).filter(({ id }) => declaring(fact, id) === undefined);
  if (stated.length === 0) return [];
  const weight = Number(stated.reduce((sum, one) => sum + one.weight, 0).toFixed(6));
  return [{ type: 'fact', id: fact.id, weight, polarity }];
}

/** The reasons that an event names for a fact that it declares; undefined for one that states it. */
function declaring({ supports }: ActiveFact, event: string): Statement['grounds'] {
  return supports.find(({ event_id }) => event_id === event)?.grounds;
}

function denying(denials: readonly Statement[]): Evidence[] {
  return harmonic(denials).map(({ id, weight }) => ({ type: 'event', id, weight, polarity: 'against' }));
}

/** Confidences by event, the greatest first, each divided by its place. */
function harmonic(statements: readonly Statement[]) {
  const ids = [...new Set(statements.map(({ event_id }) => event_id))];
  return ids
    .map((id) => ({
      id,
      confidence: Math.max(...statements.filter((one) => one.event_id === id).map((one) => one.confidence)),
    }))
    .sort((a, b) => b.confidence - a.confidence || a.id.localeCompare(b.id))
    .map(({ id, confidence }, i) => ({ id, weight: Number((confidence / (i + 1)).toFixed(6)) }));
}
