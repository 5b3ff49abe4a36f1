import type { NewStatement } from '../../graph/claim/new-statement.ts';
import { limitsOf, type Forgotten } from '../derive/claim/forgotten.ts';

/**
 * Statements without those that are forgotten, the others as far as they count; what is to be forgotten is given by event (`wishes`).
 *
 * @param idsOf all ids that a statement has, or had for a time
 */
export function withoutForgotten(
  statements: readonly NewStatement[],
  wishes: ReadonlyMap<string, readonly Forgotten[]>,
  idsOf: (statement: NewStatement) => readonly string[],
): readonly NewStatement[] {
  if (wishes.size === 0) return statements;
  return statements.flatMap((one) => {
    const forgotten = wishes.get(one.event_id);
    if (forgotten === undefined) return [one];
    const { max_layer, not_about: _none, ...said } = one;
    const limits = limitsOf(idsOf(one), max_layer === undefined ? {} : { max_layer }, forgotten);
    return limits === null ? [] : [{ ...said, ...limits }];
  });
}
