import Graph from 'graphology';
import forceAtlas2 from 'graphology-layout-forceatlas2';

import type { LayoutReport, LayoutTask } from './place.ts';

/** From so many nodes on, forces from afar are taken together. */
const MANY = 1000;

/** Lays a graph out beside the page, which stays free meanwhile: one task for one worker. */
self.addEventListener('message', ({ data }: MessageEvent<LayoutTask>) => {
  const graph = graphOf(data);
  const many = data.xs.length > MANY;
  const settings = {
    barnesHutOptimize: many,
    strongGravityMode: true,
    gravity: many ? 0.02 : 0.08,
    scalingRatio: 12,
    slowDown: 1 + Math.log1p(data.xs.length),
  };
  for (let done = 0; done < data.rounds; done += data.every) {
    forceAtlas2.assign(graph, { iterations: Math.min(data.every, data.rounds - done), settings });
    report(graph, done + data.every >= data.rounds);
  }
});

function graphOf({ xs, ys, stays, from, to }: LayoutTask): Graph {
  const graph = new Graph({ type: 'undirected' });
  for (const [i, x] of xs.entries()) graph.addNode(i, { x, y: ys[i] ?? 0, fixed: stays[i] ?? false });
  for (const [i, source] of from.entries()) {
    const target = to[i];
    if (target !== undefined && target !== source && !graph.hasEdge(source, target))
      graph.addEdge(source, target);
  }
  return graph;
}

function report(graph: Graph, isLast: boolean): void {
  const xs: number[] = [];
  const ys: number[] = [];
  graph.forEachNode((_, { x, y }) => {
    xs.push(x as number);
    ys.push(y as number);
  });
  const message: LayoutReport = { xs, ys, isLast };
  self.postMessage(message);
}
