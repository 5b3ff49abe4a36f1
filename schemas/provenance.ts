import { z } from 'zod';

import { asOfParameters } from './as-of.ts';
import { oneOf, stepsParameter } from './listing.ts';

/** Steps of a graph of records when none are asked for: from a belief to facts to events, and two further along premises. */
export const DEFAULT_WHY_DEPTH = 4;
/** The longest way that a graph of records goes. */
export const MAX_WHY_DEPTH = 12;

/** Which way a graph goes from a record. */
export const DIRECTIONS = ['down', 'up', 'both'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Along what a graph goes. */
export const PROVENANCE_RELATIONS = ['derivation', 'supersession'] as const;
export type ProvenanceRelation = (typeof PROVENANCE_RELATIONS)[number];

/** How many steps a graph goes. */
export function depthParameter(description: string) {
  return stepsParameter(MAX_WHY_DEPTH, DEFAULT_WHY_DEPTH).describe(
    `${description}, clamped to 1..${MAX_WHY_DEPTH}; default ${DEFAULT_WHY_DEPTH}.`,
  );
}

/** The instants that a graph of records is read at. */
export const graphInstants = {
  as_of: asOfParameters.as_of.describe(
    'Both axes at this RFC 3339 instant: what was known then of what was believed of then. Not together with the other two.',
  ),
  as_of_valid: asOfParameters.as_of_valid.describe(
    'Of beliefs, what they rest on at this RFC 3339 instant, and of episodes what had been observed by then; without it, at whatever instant.',
  ),
  as_of_recorded: asOfParameters.as_of_recorded.describe(
    'What was known at this RFC 3339 instant; default what is known now.',
  ),
};

/** Query of what a record rests on, and of what rests on it. */
export const provenanceQuery = z.strictObject({
  direction: oneOf(DIRECTIONS, { status: 400 })
    .default('down')
    .describe(
      'down: what the record rests on, to the events; up: what rests on it; both. Of a supersession down is what it took the place of, up what took its place. Default down.',
    ),
  relation: oneOf(PROVENANCE_RELATIONS, { status: 400 })
    .default('derivation')
    .describe(
      'derivation: what was made of what; supersession: what took the place of what. Default derivation.',
    ),
  depth: depthParameter('How many steps to go from the record'),
  ...graphInstants,
});
export type ProvenanceQuery = z.output<typeof provenanceQuery>;

/** The kinds of records in a graph. */
export const NODE_TYPES = ['concept', 'belief', 'fact', 'episode', 'event'] as const;
export type NodeType = (typeof NODE_TYPES)[number];

/** A record in a graph. */
export const whyNode = z.strictObject({
  id: z.string().describe('Id of the record.'),
  type: z.enum(NODE_TYPES).describe('What it is.'),
  weight: z
    .number()
    .optional()
    .describe('What it weighs as evidence of the belief asked for; absent elsewhere.'),
  summary: z.string().describe('What it says, in short.'),
});
export type WhyNode = z.output<typeof whyNode>;

/** A stretch of a text. */
export const textSpan = z.strictObject({
  start: z.int().describe('Where the words begin, in characters from the beginning of the text.'),
  end: z.int().describe('Where they end; the character there is not part of them.'),
});

/** What one record of a graph has to do with another. */
export const whyEdge = z.strictObject({
  from: z.string().describe('Id of the record that rests on the other, or took its place.'),
  to: z.string().describe('Id of the other.'),
  relation: z
    .enum([
      'supported_by',
      'supersedes_against',
      'denied_by',
      'extracted_from',
      'concluded_from',
      'contains',
      'supersedes',
    ])
    .describe(
      'supported_by and supersedes_against: what supports a belief or a concept, or a fact that counts against a belief; denied_by: an event that denies it; extracted_from: the event of a fact; concluded_from: a premise; contains: an event of an episode; supersedes: a record whose place was taken.',
    ),
  span: textSpan
    .optional()
    .describe('The words of the event that a fact rests on, where the extractor gave them.'),
});
export type WhyEdge = z.output<typeof whyEdge>;

/** Records, and what they have to do with one another. */
export const provenanceGraph = z.strictObject({
  nodes: z.array(whyNode).describe('The record asked for first, then the others, nearest first.'),
  edges: z.array(whyEdge).describe('What rests on what.'),
  truncated: z
    .boolean()
    .describe('True when there is more than is shown: further steps, or too many records.'),
});
export type ProvenanceGraph = z.output<typeof provenanceGraph>;
