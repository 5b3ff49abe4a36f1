import type { ExamplesOf } from '../example.ts';
import type { ENTITY_OPERATIONS } from '../operation/entity.ts';

/** An example of each of the operations on entities. */
export const ENTITY_EXAMPLES = {
  listEntities: {
    query: { scope: 'org:acme/user:priya', q: 'Priya' },
    status: 200,
    answer: {
      items: [
        {
          id: 'ent_priya',
          name: 'Priya',
          aliases: [],
          type: 'other',
          scopes: ['org:acme/user:priya'],
          links: [],
        },
      ],
      has_more: false,
    },
  },
  getEntity: {
    params: { id: 'ent_lisbon' },
    status: 200,
    answer: {
      id: 'ent_lisbon',
      name: 'Lisbon',
      aliases: [],
      type: 'other',
      scopes: ['org:acme/user:priya'],
      links: [],
    },
  },
  listEntityEdges: {
    params: { id: 'ent_priya' },
    query: { scope: 'org:acme/user:priya', limit: '2' },
    status: 200,
    answer: {
      items: [
        {
          fact_id: 'fact_f05da9a6ef9672a8397a2c2f9253af63',
          direction: 'out',
          predicate: 'works_at',
          entity: { id: 'ent_acme', name: 'Acme' },
          scope: 'org:acme/user:priya',
          confidence: 1,
          valid_from: '2024-02-01T00:00:00.000Z',
          valid_to: null,
        },
        {
          fact_id: 'fact_2dbc1dd1120931f0265ff919e03f32af',
          direction: 'out',
          predicate: 'lives_in',
          entity: { id: 'ent_lisbon', name: 'Lisbon' },
          scope: 'org:acme/user:priya',
          confidence: 1,
          valid_from: '2026-03-01T00:00:00.000Z',
          valid_to: null,
        },
      ],
      has_more: false,
    },
  },
  linkEntities: {
    body: { scope: 'org:acme/user:priya', entity: 'ent_lisboa', same_as: 'ent_lisbon' },
    status: 201,
    answer: {
      link_id: 'link_01a21b53817171f4873367d3720a438d',
      scope: 'org:acme/user:priya',
      entity: 'ent_lisboa',
      same_as: 'ent_lisbon',
      recorded_at: '2026-11-27T04:46:27.185Z',
      linked_by: 'user:local',
      unlinked_at: null,
      unlinked_by: null,
      status: 'applied',
    },
  },
  unlinkEntities: {
    params: { id: 'link_01a21b53817171f4873367d3720a438d' },
    status: 200,
    answer: {
      link_id: 'link_01a21b53817171f4873367d3720a438d',
      scope: 'org:acme/user:priya',
      entity: 'ent_lisboa',
      same_as: 'ent_lisbon',
      recorded_at: '2026-11-27T04:46:27.185Z',
      linked_by: 'user:local',
      unlinked_at: '2026-11-27T04:46:28.297Z',
      unlinked_by: 'user:local',
      status: 'applied',
    },
  },
} satisfies ExamplesOf<typeof ENTITY_OPERATIONS>;
