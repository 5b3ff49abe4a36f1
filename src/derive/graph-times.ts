import { MAX_INSTANTS, type GraphEdge, type GraphNode, type GraphTimes } from '../../schemas/graph.ts';
import { toEpochMs, toRfc3339 } from '../../schemas/time.ts';

/** Nodes and edges of an answer. */
interface Shown {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

type AxisTimes = GraphTimes['valid'];

/** When what is shown begins and ends, on both axes: each instant with how many nodes and edges do so then. */
export function graphTimes(shown: readonly Shown[]): GraphTimes {
  const nodes = shown.flatMap((part) => part.nodes);
  const edges = shown.flatMap((part) => part.edges);
  return {
    valid: axisTimes([
      ...nodes.flatMap(({ valid_from, valid_to }) => [valid_from, valid_to]),
      ...edges.map(({ valid_at }) => valid_at),
    ]),
    recorded: axisTimes([...nodes, ...edges].map(({ recorded_from }) => recorded_from)),
  };
}

function axisTimes(instants: readonly (string | null | undefined)[]): AxisTimes {
  const counts = new Map<number, number>();
  for (const instant of instants)
    if (instant !== null && instant !== undefined) count(counts, toEpochMs(instant));
  const all = [...counts].sort(([a], [b]) => a - b);
  const [first] = all;
  const [last] = all.slice(-1);
  if (first === undefined || last === undefined) return { t_min: null, t_max: null, changes: [] };
  const span = { t_min: toRfc3339(first[0]), t_max: toRfc3339(last[0]) };
  if (all.length <= MAX_INSTANTS) return { ...span, changes: all.map(changeOf) };
  const width = Math.ceil((last[0] - first[0] + 1) / MAX_INSTANTS);
  const buckets = new Map<number, number>();
  for (const [at, times] of all)
    count(buckets, first[0] + Math.floor((at - first[0]) / width) * width, times);
  return { ...span, changes: [...buckets].map(changeOf), bucket_ms: width };
}

function count(counts: Map<number, number>, at: number, times = 1): void {
  counts.set(at, (counts.get(at) ?? 0) + times);
}

function changeOf([at, times]: readonly [number, number]): AxisTimes['changes'][number] {
  return { at: toRfc3339(at), count: times };
}
