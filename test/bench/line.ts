import { z } from 'zod';

import { ratioOf, rounded, verdictOf, type Goal, type Percentiles } from './statistics.ts';

const seconds = z.number().nonnegative().nullable();

const spread = { p50: z.number(), p95: z.number(), p99: z.number() };

/** One figure, as it is kept: one JSON object a line. docs/benchmarks.md says how to read it. */
export const line = z.strictObject({
  /** What was measured, dotted, such as `throughput.128`. */
  name: z.string().regex(/^[a-z0-9_]+(\.[a-z0-9_]+)*$/),
  /** Null where it could not be measured; `note` says why. */
  value: z.number().nullable(),
  unit: z.enum(['ms', 'events/s', 'bytes', 'MiB', 's']),
  /** The raw driver, or what else a note names, doing the same in the same run. */
  raw: z.number().optional(),
  /** `value` divided by `raw`. */
  ratio: z.number().optional(),
  ...z.strictObject(spread).partial().shape,
  raw_percentiles: z.strictObject(spread).optional(),
  /** Values of the single runs, in their order. */
  runs: z.strictObject({ ours: z.array(z.number()), raw: z.array(z.number()) }).optional(),
  /** Measurements behind the value. */
  n: z.number().int().nonnegative(),
  /** Measurements behind `raw`. */
  raw_n: z.number().int().nonnegative().optional(),
  /** CPU seconds that each process used while the figure was measured; null where the system does not tell. */
  cpu: z.record(z.string(), seconds),
  machine: z.strictObject({
    cores: z.number().int(),
    memory: z.number().describe('GiB'),
    node: z.string(),
    neo4j: z.string(),
    /** Load average of the last minute when the figure was finished. */
    load: z.number(),
  }),
  commit: z.string(),
  at: z.iso.datetime(),
  floor: z.number().optional(),
  aim: z.number().optional(),
  /** Which number floor and aim speak of, and on which side of them it has to be. */
  judged: z.tuple([z.enum(['ratio', 'p95', 'value']), z.enum(['at_least', 'at_most'])]).optional(),
  met: z.enum(['aim', 'floor', 'missed']).optional(),
  note: z.string().optional(),
});
/** One figure. */
export type Line = z.infer<typeof line>;

/** What a figure knows of itself. */
export interface Measured {
  readonly name: string;
  readonly value: number | null;
  readonly unit: Line['unit'];
  readonly raw?: number;
  readonly percentiles?: Percentiles;
  readonly rawPercentiles?: Percentiles;
  readonly runs?: { readonly ours: readonly number[]; readonly raw: readonly number[] };
  readonly n: number;
  readonly rawN?: number;
  readonly cpu: Readonly<Record<string, number | null>>;
  readonly goal?: Goal;
  readonly note?: string;
}

/** What all figures of one moment have in common. */
export interface Circumstances {
  readonly machine: Line['machine'];
  readonly commit: string;
  readonly at: string;
}

/** The line of a figure: ratio and verdict are worked out here. Throws when a goal has nothing to judge. */
export function toLine(measured: Measured, circumstances: Circumstances): Line {
  const { name, value, unit, raw, percentiles, rawPercentiles, runs, n, rawN, cpu, goal, note } = measured;
  const ratio = value === null || raw === undefined ? null : ratioOf(value, raw);
  return line.parse({
    name,
    value: value === null ? null : rounded(value),
    unit,
    ...(raw === undefined ? {} : { raw: rounded(raw) }),
    ...(ratio === null ? {} : { ratio }),
    ...percentiles,
    ...(rawPercentiles === undefined ? {} : { raw_percentiles: rawPercentiles }),
    ...(runs === undefined ? {} : { runs: { ours: runs.ours.map(rounded), raw: runs.raw.map(rounded) } }),
    n,
    ...(rawN === undefined ? {} : { raw_n: rawN }),
    cpu,
    ...circumstances,
    ...(goal === undefined || value === null ? {} : judged(name, goal, { value, ratio, percentiles })),
    ...(note === undefined ? {} : { note }),
  });
}

function judged(
  name: string,
  goal: Goal,
  of: { value: number; ratio: number | null; percentiles: Percentiles | undefined },
): Pick<Line, 'floor' | 'aim' | 'judged' | 'met'> {
  const number = goal.of === 'p95' ? (of.percentiles?.p95 ?? null) : of[goal.of];
  if (number === null) throw new Error(`${name} has a floor for its ${goal.of} and no such number`);
  return {
    floor: goal.floor,
    aim: goal.aim,
    judged: [goal.of, goal.sense],
    met: verdictOf(goal, number),
  };
}
