import type { GraphEdge } from '../../schemas/graph.ts';
import {
  EDGE_PROPERTIES,
  NODE_PROPERTIES,
  propertiesOf,
  type ExportGraph,
  type ExportNode,
} from './graph.ts';
import { className, iri, NAMESPACES } from './iri.ts';
import { writable } from './text.ts';

const INSTANTS = ['valid_from', 'valid_to', 'valid_at', 'recorded_from', 'as_of_valid', 'as_of_recorded'];

const CONTEXT = {
  '@version': 1.1,
  '@vocab': NAMESPACES.strata,
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  ...Object.fromEntries(INSTANTS.map((name) => [name, { '@type': 'xsd:dateTime' }])),
};

/**
 * JSON-LD 1.1: a node object for each node, and for each edge a statement (`rdf:Statement`) that says what it says, in whose subject the
 * edge stands as a property too, so that a query need not know of statements.
 */
export async function* writeJsonld(graph: ExportGraph): AsyncGenerator<string> {
  const { about } = graph;
  const itself = { '@type': 'GraphExport', ...writableValues(Object.entries(about)) };
  yield `{"@context":${JSON.stringify(CONTEXT)},\n"@graph":[\n${JSON.stringify(itself)}`;
  for await (const nodes of graph.nodes()) yield nodes.map((node) => `,\n${nodeText(node)}`).join('');
  for await (const edges of graph.edges()) yield edges.map((edge) => `,\n${edgeText(edge)}`).join('');
  yield '\n]}\n';
}

function nodeText(node: ExportNode): string {
  const said = propertiesOf(node, NODE_PROPERTIES).map(({ name, value }) => [name, value] as const);
  return JSON.stringify({
    '@id': iri('node', node.id),
    '@type': className(node.type),
    id: writable(node.id),
    ...writableValues(said),
  });
}

function edgeText(edge: GraphEdge): string {
  const to = { '@id': iri('node', edge.to) };
  const said = propertiesOf(edge, EDGE_PROPERTIES).map(({ name, value }) => [name, value] as const);
  return JSON.stringify({
    '@type': 'rdf:Statement',
    'rdf:subject': { '@id': iri('node', edge.from), [edge.type]: to },
    'rdf:predicate': { '@id': iri('strata', edge.type) },
    'rdf:object': to,
    ...writableValues(said),
  });
}

function writableValues(
  said: readonly (readonly [string, string | number | boolean])[],
): Record<string, string | number | boolean> {
  return Object.fromEntries(
    said.map(([name, value]) => [name, typeof value === 'string' ? writable(value) : value]),
  );
}
