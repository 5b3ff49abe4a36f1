import { parseArgs } from 'node:util';

/** The groups of figures, in the order in which they are measured. */
export const GROUPS = [
  'start',
  'ack',
  'throughput',
  'bulk',
  'audit',
  'visible',
  'stream',
  'listing',
  'recall',
  'graphql',
  'derivation',
  'forget',
] as const;
/** A group of figures. */
export type Group = (typeof GROUPS)[number];

/** Those that are measured only when they are named: they take as long as all others. */
const LONG: readonly Group[] = ['forget'];

/** What a run is asked to do. */
export interface BenchArguments {
  readonly groups: readonly Group[];
  readonly quick: boolean;
  /** Length of one run of a figure; a figure has several. */
  readonly seconds: number;
  /** Pairs of runs, raw and ours, after the one that warms up. */
  readonly pairs: number;
  /** Events of the scope that is forgotten; undefined for as many as the figure has by itself. */
  readonly events?: number;
  /** Where the lines go; null: test/bench/results/<date>.jsonl */
  readonly out: string | null;
}

/** So many, and an erasure goes on beside its request. */
const LEAST_EVENTS = 1_000;

const USAGE = `usage: npm run bench -- [--only ${GROUPS.join(',')}] [--quick] [--seconds N] [--events N] [--out FILE]`;

/** Reads the command line. Throws an error whose message says how it is used. */
export function readArguments(argv: readonly string[]): BenchArguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      events: { type: 'string' },
      out: { type: 'string' },
    },
  });
  const { quick, out } = values;
  const asked =
    values.only?.split(',').map((name) => name.trim()) ?? GROUPS.filter((group) => !LONG.includes(group));
  const unknown = asked.filter((name) => !GROUPS.some((group) => group === name));
  const seconds = Number(values.seconds ?? (quick ? 1.5 : 3));
  if (unknown.length > 0) throw new Error(`no such figures: ${unknown.join(', ')}\n${USAGE}`);
  if (!(seconds >= 0.5 && seconds <= 600)) throw new Error(`--seconds is a number from 0.5 to 600\n${USAGE}`);
  const events = values.events === undefined ? undefined : Number(values.events);
  if (events !== undefined && !(Number.isSafeInteger(events) && events >= LEAST_EVENTS))
    throw new Error(`--events is a number from ${LEAST_EVENTS} on\n${USAGE}`);
  return {
    groups: GROUPS.filter((group) => asked.includes(group)),
    quick,
    seconds,
    pairs: quick ? 3 : 5,
    out: out ?? null,
    ...(events === undefined ? {} : { events }),
  };
}
