import { useMemo, useState } from 'preact/hooks';

import { ask } from '../../api/ask.ts';
import { refusalOf, type Refusal } from '../../api/errors.ts';
import { linkTo, linkWith } from '../../app/location.ts';
import { StanceBadge } from '../../components/badge.tsx';
import { Confidence } from '../../components/confidence.tsx';
import { Instant } from '../../components/instant.tsx';
import { KeyValue } from '../../components/key-value.tsx';
import { ErrorNotice } from '../../components/notice.tsx';
import { counted } from '../../components/counted.ts';
import type { Chosen } from './choice.ts';
import { choose } from './chosen.ts';
import { drawnEdges, type Comparison, type GraphModel } from './graph-model.ts';
import { MarkWord } from './node-list.tsx';
import { NEIGHBOURS, type GraphEdge, type GraphNode, type GraphSide } from './queries.ts';
import { instantsOf } from './use-graph.ts';
import { edgeInWords } from './words.ts';

/** How many neighbours are read at once. */
const SOME = 100;

/** The chosen node: what is known of it, its edges, and the ways to it in other views. */
export function NodeDetails({
  node,
  scope,
  chosen,
  model,
  comparison,
  add,
}: {
  readonly node: GraphNode;
  readonly scope: string;
  readonly chosen: Chosen;
  readonly model: GraphModel;
  readonly comparison: Comparison | null;
  readonly add: (side: GraphSide) => void;
}) {
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
      <Edges node={node} model={model} />
      {node.more > 0 && <Neighbours node={node} scope={scope} chosen={chosen} add={add} />}
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

function Edges({ node, model }: { readonly node: GraphNode; readonly model: GraphModel }) {
  const edges = useMemo(
    () => drawnEdges(model).filter(([, { from, to }]) => from === node.id || to === node.id),
    [model, node.id],
  );
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

/** The way to the neighbours that the picture does not show. */
function Neighbours({
  node,
  scope,
  chosen,
  add,
}: {
  readonly node: GraphNode;
  readonly scope: string;
  readonly chosen: Chosen;
  readonly add: (side: GraphSide) => void;
}) {
  const [isReading, setReading] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const read = async (): Promise<void> => {
    setReading(true);
    setRefusal(null);
    try {
      const variables = {
        id: node.id,
        scope,
        over: chosen.over,
        asOf: instantsOf(chosen),
        first: SOME,
        after: null,
      };
      const { neighbours } = await ask(NEIGHBOURS, variables, new AbortController().signal);
      if (neighbours !== null) add(neighbours);
    } catch (error) {
      setRefusal(refusalOf(error));
    } finally {
      setReading(false);
    }
  };
  return (
    <div>
      <p class="soft">At least {counted(node.more, 'more edge')} of it are not shown.</p>
      {refusal !== null && <ErrorNotice refusal={refusal} />}
      <button type="button" class="button" disabled={isReading} onClick={() => void read()}>
        {isReading ? 'Reading…' : 'Show its neighbours'}
      </button>
    </div>
  );
}
