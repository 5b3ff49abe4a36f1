import type { IdeExamples } from './group.ts';

const ERASE = `# What would be erased, ids of events too: here of all that carries a label. The list of all records is over REST.
mutation PreviewErasure($preview: PreviewErasureInput!) {
  previewErasure(input: $preview) {
    previewId
    expiresAt
    estimatedAffected { events episodes facts beliefs understanding }
    refcountBreakdown { inScopeEvents eventsToDelete eventsToRedact eventsUnderLegalHold }
    crossScopePropagation { affectedWorkspaces requiresCapability }
    legalHolds
    manifestUrl
  }
}

# Does it. A "fromPreviewId" in place of the selector erases exactly what that preview showed.
mutation Erase($erase: EraseInput!) {
  erase(input: $erase) { erasureId status suppressionId }
}

# How far it is, and stopping it.
query Erasure($erasureId: ID!) {
  erasure(id: $erasureId) {
    status
    phase
    counts { events facts beliefs eventsTotal eventsDone eventsUnderLegalHold }
    startedAt
    completedAt
    error { errorCode message }
  }
}

# Stops an erasure that has not begun to remove; by the "erasure_id" of the environment.
mutation CancelErasure($erasureId: ID!) {
  cancelErasure(id: $erasureId) { status }
}

# What proves it, and looking again whether anything is left.
query ErasureReceipt($erasureId: ID!) {
  erasureReceipt(id: $erasureId) { receipt kid publicKey claims }
}

# Looks again whether something is left, and whether the receipt is ours.
mutation VerifyErasure($erasureId: ID!) {
  verifyErasure(id: $erasureId) { verified signatureValid eventsChecked findings { place count } }
}
`;

const selector = { labels: ['outdated'] };

/** Erasing. */
export const ERASE_EXAMPLES: IdeExamples = {
  name: 'erase',
  document: ERASE,
  variables: {
    preview: { scope: 'user:demo', selector },
    erase: { scope: 'user:demo', selector, auditNote: 'Asked for.' },
    erasureId: '{{erasure_id}}',
  },
};
