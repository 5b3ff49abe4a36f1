import { linkTo } from '../../app/location.ts';
import { Instant } from '../../components/instant.tsx';
import { paceOf } from './pace.tsx';
import { isOverlapping, valuesOf, type Rectangle } from './rectangles.ts';
import { recordedAxis, thinned, validAxis, type Axis } from './scales.ts';
import { useWidth } from './use-width.ts';

const ROW = 44;
/** Of values that hold at once each has a band: lower, since there are many. */
const BAND_ROW = 22;
const MOST_HIGH = 520;
const HEAD = 26;
/** Room for what is written between rows, and beside their beginning. */
const LINE = 15;
const NARROW = 520;
const LETTER = 7;
const TONES = 6;
/** Room for the signs that say that a rectangle goes on, from its right side. */
const ARROWS = 22;

interface Size {
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** Valid time across, recorded time down: each rectangle says when a value is true, and while that was known. */
export function FactPicture({
  rectangles,
  instants,
  end,
  looked,
  isNow,
}: {
  readonly rectangles: readonly Rectangle[];
  readonly instants: readonly number[];
  /** The last recorded instant that is looked at. */
  readonly end: number;
  /** The valid instant that is looked at. */
  readonly looked: number;
  readonly isNow: boolean;
}) {
  const [frame, outer] = useWidth<HTMLDivElement>(720);
  const left = outer < NARROW ? 84 : 120;
  const values = valuesOf(rectangles);
  const isBanded = isOverlapping(rectangles);
  const bands = isBanded
    ? values.map((value) => rectangles.filter((one) => one.value === value))
    : [rectangles];
  const height = Math.min(MOST_HIGH, Math.max(2, instants.length) * (isBanded ? BAND_ROW : ROW));
  const size: Size = { left, width: Math.max(1, outer - left), height };
  const valid = validAxis(rectangles, looked, size.width);
  const recorded = recordedAxis(instants, end, { pace: paceOf(), height });
  const whole = HEAD + bands.length * (height + LINE) + LINE;
  return (
    <div ref={frame}>
      <svg
        class="entity-picture"
        width={outer}
        height={whole}
        viewBox={`0 0 ${outer} ${whole}`}
        focusable="false"
      >
        <ValidTicks axis={valid} size={size} bottom={whole - LINE} />
        {bands.map((band, i) => (
          <g key={i} transform={`translate(${left} ${HEAD + i * (height + LINE)})`}>
            <RecordedTicks axis={recorded} size={size} apart={isBanded ? height : LINE} />
            {band.map((one) => (
              <Block
                key={`${one.fact} ${one.since ?? ''} ${one.from}`}
                rectangle={one}
                tone={values.indexOf(one.value)}
                axes={{ valid, recorded }}
              />
            ))}
            <rect class="entity-frame" width={size.width} height={height} />
          </g>
        ))}
        <Looked x={left + valid.place(looked)} bottom={whole - LINE} text={isNow ? 'now' : 'looked at'} />
      </svg>
      <Key values={values} since={instants[0] ?? end} isOpen={rectangles.some((one) => one.since === null)} />
    </div>
  );
}

function Looked({ x, bottom, text }: { readonly x: number; readonly bottom: number; readonly text: string }) {
  return (
    <>
      <line class="entity-looked" x1={x} x2={x} y1={HEAD} y2={bottom} />
      <text class="entity-tick" x={x} y={bottom + LINE - 3} text-anchor="middle">
        {text}
      </text>
    </>
  );
}

function Key({
  values,
  since,
  isOpen,
}: {
  readonly values: readonly string[];
  readonly since: number;
  /** Whether some of it was known before. */
  readonly isOpen: boolean;
}) {
  return (
    <ul class="entity-key small">
      {values.map((value, i) => (
        <li key={value}>
          <span class={`entity-swatch tone-${i % TONES}`}>{letterOf(i)}</span> {value}
        </li>
      ))}
      <li class="soft">
        Across: when it is true. Down: since when it is known, from{' '}
        <Instant at={new Date(since).toISOString()} precision="day" /> on.
        {isOpen && ' What is open at its upper side was known before.'}
      </li>
    </ul>
  );
}

function ValidTicks({
  axis,
  size,
  bottom,
}: {
  readonly axis: Axis;
  readonly size: Size;
  readonly bottom: number;
}) {
  return (
    <g transform={`translate(${size.left} 0)`}>
      {axis.ticks.map(({ at, text }) => (
        <g key={at}>
          <line class="entity-grid" x1={at} x2={at} y1={HEAD - 5} y2={bottom} />
          <text class="entity-tick" x={at} y={HEAD - 10} text-anchor="middle">
            {text}
          </text>
        </g>
      ))}
    </g>
  );
}

function RecordedTicks({
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
        class={`entity-block tone-${tone % TONES}`}
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

/** A to Z, then numbers. */
function letterOf(i: number): string {
  return i < 26 ? String.fromCodePoint(65 + i) : String(i + 1);
}
