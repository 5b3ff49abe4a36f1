import type { Footprint, FootprintPremise, FootprintStatement } from './footprint.ts';
import type { Taken } from './taken.ts';

/** A footprint of which something is gone: what is left of it, and what is not. */
export interface Left {
  /** Whether a statement counts for nothing any more, because it goes or falls. */
  readonly isDown: (statement: FootprintStatement) => boolean;
  /** The belief that a statement counts for still; null for none. */
  readonly beliefOf: (statement: FootprintStatement) => string | null;
  /** Whether what a name stands for has gone, so that a conclusion from it falls. */
  readonly hasFallen: (name: string) => boolean;
}

/**
 * What is left when something is taken: a conclusion falls as soon as one of its premises has gone, and so on. A fact or belief among the
 * premises stands for its claim and value, so it has gone when nobody states these any more, or when what had the name itself is erased.
 */
export function leftBy(taken: Taken, { statements, premises }: Footprint): Left {
  const down = new Set(taken.said);
  const erased = new Set(statements.flatMap(({ id, said }) => (taken.said.has(said) ? [id] : [])));
  const isDown = ({ said }: FootprintStatement): boolean => down.has(said);
  const beliefOf = (one: FootprintStatement): string | null =>
    isDown(one) || taken.capped.has(one.said) ? null : one.belief;
  const concluded = statements.filter((one) => one.premises.length > 0);
  let [stated, believed] = standing(statements, isDown, beliefOf);
  const [statedBefore] = standing(statements, () => false, beliefOf);
  const stands = ({ claim, value }: Exclude<FootprintPremise, { type: 'event' }>): boolean => {
    const key = keyOf(claim, value);
    return stated.has(key) || !statedBefore.has(key);
  };
  const believedBefore = new Set(statements.flatMap(({ belief }) => belief ?? []));
  const hasFallen = (name: string): boolean => {
    const premise = premises.get(name);
    if (premise === undefined) return false;
    if (premise.type === 'event') return taken.redacted.has(name);
    const isGone = premise.type === 'belief' && believedBefore.has(name) && !believed.has(name);
    return erased.has(name) || isGone || !stands(premise);
  };
  for (let falling = concluded; falling.length > 0;) {
    falling = concluded.filter((one) => !isDown(one) && one.premises.some(hasFallen));
    for (const { said } of falling) down.add(said);
    [stated, believed] = standing(statements, isDown, beliefOf);
  }
  return { isDown, beliefOf, hasFallen };
}

/** The claims and values that are stated, and the beliefs that something counts for. */
function standing(
  statements: readonly FootprintStatement[],
  isDown: (statement: FootprintStatement) => boolean,
  beliefOf: (statement: FootprintStatement) => string | null,
): [stated: Set<string>, believed: Set<string>] {
  const left = statements.filter((one) => !isDown(one));
  return [
    new Set(left.flatMap(({ fact, claim, value }) => (fact === null ? [] : [keyOf(claim, value)]))),
    new Set(left.flatMap((one) => beliefOf(one) ?? [])),
  ];
}

/** The key of a claim and a value of it; keys of claims have no blanks. */
function keyOf(claim: string, value: string): string {
  return `${claim} ${value}`;
}
