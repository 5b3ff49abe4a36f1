import type { IdeExamples } from './group.ts';

const FORGET = `# What would go: here of all that carries a label.
mutation PreviewForget($preview: PreviewForgetInput!) {
  previewForget(input: $preview) {
    previewId
    expiresAt
    estimatedDeleted { events episodes facts beliefs understanding }
    estimatedRevised { episodes facts beliefs understanding }
    ids { events episodes facts beliefs understanding }
    revisedIds { episodes facts beliefs understanding }
    idsTruncated
    matched
  }
}

# Does it. A "fromPreviewId" in place of the selector forgets exactly what that preview showed.
mutation Forget($forget: ForgetInput!) {
  forget(input: $forget) {
    deleted { events episodes facts beliefs understanding }
    requested
    matched
    auditId
  }
}

# What keeps forgotten contents from being captured again ("suppress: true"), and lifting it.
query Suppressions($scope: String!, $after: String) {
  suppressions(scope: $scope, first: 20, after: $after) {
    nodes { id createdAt createdBy contents refused }
    pageInfo { hasNextPage endCursor }
  }
}

# The content may come again from now on; by the "suppression_id" of the environment.
mutation LiftSuppression($suppressionId: ID!) {
  liftSuppression(id: $suppressionId)
}

# Keeps what carries a label from being forgotten, here and in all scopes below. This one is over already.
mutation PutHold($hold: PutLegalHoldInput!) {
  putLegalHold(input: $hold) { id active createdAt createdBy }
}

# The holds that cover a scope, and one of them.
query Holds($scope: String!, $after: String) {
  legalHolds(scope: $scope, first: 20, after: $after) {
    nodes { id scope selector { labels memoryIds } reason until active }
    pageInfo { hasNextPage endCursor }
  }
}

# One legal hold by its id.
query Hold($holdId: ID!) {
  legalHold(id: $holdId) { scope reason until active }
}

# Ends it.
mutation RemoveHold($holdId: ID!) {
  removeLegalHold(id: $holdId)
}
`;

const selector = { labels: ['outdated'] };

/** Forgetting. */
export const FORGET_EXAMPLES: IdeExamples = {
  name: 'forget',
  document: FORGET,
  variables: {
    preview: { scope: 'user:demo', selector, cascade: 'redact_events' },
    forget: { scope: 'user:demo', selector, cascade: 'redact_events', auditNote: 'No longer of use.' },
    hold: {
      id: 'case-1',
      scope: 'user:demo',
      selector: { labels: ['lease'] },
      reason: 'A dispute.',
      until: '2026-01-01T00:00:00Z',
    },
    holdId: 'case-1',
    suppressionId: '{{suppression_id}}',
    scope: 'user:demo',
  },
};
