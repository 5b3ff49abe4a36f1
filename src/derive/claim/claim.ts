import type { Statement, ActiveFact } from './statement.ts';
import { contains, isEmpty, type Interval } from '../../time/interval.ts';
import { grouped } from '../grouped.ts';
import { effectiveIntervalsOf } from './effective-interval.ts';

/** Whether a fact ends where it says so itself, if at all: no other value has come after it, nobody has denied it, and what it rests on has not fallen. */
export function endsAsStated({ supports, valid }: ActiveFact): boolean {
  const last = supports.at(-1);
  return last?.valid.to === valid.to && last.falls !== true;
}

/** A claim after some of its log: what was stated, and which fact each assertion belongs to. */
export interface Claim {
  /** In the order of the log. */
  readonly statements: readonly Statement[];
  /** Id of the fact of an assertion, by the id of the assertion. */
  readonly factOf: ReadonlyMap<string, string>;
}

/** A claim about which nothing is known. */
export const EMPTY_CLAIM: Claim = { statements: [], factOf: new Map() };

/**
 * Adds the next statement of the log. An assertion of the value that is in force at its beginning joins the fact in force; any
 * other begins a fact. A fact that this breaks apart goes on in two: what lies behind the gap is a fact of its own.
 */
export function addStatement(claim: Claim, statement: Statement): Claim {
  return appended(claim, statement) ?? inserted(claim, statement);
}

/** {@link addStatement}, wherever the statement comes; it looks at the whole claim. */
export function inserted(claim: Claim, statement: Statement): Claim {
  const statements = [...claim.statements, statement];
  const factOf = new Map(claim.factOf);
  if (statement.kind === 'asserted') {
    const inForce = effectiveIntervalsOf(claim.statements).intervals.find(
      (effective) =>
        effective.statement.value === statement.value && contains(effective.valid, statement.valid.from),
    );
    factOf.set(statement.id, inForce ? (factOf.get(inForce.statement.id) ?? statement.id) : statement.id);
  }
  splitBroken(statements, factOf);
  return { statements, factOf };
}

/**
 * {@link addStatement}, where all are assertions of which the latest counts and the statement begins behind all of them, as it mostly does:
 * it ends the last fact, or goes on with it, and no other changes. Null where it comes elsewhere.
 */
export function appended(claim: Claim, statement: Statement): Claim | null {
  const { id, value, valid } = statement;
  const isBehind = claim.statements.every((one) => isPlain(one) && one.valid.from < valid.from);
  if (!isBehind || !isPlain(statement) || isEmpty(valid)) return null;
  const facts = [...activeFactsOf(claim)];
  const last = facts.at(-1);
  const isInForce = last !== undefined && valid.from < last.valid.to;
  const joins = isInForce && last.value === value;
  if (isInForce) facts.pop();
  if (joins) {
    const supports = [...last.supports, statement];
    facts.push({ id: last.id, value, valid: { from: last.valid.from, to: valid.to }, supports });
  } else {
    if (isInForce) facts.push({ ...last, valid: { from: last.valid.from, to: valid.from } });
    facts.push({ id, value, valid, supports: [statement] });
  }
  const factOf = new Map(claim.factOf).set(id, joins ? last.id : id);
  const next = { statements: [...claim.statements, statement], factOf };
  KNOWN_FACTS.set(next, facts);
  return next;
}

/** Whether a statement is an assertion of which the latest counts, whatever else is stated. */
export function isPlain({ kind, policy, confidence }: Statement): boolean {
  return kind === 'asserted' && policy === undefined && confidence > 0;
}

/** The facts of a claim as they stand, in the order of their valid times. */
export function activeFactsOf(claim: Claim): readonly ActiveFact[] {
  const known = KNOWN_FACTS.get(claim);
  if (known !== undefined) return known;
  const facts = findActiveFacts(claim);
  KNOWN_FACTS.set(claim, facts);
  return facts;
}

/** What was found of a claim, for as long as that is kept. */
const KNOWN_FACTS = new WeakMap<Claim, readonly ActiveFact[]>();

function findActiveFacts({ statements, factOf }: Claim): ActiveFact[] {
  const facts = new Map<string, { value: string; valid: Interval }>();
  const { intervals, startOf, counting } = effectiveIntervalsOf(statements);
  for (const { statement, valid } of intervals) {
    const id = factOf.get(statement.id) ?? statement.id;
    const from = facts.get(id)?.valid.from ?? valid.from;
    facts.set(id, { value: statement.value, valid: { from, to: valid.to } });
  }
  const assertions = [...counting].sort((a, b) => a.valid.from - b.valid.from);
  const byFact = grouped(assertions, ({ id }) => factOf.get(id));
  return [...facts].map(([id, fact]) => ({
    id,
    ...fact,
    supports: (byFact.get(id) ?? []).filter((one) => contains(fact.valid, startOf(one))),
  }));
}

/** Gives each fact that is in more than one piece away but for its first piece: what lies behind a gap goes with its first statement. */
function splitBroken(statements: readonly Statement[], factOf: Map<string, string>): void {
  const endOf = new Map<string, number>();
  const { intervals, startOf } = effectiveIntervalsOf(statements);
  for (const { statement, valid } of intervals) {
    const fact = factOf.get(statement.id) ?? statement.id;
    const end = endOf.get(fact);
    if (end === undefined || end === valid.from) {
      endOf.set(fact, valid.to);
      continue;
    }
    for (const later of statements) {
      if (startOf(later) >= valid.from && factOf.get(later.id) === fact) factOf.set(later.id, statement.id);
    }
    endOf.set(statement.id, valid.to);
  }
}
