import type { Statement } from './statement.ts';
import { EMPTY_CLAIM, isPlain, addStatement, type Claim } from './claim.ts';

/** An assertion that is in effect from where it begins, and the fact that it belongs to. */
interface Head {
  readonly statement: Statement;
  fact: string;
}

/**
 * A claim after a log, as {@link addStatement} makes it statement by statement. That looks at the whole claim each time; where all are
 * assertions of which the latest counts, only what stands around a statement is looked at, so that a log of n costs n steps.
 */
export function claimAfter(statements: readonly Statement[]): Claim {
  return statements.every(isPlain)
    ? { statements, factOf: new Fold().through(statements) }
    : statements.reduce(addStatement, EMPTY_CLAIM);
}

/** Which fact each assertion of a log belongs to. */
class Fold {
  private readonly factOf = new Map<string, string>();
  /** In the order of their beginnings, one for each. */
  private readonly heads: Head[] = [];
  /** The assertions of each fact. */
  private readonly members = new Map<string, Statement[]>();

  through(statements: readonly Statement[]): ReadonlyMap<string, string> {
    for (const statement of statements) this.add(statement);
    return this.factOf;
  }

  private add(statement: Statement): void {
    const { from } = statement.valid;
    const at = this.lastAt(from);
    const before = this.heads[at];
    const inForce =
      before !== undefined && from < this.endOf(at) && before.statement.value === statement.value;
    const fact = inForce ? before.fact : statement.id;
    this.belong(statement, fact);
    const replaces = before?.statement.valid.from === from;
    const place = replaces ? at : at + 1;
    this.heads.splice(place, replaces ? 1 : 0, { statement, fact });
    // What went on behind the beginning is another piece now, where it does not follow on.
    const next = this.heads[place + 1]?.fact;
    if (next !== undefined && (next === before?.fact || next === fact)) this.split(place, next);
  }

  /** Gives what goes on of a fact behind a head to the statement that it goes on with, if it does not reach that from the front. */
  private split(place: number, fact: string): void {
    let start = place + 1;
    while (this.heads[start]?.fact === fact && !this.isSaid(start)) start += 1;
    const first = this.heads[start];
    if (first?.fact !== fact || !this.isApart(place, fact, first.statement.valid.from)) return;
    const { id, valid } = first.statement;
    for (let i = start; this.heads[i]?.fact === fact; i += 1) {
      const head = this.heads[i];
      if (head) head.fact = id;
    }
    const all = this.members.get(fact) ?? [];
    this.members.set(
      fact,
      all.filter((one) => one.valid.from < valid.from),
    );
    for (const one of all) if (one.valid.from >= valid.from) this.belong(one, id);
  }

  /** Whether the fact is in effect in front of an instant, at a head or right before it, and not up to the instant. */
  private isApart(place: number, fact: string, instant: number): boolean {
    for (let i = place; i >= 0 && i >= place - 1; i -= 1)
      if (this.heads[i]?.fact === fact && this.isSaid(i)) return this.endOf(i) < instant;
    return false;
  }

  private isSaid(place: number): boolean {
    return (this.heads[place]?.statement.valid.from ?? Infinity) < this.endOf(place);
  }

  private belong(statement: Statement, fact: string): void {
    this.factOf.set(statement.id, fact);
    const members = this.members.get(fact);
    if (members === undefined) this.members.set(fact, [statement]);
    else members.push(statement);
  }

  /** Where a head stops being in effect. */
  private endOf(place: number): number {
    const own = this.heads[place]?.statement.valid.to ?? 0;
    return Math.min(own, this.heads[place + 1]?.statement.valid.from ?? Number.MAX_SAFE_INTEGER);
  }

  /** The last head that begins at an instant or before; -1 for none. */
  private lastAt(instant: number): number {
    let [low, high] = [0, this.heads.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.heads[middle]?.statement.valid.from ?? Infinity) <= instant) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
