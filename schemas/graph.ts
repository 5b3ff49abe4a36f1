import { z } from 'zod';

import { ambiguousAsked } from './ambiguous-entity.ts';
import { asOfParameters } from './as-of.ts';
import { STANCES } from './belief.ts';
import { lifecycleCursor } from './lifecycle.ts';
import { flagParameter, namesParameter, oneOf, pageCursor, pageLimit } from './listing.ts';
import { NODE_TYPES, textSpan } from './provenance.ts';
import { scopePath, VIEWS } from './scope.ts';
import { nameText } from './text.ts';
import { answeredInstant, instant } from './time.ts';

/** The kinds of nodes of the graph of a scope. */
export const GRAPH_NODE_TYPES = [...NODE_TYPES, 'entity'] as const;
export type GraphNodeType = (typeof GRAPH_NODE_TYPES)[number];

/** The kinds of its edges, as they are called in the database. */
export const GRAPH_EDGE_TYPES = [
  'DERIVED_FROM',
  'CONCLUDED_FROM',
  'SUPERSEDED_BY',
  'SUPPORTED_BY',
  'CONTRADICTS',
  'SUBJECT',
  'OBJECT',
  'ABOUT',
  'RELATES',
  'SAME_AS',
  'CONTAINS',
  'FOLLOWS',
  'PRECEDED_BY',
] as const;
export type GraphEdgeType = (typeof GRAPH_EDGE_TYPES)[number];

/** Edges of one kind and way of a node that are looked at, at most. */
export const MAX_NODE_EDGES = 100;

/** Instants of one axis that an answer tells one by one, at most. */
export const MAX_INSTANTS = 1_000;

/** A record, or an entity, in the graph of a scope. */
export const graphNode = z.strictObject({
  id: z.string().describe('Id of the record or entity.'),
  type: z.enum(GRAPH_NODE_TYPES).describe('What it is.'),
  scope: z
    .string()
    .describe(
      'Scope that it belongs to; of an entity the first, by name, of those in which the edges of the answer name it.',
    ),
  summary: z.string().describe('What it says, in short; of an entity its name.'),
  valid_from: answeredInstant
    .nullable()
    .describe(
      'Since when it is true; of an event when it was observed, of an episode when it began. Null for what has no valid time: concepts and entities.',
    ),
  valid_to: answeredInstant.nullable().describe('Until when; null for no end.'),
  recorded_from: answeredInstant
    .nullable()
    .describe('Since when it is known, or of a belief and a concept what is told of it; null of an entity.'),
  confidence: z.number().optional().describe('How sure it is, 0 to 1: of facts, beliefs and concepts.'),
  stance: z.enum(STANCES).optional().describe('What is thought of it: of beliefs and concepts.'),
  more: z
    .int()
    .describe(
      `Edges of the node, either way, that this answer does not show: at least so many, since of each kind and way ${MAX_NODE_EDGES} are looked at, of a page of more than 200 nodes fewer, down to 20 of 1,000. 0 of an entity and of an end outside of the page: \`neighbours\` has theirs.`,
    ),
});
export type GraphNode = z.output<typeof graphNode>;

/** What one node of the graph has to do with another. */
export const graphEdge = z.strictObject({
  from: z.string().describe('Id of the node that it leads from.'),
  to: z.string().describe('Id of the node that it leads to.'),
  type: z.enum(GRAPH_EDGE_TYPES).describe('What it says, as in the database.'),
  weight: z
    .number()
    .optional()
    .describe('SUPPORTED_BY of a belief: what the evidence weighs. RELATES: how much of it there is.'),
  polarity: z
    .enum(['supports', 'against'])
    .optional()
    .describe('SUPPORTED_BY of a belief: whether the evidence speaks for it.'),
  relation: z.string().optional().describe('RELATES: what the facts behind it state.'),
  role: z.string().optional().describe('CONTAINS: what the event is to the episode.'),
  valid_at: answeredInstant.optional().describe('SUPERSEDED_BY: at which valid instant.'),
  span: textSpan
    .optional()
    .describe('DERIVED_FROM: the words of the event that the fact rests on, where the extractor gave them.'),
  recorded_from: answeredInstant
    .optional()
    .describe('Since when it is known; absent of edges that stand as long as their nodes.'),
});
export type GraphEdge = z.output<typeof graphEdge>;

const axisTimes = z.strictObject({
  t_min: answeredInstant.nullable().describe('The first of them; null where there is none.'),
  t_max: answeredInstant.nullable().describe('The last of them; null where there is none.'),
  changes: z
    .array(
      z.strictObject({
        at: answeredInstant.describe('The instant, or the beginning of the stretch.'),
        count: z.int().describe('So many nodes and edges begin or end then.'),
      }),
    )
    .describe(
      `The instants, oldest first. Of more than ${MAX_INSTANTS} as many stretches of the same length, without those in which nothing changes.`,
    ),
  bucket_ms: z
    .int()
    .optional()
    .describe('How long each stretch is, milliseconds; absent where each instant is told.'),
});

/** When something changes in what an answer shows. */
export const graphTimes = z.strictObject({
  valid: axisTimes.describe('Instants of valid time: since when and until when what is shown is true.'),
  recorded: axisTimes.describe('Instants of recorded time: since when it is known.'),
});
export type GraphTimes = z.output<typeof graphTimes>;

const times = graphTimes.describe(
  'At which instants something changes in what the answer shows, for a slider; the pages together have those of the whole.',
);

const view = oneOf(VIEWS, { status: 422 })
  .optional()
  .describe(
    'How much of the scope tree to look at; default what the scope states as `default_view`, else local, the scope alone. raw has events alone.',
  );

const includeSuperseded = flagParameter.describe(
  'True shows also facts and events that are not true at the valid instant. Default false.',
);

const paging = {
  has_more: z.boolean().describe('Whether another page follows.'),
  next_cursor: z.string().optional().describe('Sent as `cursor` it goes on; absent at the end.'),
  withheld_scopes: z
    .int()
    .optional()
    .describe('Scopes that the view names and the caller may not read; absent when there are none.'),
};

/** Query of a page of the graph of a scope. */
export const graphQuery = z.strictObject({
  scope: scopePath,
  view,
  types: namesParameter(GRAPH_NODE_TYPES).describe(
    'Kinds of nodes, separated by commas; default all. Edges lead to these alone. Entities come with what is said of them.',
  ),
  entity: nameText(256)
    .optional()
    .describe(
      'Only what is said of this entity, an id, a name or an alias, whatever its case; and the ends of its edges.',
    ),
  q: nameText(256)
    .optional()
    .describe('Only nodes whose summary holds this text, whatever its case; and the ends of their edges.'),
  include_superseded: includeSuperseded,
  ...asOfParameters,
  limit: pageLimit,
  cursor: pageCursor,
});
export type GraphQuery = z.output<typeof graphQuery>;

/** Query of the neighbours of a node. */
export const neighboursQuery = z.strictObject({
  scope: scopePath
    .optional()
    .describe('Scope in which an entity is looked at; needed of an entity, and of no use of a record.'),
  types: namesParameter(GRAPH_NODE_TYPES).describe('Kinds of neighbours, separated by commas; default all.'),
  include_superseded: includeSuperseded,
  ...asOfParameters,
  limit: pageLimit,
  cursor: pageCursor,
});
export type NeighboursQuery = z.output<typeof neighboursQuery>;

/** A page of the graph of a scope. */
export const graphPage = z.strictObject({
  nodes: z
    .array(graphNode)
    .describe(
      'The nodes of the page, newest first, then those that no page has: entities, and ends in other scopes or beyond `entity` and `q`.',
    ),
  edges: z
    .array(graphEdge)
    .describe(
      'The edges that lead from the nodes of the page, to nodes of this page or another, those to what is newest. All pages together have each edge once, but SAME_AS with each page that brings its entity.',
    ),
  times,
  ...paging,
  ambiguous_entity: ambiguousAsked,
});
export type GraphPage = z.output<typeof graphPage>;

/** Query of what a graph has become. */
export const diffQuery = z.strictObject({
  scope: scopePath,
  view,
  types: namesParameter(GRAPH_NODE_TYPES).describe(
    'Kinds of nodes, separated by commas; default all. Edges lead to these alone.',
  ),
  axis: oneOf(['recorded', 'valid'], { status: 400 })
    .default('recorded')
    .describe('recorded: what was learned between the instants; valid: what came true. Default recorded.'),
  from: instant.describe('The earlier RFC 3339 instant on the axis.'),
  to: instant
    .optional()
    .describe(
      'The later one; default now. Where it is the earlier one, what is gone and what appeared change places.',
    ),
  include_superseded: flagParameter.describe(
    'True compares also facts and events that are not true at the valid instants. Default false.',
  ),
  as_of_valid: asOfParameters.as_of_valid.describe(
    'With axis recorded: what is true at this RFC 3339 instant; default now.',
  ),
  as_of_recorded: asOfParameters.as_of_recorded.describe(
    'With axis valid: what was known at this RFC 3339 instant; default what is known now.',
  ),
  limit: pageLimit,
  cursor: pageCursor,
});
export type DiffQuery = z.output<typeof diffQuery>;

const graphSide = z.strictObject({
  nodes: z.array(graphNode).describe('The nodes.'),
  edges: z.array(graphEdge).describe('The edges.'),
});

/** A page of what a graph has become. */
export const graphDiffPage = z.strictObject({
  appeared: graphSide.describe(
    'What is there at `to` alone; with the entities, and the ends in other scopes, that edges of it need.',
  ),
  gone: graphSide.describe(
    'What was there at `from` alone. Entities, and ends in other scopes, are not told: they go with the last edge to them, and SAME_AS goes with the entity that it leads from.',
  ),
  changed: z
    .strictObject({
      nodes: z
        .array(
          z.strictObject({
            before: graphNode.describe('As it was.'),
            after: graphNode.describe('As it is.'),
          }),
        )
        .describe('Nodes that say something else.'),
      edges: z
        .array(
          z.strictObject({
            before: graphEdge.describe('As it was.'),
            after: graphEdge.describe('As it is.'),
          }),
        )
        .describe('Edges that weigh something else.'),
    })
    .describe('What is there at both, and not the same.'),
  unchanged: z
    .strictObject({
      nodes: z.int().describe('So many nodes of the page.'),
      edges: z.int().describe('So many edges that lead from nodes of the page.'),
    })
    .describe('How much is the same.'),
  times,
  ...paging,
});
export type GraphDiff = z.output<typeof graphDiffPage>;

/** Query of the stream of what changes in a graph. */
export const graphStreamQuery = z.strictObject({
  scope: scopePath,
  include_superseded: includeSuperseded,
  since_lifecycle_id: lifecycleCursor
    .optional()
    .describe(
      'Only what changed after this frame, the `lifecycle_id` of the last change that was taken; default now.',
    ),
});
export type GraphStreamQuery = z.output<typeof graphStreamQuery>;

/** What changed in the graph of a scope. */
export const graphChange = z.strictObject({
  nodes: z
    .array(graphNode)
    .describe(
      'The nodes that changed, as they are now, then entities and ends in other scopes that their edges need.',
    ),
  edges: z
    .array(graphEdge)
    .describe(
      'The edges of these nodes as they are now: they take the place of all edges that led from the nodes of the scope that changed; ends that a reader does not have he may leave out.',
    ),
  gone: z
    .array(z.string())
    .describe(
      'Ids of nodes that are not in the graph now, whether they were or not; their edges go with them.',
    ),
  read_again: z
    .boolean()
    .describe(
      'True where what changed cannot be told node by node, and where the stream begins: the graph is to be read again. After a forget, an erasure, a cancellation, a change of policies, a synthesis, and where frames are gone.',
    ),
});
export type GraphChange = z.output<typeof graphChange>;
