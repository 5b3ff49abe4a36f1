import type { z } from 'zod';

import type { BeliefItem, beliefVersion } from '../belief.ts';
import type { ExamplesOf } from '../example.ts';
import type { BELIEF_OPERATIONS } from '../operation/belief.ts';

const byTheWindow: BeliefItem = {
  id: 'belief_79a0e4f02116e1b850c782abf2ffa9a0',
  scope: 'org:acme/user:priya',
  claim: {
    subject: { type: 'entity', id: 'ent_priya', name: 'Priya' },
    predicate: 'prefers_seat',
    object: { type: 'literal', datatype: 'string', value: 'by the window' },
  },
  predicate: 'prefers_seat',
  cardinality_assumed: true,
  object: { type: 'literal', datatype: 'string', value: 'by the window' },
  stance: 'supported',
  confidence: 0.722222,
  confidence_interval: { lower: 0.315939, upper: 0.980465, method: 'beta_posterior', level: 0.9 },
  supports: [
    {
      type: 'event',
      kind: 'event',
      id: 'evt_01a21b5387bb72768c2ea46b273514a2',
      weight: 0.4,
      polarity: 'supports',
    },
    {
      type: 'event',
      kind: 'event',
      id: 'evt_01a21b534c99704d8fe2af2f0c384123',
      weight: 0.4,
      polarity: 'supports',
    },
  ],
  valid_from: '2026-11-27T04:46:28.939Z',
  valid_to: null,
  support_count: 2,
  recorded_from: '2026-11-27T04:46:28.939Z',
  recorded_to: null,
  last_revised_at: '2026-11-27T04:46:28.939Z',
  revision_count: 1,
  why_url: '/v1/beliefs/why?belief_id=belief_79a0e4f02116e1b850c782abf2ffa9a0',
};

const formed: z.output<typeof beliefVersion> = {
  revision: 1,
  stance: 'supported',
  confidence: 0.722222,
  confidence_interval: { lower: 0.315939, upper: 0.980465, method: 'beta_posterior', level: 0.9 },
  supports: [
    {
      type: 'event',
      kind: 'event',
      id: 'evt_01a21b5387bb72768c2ea46b273514a2',
      weight: 0.4,
      polarity: 'supports',
    },
    {
      type: 'event',
      kind: 'event',
      id: 'evt_01a21b534c99704d8fe2af2f0c384123',
      weight: 0.4,
      polarity: 'supports',
    },
  ],
  valid_from: '2026-11-27T04:46:28.939Z',
  valid_to: null,
  revised_at: '2026-11-27T04:46:28.939Z',
  caused_by: 'evt_01a21b5387bb72768c2ea46b273514a2',
};

/** An example of each of the operations on beliefs. */
export const BELIEF_EXAMPLES = {
  listBeliefs: {
    query: { scope: 'org:acme/user:priya', about: 'Priya', stance: 'supported', limit: '1' },
    status: 200,
    answer: {
      items: [byTheWindow],
      has_more: true,
      next_cursor: 'eYmVsaWVmczo3OjA6YmVsaWVmXzc5YTBlNGYwMjExNmUxYjg1MGM3ODJhYmYyZmZhOWEw',
    },
  },
  declareBelief: {
    body: {
      scope: 'org:acme/user:priya',
      subject: 'Priya',
      predicate: 'prefers_seat',
      statement: 'by the window',
      confidence: 0.8,
      supports: ['evt_01a21b534c99704d8fe2af2f0c384123'],
    },
    status: 201,
    answer: byTheWindow,
  },
  beliefHistory: {
    query: { belief_id: 'belief_79a0e4f02116e1b850c782abf2ffa9a0' },
    status: 200,
    answer: { current: byTheWindow, versions: [formed], items: [formed], revision_count: 1, has_more: false },
  },
  beliefWhy: {
    query: { belief_id: 'belief_79a0e4f02116e1b850c782abf2ffa9a0' },
    status: 200,
    answer: {
      belief: byTheWindow,
      support_graph: {
        nodes: [
          {
            id: 'belief_79a0e4f02116e1b850c782abf2ffa9a0',
            type: 'belief',
            summary: 'Priya prefers seat by the window (supported)',
          },
          {
            id: 'evt_01a21b534c99704d8fe2af2f0c384123',
            type: 'event',
            summary: 'My flight to Lisbon leaves on Thursday at nine. By the window again, please.',
            weight: 0.4,
          },
          {
            id: 'evt_01a21b5387bb72768c2ea46b273514a2',
            type: 'event',
            summary: 'by the window',
            weight: 0.4,
          },
        ],
        edges: [
          {
            from: 'belief_79a0e4f02116e1b850c782abf2ffa9a0',
            to: 'evt_01a21b534c99704d8fe2af2f0c384123',
            relation: 'supported_by',
          },
          {
            from: 'belief_79a0e4f02116e1b850c782abf2ffa9a0',
            to: 'evt_01a21b5387bb72768c2ea46b273514a2',
            relation: 'supported_by',
          },
        ],
        truncated: false,
      },
      narrative:
        'That Priya prefers seat by the window is supported: confidence 0.72, with 90 % probability between 0.32 and 0.98. It holds since 2026-11-27T04:46:28.939Z. For it: “by the window”, “My flight to Lisbon leaves on Thursday at nine. By the window again, please.”.',
      narrative_model: null,
    },
  },
  getBelief: { params: { id: 'belief_79a0e4f02116e1b850c782abf2ffa9a0' }, status: 200, answer: byTheWindow },
} satisfies ExamplesOf<typeof BELIEF_OPERATIONS>;
