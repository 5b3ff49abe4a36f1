import type { IdeExamples } from './group.ts';
import { ACCESS_EXAMPLES } from './access-examples.ts';
import { BELIEF_EXAMPLES, GRAPH_EXAMPLES, PROVENANCE_EXAMPLES } from './belief-examples.ts';
import { CONFLICT_EXAMPLES } from './conflict-examples.ts';
import { CONCEPT_EXAMPLES } from './concept-examples.ts';
import { ANSWER_EXAMPLES } from './answer-examples.ts';
import { RECALL_EXAMPLES } from './recall-examples.ts';
import { FACT_EXAMPLES } from './fact-examples.ts';
import { EPISODE_EXAMPLES } from './episode-examples.ts';
import { ERASE_EXAMPLES } from './erasure-examples.ts';
import { FORGET_EXAMPLES } from './forget-examples.ts';
import { REBUILD_EXAMPLES } from './rebuild-examples.ts';
import { SCOPE_EXAMPLES } from './scope-examples.ts';
import { TIME_EXAMPLES } from './time-examples.ts';
import { VOCABULARY_EXAMPLES } from './vocabulary-examples.ts';

const WRITE = `# Start here. Every operation has a page of its own: /graphql/operations lists them.
# Who signed in at / in this tab of the browser is signed in here. Others put a key into the environment:
# "Strata" at the top right, "Environments...". "npx strata key" shows it; a server without keys takes any.
#
# Writes one event; run again, the idempotency key makes it the same one.
# Put its "eventId" into the environment for the operations that ask for an event.
mutation Capture($input: ExperienceInput!) {
  capture(input: $input, wait: indexed) {
    eventId
    status
    walOffset
    recordedAt
    replayedFromIdempotency
  }
}

# Writes several events in one transaction.
mutation CaptureMany($bulk: BulkInput!) {
  captureMany(input: $bulk) {
    accepted
    batchId
    results { index eventId status walOffset }
    failures { index errorCode error }
  }
}

# Excludes an event from every read; its idempotency key is free again.
mutation Cancel($id: ID!) {
  cancelEvent(id: $id) {
    eventId
    stagesCancelled
    stagesAlreadyCompleted
    excludedFromRecall
  }
}
`;

const WRITE_VARIABLES = {
  input: {
    scope: 'user:demo',
    modality: 'conversation',
    content: { message: { role: 'user', text: 'I moved to Lisbon in March.' } },
    context: { labels: ['home'] },
    idempotencyKey: 'ide-example',
    metadata: { sent_by: 'the IDE' },
  },
  bulk: {
    scope: 'user:demo',
    items: [
      {
        modality: 'conversation',
        content: { message: { role: 'assistant', text: 'How do you like it there?' } },
        idempotencyKey: 'ide-example-2',
      },
      {
        modality: 'observation',
        content: { json: { data: { city: 'Lisbon', temperature: 21 } } },
        idempotencyKey: 'ide-example-3',
      },
    ],
  },
  id: '{{event_id}}',
};

const READ = `# Events of a scope, newest first; "endCursor" as "after" goes on.
query Events($scope: String!, $after: String) {
  events(scope: $scope, view: descend, first: 10, after: $after) {
    nodes {
      id
      walOffset
      observedActor { id }
      context { recordedAt labels }
      content {
        kind
        ... on MessageContent { role text }
        ... on TextContent { text }
        ... on JsonContent { data }
      }
    }
    pageInfo { hasNextPage endCursor }
  }
}

# One event with what happened to it, by the "event_id" of the environment.
query Event($id: ID!) {
  event(id: $id) {
    id
    scope
    content { kind ... on MessageContent { role text } }
    context { observedAt recordedAt labels }
    metadata
    trace { stagesCompleted lifecycleEventIds }
  }
}

# Finds a capture by its key: after a lost answer this says whether it was written.
query Status($key: String!, $scope: String) {
  experienceStatus(idempotencyKey: $key, scope: $scope) {
    found
    note
    eventId
    status
    stagesCompleted
  }
}

# How far the stages are in a scope.
query Derivation($scope: String!) {
  derivationStatus(scope: $scope) {
    caughtUp
    headOffset
    stages {
      extracted { offset lagEvents }
      indexed { offset lagEvents }
      consolidated { offset lagEvents }
    }
    held
    failed
    embeddings { due lagMs refused }
    lanes { name status fix }
  }
}

# How much each layer of the deployment holds, and for how many events it still waits.
query Layers {
  layerStats {
    layers {
      events { count lag }
      episodes { count lag }
      facts { count lag }
      beliefs { count lag }
      understanding { count lag }
    }
  }
}
`;

const FRAMES = `# The kept frames of a scope and everything below it, oldest first.
query Lifecycle($below: String, $after: String) {
  lifecycle(scope: $below, first: 20, after: $after) {
    nodes {
      lifecycleId
      ts
      event
      memoryEvent { id content { kind } }
    }
    pageInfo { hasNextPage endCursor }
  }
}

# One frame by its id.
query Frame($frame: ID!) {
  lifecycleFrame(id: $frame) {
    lifecycleId
    ts
    scope
    event
    data
  }
}

# What happened to one event, by the "event_id" of the environment.
query Trace($id: ID!) {
  memoryEventTrace(id: $id) {
    eventId
    stagesCompleted
    lifecycleEventIds
    derived
  }
}
`;

const FOLLOW = `# Everything that happens in a scope and below it, as it happens.
# Leave it running, and run "Capture".
# With "since" it starts behind that frame; "lce_0000000000000000" shows all.
subscription Follow($below: String, $since: ID) {
  lifecycle(scope: $below, sinceLifecycleId: $since) {
    lifecycleId
    ts
    scope
    event
    data
  }
}
`;

const BLOBS = `# Bytes are uploaded and read over REST:
#   curl -H "Authorization: Bearer $KEY" -H 'Content-Type: image/png' --data-binary @a.png ORIGIN/v1/blobs
# Put the "blob_id" of the answer into the environment, as "blob_id".
query Blob($blob: ID!) {
  blob(id: $blob) {
    id
    sizeBytes
    contentType
    sha256
    createdAt
  }
}

# Deletes it; its bytes stay as long as events refer to them.
mutation DeleteBlob($blob: ID!) {
  deleteBlob(id: $blob) {
    blobId
    bytesDeleted
  }
}

# An upload under a key of yours can be sent again:
#   curl -X POST -H 'X-Strata-Idempotency-Key: visa' … ORIGIN/v1/blobs/idempotent
query KeyedBlob($key: String!) {
  keyedBlob(key: $key) {
    protocol
    found
    blobId
    status
    sizeBytes
    contentType
    sha256
  }
}

# Deletes what was uploaded under the key; the key is not used again.
mutation RetireKeyedBlob($key: String!) {
  retireKeyedBlob(key: $key) {
    protocol
    blobId
    status
    bytesDeleted
  }
}
`;

const SERVER = `# Whether the server is well, what it is, and what would mend a part that is not.
query Server {
  health { status version }
  ready { ready }
  adminHealth { status }
  adminReady { ready degraded checks }
  version { version gitSha builtAt capabilities }
}

# What models cost in the last 30 days, by call site.
query Usage {
  usage(period: month) {
    from
    items { role model calls failedCalls inputTokens outputTokens }
    totals { calls inputTokens outputTokens }
  }
}
`;

/** A tab each at first; the last one is open, so that they are read from right to left. */
export const OPEN_AT_FIRST: readonly string[] = [
  'Follow',
  'Why',
  'Beliefs',
  'Facts',
  'State',
  'Recall',
  'Events',
  'Capture',
];

/** A working document for every operation, by noun. */
export const IDE_EXAMPLES: readonly IdeExamples[] = [
  { name: 'write', document: WRITE, variables: WRITE_VARIABLES },
  {
    name: 'read',
    document: READ,
    variables: {
      scope: 'user:demo',
      key: 'ide-example',
      id: '{{event_id}}',
    },
  },
  { name: 'follow', document: FOLLOW, variables: { below: 'user:demo/*' } },
  {
    name: 'frames',
    document: FRAMES,
    variables: { below: 'user:demo/*', frame: 'lce_0000000000000001', id: '{{event_id}}' },
  },
  RECALL_EXAMPLES,
  ANSWER_EXAMPLES,
  FACT_EXAMPLES,
  BELIEF_EXAMPLES,
  CONCEPT_EXAMPLES,
  CONFLICT_EXAMPLES,
  PROVENANCE_EXAMPLES,
  GRAPH_EXAMPLES,
  EPISODE_EXAMPLES,
  TIME_EXAMPLES,
  VOCABULARY_EXAMPLES,
  SCOPE_EXAMPLES,
  ACCESS_EXAMPLES,
  { name: 'blobs', document: BLOBS, variables: { blob: '{{blob_id}}', key: 'visa' } },
  ERASE_EXAMPLES,
  FORGET_EXAMPLES,
  REBUILD_EXAMPLES,
  { name: 'server', document: SERVER, variables: {} },
];
