import type { ConceptItem } from '../concept.ts';
import type { ExamplesOf } from '../example.ts';
import type { CONCEPT_OPERATIONS } from '../operation/concept.ts';

const priya: ConceptItem = {
  id: 'concept_75cdfa0f3cda4a205bba2a17cb36b0a9',
  scope: 'org:acme/user:priya',
  entity_id: 'ent_priya',
  name: 'Priya',
  version: 2,
  summary: 'Priya prefers seat by the window; Priya works at Acme; Priya lives in Lisbon.',
  supported_by: {
    facts: [
      'fact_4fbb82aa8c58b893f46512817d75e040',
      'fact_f05da9a6ef9672a8397a2c2f9253af63',
      'fact_2dbc1dd1120931f0265ff919e03f32af',
    ],
    episodes: ['ep_ea7dcec9488d8789f795d411358ac4ae'],
    beliefs: [
      'belief_79a0e4f02116e1b850c782abf2ffa9a0',
      'belief_07c7a1bf4339166d697d6a3b5ebaa574',
      'belief_d51a7f57be1ace73a234532b943b17af',
    ],
  },
  edges: [
    { to: 'concept_5a36b2a54cc6b6f75487bcfd9deb3707', relation: 'co_occurs', weight: 0.333333 },
    { to: 'concept_8b8af63ef3cce7a028b56fba8bf5d8a5', relation: 'co_occurs', weight: 0.333333 },
  ],
  stance: 'supported',
  confidence: 0.740741,
  coverage_score: 1,
  staleness_score: 0.000002,
  fact_count: 3,
  _progress: 1,
  previous_version: 1,
  caused_by: 'evt_01a21b5387bb72768c2ea46b273514a2',
  recorded_from: '2026-11-27T04:46:28.939Z',
  recorded_to: null,
};

const before: ConceptItem = {
  id: 'concept_75cdfa0f3cda4a205bba2a17cb36b0a9',
  scope: 'org:acme/user:priya',
  entity_id: 'ent_priya',
  name: 'Priya',
  version: 1,
  summary: 'Priya works at Acme; Priya lives in Lisbon.',
  supported_by: {
    facts: ['fact_f05da9a6ef9672a8397a2c2f9253af63', 'fact_2dbc1dd1120931f0265ff919e03f32af'],
    episodes: ['ep_ea7dcec9488d8789f795d411358ac4ae'],
    beliefs: ['belief_07c7a1bf4339166d697d6a3b5ebaa574', 'belief_d51a7f57be1ace73a234532b943b17af'],
  },
  edges: [
    { to: 'concept_5a36b2a54cc6b6f75487bcfd9deb3707', relation: 'co_occurs', weight: 0.5 },
    { to: 'concept_8b8af63ef3cce7a028b56fba8bf5d8a5', relation: 'co_occurs', weight: 0.5 },
  ],
  stance: 'supported',
  confidence: 0.75,
  coverage_score: 1,
  staleness_score: 0.000002,
  fact_count: 2,
  _partial: true,
  _partial_reason: '2 of 3 events that speak of it independently',
  _progress: 0.666667,
  caused_by: 'evt_01a21b534f807234901f6ca6744fad1b',
  recorded_from: '2026-11-27T04:46:14.466Z',
  recorded_to: '2026-11-27T04:46:28.939Z',
};

/** An example of each of the operations on concepts. */
export const CONCEPT_EXAMPLES = {
  listConcepts: {
    query: { scope: 'org:acme/user:priya', topic: 'Priya' },
    status: 200,
    answer: { items: [priya], has_more: false },
  },
  conceptCoverage: {
    query: { scope: 'org:acme/user:priya' },
    status: 200,
    answer: {
      scope: 'org:acme/user:priya',
      concepts: 3,
      partial: 2,
      supports: 5,
      supports_cited: 5,
      coverage_score: 1,
    },
  },
  getConcept: { params: { id: 'concept_75cdfa0f3cda4a205bba2a17cb36b0a9' }, status: 200, answer: priya },
  conceptHistory: {
    params: { id: 'concept_75cdfa0f3cda4a205bba2a17cb36b0a9' },
    query: { limit: '2' },
    status: 200,
    answer: { current: priya, versions: [before, priya], items: [before, priya], has_more: false },
  },
  relatedConcepts: {
    params: { id: 'concept_75cdfa0f3cda4a205bba2a17cb36b0a9' },
    query: { limit: '2' },
    status: 200,
    answer: {
      concept: priya,
      items: [
        {
          id: 'concept_5a36b2a54cc6b6f75487bcfd9deb3707',
          name: 'Acme',
          summary: 'Priya works at Acme.',
          relation: 'co_occurs',
          weight: 0.333333,
          depth: 1,
          from: 'concept_75cdfa0f3cda4a205bba2a17cb36b0a9',
        },
        {
          id: 'concept_8b8af63ef3cce7a028b56fba8bf5d8a5',
          name: 'Lisbon',
          summary: 'Priya lives in Lisbon.',
          relation: 'co_occurs',
          weight: 0.333333,
          depth: 1,
          from: 'concept_75cdfa0f3cda4a205bba2a17cb36b0a9',
        },
      ],
      has_more: false,
    },
  },
  synthesizeConcepts: {
    body: { scope: 'org:acme/user:priya', topics: ['Priya'] },
    status: 202,
    answer: {
      job_id: 'syn_01a21b53948d772f9c4d85de0c471de4',
      status: 'queued',
      lifecycle_stream: '/v1/lifecycle/stream?job_id=syn_01a21b53948d772f9c4d85de0c471de4',
    },
  },
} satisfies ExamplesOf<typeof CONCEPT_OPERATIONS>;
