import { renderInitSnippet } from 'altair-static';

import type { IdeOperation } from './operations.ts';

/** Where the IDE sends what it is told to. */
export const ENDPOINT_PATH = '/graphql';
/** Stands in the options for the address of the endpoint, which only the browser knows: the host that the page came from. */
const ENDPOINT = 'address of the endpoint';
const SOCKETS = 'address of its sockets';

/**
 * The script that starts the IDE with a tab for each operation, the last one open. What is typed is kept under `storage`.
 * The schema is loaded at the start: who is not signed in is told so then.
 */
export function renderOptions(storage: string, operations: readonly IdeOperation[]): string {
  return renderInitSnippet(optionsOf(storage, operations))
    .replaceAll(`\`${ENDPOINT}\``, `location.origin + '${ENDPOINT_PATH}'`)
    .replaceAll(`\`${SOCKETS}\``, `location.origin.replace('http', 'ws') + '${ENDPOINT_PATH}'`);
}

function optionsOf(
  storage: string,
  operations: readonly IdeOperation[],
): Parameters<typeof renderInitSnippet>[0] {
  const shared = {
    endpointURL: ENDPOINT,
    subscriptionsEndpoint: SOCKETS,
    initialHeaders: { Authorization: 'Bearer {{key}}' },
    initialSubscriptionRequestHandlerId: 'graphql-ws' as const,
    initialSubscriptionsPayload: { authorization: 'Bearer {{key}}' },
  };
  return {
    ...shared,
    initialWindows: operations.map(({ name, document, variables }) => ({
      ...shared,
      initialName: name,
      initialQuery: document,
      initialVariables: JSON.stringify(variables, null, 2),
    })),
    initialEnvironments: {
      activeSubEnvironment: 'strata',
      subEnvironments: [
        {
          id: 'strata',
          title: 'Strata',
          variables: {
            key: '<key>',
            event_id: '<eventId that capture answered>',
            conflict_id: '<id of a conflict>',
            record_id: '<id of one of its records>',
            blob_id: '<blob_id of an upload>',
            audit_id: '<id of an audit row>',
            fact_id: '<id of a fact>',
            belief_id: '<id of a belief>',
            concept_id: '<id of a concept>',
            link_id: '<id of a link>',
            suppression_id: '<id of a suppression>',
            erasure_id: '<id of an erasure>',
            episode_id: '<id of an episode>',
            job_id: '<jobId of a job that derives again>',
          },
        },
      ],
    },
    instanceStorageNamespace: storage,
    disableAccount: true,
    persistedSettings: {
      'alert.disableUpdateNotification': true,
      'banners.disable': true,
      disablePushNotification: true,
      'plugin.list': [],
    },
    initialSettings: { theme: 'system', 'schema.reloadOnStart': true },
  };
}
