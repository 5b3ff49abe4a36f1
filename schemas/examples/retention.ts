import type { ExamplesOf } from '../example.ts';
import type { RETENTION_OPERATIONS } from '../operation/retention.ts';

/** An example of each of the operations on how long records are kept. */
export const RETENTION_EXAMPLES = {
  setRetentionPolicy: {
    body: {
      scope: 'org:acme/project:archive',
      default_retention_days: 3650,
      per_source_days: { 'source:jira': 365 },
    },
    status: 200,
    answer: {
      scope: 'org:acme/project:archive',
      policy: { default_retention_days: 3650, per_source_days: { 'source:jira': 365 } },
      cursor_reset: true,
    },
  },
  getRetentionPolicy: {
    query: { scope: 'org:acme/project:archive' },
    status: 200,
    answer: {
      scope: 'org:acme/project:archive',
      policy: { default_retention_days: 3650, per_source_days: { 'source:jira': 365 } },
      effective_days: 3650,
    },
  },
  deleteRetentionPolicy: { query: { scope: 'org:acme/project:archive' }, status: 204 },
} satisfies ExamplesOf<typeof RETENTION_OPERATIONS>;
