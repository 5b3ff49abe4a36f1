import { OPEN_END } from '../../schemas/time.ts';
import type { BeliefRow } from '../../src/derive/belief/revise.ts';
import type { Evidence } from '../../src/derive/belief/weight.ts';
import type { Interval } from '../../src/time/interval.ts';

type Beliefs = ReadonlyMap<string, readonly BeliefRow[]>;

/** Reads what {@link graphOf} says of the beliefs about a claim. */
export const GRAPH = `MATCH (b:Belief {claim: $claim})
   RETURN b.value AS value, b {.stance, .confidence, .lower, .upper, .revision, .valid_from, .valid_to, .recorded_from} AS held,
     COLLECT { MATCH (b)-[s:SUPPORTED_BY]->(n)
       RETURN n.id + ' ' + s.polarity + ' ' + toString(s.weight) + ' ' + toString(s.recorded_from.epochMillis) + ' ' + toString(s.recorded_to.epochMillis) } AS supported,
     COLLECT { MATCH (b)<-[c:CONTRADICTS]-(a)
       RETURN a.value + ' ' + toString(c.recorded_from.epochMillis) + ' ' + toString(c.recorded_to.epochMillis) } AS contradicted,
     COLLECT { MATCH (b)-[:HAS_REVISION]->(x)-[:REVISED_BY]->(e:Event) WHERE e.id = x.caused_by RETURN x.revision } AS caused`;

/** What {@link GRAPH} reads. */
export interface BeliefGraph {
  readonly value: string;
  readonly held: object;
  readonly supported: readonly string[];
  readonly contradicted: readonly string[];
  readonly caused: readonly number[];
}

/** A belief with its lists in order. */
export function inOrder({ held, ...lists }: BeliefGraph): object {
  const sorted = (all: readonly unknown[]): unknown[] => [...all].sort();
  const { value, supported, contradicted, caused } = lists;
  return {
    value,
    held,
    supported: sorted(supported),
    contradicted: sorted(contradicted),
    caused: sorted(caused),
  };
}

/** What the nodes and edges of beliefs say where these are their rows; nothing is looked up but the rows. */
export function graphOf(beliefs: Beliefs): BeliefGraph[] {
  return [...beliefs]
    .filter(([, rows]) => rows.length > 0)
    .map(([value, rows]) => ({
      value,
      held: heldOf(rows),
      supported: [...weightsOf(rows)].flatMap(([key, known]) =>
        joined(known).map(({ from, to }) => `${key} ${from} ${to}`),
      ),
      contradicted: [...beliefs].flatMap(([other, others]) =>
        other === value ? [] : joined(against(rows, others)).map(({ from, to }) => `${other} ${from} ${to}`),
      ),
      caused: rows.map(({ revision }) => revision),
    }))
    .sort((a, b) => (a.value < b.value ? -1 : 1));
}

function heldOf(rows: readonly BeliefRow[]): object {
  const now = Math.max(...rows.map(({ recorded }) => recorded.from));
  const [row] = rows
    .filter(({ valid, recorded }) => recorded.to === OPEN_END && valid.to > now)
    .sort((a, b) => a.valid.from - b.valid.from);
  if (row === undefined) throw new Error('a belief says nothing of the time behind its last change');
  const { valid, recorded, opinion, revision } = row;
  const { stance, confidence, lower, upper } = opinion;
  const times = { valid_from: valid.from, valid_to: valid.to, recorded_from: recorded.from };
  return { stance, confidence, lower, upper, revision, ...times };
}

function weightsOf(rows: readonly BeliefRow[]): Map<string, Interval[]> {
  const found = new Map<string, Interval[]>();
  for (const { opinion, recorded } of rows)
    for (const { id, polarity, weight } of opinion.evidence) {
      // As the database writes a number.
      const key = `${id} ${polarity} ${Number.isInteger(weight) ? weight.toFixed(1) : weight}`;
      found.set(key, [...(found.get(key) ?? []), recorded]);
    }
  return found;
}

/** When what has supported one belief counted against another one. */
function against(rows: readonly BeliefRow[], others: readonly BeliefRow[]): Interval[] {
  const ids = (all: readonly Evidence[], side: Evidence['polarity']): string[] =>
    all.flatMap(({ id, polarity }) => (polarity === side ? [id] : []));
  const theirs = new Set(others.flatMap(({ opinion }) => ids(opinion.evidence, 'supports')));
  return rows.flatMap(({ opinion, recorded }) =>
    ids(opinion.evidence, 'against').some((id) => theirs.has(id)) ? [recorded] : [],
  );
}

/** Stretches that overlap or touch made one. */
function joined(intervals: readonly Interval[]): Interval[] {
  const whole: Interval[] = [];
  for (const next of [...intervals].sort((a, b) => a.from - b.from)) {
    const last = whole.at(-1);
    if (last !== undefined && next.from <= last.to)
      whole[whole.length - 1] = { from: last.from, to: Math.max(last.to, next.to) };
    else whole.push(next);
  }
  return whole;
}
