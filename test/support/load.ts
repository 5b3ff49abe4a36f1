import {
  LoadShedder,
  EVENT_LOOP_SAMPLE_MS,
  EVENT_LOOP_LATE_SAMPLES,
} from '../../src/services/load-shedder.ts';

/** One that refuses nothing. */
export function atEase(): LoadShedder {
  return new LoadShedder({ maxDelayMs: 0, metrics: { count: () => undefined } });
}

/** One whose clock the test holds, and that counts what it refuses. */
export function heldLoad(): {
  shedder: LoadShedder;
  refused: string[];
  overload: () => void;
  recover: () => void;
} {
  let now = 0;
  const refused: string[] = [];
  const shedder = new LoadShedder({
    maxDelayMs: 100,
    metrics: { count: (_name, transport) => refused.push(transport ?? '') },
    now: () => now,
  });
  const measure = (delayMs: number): void => {
    now += EVENT_LOOP_SAMPLE_MS + delayMs;
    shedder.measure();
  };
  return {
    shedder,
    refused,
    overload: () => {
      for (let i = 0; i < EVENT_LOOP_LATE_SAMPLES; i += 1) measure(101);
    },
    recover: () => {
      measure(0);
    },
  };
}
