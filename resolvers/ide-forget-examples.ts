import type { IdeTab } from './ide-tab.ts';

const FORGET = `# What would go: here of all that carries a label.
mutation PreviewForget($preview: PreviewForgetInput!) {
  previewForget(input: $preview) {
    previewId
    expiresAt
    estimatedDeleted { events episodes facts beliefs understanding }
    estimatedRevised { episodes facts beliefs understanding }
    ids { events episodes facts beliefs understanding }
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
`;

const selector = { labels: ['outdated'] };

/** Forgetting. */
export const FORGET_TAB: IdeTab = {
  name: 'forget',
  document: FORGET,
  variables: {
    preview: { scope: 'user:demo', selector, cascade: 'redact_events' },
    forget: { scope: 'user:demo', selector, cascade: 'redact_events', auditNote: 'No longer of use.' },
  },
};
