import { useState } from 'preact/hooks';

import { ask } from '../../api/ask.ts';
import { refusalOf, type Refusal } from '../../api/errors.ts';
import { counted } from '../../components/counted.ts';
import { ErrorNotice } from '../../components/notice.tsx';
import type { Chosen } from './choice.ts';
import { nextNeighbours } from './neighbours.ts';
import { NEIGHBOURS, type GraphNode } from './queries.ts';
import { instantsOf, type ScopeGraph } from './use-graph.ts';

/** How many neighbours are read at once. */
const SOME = 100;

/** The way to the neighbours of a node that the picture does not show. */
export function Neighbours({
  node,
  scope,
  chosen,
  graph: { added, add },
  undrawn,
}: {
  readonly node: GraphNode;
  readonly scope: string;
  readonly chosen: Chosen;
  readonly graph: ScopeGraph;
  /** How many of its edges at least are not drawn. */
  readonly undrawn: number;
}) {
  const [isReading, setReading] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const next = nextNeighbours(added, node.id);
  // A count says at least how many: where reading began, the pages say whether there are more.
  const isBegun = next?.after !== null;
  if (undrawn === 0 && !isBegun && isCounted(node, scope, chosen)) return null;
  const read = async (after: string | null): Promise<void> => {
    setReading(true);
    setRefusal(null);
    try {
      const variables = {
        id: node.id,
        scope,
        types: chosen.types,
        over: chosen.over,
        asOf: instantsOf(chosen),
        first: SOME,
        after,
      };
      const { neighbours } = await ask(NEIGHBOURS, variables, new AbortController().signal);
      if (neighbours !== null) add({ node: node.id, page: neighbours });
    } catch (error) {
      setRefusal(refusalOf(error));
    } finally {
      setReading(false);
    }
  };
  return (
    <div>
      {undrawn > 0 && <p class="soft">Not shown of it: at least {counted(undrawn, 'more edge')}.</p>}
      {refusal !== null && <ErrorNotice refusal={refusal} />}
      {next === null ? (
        <p class="soft">All of its neighbours were read.</p>
      ) : (
        <button type="button" class="button" disabled={isReading} onClick={() => void read(next.after)}>
          {isReading ? 'Reading…' : isBegun ? 'Show more neighbours' : 'Show its neighbours'}
        </button>
      )}
    </div>
  );
}

/** Whether an answer counts the edges of a node: not those of entities, nor of ends that no page of the graph has. */
function isCounted({ type, scope: own }: GraphNode, scope: string, { entity, q }: Chosen): boolean {
  return type !== 'entity' && own === scope && entity === null && q === null;
}
