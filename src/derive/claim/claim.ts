import { hasStatedEnd, type Statement, type ActiveFact } from './statement.ts';
import { OPEN_END } from '../../../schemas/time.ts';
import { contains, isEmpty, type Interval } from '../../time/interval.ts';
import { grouped } from '../grouped.ts';
import { effectiveIntervalsOf } from './effective-interval.ts';

/** Whether a fact ends where it says so itself, if at all: no other value has come after it, nobody has denied it, and what it rests on has not fallen. */
export function endsAsStated({ supports, valid, ends_at = valid.to }: ActiveFact): boolean {
  const last = supports.at(-1);
  return last?.valid.to === ends_at && last.falls !== true;
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
 * other begins a fact. A fact that this breaks apart goes on in two: what is stated behind the gap is a fact of its own. What goes on
 * because a value with a stated end interrupted it is a further interval of the same fact.
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
 * {@link addStatement}, where all are assertions with no stated end of which the latest counts and the statement begins behind all of them, as it mostly does:
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

/** Whether a statement is an assertion with no stated end, of which the latest counts, whatever else is stated. */
export function isPlain(statement: Statement): boolean {
  const { kind, policy, confidence } = statement;
  return kind === 'asserted' && policy === undefined && confidence > 0 && !hasStatedEnd(statement);
}

/** The facts of a claim as they stand, in the order of valid times: one that was interrupted once for each of its intervals. */
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
  const { intervals, startOf, counting } = effectiveIntervalsOf(statements);
  const pieces: { id: string; value: string; valid: Interval }[] = [];
  const last = new Map<string, (typeof pieces)[number]>();
  for (const { statement, valid } of intervals) {
    const id = factOf.get(statement.id) ?? statement.id;
    const before = last.get(id);
    if (before !== undefined && before.valid.to >= valid.from) {
      before.valid = { from: before.valid.from, to: Math.max(before.valid.to, valid.to) };
      continue;
    }
    const piece = { id, value: statement.value, valid };
    pieces.push(piece);
    last.set(id, piece);
  }
  const assertions = [...counting].sort((a, b) => a.valid.from - b.valid.from);
  const byFact = grouped(assertions, ({ id }) => factOf.get(id));
  const extents = grouped(pieces, ({ id }) => id);
  const supportsOf = new Map(
    [...extents].map(([id, all]) => [
      id,
      (byFact.get(id) ?? []).filter((one) => all.some(({ valid }) => contains(valid, startOf(one)))),
    ]),
  );
  return pieces.map((piece) => ({
    ...piece,
    ...(last.get(piece.id) === piece ? {} : { ends_at: last.get(piece.id)?.valid.to ?? OPEN_END }),
    supports: supportsOf.get(piece.id) ?? [],
  }));
}

/** A piece of a fact: an unbroken interval, or several where others interrupt it. */
interface Piece {
  readonly id: string;
  readonly intervals: Interval[];
}

/**
 * Gives each fact that is broken apart away but for its first piece: what is stated behind a gap goes with the first statement there.
 * What only goes on there, because a value with a stated end interrupted it, stays.
 */
function splitBroken(statements: readonly Statement[], factOf: Map<string, string>): void {
  const { intervals, startOf } = effectiveIntervalsOf(statements);
  const piecesOf = new Map<string, Piece[]>();
  const pieceOf = new Map<string, Piece>();
  for (const { statement, valid } of intervals) {
    const fact = factOf.get(statement.id) ?? statement.id;
    const pieces = piecesOf.get(fact) ?? [];
    piecesOf.set(fact, pieces);
    const touching = pieces.find(({ intervals: all }) => (all.at(-1)?.to ?? 0) >= valid.from);
    const known = pieceOf.get(statement.id) ?? touching;
    const piece = known ?? { id: pieces.length === 0 ? fact : statement.id, intervals: [] };
    if (known === undefined) pieces.push(piece);
    piece.intervals.push(valid);
    pieceOf.set(statement.id, piece);
  }
  const broken = statements.filter(({ id }) => (piecesOf.get(factOf.get(id) ?? '')?.length ?? 0) > 1);
  for (const one of broken) {
    const pieces = piecesOf.get(factOf.get(one.id) ?? '') ?? [];
    const start = startOf(one);
    const within = pieces.find(({ intervals: all }) => all.some((valid) => contains(valid, start)));
    const behind = pieces.findLast(({ intervals: all }) => (all[0]?.from ?? OPEN_END) <= start);
    const piece = pieceOf.get(one.id) ?? within ?? behind ?? pieces[0];
    if (piece !== undefined) factOf.set(one.id, piece.id);
  }
}
