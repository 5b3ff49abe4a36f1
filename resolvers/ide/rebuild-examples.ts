import type { IdeExamples } from './group.ts';

const REBUILDS = `# Counts what would be derived again; with "dry" false a job drops what is derived of the scope and derives it again.
mutation Rederive($scope: String!, $dry: Boolean) {
  rederive(input: { scope: $scope, dryRun: $dry }) { jobId status eligibleEvents }
}

# Does so at once, waits for it, and shows the beliefs that there are.
mutation BuildBeliefs($scope: String!) {
  buildBeliefs(input: { scope: $scope }) {
    built
    eventsScanned
    factsScanned
    reasons
    jobId
    items { id stance confidence }
  }
}

# The same with episodes.
mutation BuildEpisodes($scope: String!) {
  buildEpisodes(input: { scope: $scope }) { built eventsScanned reasons items { id name } }
}

# How far a job is, by the "job_id" of the environment.
query Job($job: ID!) {
  rederiveJob(id: $job) { status phase scope scopesDone scopesTotal eventsDone eventsTotal eventsHeld error }
}
`;

/** Deriving again. */
export const REBUILD_EXAMPLES: IdeExamples = {
  name: 'derive again',
  document: REBUILDS,
  variables: { scope: 'user:demo', dry: true, job: '{{job_id}}' },
};
