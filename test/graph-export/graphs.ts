import type { GraphEdge } from '../../schemas/graph.ts';
import { GRAPH_EDGE_TYPES, GRAPH_NODE_TYPES } from '../../schemas/graph.ts';
import type { ExportFormat } from '../../schemas/graph-export.ts';
import type { ExportGraph, ExportNode, GraphAbout } from '../../src/graph-export/graph.ts';
import { writeGraph } from '../../src/graph-export/write.ts';
import fc from '../support/property.ts';

/** A graph that a test holds. */
export interface TestGraph {
  readonly about: GraphAbout;
  readonly nodes: readonly ExportNode[];
  readonly edges: readonly GraphEdge[];
}

/** What the formats have to escape, and what some of them cannot hold. */
const NASTY = [
  ...['"', "'", '\\', '\\"', '\\n', '\n', '\r\n', '\t', '&', '&amp;', '&#10;', '<', '>', '</summary>', ']]>'],
  ...[
    '#',
    '#35;',
    '%',
    '%%',
    '%20',
    '`',
    '|',
    ';',
    ':',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '-->',
    '--',
    ' ',
    '  ',
  ],
  ...[
    '$',
    '@id',
    '@type',
    '<b>',
    '\u0000',
    '\u0007',
    '\u001b',
    '\u0085',
    '\u2028',
    '\ufffe',
    '\ud800',
    '\udc00',
  ],
  ...['é', '漢字', '👩‍🚀', '\u202e', 'end', 'style a:b#c;', 'subgraph', 'graph', '-', '.', '_', '/'],
];

/** Texts that formats have trouble with. */
export const nastyText = fc
  .array(fc.oneof(fc.constantFrom(...NASTY), fc.string({ maxLength: 8, unit: 'binary' })), { maxLength: 8 })
  .map((parts) => parts.join(''));

const instant = fc.constantFrom(
  '0001-01-01T00:00:00.000Z',
  '1970-04-14T03:07:53.000Z',
  '9999-12-31T00:00:00.000Z',
);
const instantOrNull = fc.option(instant, { nil: null });
const share = fc.double({ min: 0, max: 1, noNaN: true });

/** Nodes whose ids are ids of entities too: any text. */
const node = fc
  .record({
    id: nastyText.map((text) => `x${text}`),
    type: fc.constantFrom(...GRAPH_NODE_TYPES),
    scope: fc.constant('org:a/user:b'),
    summary: nastyText,
    valid_from: instantOrNull,
    valid_to: instantOrNull,
    recorded_from: instantOrNull,
    confidence: fc.option(share, { nil: undefined }),
    actor: fc.option(nastyText, { nil: null }),
  })
  .map(({ confidence, actor, ...said }): ExportNode => ({
    ...said,
    ...(confidence === undefined ? {} : { confidence }),
    origin: { actor, caller: 'user:ann', extractor: actor },
  }));

/** Graphs of a few nodes and edges, with two edges between the same nodes among them. */
export const nastyGraph: fc.Arbitrary<TestGraph> = fc
  .uniqueArray(node, { minLength: 1, maxLength: 5, selector: ({ id }) => id.toWellFormed() })
  .chain((nodes) => {
    const id = fc.constantFrom(...nodes.map((one) => one.id));
    const edge = fc.record({
      from: id,
      to: id,
      type: fc.constantFrom(...GRAPH_EDGE_TYPES),
      weight: share,
      relation: nastyText,
      valid_at: instant,
      span: fc.constant({ start: 1, end: 2 }),
    });
    return fc
      .array(edge, { maxLength: 6 })
      .map((edges) => ({ about: { scope: 'org:a/user:b' }, nodes, edges }));
  });

/** The graph as writers see it, item by item, so that what stands between items is put to the test. */
function inSteps({ about, nodes, edges }: TestGraph): ExportGraph {
  async function* oneByOne<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
    yield await Promise.resolve([]);
    for (const item of items) yield [item];
  }
  return { about, nodes: () => oneByOne(nodes), edges: () => oneByOne(edges) };
}

/** A graph in a format. */
export async function written(format: ExportFormat, graph: TestGraph): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of writeGraph(format, inSteps(graph))) pieces.push(piece);
  return pieces.join('');
}

/** A small graph with one of each that PROV tells apart. */
export const SMALL: TestGraph = {
  about: { scope: 'org:a', withheld_scopes: 2, truncated: false },
  nodes: [
    nodeOf('evt_1', 'event', { origin: { actor: 'user:ann', caller: 'agent:scribe', extractor: null } }),
    nodeOf('fact_1', 'fact', { origin: { actor: null, caller: null, extractor: 'model-1' } }),
    nodeOf('fact_2', 'fact', { origin: { actor: null, caller: null, extractor: 'model-1' } }),
    nodeOf('belief_1', 'belief', { confidence: 0.9, stance: 'supported' }),
    nodeOf('ep_1', 'episode'),
    nodeOf('concept_1', 'concept'),
    nodeOf('ent_ann', 'entity', { recorded_from: null }),
    nodeOf('ent_anna', 'entity', { recorded_from: null }),
  ],
  edges: [
    { from: 'fact_1', to: 'evt_1', type: 'DERIVED_FROM', span: { start: 3, end: 9 } },
    { from: 'fact_1', to: 'fact_2', type: 'SUPERSEDED_BY', valid_at: '2026-03-01T00:00:00.000Z' },
    { from: 'belief_1', to: 'fact_2', type: 'SUPPORTED_BY', polarity: 'supports', weight: 0.5 },
    { from: 'belief_1', to: 'fact_1', type: 'SUPPORTED_BY', polarity: 'against', weight: 0.25 },
    { from: 'ep_1', to: 'evt_1', type: 'CONTAINS', role: 'opening' },
    { from: 'concept_1', to: 'fact_2', type: 'SUPPORTED_BY' },
    { from: 'fact_2', to: 'ent_ann', type: 'SUBJECT' },
    { from: 'ent_anna', to: 'ent_ann', type: 'SAME_AS' },
  ],
};

function nodeOf(id: string, type: ExportNode['type'], more: Partial<ExportNode> = {}): ExportNode {
  return {
    ...{ id, type, scope: 'org:a', summary: `what ${id} says` },
    valid_from: type === 'fact' ? '2026-01-01T00:00:00.000Z' : null,
    valid_to: type === 'fact' ? '2026-03-01T00:00:00.000Z' : null,
    recorded_from: '2026-02-01T00:00:00.000Z',
    origin: { actor: null, caller: null, extractor: null },
    ...more,
  };
}
