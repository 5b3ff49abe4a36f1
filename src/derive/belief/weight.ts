import type { Ground, ActiveFact, Statement } from '../claim/statement.ts';
import jstat from 'jstat';

import { contains } from '../../time/interval.ts';

/** What a belief comes to. `deprecated`: there is no evidence (any more), for it or against it. */
export type Stance = 'supported' | 'contradicted' | 'uncertain' | 'deprecated';

/** Something that speaks for a belief or against it: a fact, or an event that denies the value. */
export interface Evidence {
  readonly type: 'fact' | 'event';
  readonly id: string;
  /** In statements: a single one whose source is certain weighs 1. */
  readonly weight: number;
  readonly polarity: 'supports' | 'against';
}

/** How sure evidence makes: stance, mean of the posterior, and the ends of its central interval. */
export interface Judgement {
  readonly stance: Stance;
  readonly confidence: number;
  readonly lower: number;
  readonly upper: number;
}

/** Both parameters of the prior: before anything is known, every probability is as likely as any other (Bayes, Laplace). */
const PRIOR = 1;
/** Observations that one statement of a certain source counts as: alone it makes 3/4, and is as good as two in three by any doubt. */
const STRENGTH = 2;
/** How much more likely than its opposite a belief has to be for `supported`; the opposite likewise for `contradicted`. */
const ODDS = 2;
/** Probability that lies within the interval of a judgement. */
export const LEVEL = 0.9;
const DECIMALS = 1e6;

/**
 * The weight of statements that say the same: their confidences, the strongest whole, the second by half, the third by a third
 * and so on, each event once. The log does not say whether two events tell of two observations or repeat one; the harmonic sum
 * lies between counting all and counting one: a thousand repetitions weigh like seven and a half statements, and each of them adds
 * something.
 */
export function weightOf(statements: readonly Statement[]): number {
  return rounded(shares(statements).reduce((sum, { share }) => sum + share, 0));
}

/**
 * How sure a fact is: what a single event says, as sure as its source is; of what several say, the mean of the posterior of a belief
 * that nothing speaks against ({@link judged}), by their weight. Whose source is not sure at all says nothing.
 */
export function confidenceOf(statements: readonly Statement[]): number {
  const saying = statements.filter(({ confidence }) => confidence > 0);
  const [first] = saying;
  if (first === undefined) return 0;
  if (saying.every(({ event_id }) => event_id === first.event_id))
    return Math.max(...saying.map(({ confidence }) => confidence));
  const weight = weightOf(saying);
  return leaning([{ type: 'fact', id: first.id, weight, polarity: 'supports' }]).confidence;
}

/** What a fact is as evidence: itself for all that states it, and the events that declare it. */
export function evidenceOf(fact: ActiveFact, polarity: Evidence['polarity']): Evidence[] {
  const { stated, declared } = partsOf(fact, polarity);
  return [...stated, ...declared.map(({ word: id, share: weight }) => eventOf({ id, weight, polarity }))];
}

/**
 * What supports a value at an instant at which a fact of it stands. The weight of a declaration is shared out equally among its own word
 * and the reasons that it names; those that do not hold count for nothing.
 */
export function supportOf(fact: ActiveFact, at: number): Evidence[] {
  const { stated, declared } = partsOf(fact, 'supports');
  if (declared.length === 0) return stated;
  const found = new Map(stated.map((one) => [one.id, one]));
  for (const { word, named, share } of declared) {
    const held = named.filter(({ holds }) => holds.some((interval) => contains(interval, at)));
    for (const { type, id } of [{ type: 'event' as const, id: word }, ...held]) {
      const weight = rounded((found.get(id)?.weight ?? 0) + share / (named.length + 1));
      found.set(id, { type, id, weight, polarity: 'supports' });
    }
  }
  return [...found.values()];
}

/** A declaration as evidence: its event, the reasons that it names, and what it adds to the weight of its fact. */
interface Declaration {
  readonly word: string;
  readonly named: readonly Ground[];
  readonly share: number;
}

/** What states a fact, as one piece of evidence where anything does, and what declares it; an event that does both declares it. */
function partsOf(
  { id, supports }: ActiveFact,
  polarity: Evidence['polarity'],
): { readonly stated: Evidence[]; readonly declared: readonly Declaration[] } {
  const named = new Map(supports.flatMap(({ event_id, grounds }) => (grounds ? [[event_id, grounds]] : [])));
  const all = shares(supports);
  const declared = all.flatMap(({ event_id: word, share }) => {
    const reasons = named.get(word);
    return reasons === undefined ? [] : [{ word, named: reasons, share }];
  });
  if (declared.length === all.length) return { stated: [], declared };
  const weight = rounded(all.reduce((sum, one) => sum + (named.has(one.event_id) ? 0 : one.share), 0));
  return { stated: [{ type: 'fact', id, weight, polarity }], declared };
}

function eventOf(rest: Omit<Evidence, 'type'>): Evidence {
  return { type: 'event', ...rest };
}

/** What each event of statements that say the same adds to their weight, the strongest first. */
export function shares(statements: readonly Statement[]): { event_id: string; share: number }[] {
  const strongest = new Map<string, number>();
  for (const { event_id, confidence } of statements)
    strongest.set(event_id, Math.max(confidence, strongest.get(event_id) ?? 0));
  return [...strongest]
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .map(([event_id, confidence], i) => ({ event_id, share: rounded(confidence / (i + 1)) }));
}

/**
 * The mean and the central interval of the Beta posterior, Beta(1 + 2 f, 1 + 2 a) for weights f in favour and a against. A stance
 * is taken where one side is at least twice as likely as the other, so that one statement that its source holds for more likely
 * than not is enough. Rounded to six decimals, so that every machine says the same.
 */
export function judged(evidence: readonly Evidence[]): Judgement {
  const { alpha, beta } = posterior(evidence);
  const tail = (1 - LEVEL) / 2;
  return {
    ...leaning(evidence),
    lower: rounded(jstat.jStat.beta.inv(tail, alpha, beta)),
    upper: rounded(jstat.jStat.beta.inv(1 - tail, alpha, beta)),
  };
}

/** The same without the interval, which is what takes time. */
export function leaning(evidence: readonly Evidence[]): Pick<Judgement, 'stance' | 'confidence'> {
  const { alpha, beta } = posterior(evidence);
  return { stance: stanceOf(evidence, alpha, beta), confidence: rounded(alpha / (alpha + beta)) };
}

function posterior(evidence: readonly Evidence[]): { alpha: number; beta: number } {
  return {
    alpha: PRIOR + STRENGTH * total(evidence, 'supports'),
    beta: PRIOR + STRENGTH * total(evidence, 'against'),
  };
}

function stanceOf(evidence: readonly Evidence[], alpha: number, beta: number): Stance {
  if (evidence.length === 0) return 'deprecated';
  if (alpha >= ODDS * beta) return 'supported';
  return beta >= ODDS * alpha ? 'contradicted' : 'uncertain';
}

function total(evidence: readonly Evidence[], side: Evidence['polarity']): number {
  return evidence.reduce((sum, { polarity, weight }) => sum + (polarity === side ? weight : 0), 0);
}

function rounded(value: number): number {
  return Math.round(value * DECIMALS) / DECIMALS;
}
