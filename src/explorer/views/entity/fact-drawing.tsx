import { linkTo } from '../../app/location.ts';
import { headOf, LINE, Looked, RecordedTicks, ValidTicks, type Size } from './fact-axes.tsx';
import { isOverlapping, type Rectangle } from './rectangles.ts';
import { recordedAxis, type Axis, type Pace } from './scales.ts';
import { labelsOf, type ValidAxis } from './valid-axis.ts';

const ROW = 44;
/** Of values that hold at once each has a band: lower, since there are many. */
const BAND_ROW = 22;
const MOST_HIGH = 520;
const LETTER = 7;
const TONES = 6;
/** Room for the signs that say that a rectangle goes on, from its right side. */
const ARROWS = 22;

/** What a picture of facts shows. */
export interface Drawn {
  readonly rectangles: readonly Rectangle[];
  /** Each once, in the order in which they were learned. */
  readonly values: readonly string[];
  readonly instants: readonly number[];
  /** The last recorded instant that is looked at. */
  readonly end: number;
  /** The valid instant that is looked at. */
  readonly looked: number;
  readonly isNow: boolean;
}

/** The rectangles between their axes, `left` for what is written along recorded time. */
export function FactDrawing({
  drawn: { rectangles, values, instants, end, looked, isNow },
  axis: valid,
  pace,
  left,
  width,
}: {
  readonly drawn: Drawn;
  /** Valid time, laid out for `width`. */
  readonly axis: ValidAxis;
  /** How recorded time is drawn. */
  readonly pace: Pace;
  readonly left: number;
  readonly width: number;
}) {
  const isBanded = isOverlapping(rectangles);
  const bands = isBanded
    ? values.map((value) => rectangles.filter((one) => one.value === value))
    : [rectangles];
  const height = Math.min(MOST_HIGH, Math.max(2, instants.length) * (isBanded ? BAND_ROW : ROW));
  const labels = labelsOf(valid.ticks, width);
  const head = headOf(labels);
  const size: Size = { left, width, height, head };
  const recorded = recordedAxis(instants, end, { pace, height });
  const [across, whole] = [left + width, head + bands.length * (height + LINE) + LINE];
  return (
    <svg
      class="entity-picture"
      width={across}
      height={whole}
      viewBox={`0 0 ${across} ${whole}`}
      focusable="false"
    >
      <ValidTicks axis={valid} labels={labels} size={size} bottom={whole - LINE} />
      {bands.map((band, i) => (
        <g key={i} transform={`translate(${left} ${head + i * (height + LINE)})`}>
          <RecordedTicks axis={recorded} size={size} apart={isBanded ? height : LINE} />
          {band.map((one) => (
            <Block
              key={`${one.fact} ${one.since ?? ''} ${one.from}`}
              rectangle={one}
              tone={values.indexOf(one.value)}
              axes={{ valid, recorded }}
            />
          ))}
          <rect class="entity-frame" width={width} height={height} />
        </g>
      ))}
      <Looked
        x={left + valid.place(looked)}
        top={head}
        bottom={whole - LINE}
        text={isNow ? 'now' : 'looked at'}
      />
    </svg>
  );
}

function Block({
  rectangle,
  tone,
  axes: { valid, recorded },
}: {
  readonly rectangle: Rectangle;
  readonly tone: number;
  readonly axes: { readonly valid: Axis; readonly recorded: Axis };
}) {
  const { fact, value, from, to, since, until } = rectangle;
  const [x, y] = [valid.place(from), since === null ? 0 : recorded.place(since)];
  const [width, height] = [Math.max(2, valid.place(to) - x), Math.max(2, recorded.place(until) - y)];
  const name = value.length * LETTER + 10 < width ? value : letterOf(tone);
  return (
    <a href={linkTo('why', [], { id: fact })} tabindex={-1}>
      <title>{value}</title>
      {/* A path that is not closed has no line at its upper side. */}
      <path
        class={`entity-block ${toneOf(tone)}`}
        d={`M${x} ${y}v${height}h${width}v${-height}${since === null ? '' : 'z'}`}
      />
      {since === null && width > ARROWS && (
        <path class="entity-goes-on" d={`M${x + width - ARROWS} ${y + 8}l5 -5l5 5`} />
      )}
      {to === null && <path class="entity-goes-on" d={`M${x + width - 9} ${y + height / 2 - 5}l5 5l-5 5`} />}
      {width > 14 && height > 12 && (
        <text class="entity-value" x={x + 6} y={y + Math.min(height / 2 + 4, 20)}>
          {name}
        </text>
      )}
    </a>
  );
}

/** The style of a value. */
export function toneOf(i: number): string {
  return `tone-${i % TONES}`;
}

/** A to Z, then numbers. */
export function letterOf(i: number): string {
  return i < 26 ? String.fromCodePoint(65 + i) : String(i + 1);
}
