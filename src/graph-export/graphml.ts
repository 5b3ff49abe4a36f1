import type { GraphEdge } from '../../schemas/graph.ts';
import {
  EDGE_PROPERTIES,
  edgeIds,
  NODE_PROPERTIES,
  propertiesOf,
  type ExportGraph,
  type ExportNode,
  type Property,
} from './graph.ts';
import { xmlText } from './text.ts';

/** GraphML, with each property of nodes, edges and the graph as a key. */
export async function* writeGraphml(graph: ExportGraph): AsyncGenerator<string> {
  const { about } = graph;
  yield `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
${keys('node', NODE_PROPERTIES)}
${keys('edge', EDGE_PROPERTIES)}
`;
  const said = Object.entries(about);
  yield said
    .map(
      ([name, value]) =>
        `<key id="graph_${name}" for="graph" attr.name="${name}" attr.type="${typeOf(value)}"/>\n`,
    )
    .join('');
  yield '<graph edgedefault="directed">\n';
  yield said.map(([name, value]) => `<data key="graph_${name}">${xmlText(String(value))}</data>\n`).join('');
  for await (const nodes of graph.nodes()) yield nodes.map(nodeText).join('');
  const nextId = edgeIds();
  for await (const edges of graph.edges()) yield edges.map((edge) => edgeText(edge, nextId())).join('');
  yield '</graph>\n</graphml>\n';
}

function keys<T>(of: 'node' | 'edge', properties: readonly Property<T>[]): string {
  return properties
    .map(
      ({ name, type }) =>
        `<key id="${of}_${name}" for="${of}" attr.name="${name}" attr.type="${type === 'integer' ? 'int' : type}"/>`,
    )
    .join('\n');
}

function typeOf(value: string | number | boolean): string {
  if (typeof value === 'number') return 'int';
  return typeof value;
}

function nodeText(node: ExportNode): string {
  return `<node id="${xmlText(node.id)}">${data('node', node, NODE_PROPERTIES)}</node>\n`;
}

function edgeText(edge: GraphEdge, id: string): string {
  const { from, to } = edge;
  return `<edge id="${id}" source="${xmlText(from)}" target="${xmlText(to)}">${data('edge', edge, EDGE_PROPERTIES)}</edge>\n`;
}

function data<T>(of: 'node' | 'edge', item: T, properties: readonly Property<T>[]): string {
  return propertiesOf(item, properties)
    .map(({ name, value }) => `<data key="${of}_${name}">${xmlText(String(value))}</data>`)
    .join('');
}
