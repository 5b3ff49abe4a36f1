import type { BeliefWhy } from '../../schemas/belief.ts';
import { toBeliefItem, type WholeBelief } from '../derive/belief/item.ts';
import { beliefNode } from '../derive/provenance.ts';
import { narrative } from '../derive/why.ts';
import type { Instants } from '../time/bitemporal-range.ts';
import type { Call } from './access.ts';
import type { ProvenanceWalk } from './provenance-walk.ts';

/** Why beliefs that the caller may read are held, in their order. What he may not read of the rest is left out. */
export async function whyBeliefs(
  walk: ProvenanceWalk,
  call: Call,
  beliefs: readonly WholeBelief[],
  { depth, valid: asked, recorded }: Instants & { readonly depth: number },
): Promise<BeliefWhy[]> {
  // One that begins later is told as it will begin, and so is what it rests on.
  const groups = new Map<number, WholeBelief[]>();
  for (const belief of beliefs) {
    const valid = Math.max(asked, belief.row.valid_from);
    groups.set(valid, [...(groups.get(valid) ?? []), belief]);
  }
  const explained = await Promise.all(
    [...groups].map(async ([valid, group]) => {
      const reach = {
        depth,
        valid,
        recorded,
        now: valid,
        direction: 'down',
        relation: 'derivation',
      } as const;
      const graphs = await walk.graphs(call, group.map(beliefNode), reach);
      return group.flatMap((belief, i) => {
        const graph = graphs[i];
        return graph === undefined ? [] : [whyOf(belief, graph)];
      });
    }),
  );
  const byId = new Map(explained.flat().map((why) => [why.belief.id, why]));
  return beliefs.flatMap(({ id }) => byId.get(id) ?? []);
}

function whyOf(stored: WholeBelief, graph: BeliefWhy['support_graph']): BeliefWhy {
  const belief = toBeliefItem(stored);
  return { belief, support_graph: graph, narrative: narrative(belief, graph), narrative_model: null };
}
