import { isDeriving, type WhyGraph, type WhyLink, type WhyNode } from './graph.ts';

/** Records of one distance from the one that is asked about: below zero what it rests on, above what rests on it, null beside it. */
export interface Layer {
  readonly steps: number | null;
  readonly nodes: readonly WhyNode[];
}

/** A graph layer by layer: the record itself, what it rests on step by step, what rests on it, and what stands beside. */
export function layersOf({ nodes, links }: WhyGraph, root: string): readonly Layer[] {
  const deriving = links.filter(isDeriving);
  const down = stepsFrom(root, followed(deriving, 'from', 'to'));
  const up = stepsFrom(root, followed(deriving, 'to', 'from'));
  const layers = new Map<number | null, WhyNode[]>();
  for (const node of nodes) {
    const [below, above] = [down.get(node.id), up.get(node.id)];
    const steps = below === undefined ? (above ?? null) : -below;
    layers.set(steps, [...(layers.get(steps) ?? []), node]);
  }
  return [...layers]
    .map(([steps, inLayer]) => ({ steps, nodes: inLayer }))
    .sort((a, b) => placeOf(a.steps) - placeOf(b.steps));
}

/**
 * Links by the id of the record at which a list tells them: the end that is farther from the record that is asked about, both ends where
 * they stand beside it. Every link of the graph is told.
 */
export function linksToldAt(
  { links }: WhyGraph,
  layers: readonly Layer[],
): ReadonlyMap<string, readonly WhyLink[]> {
  const steps = new Map(layers.flatMap((layer) => layer.nodes.map(({ id }) => [id, layer.steps])));
  const told = new Map<string, WhyLink[]>();
  for (const link of links) {
    const { from, to } = link;
    const ends = [
      ...(isAside(steps.get(from), 1) ? [from] : []),
      ...(isAside(steps.get(to), -1) ? [to] : []),
    ];
    // Such as what it rests on and what rests on it, where they contradict each other: neither end is the farther one.
    for (const id of ends.length === 0 ? [from] : ends) {
      const known = told.get(id);
      if (known === undefined) told.set(id, [link]);
      else known.push(link);
    }
  }
  return told;
}

/** Whether a record stands beside the one that is asked about, or on that side of it. */
function isAside(steps: Layer['steps'] | undefined, side: 1 | -1): boolean {
  return steps !== undefined && (steps === null || steps * side > 0);
}

/** The record first, then down, then up, then what is beside. */
function placeOf(steps: number | null): number {
  if (steps === null) return Number.MAX_SAFE_INTEGER;
  return steps <= 0 ? -steps : 1000 + steps;
}

function followed(
  links: readonly WhyLink[],
  at: 'from' | 'to',
  other: 'from' | 'to',
): ReadonlyMap<string, readonly string[]> {
  const ends = new Map<string, string[]>();
  for (const link of links) ends.set(link[at], [...(ends.get(link[at]) ?? []), link[other]]);
  return ends;
}

function stepsFrom(root: string, ends: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, number> {
  const steps = new Map([[root, 0]]);
  // A map goes on over what is put in while it is walked.
  for (const [id, step] of steps)
    for (const next of ends.get(id) ?? []) if (!steps.has(next)) steps.set(next, step + 1);
  return steps;
}
