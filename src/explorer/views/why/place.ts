import { Graph, layout } from '@dagrejs/dagre';

import { CARD, type Line, type Way } from './drawing.ts';

/** What is to be laid out. */
export interface LayoutTask {
  /** Ids of the cards. */
  readonly cards: readonly string[];
  readonly lines: readonly Pick<Line, 'id' | 'from' | 'to'>[];
  /** Null for the way in which it can be drawn larger in the frame, which takes two layouts. */
  readonly way: Way | null;
  /** Pixels. */
  readonly frame: { readonly width: number; readonly height: number };
}

/** Middles of the cards, in the order of the task. */
export interface LayoutReport {
  readonly way: Way;
  readonly xs: readonly number[];
  readonly ys: readonly number[];
}

/** Puts cards into layers: above, or at the left, what rests on others, then what they rest on. It takes seconds for many hundreds. */
export function placed(task: LayoutTask): LayoutReport {
  if (task.way !== null) return laidOut(task, task.way).report;
  const { width, height } = task.frame;
  const [down, across] = [laidOut(task, 'down'), laidOut(task, 'across')];
  const scaleOf = (one: LaidOut): number => Math.min(width / one.width, height / one.height);
  return scaleOf(across) > scaleOf(down) * 1.1 ? across.report : down.report;
}

interface LaidOut {
  readonly report: LayoutReport;
  readonly width: number;
  readonly height: number;
}

function laidOut({ cards, lines }: LayoutTask, way: Way): LaidOut {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({
    rankdir: way === 'down' ? 'TB' : 'LR',
    nodesep: CARD.beside,
    ranksep: CARD.between,
    marginx: CARD.beside,
    marginy: CARD.beside,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of cards) graph.setNode(id, { width: CARD.width, height: CARD.height });
  for (const { id, from, to } of lines) graph.setEdge(from, to, {}, id);
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  const nodes = cards.map((id) => graph.node(id) as { x?: number; y?: number });
  const report = { way, xs: nodes.map(({ x = 0 }) => x), ys: nodes.map(({ y = 0 }) => y) };
  return { report, width, height };
}
