import type { IdeExamples } from './group.ts';

const SCOPES = `# Registers a scope: a roster, and what the scope states. The caller becomes its owner.
mutation RegisterScope($register: RegisterScopeInput!) {
  registerScope(input: $register) {
    path
    members { actor role }
    policies { retention conflictResolution }
    createdAt
    createdBy
  }
}

# One scope with what holds in it, and where that is from.
query Scope($path: String!) {
  scope(path: $path) {
    members { actor role }
    autoProvisioned
    resolvedPolicy { consolidation conflictResolution retention cardinality }
    inheritedPolicy
  }
}

# The scopes that may be read; with "prefix" those below one.
query Scopes($prefix: String) {
  scopes(prefix: $prefix, first: 20) {
    nodes { path owner memberCount eventCount autoProvisioned }
    pageInfo { hasNextPage endCursor }
  }
}

# Who may do what in a scope.
query Policy($path: String!) {
  effectivePolicy(scope: $path) { actor naturalLevel allowed denied rateLimits }
  deploymentPolicy { preset allow deny defaults }
}

# Replaces what the scope states.
mutation SetPolicies($path: String!, $policies: SetScopePoliciesInput!) {
  setScopePolicies(path: $path, input: $policies) { policies { retention audit } }
}

# States how long a scope keeps events, says what holds there, and takes it back.
mutation SetRetention($retention: SetRetentionPolicyInput!) {
  setRetentionPolicy(input: $retention) { policy { defaultRetentionDays perSourceDays } cursorReset }
}

# How long events of a scope are kept, and whose rule says so.
query Retention($path: String!) {
  retentionPolicy(scope: $path) { policy { defaultRetentionDays perSourceDays } effectiveDays }
}

# What a sweep would erase now, and how sweeps stand. With "dryRun: false" it erases.
mutation SweepRetention($path: String!) {
  sweepRetention(input: {scope: $path, dryRun: true}) {
    running
    report { scanned expired erased keptForever held { legalHold } stopped errors { scope message } }
  }
}

# Whether the sweeper runs, and how far it is.
query RetentionStatus {
  retention {
    enabled
    deploymentDefaultDays
    cursor
    running
    policies { scope policy { defaultRetentionDays perSourceDays } }
    last { startedAt dryRun erased stopped }
  }
}

# Takes the rules of the scope itself away; those above it count again.
mutation DeleteRetention($path: String!) {
  deleteRetentionPolicy(scope: $path)
}

# Replaces the roster.
mutation SetMembers($path: String!, $members: SetScopeMembersInput!) {
  setScopeMembers(path: $path, input: $members) { members { actor role } }
}

# Deletes the scope, and forgets what was captured in it.
mutation DeleteScope($path: String!) {
  deleteScope(path: $path, records: forget)
}

# Clears away scopes in which nothing is left.
mutation Prune {
  pruneScopes { pruned }
}
`;

/** A working document for every operation on scopes and policy. */
export const SCOPE_EXAMPLES: IdeExamples = {
  name: 'scopes',
  document: SCOPES,
  variables: {
    path: 'ws:demo',
    register: {
      path: 'ws:demo',
      members: [{ actor: 'user:demo', role: 'writer' }],
      policies: { retention: { events: 'P1Y' } },
    },
    policies: { policies: { retention: { events: 'P90D', 'source:jira': 'P30D' } } },
    retention: { scope: 'ws:demo', defaultRetentionDays: 365, perSourceDays: { 'source:jira': 30 } },
    members: {
      members: [
        { actor: 'user:local', role: 'owner' },
        { actor: 'user:demo', role: 'reader' },
      ],
    },
  },
};
