import type { FactItem, TimelineItem } from '../fact.ts';
import type { ExamplesOf } from '../example.ts';
import type { FACT_OPERATIONS } from '../operation/fact.ts';

const livesInLisbon: FactItem = {
  id: 'fact_2dbc1dd1120931f0265ff919e03f32af',
  scope: 'org:acme/user:priya',
  subject: { type: 'entity', id: 'ent_priya', name: 'Priya' },
  predicate: 'lives_in',
  object: { type: 'entity', id: 'ent_lisbon', name: 'Lisbon' },
  supports: ['evt_01a21b534f807234901f691eb584fa2d'],
  valid_from: '2026-03-01T00:00:00.000Z',
  valid_to: null,
  recorded_from: '2026-11-27T04:46:14.466Z',
  recorded_to: null,
  confidence: 1,
  extractor: 'triple',
};

const timeline: TimelineItem[] = [
  {
    fact_id: 'fact_c3972454a35aece9465419f752466572',
    scope: 'org:acme/user:priya',
    predicate: 'lives_in',
    value: 'Porto',
    object: { type: 'entity', id: 'ent_porto', name: 'Porto' },
    valid_from: '2024-01-01T00:00:00.000Z',
    valid_to: '2026-03-01T00:00:00.000Z',
    recorded_at: '2026-11-27T04:46:14.466Z',
  },
  {
    fact_id: 'fact_2dbc1dd1120931f0265ff919e03f32af',
    scope: 'org:acme/user:priya',
    predicate: 'lives_in',
    value: 'Lisbon',
    object: { type: 'entity', id: 'ent_lisbon', name: 'Lisbon' },
    valid_from: '2026-03-01T00:00:00.000Z',
    valid_to: null,
    recorded_at: '2026-11-27T04:46:14.466Z',
  },
];

/** An example of each of the operations on facts. */
export const FACT_EXAMPLES = {
  listFacts: {
    query: { scope: 'org:acme/user:priya', subject: 'Priya', predicate: 'lives_in' },
    status: 200,
    answer: { items: [livesInLisbon], has_more: false },
  },
  factTimeline: {
    query: { subject: 'ent_priya', predicate: 'lives_in', scope: 'org:acme/user:priya' },
    status: 200,
    answer: {
      subject: { id: 'ent_priya', name: 'Priya' },
      predicate: 'lives_in',
      timeline,
      items: timeline,
      has_more: false,
    },
  },
  getFact: {
    params: { id: 'fact_c3972454a35aece9465419f752466572' },
    query: { as_of_valid: '2025-07-01T00:00:00Z' },
    status: 200,
    answer: {
      id: 'fact_c3972454a35aece9465419f752466572',
      scope: 'org:acme/user:priya',
      subject: { type: 'entity', id: 'ent_priya', name: 'Priya' },
      predicate: 'lives_in',
      object: { type: 'entity', id: 'ent_porto', name: 'Porto' },
      supports: ['evt_01a21b534f807234901f64ebffa373fd'],
      valid_from: '2024-01-01T00:00:00.000Z',
      valid_to: '2026-03-01T00:00:00.000Z',
      recorded_from: '2026-11-27T04:46:14.466Z',
      recorded_to: '2026-11-27T04:46:14.466Z',
      confidence: 1,
      extractor: 'triple',
      superseded_by: 'fact_2dbc1dd1120931f0265ff919e03f32af',
    },
  },
  factWhy: {
    params: { id: 'fact_2dbc1dd1120931f0265ff919e03f32af' },
    status: 200,
    answer: {
      fact: livesInLisbon,
      support_graph: {
        nodes: [
          {
            id: 'fact_2dbc1dd1120931f0265ff919e03f32af',
            type: 'fact',
            summary: 'Priya lives in Lisbon, since 2026-03-01T00:00:00.000Z',
          },
          { id: 'evt_01a21b534f807234901f691eb584fa2d', type: 'event', summary: 'Priya lives in Lisbon' },
        ],
        edges: [
          {
            from: 'fact_2dbc1dd1120931f0265ff919e03f32af',
            to: 'evt_01a21b534f807234901f691eb584fa2d',
            relation: 'extracted_from',
          },
        ],
        truncated: false,
      },
      narrative:
        'That Priya lives in Lisbon is stated by 1 event: confidence 1.00. It holds since 2026-03-01T00:00:00.000Z. What was said: “Priya lives in Lisbon”.',
      narrative_model: null,
    },
  },
} satisfies ExamplesOf<typeof FACT_OPERATIONS>;
