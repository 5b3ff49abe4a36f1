import { FIRST_INSTANT, OPEN_END } from '../../../schemas/time.ts';
import { isEmpty } from '../../time/interval.ts';
import { grouped } from '../grouped.ts';
import type { Ranked } from './alive.ts';
import { endOf, type EffectiveInterval, type EffectiveIntervals } from './intervals.ts';
import { hasStatedEnd, type Statement } from './statement.ts';

/** Which of some assertions is in effect where the latest counts, given all statements of the claim. */
export function latest(
  alive: readonly Ranked[],
  statements: readonly Statement[],
): Omit<EffectiveIntervals, 'counting'> {
  const byBeginning = new Map<number, Statement>();
  for (const { statement } of alive) byBeginning.set(statement.valid.from, statement);
  const heads = [...byBeginning.values()].sort((a, b) => a.valid.from - b.valid.from);
  const denials = grouped(
    statements.filter(({ kind }) => kind === 'denied'),
    ({ value }) => value,
  );
  const sweep = new Sweep();
  for (const statement of heads) sweep.begin(statement, endOf(statement, denials.get(statement.value) ?? []));
  return { intervals: sweep.finish(), startOf: ({ valid }) => valid.from, endedBy: sweep.endedBy };
}

/** A value that is in effect, or goes on once what interrupts it is over: by the last assertion of it, until its end. */
interface Frame {
  readonly statement: Statement;
  readonly end: number;
}

/** Goes through assertions in the order of their beginnings; the values that are interrupted lie below the one in effect. */
class Sweep {
  readonly endedBy = new Map<string, Statement>();
  private readonly frames: Frame[] = [];
  private readonly intervals: EffectiveInterval[] = [];
  private now = FIRST_INSTANT;

  begin(statement: Statement, end: number): void {
    const { from } = statement.valid;
    this.advance(from);
    if (this.frames.at(-1)?.statement.value === statement.value) this.frames.pop();
    if (!hasStatedEnd(statement)) this.endAll({ statement, end });
    this.frames.push({ statement, end });
  }

  private endAll({ statement: by, end: isOver }: Frame): void {
    const { from } = by.valid;
    for (const { statement, end } of from < isOver ? this.frames : [])
      if (from < end) this.endedBy.set(statement.id, by);
    this.frames.length = 0;
  }

  /** The intervals of all, in the order of valid times. */
  finish(): EffectiveInterval[] {
    this.advance(OPEN_END);
    return this.intervals;
  }

  /** Goes on to an instant: each value that is over by then gives way to the one below it. */
  private advance(until: number): void {
    for (;;) {
      const top = this.frames.at(-1);
      if (top === undefined) break;
      const valid = { from: this.now, to: Math.min(top.end, until) };
      if (!isEmpty(valid)) this.intervals.push({ statement: top.statement, valid });
      this.now = Math.max(this.now, valid.to);
      if (top.end > until || top.end === OPEN_END) break;
      this.frames.pop();
    }
    this.now = until;
  }
}
