import type { GraphEdge } from '../../schemas/graph.ts';
import {
  EDGE_PROPERTIES,
  edgeIds,
  NODE_PROPERTIES,
  propertiesOf,
  type ExportGraph,
  type ExportNode,
  type Interval,
  type Property,
} from './graph.ts';
import { xmlText } from './text.ts';

/** Weight and type of an edge have attributes of their own in the format. */
const EDGE_VALUES = EDGE_PROPERTIES.filter(({ name }) => name !== 'weight');

/**
 * GEXF 1.3 over time: when a node is true are its spells, when one took the place of another begins the spell of that edge. What has no valid
 * time has no spell, and is there always.
 */
export async function* writeGexf(graph: ExportGraph): AsyncGenerator<string> {
  const { about } = graph;
  const said = Object.entries(about).map(([name, value]) => `${name}: ${value}`);
  yield `<?xml version="1.0" encoding="UTF-8"?>
<gexf xmlns="http://gexf.net/1.3" version="1.3">
<meta><creator>Strata</creator><description>${xmlText(said.join('; '))}</description></meta>
<graph defaultedgetype="directed" mode="dynamic" timeformat="dateTime" timerepresentation="interval">
${attributes('node', NODE_PROPERTIES)}
${attributes('edge', EDGE_VALUES)}
<nodes>
`;
  for await (const nodes of graph.nodes()) yield nodes.map(nodeText).join('');
  yield '</nodes>\n<edges>\n';
  const nextId = edgeIds();
  for await (const edges of graph.edges()) yield edges.map((edge) => edgeText(edge, nextId())).join('');
  yield '</edges>\n</graph>\n</gexf>\n';
}

function attributes<T>(of: 'node' | 'edge', properties: readonly Property<T>[]): string {
  const rows = properties.map(({ name, type }) => `<attribute id="${name}" title="${name}" type="${type}"/>`);
  return `<attributes class="${of}" mode="static">\n${rows.join('\n')}\n</attributes>`;
}

function nodeText(node: ExportNode): string {
  const { id, summary, intervals = [node] } = node;
  return `<node id="${xmlText(id)}" label="${xmlText(summary)}">${values(node, NODE_PROPERTIES)}${spells(intervals)}</node>\n`;
}

function edgeText(edge: GraphEdge, id: string): string {
  const { from, to, type, weight, valid_at: since = null } = edge;
  const weighs = weight === undefined ? '' : ` weight="${weight}"`;
  return `<edge id="${id}" source="${xmlText(from)}" target="${xmlText(to)}" label="${type}" kind="${type}"${weighs}>${values(edge, EDGE_VALUES)}${spells([{ valid_from: since, valid_to: null }])}</edge>\n`;
}

function values<T>(item: T, properties: readonly Property<T>[]): string {
  const rows = propertiesOf(item, properties).map(
    ({ name, value }) => `<attvalue for="${name}" value="${xmlText(String(value))}"/>`,
  );
  return `<attvalues>${rows.join('')}</attvalues>`;
}

function spells(intervals: readonly Interval[]): string {
  const rows = intervals
    .filter(({ valid_from: from, valid_to: to }) => from !== null || to !== null)
    .map(({ valid_from: from, valid_to: to }) => {
      const start = from === null ? '' : ` start="${from}"`;
      const end = to === null ? '' : ` end="${to}"`;
      return `<spell${start}${end}/>`;
    });
  return rows.length === 0 ? '' : `<spells>${rows.join('')}</spells>`;
}
