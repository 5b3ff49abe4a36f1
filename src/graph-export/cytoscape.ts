import type { GraphEdge } from '../../schemas/graph.ts';
import {
  EDGE_PROPERTIES,
  edgeIds,
  NODE_PROPERTIES,
  propertiesOf,
  type ExportGraph,
  type ExportNode,
} from './graph.ts';
import { separated } from './text.ts';

/**
 * The JSON of Cytoscape: `elements.nodes` and `elements.edges`, with what Cytoscape.js, Cytoscape and networkx look for: `id`, `name`,
 * `source`, `target`, `interaction`, and for networkx `value` and `key`.
 */
export async function* writeCytoscape(graph: ExportGraph): AsyncGenerator<string> {
  const { about } = graph;
  const name = typeof about.scope === 'string' ? about.scope : String(about.record);
  yield `{"format_version":"1.0","generated_by":"strata","target_cytoscapejs_version":"~3",\n`;
  yield `"data":${JSON.stringify({ ...about, name })},"directed":true,"multigraph":true,\n"elements":{"nodes":[\n`;
  yield* separated(graph.nodes(), ',\n', nodeText);
  yield '\n],"edges":[\n';
  const nextId = edgeIds();
  yield* separated(graph.edges(), ',\n', (edge) => edgeText(edge, nextId()));
  yield '\n]}}\n';
}

function nodeText(node: ExportNode): string {
  const properties = namedValues(propertiesOf(node, NODE_PROPERTIES));
  return JSON.stringify({ data: { id: node.id, value: node.id, name: node.summary, ...properties } });
}

function edgeText(edge: GraphEdge, id: string): string {
  const { from: source, to: target, type: interaction } = edge;
  const properties = namedValues(propertiesOf(edge, EDGE_PROPERTIES));
  return JSON.stringify({ data: { id, key: id, source, target, interaction, ...properties } });
}

function namedValues(
  properties: readonly { readonly name: string; readonly value: string | number }[],
): Record<string, string | number> {
  return Object.fromEntries(properties.map(({ name, value }) => [name, value]));
}
