import type { ExamplesOf } from '../example.ts';
import type { ANSWER_OPERATIONS } from '../operation/answer.ts';

/** An example of each of the operations that have a model write from memory. */
export const ANSWER_EXAMPLES = {
  answer: {
    body: {
      scope: 'org:acme/user:priya',
      question: 'When does the flight to Lisbon leave?',
      include: ['events'],
    },
    status: 200,
    answer: {
      pack_id: 'pack_01a21b53a31276af8891a083193ffb7e',
      answer: 'On Thursday at nine [1].',
      citations: [
        {
          marker: '[1]',
          layer: 'events',
          id: 'evt_01a21b534c99704d8fe2af2f0c384123',
          support_strength: 0.95,
        },
      ],
      provenance: {
        trail: [
          { phase: 'scopes', view: 'holistic', scopes: 1, subtrees: 1, withheld: 0, elapsed_ms: 0.08 },
          { phase: 'temporal', elapsed_ms: 0.01 },
          { phase: 'retrieval', candidates: 2, signals: ['keyword', 'graph'], elapsed_ms: 16.75 },
          {
            phase: 'expansion',
            facts: 0,
            beliefs: 0,
            episodes: 0,
            understanding: 0,
            events: 2,
            elapsed_ms: 5.66,
          },
          { phase: 'funding', budget: 4000, used: 58, evicted: { events: 0 }, elapsed_ms: 0.48 },
        ],
        citations: {
          '[1]': { layer: 'events', id: 'evt_01a21b534c99704d8fe2af2f0c384123' },
          '[2]': { layer: 'events', id: 'evt_01a21b534f807234901f691eb584fa2d' },
        },
      },
      diagnostics: {
        answer_model: 'writer-1',
        llm_model: 'writer-1',
        verifier_model: 'checker-1',
        verification: 'verified',
        verification_failure: null,
        verifier_ms: 9.41,
        recall_ms: 24.05,
        llm_ms: 12.28,
        dropped_citations: [],
        truncated: false,
        recall: {
          scopes_traversed: ['org:acme', 'org:acme/user:priya/*'],
          scopes_withheld: 0,
          signals: ['keyword', 'graph'],
          time_ms: { recall: 23.05, render_context_block: 0.48, total: 23.53 },
          tokens: { budget: 4000, used: 58 },
          evicted: { events: 0 },
        },
      },
      warnings: [],
      as_of: { valid: '2026-11-27T04:46:35.771Z', recorded: null },
    },
  },
  compose: {
    body: {
      scope: 'org:acme/user:priya',
      brief: 'What to know about the trip to Lisbon',
      length: 'brief',
      structure: ['Flight'],
    },
    status: 200,
    answer: {
      pack_id: 'pack_01a21b53a379739ab32e268612293120',
      document: '## Flight\n\nThe flight leaves on Thursday at nine [S1].',
      citations: [
        {
          marker: '[S1]',
          layer: 'facts',
          id: 'fact_2dbc1dd1120931f0265ff919e03f32af',
          support_strength: 0.95,
        },
      ],
      provenance: {
        trail: [
          { phase: 'scopes', view: 'holistic', scopes: 1, subtrees: 1, withheld: 0, elapsed_ms: 8.22 },
          { phase: 'temporal', elapsed_ms: 0.02 },
          { phase: 'retrieval', candidates: 2, signals: ['keyword', 'graph'], elapsed_ms: 36.99 },
          {
            phase: 'expansion',
            facts: 1,
            beliefs: 2,
            episodes: 1,
            understanding: 2,
            events: 2,
            elapsed_ms: 29.53,
          },
          {
            phase: 'funding',
            budget: 8000,
            used: 252,
            evicted: { facts: 0, beliefs: 0, episodes: 0, understanding: 0, events: 0 },
            elapsed_ms: 1.51,
          },
        ],
        citations: {
          '[S1]': { layer: 'facts', id: 'fact_2dbc1dd1120931f0265ff919e03f32af' },
          '[S2]': { layer: 'beliefs', id: 'belief_79a0e4f02116e1b850c782abf2ffa9a0' },
          '[S3]': { layer: 'beliefs', id: 'belief_d51a7f57be1ace73a234532b943b17af' },
          '[S4]': { layer: 'episodes', id: 'ep_ea7dcec9488d8789f795d411358ac4ae' },
          '[S5]': { layer: 'understanding', id: 'concept_75cdfa0f3cda4a205bba2a17cb36b0a9' },
          '[S6]': { layer: 'understanding', id: 'concept_8b8af63ef3cce7a028b56fba8bf5d8a5' },
          '[S7]': { layer: 'events', id: 'evt_01a21b534c99704d8fe2af2f0c384123' },
          '[S8]': { layer: 'events', id: 'evt_01a21b534f807234901f691eb584fa2d' },
        },
      },
      diagnostics: {
        answer_model: 'writer-1',
        llm_model: 'writer-1',
        verifier_model: 'checker-1',
        verification: 'verified',
        verification_failure: null,
        verifier_ms: 6.89,
        recall_ms: 77.2,
        llm_ms: 3.39,
        dropped_citations: [],
        truncated: false,
        recall: {
          scopes_traversed: ['org:acme', 'org:acme/user:priya/*'],
          scopes_withheld: 0,
          signals: ['keyword', 'graph'],
          time_ms: { recall: 75.4, render_context_block: 1.51, total: 76.91 },
          tokens: { budget: 8000, used: 252 },
          evicted: { facts: 0, beliefs: 0, episodes: 0, understanding: 0, events: 0 },
        },
      },
      warnings: [],
      as_of: { valid: '2026-11-27T04:46:35.820Z', recorded: null },
    },
  },
} satisfies ExamplesOf<typeof ANSWER_OPERATIONS>;
