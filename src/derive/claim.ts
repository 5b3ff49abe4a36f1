import { OPEN_END } from '../../schemas/time.ts';
import { contains, type Interval } from '../time/interval.ts';
import { grouped } from './grouped.ts';

/**
 * What one event says about a claim that has one value at a time: a subject and a predicate; of a many-valued predicate
 * the object too; of an exclusive one the predicate and the object, whose value is the subject.
 */
export interface Statement {
  /** Id of the fact that it begins, where it begins one. */
  readonly id: string;
  /** The event that says it. */
  readonly event_id: string;
  /** Its place in the log: of two that cannot both be, the later one counts. */
  readonly position: number;
  /** Epoch milliseconds; does not fall as positions rise. */
  readonly recorded_at: number;
  /** Canonical text of the value. */
  readonly value: string;
  /**
   * `denied`: the value ends at `valid.from`. `never`: it was never true, as far as the log says until here. `settled`: somebody
   * decided between values; of `decision` is what it says, and it has no value.
   */
  readonly kind: 'asserted' | 'denied' | 'never' | 'settled';
  /** When it holds, as stated; for `never` without meaning. */
  readonly valid: Interval;
  /** How sure the source is, 0 to 1. */
  readonly confidence: number;
  /** What somebody decided; of what is `settled` only. */
  readonly decision?: Decision;
  /** Of a declared belief, the reasons that it names; absent for what is stated as a fact. */
  readonly grounds?: readonly Ground[];
  /** The statement that this is a later stretch of: a conclusion holds, falls and holds again. */
  readonly stretch_of?: string;
}

/** What somebody decided about values that contradict one another. */
export interface Decision {
  readonly conflict_id: string;
  /** `dismissed`: there is no conflict. */
  readonly status: 'manually_resolved' | 'dismissed';
  /** What holds by it. */
  readonly holds: readonly { readonly value: string; readonly valid: Interval }[];
  /** Ids of the statements that do not count any more. */
  readonly displaces: readonly string[];
  /** Ids of the statements that it decided for: it counts while they are stated. */
  readonly rests_on: readonly string[];
}

/** A reason that a declared belief names, and when it holds as far as is known. */
export interface Ground {
  readonly type: 'fact' | 'event';
  readonly id: string;
  readonly holds: readonly Interval[];
}

/** A fact as it stands: one value over an unbroken stretch of valid time, with the statements that carry it. */
export interface Standing {
  /** The statement that began it. */
  readonly id: string;
  readonly value: string;
  readonly valid: Interval;
  /** In the order of their valid times. */
  readonly supports: readonly Statement[];
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

/** A stretch in which one assertion has the say. */
interface Reign {
  readonly statement: Statement;
  readonly valid: Interval;
}

/**
 * Adds the next statement of the log. An assertion of the value that is in force at its beginning joins the fact in force; any
 * other begins a fact. A fact that this breaks apart goes on in two: what lies behind the gap is a fact of its own.
 */
export function learned(claim: Claim, statement: Statement): Claim {
  const statements = [...claim.statements, statement];
  const factOf = new Map(claim.factOf);
  if (statement.kind === 'asserted') {
    const inForce = reignsOf(claim.statements).find(
      ({ valid }) => valid.from <= statement.valid.from && statement.valid.from < valid.to,
    );
    const joins = inForce?.statement.value === statement.value;
    factOf.set(statement.id, joins ? (factOf.get(inForce.statement.id) ?? statement.id) : statement.id);
  }
  splitBroken(statements, factOf);
  return { statements, factOf };
}

/** The facts of a claim as they stand, in the order of their valid times. */
export function standing({ statements, factOf }: Claim): Standing[] {
  const facts = new Map<string, { value: string; valid: Interval }>();
  for (const { statement, valid } of reignsOf(statements)) {
    const id = factOf.get(statement.id) ?? statement.id;
    const from = facts.get(id)?.valid.from ?? valid.from;
    facts.set(id, { value: statement.value, valid: { from, to: valid.to } });
  }
  const assertions = aliveOf(statements).sort((a, b) => a.valid.from - b.valid.from);
  const byFact = grouped(assertions, ({ id }) => factOf.get(id));
  return [...facts].map(([id, fact]) => ({
    id,
    ...fact,
    supports: (byFact.get(id) ?? []).filter((one) => contains(fact.valid, one.valid.from)),
  }));
}

/**
 * Who has the say when, in the order of valid times. At an instant that is the assertion that begins last at or before it, of those
 * that begin together the last of the log; it has the say until the next one begins, until its own end, or until its value is
 * denied, whichever comes first. What was said never to be true is as if it had not been said.
 */
function reignsOf(statements: readonly Statement[]): Reign[] {
  const byBeginning = new Map<number, Statement>();
  for (const one of aliveOf(statements)) byBeginning.set(one.valid.from, one);
  const heads = [...byBeginning.values()].sort((a, b) => a.valid.from - b.valid.from);
  const denials = grouped(
    statements.filter(({ kind }) => kind === 'denied'),
    ({ value }) => value,
  );
  return heads
    .map((statement, i) => {
      const end = Math.min(statement.valid.to, heads[i + 1]?.valid.from ?? OPEN_END);
      const denied = (denials.get(statement.value) ?? []).filter((other) => ends(other, statement));
      const to = Math.min(end, ...denied.map(({ valid }) => valid.from));
      return { statement, valid: { from: statement.valid.from, to } };
    })
    .filter(({ valid }) => valid.from < valid.to);
}

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

/** Gives each fact that is in more than one piece away but for its first piece: what lies behind a gap goes with its first statement. */
function splitBroken(statements: readonly Statement[], factOf: Map<string, string>): void {
  const endOf = new Map<string, number>();
  for (const { statement, valid } of reignsOf(statements)) {
    const fact = factOf.get(statement.id) ?? statement.id;
    const end = endOf.get(fact);
    if (end === undefined || end === valid.from) {
      endOf.set(fact, valid.to);
      continue;
    }
    for (const { id, valid: later } of statements) {
      if (later.from >= valid.from && factOf.get(id) === fact) factOf.set(id, statement.id);
    }
    endOf.set(statement.id, valid.to);
  }
}
