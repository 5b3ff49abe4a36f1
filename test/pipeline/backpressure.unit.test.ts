import { STAGE_BACKLOG_EVENTS } from '../../src/limits.ts';
import {
  Backpressure,
  STAGE_RESTS,
  STAGE_BURST_RESTS,
  STAGE_EVENTS_BESIDE_CAPTURES,
} from '../../src/pipeline/backpressure.ts';

let now = 0;
let backlog = 0;
let pace: Backpressure;

beforeEach(() => {
  now = 0;
  backlog = 0;
  pace = new Backpressure(
    () => backlog,
    () => now,
  );
});

/** Captures so many events a second, ten commits in each, for a while. */
function captureFor(seconds: number, eventsEach: number): void {
  for (let i = 0; i < seconds * 10; i += 1) {
    now += 100;
    pace.captured(eventsEach / 10);
  }
}

/** What stages do beside captures now. */
const told = () => [pace.throttleFactor(), pace.isThrottling(), pace.mostEvents(500)];

it('stages neither rest nor hold back where nothing is captured', () => {
  expect(told()).toEqual([0, false, 500]);
  captureFor(3, 100);
  now += 49;
  expect(pace.throttleFactor()).toBeGreaterThan(0);
  now += 1;
  expect(told()).toEqual([0, true, STAGE_EVENTS_BESIDE_CAPTURES]);
  now += 450;
  expect(told()).toEqual([0, false, 500]);
});

it('beside a bulk stages rest long at first, then shorter, whatever waits, and in the end not at all where too much does', () => {
  backlog = 1e6;
  captureFor(1, 5000);
  expect(told()).toEqual([STAGE_BURST_RESTS, true, STAGE_EVENTS_BESIDE_CAPTURES]);
  captureFor(3.5, 5000);
  expect(told()).toEqual([STAGE_BURST_RESTS, true, STAGE_EVENTS_BESIDE_CAPTURES]);
  captureFor(1, 5000);
  expect(told()).toEqual([STAGE_RESTS, true, STAGE_EVENTS_BESIDE_CAPTURES]);
  captureFor(15, 5000);
  expect(told()).toEqual([0, false, 500]);
});

it('beside what comes in steadily stages rest the less the more waits', () => {
  captureFor(3, 500);
  expect(told()).toEqual([STAGE_BURST_RESTS, true, STAGE_EVENTS_BESIDE_CAPTURES]);
  captureFor(3, 500);
  expect(told()).toEqual([STAGE_RESTS, true, STAGE_EVENTS_BESIDE_CAPTURES]);
  expect(pace.mostEvents(7)).toBe(7);
  backlog = STAGE_BACKLOG_EVENTS / 2;
  expect(pace.throttleFactor()).toBe(STAGE_RESTS / 2);
  backlog = STAGE_BACKLOG_EVENTS;
  expect(told()).toEqual([0, false, 500]);
});

it('a bulk after what came in steadily begins like any other', () => {
  backlog = 1e6;
  captureFor(60, 100);
  captureFor(2, 5000);
  expect(told()).toEqual([STAGE_BURST_RESTS, true, STAGE_EVENTS_BESIDE_CAPTURES]);
  captureFor(2, 100);
  expect(pace.throttleFactor()).toBe(0);
});

it('beside a trickle stages go on as if there were none, from its first capture on', () => {
  pace.captured(1);
  expect(told()).toEqual([0, false, 500]);
  captureFor(10, 10);
  expect(told()).toEqual([0, false, 500]);
  pace.captured(30);
  expect(told()).toEqual([STAGE_RESTS, true, STAGE_EVENTS_BESIDE_CAPTURES]);
  captureFor(2.1, 10);
  expect(told()).toEqual([0, false, 500]);
});

it('captures that paused begin a burst anew', () => {
  captureFor(25, 5000);
  expect(pace.throttleFactor()).toBe(STAGE_RESTS);
  now += 1_001;
  captureFor(0.1, 5000);
  expect(pace.throttleFactor()).toBe(STAGE_BURST_RESTS);
});
