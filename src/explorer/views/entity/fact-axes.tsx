import { thinned, type Axis } from './scales.ts';
import type { ValidAxis, ValidTick } from './valid-axis.ts';

/** Room for dates above a picture, and for times below them. */
const HEAD = 26;
const TIME_LINE = 13;
/** Room for what is written between rows, and beside their beginning. */
export const LINE = 15;

/** How large the rectangles are drawn, and what is beside them. */
export interface Size {
  readonly left: number;
  readonly width: number;
  readonly height: number;
  /** Room above, for what is written along valid time. */
  readonly head: number;
}

/** Room that labels of valid time need. */
export function headOf(labels: readonly ValidTick[]): number {
  return HEAD + (labels.some(({ time }) => time !== '') ? TIME_LINE : 0);
}

/** The valid instant that is looked at. */
export function Looked({
  x,
  top,
  bottom,
  text,
}: {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
  readonly text: string;
}) {
  return (
    <>
      <line class="entity-looked" x1={x} x2={x} y1={top} y2={bottom} />
      <text class="entity-tick" x={x} y={bottom + LINE - 3} text-anchor="middle">
        {text}
      </text>
    </>
  );
}

/** A line at each tick of valid time, and what has room of what they say. */
export function ValidTicks({
  axis,
  labels,
  size: { left, head },
  bottom,
}: {
  readonly axis: ValidAxis;
  readonly labels: readonly ValidTick[];
  readonly size: Size;
  readonly bottom: number;
}) {
  return (
    <g transform={`translate(${left} ${head})`}>
      {axis.ticks.map(({ at }) => (
        <line class="entity-grid" key={at} x1={at} x2={at} y1={-5} y2={bottom - head} />
      ))}
      {labels.map(({ at, text, time }) => (
        <text class="entity-tick" key={at} text-anchor="middle">
          <tspan x={at} y={HEAD - head - 10}>
            {text}
          </tspan>
          <tspan x={at} y={-10}>
            {time}
          </tspan>
        </text>
      ))}
    </g>
  );
}

/** A line at each change of recorded time, and what has room of what they say. */
export function RecordedTicks({
  axis,
  size,
  apart,
}: {
  readonly axis: Axis;
  readonly size: Size;
  readonly apart: number;
}) {
  return (
    <>
      {axis.ticks.map(({ at }) => (
        <line class="entity-grid" key={at} x1={-5} x2={size.width} y1={at} y2={at} />
      ))}
      {thinned(axis.ticks, apart).map(({ at, text }) => (
        <text class="entity-tick" key={at} x={-8} y={at + 4} text-anchor="end">
          {text}
        </text>
      ))}
    </>
  );
}
