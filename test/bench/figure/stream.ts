import type { Bench } from '../bench.ts';
import type { Watched } from '../load-process.ts';
import type { Goal } from '../statistics.ts';
import { recordDurations } from './visible.ts';

const PACE = 200;
const LAG_GOAL: Goal = { of: 'p95', sense: 'at_most', floor: 100, aim: 50 };

/**
 * Time from a commit until followers have its `captured` frame, while captures come at a steady pace: followers of the
 * process that commits, and followers of another one on the same database.
 */
export async function stream(bench: Bench): Promise<void> {
  bench.say('starting a second service on the same database');
  const other = await bench.startAnother();
  try {
    await followBoth(bench, other.url);
  } finally {
    await bench.stopOthers();
  }
}

async function followBoth(bench: Bench, otherUrl: string): Promise<void> {
  const seconds = bench.options.seconds * 3;
  const watches = [bench.service.url, otherUrl].flatMap((url) => [
    { kind: 'stream' as const, url },
    { kind: 'subscription' as const, url },
  ]);
  const follow = (length: number): Promise<Watched[]> =>
    bench.load.order('follow', { watches, rate: PACE, seconds: length, scope: 'org:bench/*' });
  await bench.load.order('prepare', { count: PACE * seconds * 2, size: 1, tag: bench.tag() });
  bench.say('followers: warming up');
  await follow(2);
  bench.say(`followers: ${PACE} captures a second`);
  const meter = bench.meter();
  const seen = await meter.during(['service', 'service_2', 'service_database', 'load'], () =>
    follow(seconds),
  );
  seen.forEach((watched, i) => {
    const name = `${i % 2 === 0 ? 'stream' : 'subscription'}.${i < 2 ? 'same' : 'other'}_process`;
    recordLag(bench, { name, watched, cpu: meter.used });
  });
  await bench.settle();
}

function recordLag(
  bench: Bench,
  { name, watched, cpu }: { name: string; watched: Watched; cpu: Record<string, number | null> },
): void {
  if ('fault' in watched) {
    bench.record({ name, value: null, unit: 'ms', n: 0, cpu: {}, note: `not there: ${watched.fault}` });
    return;
  }
  const missed = `; ${watched.missed} frames missed`;
  recordDurations(bench, {
    name: `${name}.after_ack`,
    note: `acknowledgement → frame, 0 where the frame was first${missed}`,
    durations: watched.afterAck,
    cpu,
    goal: LAG_GOAL,
  });
  recordDurations(bench, {
    name: `${name}.after_ts`,
    note: `instant that the frame states → frame; the commit itself is in between${missed}`,
    durations: watched.afterTs,
    cpu,
  });
}
