import { scaleTime, type ScaleTime } from 'd3-scale';
import { select } from 'd3-selection';
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomBehavior } from 'd3-zoom';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import {
  around,
  barsOf,
  lanesOf,
  type Bar,
  type Cluster,
  type Item,
  type Lane,
  type Stretch,
} from './line.ts';

const ROW = 18;
const LANE = 46;
const AXIS = 26;
const TOP = 22;
const LEAST_DOT = 5;
const MOST_DOT = 13;
/** How far nearer than everything it goes. */
const NEAREST = 1e6;
const TICK_PX = 110;

/** Events as dots by actor and episodes as bars over time; it is moved by dragging and made nearer by the wheel. */
export function TimeLine({
  items,
  whole,
  sight,
  chosen,
  look,
  open,
}: {
  readonly items: readonly Item[];
  /** The stretch that holds everything. */
  readonly whole: Stretch;
  /** What is in sight. */
  readonly sight: Stretch;
  readonly chosen: string | null;
  readonly look: (sight: Stretch) => void;
  readonly open: (id: string) => void;
}) {
  const svg = useRef<SVGSVGElement>(null);
  const width = useWidth(svg);
  const scale = useMemo(
    () => scaleTime().domain([sight.from, sight.to]).range([0, width]),
    [sight.from, sight.to, width],
  );
  useZoom(svg, { width, whole, sight, look });
  const events = useMemo(() => items.filter(({ kind }) => kind === 'event'), [items]);
  const episodes = useMemo(() => items.filter(({ kind }) => kind === 'episode'), [items]);
  const ruler = { x: (ms: number) => scale(ms), width };
  const { bars, rows, hidden } = useMemo(() => barsOf(episodes, ruler), [episodes, scale]);
  const lanes = useMemo(() => lanesOf(events, ruler), [events, scale]);
  const lanesAt = episodes.length === 0 ? 0 : TOP + Math.max(rows, 1) * ROW + 8;
  const bottom = lanesAt + lanes.length * LANE;
  return (
    <svg class="time-line" ref={svg} height={bottom + AXIS} viewBox={`0 0 ${width} ${bottom + AXIS}`}>
      <Ticks scale={scale} width={width} bottom={bottom} />
      {episodes.length > 0 && (
        <text class="line-name" x={4} y={15}>
          episodes{hidden > 0 && `, ${hidden} more that overlap`}
        </text>
      )}
      {bars.map((bar) => (
        <BarDrawing key={bar.item.id} bar={bar} chosen={chosen} open={open} />
      ))}
      {lanes.map((lane, i) => (
        <LaneDrawing
          key={lane.name}
          lane={lane}
          top={lanesAt + i * LANE}
          chosen={chosen}
          look={look}
          open={open}
        />
      ))}
    </svg>
  );
}

function Ticks({
  scale,
  width,
  bottom,
}: {
  readonly scale: ScaleTime<number, number>;
  readonly width: number;
  readonly bottom: number;
}) {
  const ticks = scale.ticks(Math.max(2, width / TICK_PX));
  const written = scale.tickFormat();
  return (
    <>
      {ticks.map((tick) => (
        <g key={tick.getTime()} transform={`translate(${scale(tick)} 0)`}>
          <path class="line-tick" d={`M0 0V${bottom + 4}`} />
          <text class="line-tick-text" y={bottom + 19}>
            {written(tick)}
          </text>
        </g>
      ))}
    </>
  );
}

function BarDrawing({
  bar: { item, x, width, row },
  chosen,
  open,
}: {
  readonly bar: Bar;
  readonly chosen: string | null;
  readonly open: (id: string) => void;
}) {
  return (
    <rect
      class={`line-episode${item.id === chosen ? ' line-chosen' : ''}`}
      x={x}
      y={TOP + row * ROW}
      width={width}
      height={ROW - 5}
      rx={3}
      onClick={() => {
        open(item.id);
      }}
    >
      <title>{item.text}</title>
    </rect>
  );
}

function LaneDrawing({
  lane: { name, clusters },
  top,
  chosen,
  look,
  open,
}: {
  readonly lane: Lane;
  readonly top: number;
  readonly chosen: string | null;
  readonly look: (sight: Stretch) => void;
  readonly open: (id: string) => void;
}) {
  return (
    <g transform={`translate(0 ${top})`}>
      <path class="line-lane" d="M0 31H100000" />
      <text class="line-name" x={4} y={14}>
        {name}
      </text>
      {clusters.map((cluster) => (
        <Dot key={cluster.items[0]?.id} cluster={cluster} chosen={chosen} look={look} open={open} />
      ))}
    </g>
  );
}

function Dot({
  cluster: { x, items },
  chosen,
  look,
  open,
}: {
  readonly cluster: Cluster;
  readonly chosen: string | null;
  readonly look: (sight: Stretch) => void;
  readonly open: (id: string) => void;
}) {
  const [first] = items;
  if (first === undefined) return null;
  const many = items.length;
  const stretch = many === 1 ? null : around(items);
  const r = Math.min(MOST_DOT, LEAST_DOT + (many === 1 ? 0 : 2 + 2 * Math.log10(many)));
  const isChosen = items.some(({ id }) => id === chosen);
  return (
    <g
      class={`line-event${isChosen ? ' line-chosen' : ''}`}
      transform={`translate(${x} 31)`}
      onClick={() => {
        if (stretch === null) open(first.id);
        else look(stretch);
      }}
    >
      <title>{many === 1 ? first.text : `${many} events, the first: ${first.text}`}</title>
      <circle r={r} />
      {many > 1 && <text y={3.5}>{many > 99 ? '99+' : many}</text>}
    </g>
  );
}

function useWidth(svg: { readonly current: SVGSVGElement | null }): number {
  const [width, setWidth] = useState(600);
  useEffect(() => {
    if (svg.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.max(Math.round(entry.contentRect.width), 200));
    });
    observer.observe(svg.current);
    return () => {
      observer.disconnect();
    };
  }, []);
  return width;
}

/** Drags and the wheel choose what is in sight; what else chooses it is told to them. */
function useZoom(
  svg: { readonly current: SVGSVGElement | null },
  now: {
    readonly width: number;
    readonly whole: Stretch;
    readonly sight: Stretch;
    readonly look: (sight: Stretch) => void;
  },
): void {
  const behaviour = useRef<ZoomBehavior<SVGSVGElement, unknown> | null>(null);
  const latest = useRef(now);
  latest.current = now;
  useEffect(() => {
    if (svg.current === null) return undefined;
    const element = select<SVGSVGElement, unknown>(svg.current);
    const dragging = zoom<SVGSVGElement, unknown>()
      .scaleExtent([0.2, NEAREST])
      .on('zoom', ({ transform, sourceEvent }: D3ZoomEvent<SVGSVGElement, unknown>) => {
        // Without an event it is what is told to it below.
        if (sourceEvent === null || sourceEvent === undefined) return;
        const { width, whole, look } = latest.current;
        // Numbers, since what is dragged far may lie outside the range of dates.
        const at = (x: number): number =>
          whole.from + (transform.invertX(x) / width) * (whole.to - whole.from);
        look({ from: at(0), to: at(width) });
      });
    behaviour.current = dragging;
    element.call(dragging).on('dblclick.zoom', null);
    return () => {
      element.on('.zoom', null);
    };
  }, []);
  const { width, whole, sight } = now;
  useEffect(() => {
    if (svg.current === null || behaviour.current === null) return;
    const k = (whole.to - whole.from) / (sight.to - sight.from);
    const x = (-(sight.from - whole.from) / (whole.to - whole.from)) * width * k;
    select<SVGSVGElement, unknown>(svg.current).call((element) =>
      behaviour.current?.transform(element, zoomIdentity.translate(x, 0).scale(k)),
    );
  }, [width, whole.from, whole.to, sight.from, sight.to]);
}
