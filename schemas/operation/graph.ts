import {
  diffQuery,
  graphDiffPage,
  graphPage,
  graphQuery,
  graphStreamQuery,
  neighboursQuery,
} from '../graph.ts';
import { GRAPH_EXPORT_FORMATS, graphExportQuery } from '../graph-export.ts';
import type { Operation } from './definition.ts';
import { ANY_LENGTH, exportAnswer } from './export.ts';

/** Operations on the graph of a scope. */
export const GRAPH_OPERATIONS = {
  graph: {
    method: 'GET',
    path: '/v1/graph',
    noun: 'graph',
    summary: 'The graph of a scope',
    description:
      'Nodes and edges of a scope as they stand in the database, and with `view` of the scopes above or below it, newest first: what is true now as known now, or at the instants asked for. What the caller may not read is left out, with its edges.',
    access: { capability: 'scope.read.local' },
    query: graphQuery,
    answers: { 200: { description: 'A page of the graph.', schema: graphPage } },
    errors: [],
    otherStatuses: [{ code: 'INVALID_QUERY', status: 422, when: '`view` is not one of its values.' }],
    graphql: { kind: 'query', field: 'graph' },
  },
  exportGraph: {
    method: 'GET',
    path: '/v1/graph/export',
    noun: 'graph',
    summary: 'Export the graph of a scope',
    description:
      'The whole graph of a scope, or of a view, as one file: all that the pages of `GET /v1/graph` have, each node and each edge once, however many edges a node has, and all of it as known at one recorded instant. Scopes in which the caller may read but not export are withheld, and counted in the file. The file comes as it is made; where that fails, or the service stops, the connection is cut.',
    access: { capability: 'export' },
    audited: 'unless_off',
    query: graphExportQuery,
    answers: { 200: exportAnswer(GRAPH_EXPORT_FORMATS, 'dot') },
    errors: [],
    otherStatuses: [{ code: 'INVALID_QUERY', status: 422, when: '`view` is not one of its values.' }],
    graphql: ANY_LENGTH,
  },
  graphDiff: {
    method: 'GET',
    path: '/v1/graph/diff',
    noun: 'graph',
    summary: 'What the graph of a scope has become',
    description:
      'What appeared in the graph of a scope, what is gone and what changed between two instants of recorded or of valid time, newest first. A page compares as many nodes as it is asked for, whether they changed or not.',
    access: { capability: 'scope.read.local' },
    query: diffQuery,
    answers: { 200: { description: 'A page of differences.', schema: graphDiffPage } },
    errors: [],
    otherStatuses: [{ code: 'INVALID_QUERY', status: 422, when: '`view` is not one of its values.' }],
    graphql: { kind: 'query', field: 'graphDiff' },
  },
  streamGraph: {
    method: 'GET',
    path: '/v1/graph/stream',
    noun: 'graph',
    summary: 'Follow the graph of a scope',
    description:
      'Server-sent events that keep a graph of a scope, as `GET /v1/graph` has it now, up to date: `event` is graph_changed, `id` the `lifecycle_id` of the last frame that it is made of, `data` a JSON object of `nodes`, `edges`, `gone` and `read_again` (the schema graph_change) with its `ts` and `scope`. The first says from when on changes are told: read the graph then. Each is made of the frames that came together, and says what is in the graph when it is made. A client that comes back sends the last `id` as `Last-Event-ID` (which wins) or `since_lifecycle_id`. What becomes true, or ends, by time alone is not told: `times` of the graph says when. `lagging` and `policy_revoked` are as of the stream of frames.',
    access: { capability: 'lifecycle.subscribe' },
    query: graphStreamQuery,
    resumes: true,
    answers: { 200: { description: 'A stream of changes.', mediaType: 'text/event-stream' } },
    errors: ['SERVER_BUSY'],
    graphql: { kind: 'subscription', field: 'graphChanged' },
  },
  neighbours: {
    method: 'GET',
    path: '/v1/graph/{id}/neighbours',
    noun: 'graph',
    summary: 'What a node has to do with others',
    description:
      'What is at the other ends of the edges of a record, in whatever scope, or what is said of an entity in a scope, newest first, with these edges; of a record that is not true at the valid instant too. Of more than 10,000 edges of a kind some are looked at. A record that is unknown or not for the caller to see is the same 404.',
    access: { capability: 'scope.read.local' },
    params: { id: 'Id of a record, or an id or a name of an entity.' },
    query: neighboursQuery,
    answers: { 200: { description: 'A page of neighbours.', schema: graphPage } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'neighbours' },
  },
} as const satisfies Record<string, Operation>;
