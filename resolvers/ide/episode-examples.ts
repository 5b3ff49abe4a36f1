import type { IdeExamples } from './group.ts';

const EPISODES = `# What happened together, newest first, with what each event is in it.
query Episodes($scope: String!) {
  episodes(scope: $scope, withCausalChain: true, first: 10) {
    nodes {
      id
      name
      summary
      startedAt
      endedAt
      centralityScore
      causalChain { event role summary }
      follows { id name endedAt }
    }
    pageInfo { hasNextPage endCursor }
    withheldScopes
  }
}

# Episodes that went on in a stretch of time, in everything below the scope too.
query EpisodesWithin($scope: String!, $overlapping: String!) {
  episodes(scope: $scope, view: descend, overlapping: $overlapping) {
    nodes { id scope name startedAt endedAt }
  }
}

# One episode as it was known at an instant, down to its events.
query Episode($episode: ID!, $at: DateTime) {
  episode(id: $episode, asOf: { at: $at }) {
    name
    events
    derivedFrom { id content { kind ... on MessageContent { role text } } }
  }
}
`;

/** A working document for every operation on episodes. */
export const EPISODE_EXAMPLES: IdeExamples = {
  name: 'episodes',
  document: EPISODES,
  variables: {
    scope: 'user:demo',
    overlapping: '2020-01-01..',
    episode: '{{episode_id}}',
    asOf: null,
  },
};
