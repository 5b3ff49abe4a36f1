import {
  entityEdgesPage,
  entityEdgesQuery,
  entityGetQuery,
  entityItem,
  entityListQuery,
  entityPage,
} from '../entity.ts';
import type { Operation } from './definition.ts';

const params = { id: 'Id of the entity.' };

/** Operations on entities. */
export const ENTITY_OPERATIONS = {
  listEntities: {
    method: 'GET',
    path: '/v1/entities',
    noun: 'entity',
    summary: 'List entities',
    description: 'What the facts of a scope are about, newest first.',
    access: { capability: 'scope.read.local' },
    query: entityListQuery,
    answers: { 200: { description: 'A page of entities.', schema: entityPage } },
    errors: [],
    graphql: { kind: 'query', field: 'entities' },
  },
  getEntity: {
    method: 'GET',
    path: '/v1/entities/{id}',
    noun: 'entity',
    summary: 'One entity',
    description:
      'One entity by id, put together from what is stated in scopes that the caller may read. What is unknown, or named elsewhere only, is the same 404.',
    access: { capability: 'scope.read.local' },
    params,
    query: entityGetQuery,
    answers: { 200: { description: 'The entity.', schema: entityItem } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'entity' },
  },
  listEntityEdges: {
    method: 'GET',
    path: '/v1/entities/{id}/edges',
    noun: 'entity',
    summary: 'What an entity is related to',
    description:
      'The facts that relate an entity to other entities, in both directions, newest first: what is true now as known now, or at the instants asked for.',
    access: { capability: 'scope.read.local' },
    params,
    query: entityEdgesQuery,
    answers: { 200: { description: 'A page of relations.', schema: entityEdgesPage } },
    errors: ['NOT_FOUND'],
    graphql: { kind: 'query', field: 'entityEdges' },
  },
} as const satisfies Record<string, Operation>;
