import type { GraphEdge, GraphNodeType } from '../../schemas/graph.ts';
import {
  EDGE_PROPERTIES,
  NODE_PROPERTIES,
  propertiesOf,
  type ExportGraph,
  type ExportNode,
} from './graph.ts';
import { writable } from './text.ts';

const SHAPES: Readonly<Record<GraphNodeType, string>> = {
  event: 'note',
  fact: 'box',
  belief: 'hexagon',
  episode: 'folder',
  concept: 'component',
  entity: 'ellipse',
};

/** DOT of Graphviz: a digraph whose nodes are drawn by what they are, with what is said of the graph as its attributes. */
export async function* writeDot(graph: ExportGraph): AsyncGenerator<string> {
  const { about } = graph;
  yield 'digraph strata {\ncharset="UTF-8";\nrankdir=LR;\n';
  yield Object.entries(about)
    .map(([name, value]) => `${name}=${quoted(String(value))};\n`)
    .join('');
  for await (const nodes of graph.nodes()) yield nodes.map(nodeText).join('');
  for await (const edges of graph.edges()) yield edges.map(edgeText).join('');
  yield '}\n';
}

function nodeText(node: ExportNode): string {
  const said = propertiesOf(node, NODE_PROPERTIES).filter(({ name }) => name !== 'summary');
  const attributes = [
    `label=${label(node.summary)}`,
    `shape=${SHAPES[node.type]}`,
    ...said.map(({ name, value }) => `${name}=${quoted(String(value))}`),
  ];
  return `${quoted(node.id)} [${attributes.join(', ')}];\n`;
}

function edgeText(edge: GraphEdge): string {
  const { from, to, type, polarity } = edge;
  // Graphviz would take `weight` for how short the edge is to be drawn.
  const said = propertiesOf(edge, EDGE_PROPERTIES).map(
    ({ name, value }) => `${name === 'weight' ? 'evidence_weight' : name}=${quoted(String(value))}`,
  );
  const style = polarity === 'against' ? ['style=dashed'] : [];
  return `${quoted(from)} -> ${quoted(to)} [${[`label=${label(type)}`, ...style, ...said].join(', ')}];\n`;
}

/** A text in quotes, as an id or a value. */
function quoted(text: string): string {
  const escaped = writable(text)
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll(/\r\n?|\n/gu, '\\n');
  return `"${escaped}"`;
}

/** A text that is drawn: Graphviz reads entities of HTML in it. */
function label(text: string): string {
  return quoted(text.replaceAll('&', '&amp;'));
}
