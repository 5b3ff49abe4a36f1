import {
  entityEdgesPage,
  entityEdgesQuery,
  entityGetQuery,
  entityItem,
  entityLinkRecord,
  entityListQuery,
  entityPage,
  linkEntitiesBody,
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
  linkEntities: {
    method: 'POST',
    path: '/v1/entities/link',
    noun: 'entity',
    summary: 'Link two entities',
    description:
      'From now on an entity goes by another one in a scope: what is known of it is known of the other, as if it had been stated of that. Readings of earlier recorded instants show the two apart. Chains are gone to their end. A link that holds already is answered again. Answers when what was derived goes by it, or, when the wait budget runs out before, with the status applying.',
    access: { capability: 'scope.write' },
    audited: 'unless_off',
    body: { schema: linkEntitiesBody, required: true, cap: 'single' },
    answers: {
      201: {
        description: 'The link.',
        schema: entityLinkRecord,
        next: { unlinkEntities: { id: '/link_id' } },
      },
    },
    errors: ['NOT_FOUND', 'NOT_A_MEMBER', 'LINK_CONFLICT', 'DESTRUCTIVE_OPERATION_IN_PROGRESS'],
    graphql: { kind: 'mutation', field: 'linkEntities' },
  },
  unlinkEntities: {
    method: 'DELETE',
    path: '/v1/entities/link/{id}',
    noun: 'entity',
    summary: 'Take a link of entities back',
    description:
      'From now on the two entities go apart again, each with what was stated of it. Readings of recorded instants at which the link held show them as one. What is unknown and what the caller may not read is the same 404; repeated it answers the same.',
    access: { capability: 'scope.write' },
    audited: 'unless_off',
    params: { id: 'Id of the link.' },
    answers: { 200: { description: 'The link, which holds no longer.', schema: entityLinkRecord } },
    errors: ['NOT_FOUND', 'NOT_A_MEMBER'],
    graphql: { kind: 'mutation', field: 'unlinkEntities' },
  },
} as const satisfies Record<string, Operation>;
