import type { StoredInterval } from '../../graph/fact/read.ts';
import { OPEN_END, toRfc3339 } from '../../schemas/time.ts';
import type { ExportNode, Interval } from '../graph-export/graph.ts';

/** Interruptions of a fact behind which it is told that it goes on, at most. */
const MAX_RESUMPTIONS = 1000;

/** Where the intervals of interrupted facts are read. */
export interface IntervalReader {
  intervals(
    ids: readonly string[],
    recorded: number,
    most: number,
  ): Promise<Map<string, readonly StoredInterval[]>>;
}

/** The nodes, with all intervals of the facts among them that were interrupted, as known at an instant (epoch milliseconds). */
export async function withIntervals(
  reader: IntervalReader,
  nodes: readonly ExportNode[],
  recorded: number,
): Promise<readonly ExportNode[]> {
  const ids = nodes.flatMap(({ type, id }) => (type === 'fact' ? [id] : []));
  const read = await reader.intervals(ids, recorded, MAX_RESUMPTIONS);
  return nodes.map((node) => {
    const intervals = read.get(node.id);
    return intervals === undefined ? node : { ...node, intervals: intervals.map(shown) };
  });
}

function shown({ valid_from: from, valid_to: to }: StoredInterval): Interval {
  return { valid_from: toRfc3339(from), valid_to: to === OPEN_END ? null : toRfc3339(to) };
}
