import type { ExamplesOf } from '../example.ts';
import type { CONTRACT_OPERATIONS } from '../operation/contract.ts';

/** An example of each of the operations that hand out the contract itself. */
export const CONTRACT_EXAMPLES = {
  openapi: {
    status: 200,
    answer: {
      openapi: '3.1.0',
      info: { title: 'Strata', version: '0.1.0' },
      paths: {
        '/v1/health': {
          get: { operationId: 'health', tags: ['health'], summary: 'Whether the process lives' },
        },
      },
    },
    excerpt: true,
  },
  schema: {
    params: { name: 'ready' },
    status: 200,
    answer: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: '/v1/schemas/ready',
      title: 'ready',
      type: 'object',
      properties: { ready: { type: 'boolean' } },
      required: ['ready'],
      additionalProperties: false,
    },
  },
} satisfies ExamplesOf<typeof CONTRACT_OPERATIONS>;
