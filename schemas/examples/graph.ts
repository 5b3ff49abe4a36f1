import type { ExamplesOf } from '../example.ts';
import type { GraphEdge, GraphNode, GraphTimes } from '../graph.ts';
import type { GRAPH_OPERATIONS } from '../operation/graph.ts';

const TIMELESS = { valid_from: null, valid_to: null, recorded_from: null, more: 0 };

const scope = 'org:acme/user:priya';
const priya: GraphNode = { id: 'ent_priya', type: 'entity', scope, summary: 'Priya', ...TIMELESS };
const lisbon: GraphNode = { id: 'ent_lisbon', type: 'entity', scope, summary: 'Lisbon', ...TIMELESS };
const livesInLisbon: GraphNode = {
  id: 'fact_2dbc1dd1120931f0265ff919e03f32af',
  type: 'fact',
  scope,
  summary: 'Priya lives in Lisbon, since 2026-03-01T00:00:00.000Z',
  valid_from: '2026-03-01T00:00:00.000Z',
  valid_to: null,
  recorded_from: '2026-11-27T04:46:14.466Z',
  confidence: 1,
  more: 0,
};
const livesInPorto: GraphNode = {
  id: 'fact_c3972454a35aece9465419f752466572',
  type: 'fact',
  scope,
  summary: 'Priya lives in Porto, from 2024-01-01T00:00:00.000Z to 2026-03-01T00:00:00.000Z',
  valid_from: '2024-01-01T00:00:00.000Z',
  valid_to: '2026-03-01T00:00:00.000Z',
  recorded_from: '2026-11-27T04:46:14.466Z',
  confidence: 1,
  more: 0,
};
const subjectAndObject: readonly GraphEdge[] = [
  { from: 'fact_2dbc1dd1120931f0265ff919e03f32af', to: 'ent_priya', type: 'SUBJECT' },
  { from: 'fact_2dbc1dd1120931f0265ff919e03f32af', to: 'ent_lisbon', type: 'OBJECT' },
];

const recorded: GraphTimes['recorded'] = {
  t_min: '2026-11-27T04:46:14.466Z',
  t_max: '2026-11-27T04:46:14.466Z',
  changes: [{ at: '2026-11-27T04:46:14.466Z', count: 1 }],
};

const DOT = [
  'digraph strata {',
  'charset="UTF-8";',
  'rankdir=LR;',
  'scope="org:acme/user:priya";',
  'view="local";',
  'types="fact,entity";',
  'entity="Lisbon";',
  'include_superseded="false";',
  'as_of_valid="2026-11-27T04:46:14.702Z";',
  'as_of_recorded="2026-11-27T04:46:14.702Z";',
  'withheld_scopes="0";',
  '"fact_2dbc1dd1120931f0265ff919e03f32af" [label="Priya lives in Lisbon, since 2026-03-01T00:00:00.000Z", shape=box, type="fact", scope="org:acme/user:priya", valid_from="2026-03-01T00:00:00.000Z", recorded_from="2026-11-27T04:46:14.466Z", confidence="1"];',
  '"ent_priya" [label="Priya", shape=ellipse, type="entity", scope="org:acme/user:priya"];',
  '"ent_lisbon" [label="Lisbon", shape=ellipse, type="entity", scope="org:acme/user:priya"];',
  '"fact_2dbc1dd1120931f0265ff919e03f32af" -> "ent_priya" [label="SUBJECT", type="SUBJECT"];',
  '"fact_2dbc1dd1120931f0265ff919e03f32af" -> "ent_lisbon" [label="OBJECT", type="OBJECT"];',
  '}',
  '',
].join('\n');

/** An example of each of the operations on the graph of a scope. */
export const GRAPH_EXAMPLES = {
  graph: {
    query: { scope: 'org:acme/user:priya', types: 'fact,entity', entity: 'Lisbon' },
    status: 200,
    answer: {
      nodes: [livesInLisbon, priya, lisbon],
      edges: [...subjectAndObject],
      times: {
        valid: {
          t_min: '2026-03-01T00:00:00.000Z',
          t_max: '2026-03-01T00:00:00.000Z',
          changes: [{ at: '2026-03-01T00:00:00.000Z', count: 1 }],
        },
        recorded,
      },
      has_more: false,
    },
  },
  exportGraph: {
    query: { format: 'dot', scope: 'org:acme/user:priya', types: 'fact,entity', entity: 'Lisbon' },
    status: 200,
    answer: DOT,
  },
  graphDiff: {
    query: { scope, types: 'fact', axis: 'valid', from: '2025-01-01T00:00:00Z' },
    status: 200,
    answer: {
      appeared: { nodes: [livesInLisbon], edges: [] },
      gone: { nodes: [livesInPorto], edges: [] },
      changed: { nodes: [], edges: [] },
      unchanged: { nodes: 0, edges: 0 },
      times: {
        valid: {
          t_min: '2024-01-01T00:00:00.000Z',
          t_max: '2026-03-01T00:00:00.000Z',
          changes: [
            { at: '2024-01-01T00:00:00.000Z', count: 1 },
            { at: '2026-03-01T00:00:00.000Z', count: 2 },
          ],
        },
        recorded: { ...recorded, changes: [{ at: '2026-11-27T04:46:14.466Z', count: 2 }] },
      },
      has_more: false,
    },
  },
  streamGraph: {
    query: { scope, since_lifecycle_id: 'lce_0000000000000024' },
    status: 200,
    answer:
      'retry: 2000\n\nid: lce_0000000000000024\nevent: graph_changed\ndata: {"ts":"2026-11-27T04:46:13.695Z","scope":"org:acme/user:priya","nodes":[],"edges":[],"gone":[],"read_again":false}\n\nid: lce_0000000000000028\nevent: graph_changed\ndata: {"ts":"2026-11-27T04:46:13.858Z","scope":"org:acme/user:priya","nodes":[{"id":"evt_01a21b534c99704d8fe2af2f0c384123","type":"event","scope":"org:acme/user:priya","summary":"We moved the launch to Tuesday.","valid_from":"2026-11-27T04:46:13.690Z","valid_to":null,"recorded_from":"2026-11-27T04:46:13.695Z","more":0}],"edges":[],"gone":[],"read_again":false}\n\n',
  },
  neighbours: {
    params: { id: 'fact_2dbc1dd1120931f0265ff919e03f32af' },
    query: { types: 'event,entity' },
    status: 200,
    answer: {
      nodes: [
        {
          id: 'evt_01a21b534f807234901f691eb584fa2d',
          type: 'event',
          scope: 'org:acme/user:priya',
          summary: 'Priya lives in Lisbon',
          valid_from: '2026-11-27T04:46:14.464Z',
          valid_to: null,
          recorded_from: '2026-11-27T04:46:14.466Z',
          more: 2,
        },
        lisbon,
        priya,
      ],
      edges: [
        {
          from: 'fact_2dbc1dd1120931f0265ff919e03f32af',
          to: 'evt_01a21b534f807234901f691eb584fa2d',
          type: 'DERIVED_FROM',
          recorded_from: '2026-11-27T04:46:14.466Z',
        },
        ...subjectAndObject,
      ],
      times: {
        valid: {
          t_min: '2026-11-27T04:46:14.464Z',
          t_max: '2026-11-27T04:46:14.464Z',
          changes: [{ at: '2026-11-27T04:46:14.464Z', count: 1 }],
        },
        recorded: { ...recorded, changes: [{ at: '2026-11-27T04:46:14.466Z', count: 2 }] },
      },
      has_more: false,
    },
  },
} satisfies ExamplesOf<typeof GRAPH_OPERATIONS>;
