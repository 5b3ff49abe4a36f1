import { scaleTime } from 'd3-scale';

import { changesOf, finenessOf, type Fineness } from './changes.ts';
import type { Rectangle } from './rectangles.ts';
import type { Axis, Pace, Tick } from './scales.ts';

/** Room beyond the last instant of valid time, as a share: there what has no end goes on. */
const BEYOND = 0.08;
/** A band that is narrower, pixels, is hardly seen between its two lines. */
const NARROWEST = 6;
/** Room for one letter of a label, and between two labels, pixels. */
const [LETTER, APART] = [6, 6];
const ROOM_FOR_TICK = 90;

/** A place on the axis of valid time with its date and, where another change is on the same day, its time; else that is empty. */
export interface ValidTick extends Tick {
  readonly time: string;
}

/** An axis of valid time. */
export interface ValidAxis extends Axis {
  readonly ticks: readonly ValidTick[];
}

/** For what an axis is laid out. */
export interface ValidRoom {
  /** The valid instant that is looked at. */
  readonly looked: number;
  /** Pixels. */
  readonly width: number;
}

/** To scale, unless a value would have so narrow a band there that it is not seen. */
export function seenPace(rectangles: readonly Rectangle[], room: ValidRoom): Pace {
  const { place } = validAxis(rectangles, { ...room, pace: 'scale' });
  return rectangles.some(({ from, to }) => place(to) - place(from) < NARROWEST) ? 'steps' : 'scale';
}

/**
 * The axis of valid time with all that rectangles begin and end at and the instant that is looked at: to scale, or with the same room from
 * each change to the next. What is looked at between two changes lies between them; beyond all of them it has a step of its own.
 */
export function validAxis(
  rectangles: readonly Rectangle[],
  { looked, width, pace }: ValidRoom & { readonly pace: Pace },
): ValidAxis {
  const changes = changesOf(rectangles);
  const [first = looked, last = looked] = [changes[0], changes.at(-1)];
  const [begin, latest] = [Math.min(first, looked), Math.max(last, looked)];
  const end = latest + Math.max(1, (latest - begin) * BEYOND);
  if (pace === 'scale') {
    const scale = scaleTime().domain([begin, end]).range([0, width]);
    const format = scale.tickFormat();
    const dates = scale.ticks(Math.max(2, Math.floor(width / ROOM_FOR_TICK)));
    return {
      place: (instant) => (instant === null ? width : scale(instant)),
      ticks: dates.map((date) => ({ at: scale(date), text: format(date), time: '' })),
    };
  }
  const steps = [...new Set([begin, ...changes, latest])];
  // Beyond the last change there is a step; what is looked at may be that step, and then little is left to show beyond.
  const beyond = looked > last ? width * BEYOND : width / steps.length;
  const step = (width - beyond) / Math.max(1, steps.length - 1);
  const scale = scaleTime()
    .domain([...steps, end])
    .range([...steps.map((_, i) => i * step), width]);
  return {
    place: (instant) => (instant === null ? width : scale(instant)),
    ticks: ticksOf(changes, scale),
  };
}

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const TIMES: Readonly<Record<Exclude<Fineness, 'day'>, Intl.DateTimeFormat>> = {
  minute: new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }),
  second: new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }),
  millisecond: new Intl.DateTimeFormat(undefined, {
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  }),
};

/** A tick for each change. */
function ticksOf(changes: readonly number[], place: (instant: number) => number): readonly ValidTick[] {
  const finenesses = finenessOf(changes);
  return changes.map((instant) => {
    const fineness = finenesses.get(instant) ?? 'day';
    const time = fineness === 'day' ? '' : TIMES[fineness].format(instant);
    return { at: place(instant), text: DAY.format(instant), time };
  });
}

/**
 * What is written at ticks, from the first on, `at` its middle: what would stand on the one before or beyond `width` is left out or moved
 * in, and a date that stands already, with another time, is not said again.
 */
export function labelsOf(ticks: readonly ValidTick[], width: number): readonly ValidTick[] {
  const labels: ValidTick[] = [];
  let free = -Infinity;
  let day = '';
  for (const { at, text, time } of ticks) {
    const label = { text: time !== '' && text === day ? '' : text, time };
    const half = labelWidth(label) / 2;
    const middle = Math.min(at, width - half);
    if (middle - half < free) continue;
    labels.push({ ...label, at: middle });
    free = middle + half + APART;
    day = text;
  }
  return labels;
}

/** About how wide a label is, pixels. */
export function labelWidth({ text, time }: Pick<ValidTick, 'text' | 'time'>): number {
  return Math.max(text.length, time.length) * LETTER;
}
