/** Where a node is drawn. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Places by node. */
export type Places = ReadonlyMap<string, Point>;

/** What is to be laid out: pairs of indices into `ids`, and of each id whether it stays where it is. */
export interface LayoutTask {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly stays: readonly boolean[];
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly rounds: number;
  /** Rounds between two reports of where nodes are. */
  readonly every: number;
}

/** Where nodes are after some rounds, in the order of the task. */
export interface LayoutReport {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  readonly isLast: boolean;
}

/** The angle that spreads points evenly on a disc. */
const GOLDEN = Math.PI * (3 - Math.sqrt(5));
const SPACING = 10;

/** Places on a disc, the first in the middle: the same for the same number, so that a graph looks the same when it is opened again. */
export function onDisc(i: number): Point {
  const radius = SPACING * Math.sqrt(i + 0.5);
  return { x: radius * Math.cos(i * GOLDEN), y: radius * Math.sin(i * GOLDEN) };
}

/**
 * A place for each id: those that have one keep it, a new one comes beside those neighbours that have one, or else outside, where there
 * is room.
 */
export function placed(
  ids: readonly string[],
  neighbours: ReadonlyMap<string, readonly string[]>,
  before: Places,
): Map<string, Point> {
  const known = ids.filter((id) => before.has(id)).length;
  const places = new Map<string, Point>();
  for (const id of ids) {
    const place = before.get(id);
    if (place !== undefined) places.set(id, place);
  }
  let free = known === 0 ? 0 : ids.length;
  for (const [i, id] of ids.entries()) {
    if (places.has(id)) continue;
    const near = known === 0 ? [] : (neighbours.get(id) ?? []).flatMap((other) => places.get(other) ?? []);
    if (near.length > 0) places.set(id, beside(near, i));
    else {
      places.set(id, onDisc(free));
      free += 1;
    }
  }
  return places;
}

function beside(near: readonly Point[], turn: number): Point {
  const angle = turn * GOLDEN;
  return {
    x: near.reduce((sum, { x }) => sum + x, 0) / near.length + SPACING * Math.cos(angle),
    y: near.reduce((sum, { y }) => sum + y, 0) / near.length + SPACING * Math.sin(angle),
  };
}

/** How many rounds a layout of so many nodes takes: fewer of many, since each takes longer. */
export function roundsFor(nodes: number): number {
  return Math.round(Math.min(600, Math.max(120, 900_000 / Math.max(1, nodes))));
}
