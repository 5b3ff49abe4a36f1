import type { Decision, Statement } from './claim.ts';

/** The assertions that were not said later never to be true, nor decided against, in the order of the log. */
export function aliveOf<Said extends Statement>(statements: readonly Said[]): Said[] {
  const never = new Map<string, number>();
  for (const { kind, value, position } of statements) if (kind === 'never') never.set(value, position);
  const displaced = new Set(decisionsOf(statements).flatMap(({ displaces }) => displaces));
  return statements.filter(
    ({ id, kind, value, position }) =>
      kind === 'asserted' && position > (never.get(value) ?? -1) && !displaced.has(id),
  );
}

/** The decisions that count: the first about each conflict for which all that it decided for is stated. */
function decisionsOf(statements: readonly Statement[]): Decision[] {
  const decisions = statements.flatMap(({ decision }) => decision ?? []);
  if (decisions.length === 0) return [];
  const counting = new Map<string, Decision>();
  for (const decision of decisions)
    if (!counting.has(decision.conflict_id) && isFounded(decision, statements))
      counting.set(decision.conflict_id, decision);
  return [...counting.values()];
}

/** Whether what somebody decided for is stated. */
export function isFounded({ rests_on }: Decision, statements: readonly Statement[]): boolean {
  return rests_on.every((wanted) => statements.some(({ id, kind }) => id === wanted && kind === 'asserted'));
}

/** Whether a statement says of a value that it does not hold. */
export function isDenial({ kind }: Pick<Statement, 'kind'>): boolean {
  return kind === 'denied' || kind === 'never';
}

/** Whether a statement denies the value of an assertion from some instant at or after its beginning on. */
export function ends(denial: Statement, { value, valid, position }: Statement): boolean {
  if (denial.kind !== 'denied' || denial.value !== value) return false;
  if (denial.valid.from === valid.from) return denial.position > position;
  return denial.valid.from > valid.from;
}
