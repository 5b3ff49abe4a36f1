import type { Operation } from './definition.ts';

const PUBLIC = 'The contract is public and holds nothing of any tenant.';
const OWN_DESCRIPTION = 'GraphQL describes itself by introspection.';

/** Operations that hand out the contract itself. */
export const CONTRACT_OPERATIONS = {
  openapi: {
    method: 'GET',
    path: '/v1/openapi.json',
    noun: 'contract',
    summary: 'This document',
    description: 'The OpenAPI 3.1 description of every route, made from the schemas that validate requests.',
    access: { open: PUBLIC },
    answers: { 200: { description: 'An OpenAPI 3.1 document.' } },
    errors: [],
    graphql: { reason: OWN_DESCRIPTION },
  },
  schema: {
    method: 'GET',
    path: '/v1/schemas/{name}',
    noun: 'contract',
    summary: 'One JSON schema',
    description:
      'The JSON schema (draft 2020-12) of one shape of the contract, such as `experience_envelope`, made from the schema that validates it.',
    access: { open: PUBLIC },
    params: { name: 'Name of the schema, as under `components.schemas` of the OpenAPI document.' },
    named: 'schema',
    answers: { 200: { description: 'A JSON schema.' } },
    errors: ['NOT_FOUND'],
    graphql: { reason: OWN_DESCRIPTION },
  },
} as const satisfies Record<string, Operation>;
