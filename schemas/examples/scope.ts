import type { ExamplesOf } from '../example.ts';
import type { SCOPE_OPERATIONS } from '../operation/scope.ts';

/** An example of each of the operations on scopes. */
export const SCOPE_EXAMPLES = {
  registerScope: {
    body: {
      path: 'org:acme',
      members: [
        { actor: 'user:local', role: 'owner' },
        { actor: 'user:priya', role: 'writer' },
      ],
      policies: { cardinality: { led_by: 'one' } },
    },
    status: 201,
    answer: {
      path: 'org:acme',
      members: [
        { actor: 'user:local', role: 'owner' },
        { actor: 'user:priya', role: 'writer' },
      ],
      policies: { cardinality: { led_by: 'one' } },
      auto_provisioned: false,
      created_at: '2026-11-27T04:46:12.628Z',
      created_by: 'user:local',
      inherited_policy: {
        consolidation: { value: 'eager', from: 'default' },
        conflict_resolution: { value: 'latest_wins', from: 'default' },
        audit: { value: 'on', from: 'default' },
      },
      resolved_policy: {
        consolidation: 'eager',
        conflict_resolution: 'latest_wins',
        audit: 'on',
        retention: {},
        cardinality: { led_by: 'one' },
      },
    },
  },
  getScope: {
    query: { path: 'org:acme' },
    status: 200,
    answer: {
      path: 'org:acme',
      members: [
        { actor: 'user:local', role: 'owner' },
        { actor: 'user:priya', role: 'writer' },
      ],
      policies: { cardinality: { led_by: 'one' } },
      auto_provisioned: false,
      created_at: '2026-11-27T04:46:12.628Z',
      created_by: 'user:local',
      inherited_policy: {
        consolidation: { value: 'eager', from: 'default' },
        conflict_resolution: { value: 'latest_wins', from: 'default' },
        audit: { value: 'on', from: 'default' },
      },
      resolved_policy: {
        consolidation: 'eager',
        conflict_resolution: 'latest_wins',
        audit: 'on',
        retention: {},
        cardinality: { led_by: 'one' },
      },
    },
  },
  setScopePolicies: {
    query: { path: 'org:acme' },
    body: { policies: { cardinality: { led_by: 'one' }, default_view: 'holistic' } },
    status: 200,
    answer: {
      path: 'org:acme',
      members: [
        { actor: 'user:local', role: 'owner' },
        { actor: 'user:priya', role: 'writer' },
      ],
      policies: { default_view: 'holistic', cardinality: { led_by: 'one' } },
      auto_provisioned: false,
      created_at: '2026-11-27T04:46:12.628Z',
      created_by: 'user:local',
      inherited_policy: {
        consolidation: { value: 'eager', from: 'default' },
        conflict_resolution: { value: 'latest_wins', from: 'default' },
        audit: { value: 'on', from: 'default' },
      },
      resolved_policy: {
        consolidation: 'eager',
        conflict_resolution: 'latest_wins',
        audit: 'on',
        retention: {},
        default_view: 'holistic',
        cardinality: { led_by: 'one' },
      },
    },
  },
  setScopeMembers: {
    query: { path: 'org:acme' },
    body: {
      members: [
        { actor: 'user:local', role: 'owner' },
        { actor: 'user:priya', role: 'writer' },
        { actor: 'user:leo', role: 'reader' },
      ],
    },
    status: 200,
    answer: {
      path: 'org:acme',
      members: [
        { actor: 'user:local', role: 'owner' },
        { actor: 'user:priya', role: 'writer' },
        { actor: 'user:leo', role: 'reader' },
      ],
      policies: { default_view: 'holistic', cardinality: { led_by: 'one' } },
      auto_provisioned: false,
      created_at: '2026-11-27T04:46:12.628Z',
      created_by: 'user:local',
      inherited_policy: {
        consolidation: { value: 'eager', from: 'default' },
        conflict_resolution: { value: 'latest_wins', from: 'default' },
        audit: { value: 'on', from: 'default' },
      },
      resolved_policy: {
        consolidation: 'eager',
        conflict_resolution: 'latest_wins',
        audit: 'on',
        retention: {},
        default_view: 'holistic',
        cardinality: { led_by: 'one' },
      },
    },
  },
  deleteScope: { query: { path: 'org:acme/project:pilot', records: 'forget' }, status: 204 },
  listScopes: {
    query: { prefix: 'org:acme' },
    status: 200,
    answer: {
      items: [
        {
          path: 'org:acme',
          auto_provisioned: false,
          created_at: '2026-11-27T04:46:12.628Z',
          event_count: 0,
          event_count_capped: false,
          owner: 'user:local',
          member_count: 3,
        },
        {
          path: 'org:acme/project:harbour',
          auto_provisioned: true,
          created_at: '2026-11-27T04:46:15.949Z',
          event_count: 3,
          event_count_capped: false,
          owner: null,
          member_count: 0,
        },
        {
          path: 'org:acme/user:priya',
          auto_provisioned: true,
          created_at: '2026-11-27T04:46:13.695Z',
          event_count: 5,
          event_count_capped: false,
          owner: null,
          member_count: 0,
        },
      ],
      has_more: false,
    },
  },
  pruneScopes: { status: 200, answer: { pruned: 0 } },
} satisfies ExamplesOf<typeof SCOPE_OPERATIONS>;
