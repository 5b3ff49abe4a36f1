import { useMemo, useState } from 'preact/hooks';

import { linkWith } from '../../app/location.ts';
import { counted } from '../../components/counted.ts';
import { drawnEdges, type Comparison, type GraphModel, type Mark } from './graph-model.ts';
import type { GraphEdge, GraphNode } from './queries.ts';
import { edgeInWords, KINDS, PLURALS, SIGNS } from './words.ts';

/** How many nodes are listed at first, and how many more each time. */
const STRETCH = 40;
/** How many edges of a node are listed; its details have all. */
const EDGES = 6;

/** Everything that the picture shows as text: nodes by kind, each with the edges that lead from it. */
export function NodeList({
  model,
  comparison,
  chosen,
}: {
  readonly model: GraphModel;
  readonly comparison: Comparison | null;
  readonly chosen: string | null;
}) {
  const [most, setMost] = useState(STRETCH);
  const nodes = useMemo(() => inOrder(model, comparison), [model, comparison]);
  const edges = useMemo(() => edgesFrom(model), [model]);
  const shown = nodes.slice(0, most);
  return (
    <div class="node-list">
      {KINDS.map((kind) => {
        const ofKind = shown.filter(({ type }) => type === kind);
        return (
          ofKind.length > 0 && (
            <section key={kind} aria-label={PLURALS[kind]}>
              <h3>
                <span class={`kind kind-${kind}`} aria-hidden="true" />
                {PLURALS[kind]}
              </h3>
              <ul>
                {ofKind.map((node) => (
                  <NodeLine
                    key={node.id}
                    node={node}
                    mark={comparison?.nodes.get(node.id) ?? null}
                    edges={edges.get(node.id) ?? []}
                    model={model}
                    isChosen={node.id === chosen}
                  />
                ))}
              </ul>
            </section>
          )
        );
      })}
      {nodes.length > most && (
        <button
          type="button"
          class="button"
          onClick={() => {
            setMost(most + STRETCH);
          }}
        >
          List more of the other {counted(nodes.length - most, 'node')}
        </button>
      )}
    </div>
  );
}

function NodeLine({
  node,
  mark,
  edges,
  model,
  isChosen,
}: {
  readonly node: GraphNode;
  readonly mark: Mark | null;
  readonly edges: readonly GraphEdge[];
  readonly model: GraphModel;
  readonly isChosen: boolean;
}) {
  return (
    <li>
      <a href={linkWith({ node: node.id })} aria-current={isChosen ? 'true' : undefined}>
        {node.summary}
      </a>
      {mark !== null && <MarkWord mark={mark} />}
      {edges.length > 0 && (
        <ul class="node-edges">
          {edges.slice(0, EDGES).map((edge) => (
            <li key={`${edge.type} ${edge.to} ${edge.relation ?? ''}`}>
              {edgeInWords(edge, true)} {model.nodes.get(edge.to)?.summary}
            </li>
          ))}
          {edges.length > EDGES && <li>and {counted(edges.length - EDGES, 'more edge')}</li>}
        </ul>
      )}
    </li>
  );
}

/** What became of something, as a sign and a word. */
export function MarkWord({ mark }: { readonly mark: Mark }) {
  return (
    <span class={`mark mark-${mark}`}>
      <span aria-hidden="true">{SIGNS[mark]}</span> {mark}
    </span>
  );
}

/** By kind; of a comparison what became of something before what stayed as it is. */
function inOrder({ nodes }: GraphModel, comparison: Comparison | null): GraphNode[] {
  const place = ({ id, type }: GraphNode): number =>
    KINDS.indexOf(type) + (comparison === null || comparison.nodes.has(id) ? 0 : KINDS.length);
  return [...nodes.values()].sort((a, b) => place(a) - place(b));
}

function edgesFrom(model: GraphModel): Map<string, GraphEdge[]> {
  const found = new Map<string, GraphEdge[]>();
  for (const [, edge] of drawnEdges(model)) {
    const known = found.get(edge.from);
    if (known === undefined) found.set(edge.from, [edge]);
    else known.push(edge);
  }
  return found;
}
