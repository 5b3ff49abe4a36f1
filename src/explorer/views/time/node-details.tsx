import { useMemo } from 'preact/hooks';

import { linkTo, linkWith } from '../../app/location.ts';
import { StanceBadge } from '../../components/badge.tsx';
import { Confidence } from '../../components/confidence.tsx';
import { Instant } from '../../components/instant.tsx';
import { KeyValue } from '../../components/key-value.tsx';
import type { Chosen } from './choice.ts';
import { choose } from './chosen.ts';
import { drawnEdges, undrawnEdges, type GraphModel } from './graph-model.ts';
import { MarkWord } from './node-list.tsx';
import { Neighbours } from './node-neighbours.tsx';
import type { GraphEdge, GraphNode } from './queries.ts';
import type { ScopeGraph } from './use-graph.ts';
import { edgeInWords } from './words.ts';

/** The chosen node: what is known of it, its edges, and the ways to it in other views. */
export function NodeDetails({
  node,
  scope,
  chosen,
  graph,
}: {
  readonly node: GraphNode;
  readonly scope: string;
  readonly chosen: Chosen;
  readonly graph: ScopeGraph;
}) {
  const { model, comparison, sides } = graph;
  const edges = useMemo(
    () => drawnEdges(model).filter(([, { from, to }]) => from === node.id || to === node.id),
    [model, node.id],
  );
  const undrawn = useMemo(() => undrawnEdges(node, sides, edges.length), [node, sides, edges]);
  const mark = comparison?.nodes.get(node.id) ?? null;
  const before = comparison?.before.get(node.id) ?? null;
  const isEntity = node.type === 'entity';
  return (
    <section class="node-details" aria-label="The chosen node">
      <header>
        <p class="small soft">
          <span class={`kind kind-${node.type}`} aria-hidden="true" /> {node.type}
          {mark !== null && <MarkWord mark={mark} />}
        </p>
        <h2>{node.summary}</h2>
        <p class="node-ways">
          {!isEntity && <a href={linkTo('why', [], { id: node.id })}>Why</a>}
          {isEntity && <a href={linkTo('entity', [], { id: node.id, scope: node.scope })}>Open the entity</a>}
          <button
            type="button"
            class="button button-quiet"
            onClick={() => {
              choose({ node: '' });
            }}
          >
            Close
          </button>
        </p>
      </header>
      {before !== null && before.summary !== node.summary && <p>It said before: {before.summary}</p>}
      <KeyValue entries={factsOf(node, before)} />
      <Edges node={node} edges={edges} model={model} />
      <Neighbours node={node} scope={scope} chosen={chosen} graph={graph} undrawn={undrawn} />
    </section>
  );
}

function factsOf(node: GraphNode, before: GraphNode | null) {
  const { scope, validFrom, validTo, recordedFrom, confidence, stance } = node;
  return [
    ...(validFrom === null ? [] : [['True since', <Instant key="from" at={validFrom} />] as const]),
    ...(validTo === null ? [] : [['Until', <Instant key="to" at={validTo} />] as const]),
    ...(recordedFrom === null ? [] : [['Known since', <Instant key="known" at={recordedFrom} />] as const]),
    ...(confidence === null ? [] : [['Confidence', <Confidence key="sure" value={confidence} />] as const]),
    ...(before === null || before.confidence === null || before.confidence === confidence
      ? []
      : [['Before', <Confidence key="before" value={before.confidence} />] as const]),
    ...(stance === null ? [] : [['Stance', <StanceBadge key="stance" stance={stance} />] as const]),
    ['Scope', scope] as const,
    ['Id', <code key="id">{node.id}</code>] as const,
  ];
}

function Edges({
  node,
  edges,
  model,
}: {
  readonly node: GraphNode;
  readonly edges: readonly (readonly [string, GraphEdge])[];
  readonly model: GraphModel;
}) {
  if (edges.length === 0) return <p class="soft">No edge of it is shown.</p>;
  return (
    <ul class="node-edges">
      {edges.map(([key, edge]) => (
        <EdgeLine key={key} edge={edge} node={node} model={model} />
      ))}
    </ul>
  );
}

function EdgeLine({
  edge,
  node,
  model,
}: {
  readonly edge: GraphEdge;
  readonly node: GraphNode;
  readonly model: GraphModel;
}) {
  const isForward = edge.from === node.id;
  const other = model.nodes.get(isForward ? edge.to : edge.from);
  return (
    <li>
      {edgeInWords(edge, isForward)} {other && <a href={linkWith({ node: other.id })}>{other.summary}</a>}
    </li>
  );
}
