import type { Bench } from '../bench.ts';
import { SCOPES } from '../envelopes.ts';
import { percentiles } from '../statistics.ts';

const [SCOPE = ''] = SCOPES;

/** Time from sending a capture until it is listed, until it is recalled by its words, until it is in the index, and until its `indexed` frame arrived. */
export async function visible(bench: Bench): Promise<void> {
  const count = bench.options.quick ? 20 : 100;
  const prepare = (wait?: string): Promise<void> =>
    bench.load.order('prepare', {
      count,
      size: 1,
      tag: bench.tag(),
      scopes: [SCOPE],
      ...(wait === undefined ? {} : { wait }),
    });
  const measure = async (name: string, note: string, work: () => Promise<number[] | null>): Promise<void> => {
    bench.say(note);
    const meter = bench.meter();
    const durations = await meter.during(['service', 'service_database', 'load'], work);
    recordDurations(bench, { name, note, durations, cpu: meter.used });
    await bench.settle();
  };
  await prepare();
  await measure('visible.listed', 'capture sent → listed by GET /v1/events', () =>
    bench.load.order('untilListed', { count, scope: SCOPE }),
  );
  await measure('visible.recall', 'capture sent → its words found by POST /v1/recall', () =>
    bench.load.order('untilRecalled', { count, scope: SCOPE, tag: bench.tag() }),
  );
  await prepare('indexed');
  await measure('visible.indexed', 'capture sent with wait=indexed → answered', () =>
    bench.load.order('oneByOne', { count }),
  );
  await prepare();
  await measure('visible.indexed_frame', 'capture sent → indexed frame on the stream', () =>
    bench.load.order('untilFrame', { count, scope: SCOPE }),
  );
}

/** Keeps a figure of durations: the median, with percentiles; null durations mean that it is not there. */
export function recordDurations(
  bench: Bench,
  figure: {
    name: string;
    note: string;
    durations: readonly number[] | null;
    cpu: Record<string, number | null>;
  } & Pick<Parameters<Bench['record']>[0], 'goal' | 'raw'>,
): void {
  const { durations, note, ...more } = figure;
  if (durations === null) {
    bench.record({ name: more.name, value: null, unit: 'ms', n: 0, cpu: {}, note: `not there: ${note}` });
    return;
  }
  const own = percentiles(durations);
  bench.record({ ...more, value: own.p50, unit: 'ms', percentiles: own, n: durations.length, note });
}
