import type { ExamplesOf } from '../example.ts';
import type { PROVENANCE_OPERATIONS } from '../operation/provenance.ts';
import { flight } from './event.ts';

const MERMAID = [
  'flowchart LR',
  '  n0("Priya lives in Lisbon, since 2026#45;03#45;01T00#58;00#58;00.000Z")',
  '  n1["My flight to Lisbon leaves on Thursday at nine."]',
  '  n0 -->|DERIVED_FROM| n1',
  '',
].join('\n');

/** An example of each of the operations on records of whatever layer. */
export const PROVENANCE_EXAMPLES = {
  provenance: {
    params: { id: 'fact_2dbc1dd1120931f0265ff919e03f32af' },
    query: { direction: 'up', depth: '1' },
    status: 200,
    answer: {
      nodes: [
        {
          id: 'fact_2dbc1dd1120931f0265ff919e03f32af',
          type: 'fact',
          summary: 'Priya lives in Lisbon, since 2026-03-01T00:00:00.000Z',
        },
        {
          id: 'belief_d51a7f57be1ace73a234532b943b17af',
          type: 'belief',
          summary: 'Priya lives in Lisbon (supported)',
        },
        {
          id: 'concept_8b8af63ef3cce7a028b56fba8bf5d8a5',
          type: 'concept',
          summary: 'what is understood of Lisbon (supported)',
        },
        {
          id: 'concept_75cdfa0f3cda4a205bba2a17cb36b0a9',
          type: 'concept',
          summary: 'what is understood of Priya (supported)',
        },
        {
          id: 'belief_c9cb10e05754e21ec3dd5b3e6e6053f0',
          type: 'belief',
          summary: 'Priya lives in Porto (contradicted)',
        },
      ],
      edges: [
        {
          from: 'belief_d51a7f57be1ace73a234532b943b17af',
          to: 'fact_2dbc1dd1120931f0265ff919e03f32af',
          relation: 'supported_by',
        },
        {
          from: 'concept_8b8af63ef3cce7a028b56fba8bf5d8a5',
          to: 'fact_2dbc1dd1120931f0265ff919e03f32af',
          relation: 'supported_by',
        },
        {
          from: 'concept_75cdfa0f3cda4a205bba2a17cb36b0a9',
          to: 'fact_2dbc1dd1120931f0265ff919e03f32af',
          relation: 'supported_by',
        },
        {
          from: 'belief_c9cb10e05754e21ec3dd5b3e6e6053f0',
          to: 'fact_2dbc1dd1120931f0265ff919e03f32af',
          relation: 'supersedes_against',
        },
        {
          from: 'concept_8b8af63ef3cce7a028b56fba8bf5d8a5',
          to: 'belief_d51a7f57be1ace73a234532b943b17af',
          relation: 'supported_by',
        },
        {
          from: 'concept_75cdfa0f3cda4a205bba2a17cb36b0a9',
          to: 'belief_d51a7f57be1ace73a234532b943b17af',
          relation: 'supported_by',
        },
      ],
      truncated: false,
    },
  },
  exportProvenance: {
    params: { id: 'fact_2dbc1dd1120931f0265ff919e03f32af' },
    query: { format: 'mermaid' },
    status: 200,
    answer: MERMAID,
  },
  getRecord: { params: { id: 'evt_01a21b534c99704d8fe2af2f0c384123' }, status: 200, answer: flight },
} satisfies ExamplesOf<typeof PROVENANCE_OPERATIONS>;
