import type { Decision, Statement } from './statement.ts';

/** The assertions that were not said later never to be true, nor decided against, in the order of the log. */
export function aliveOf<Said extends Statement>(statements: readonly Said[]): Said[] {
  const never = new Map<string, number>();
  for (const { kind, value, position, confidence } of statements)
    if (kind === 'never' && confidence > 0) never.set(value, position);
  const displacedIds = new Set(decisionsOf(statements).flatMap(({ decision }) => decision.displaces));
  return statements.filter(
    ({ id, kind, value, position }) =>
      kind === 'asserted' && position > (never.get(value) ?? -1) && !displacedIds.has(id),
  );
}

/** The same, in the order in which they count where they begin together: what somebody decided for as if it were said again then. */
export function rankedOf(statements: readonly Statement[]): Ranked[] {
  const decided = new Map<string, number>();
  for (const { decision, position } of decisionsOf(statements))
    for (const id of decision.rests_on) decided.set(id, position);
  const all = aliveOf(statements).map((statement): Ranked => {
    const chosen = decided.get(statement.id);
    return { statement, rank: chosen ?? statement.position, isChosen: chosen !== undefined };
  });
  return decided.size === 0 ? all : all.sort((a, b) => a.rank - b.rank);
}

/** An assertion with the place in the log by which it counts. */
export interface Ranked {
  readonly statement: Statement;
  readonly rank: number;
  /** Whether somebody decided for it, against what was stated until then. */
  readonly isChosen: boolean;
}

interface Decided {
  readonly decision: Decision;
  readonly position: number;
}

/** The decisions that count: the first about each conflict for which all that it decided for is stated. */
function decisionsOf(statements: readonly Statement[]): Decided[] {
  const counting = new Map<string, Decided>();
  for (const { decision, position } of statements)
    if (decision !== undefined && !counting.has(decision.conflict_id) && isFounded(decision, statements))
      counting.set(decision.conflict_id, { decision, position });
  return [...counting.values()];
}

/** Whether what somebody decided for is stated. */
export function isFounded({ rests_on }: Decision, statements: readonly Statement[]): boolean {
  return rests_on.every((wanted) => statements.some(({ id, kind }) => id === wanted && kind === 'asserted'));
}

/** Whether a statement says of a value that it does not hold; where its source is not sure of that at all, it denies nothing. */
export function isDenial({ kind, confidence }: Pick<Statement, 'kind' | 'confidence'>): boolean {
  return confidence > 0 && (kind === 'denied' || kind === 'never');
}

/** Whether a statement denies the value of an assertion from some instant at or after its beginning on. */
export function ends(denial: Statement, { value, valid, position }: Statement): boolean {
  if (denial.kind !== 'denied' || denial.confidence === 0 || denial.value !== value) return false;
  if (denial.valid.from === valid.from) return denial.position > position;
  return denial.valid.from > valid.from;
}
