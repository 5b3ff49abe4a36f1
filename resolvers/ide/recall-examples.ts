import type { IdeExamples } from './group.ts';

const RECALL = `# What bears on a question, from every layer, with the text for a prompt and what its markers stand for.
query Recall($recall: RecallInput!) {
  recall(input: $recall) {
    packId
    contextBlock
    layers {
      events { score matchedBy event { id content { kind } derives { id } } }
      facts { score matchedBy fact { predicate validFrom validTo derivedFrom { id } } }
      beliefs { score belief { stance confidence why { narrative } } }
    }
    provenance { citations trail { phase elapsedMs } }
    diagnostics { signals scopesTraversed tokens { budget used } timeMs { total } }
    warnings
  }
}

# What was there at an instant, told with all diagnostics.
query RecallThen($scope: String!, $at: DateTime) {
  recall(input: { scope: $scope, query: "Lisbon", temporal: { asOf: { at: $at } }, diagnostics: full }) {
    contextBlock
    diagnostics { items { eventId fusedRank channels } drops { eventId reason } }
  }
}
`;

/** Recall. */
export const RECALL_EXAMPLES: IdeExamples = {
  name: 'recall',
  document: RECALL,
  variables: {
    recall: { scope: 'user:demo', query: 'Where does the user live?', budgets: { maxTokens: 1000 } },
    scope: 'user:demo',
    at: null,
  },
};
