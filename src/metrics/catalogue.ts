/** What one metric of the service is. Labels have few values that the service itself names: never a tenant, scope, actor or id. */
export interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** Meaning of each label. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[];
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const STATEMENT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 10];
const MODEL_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const EVENTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

const STAGE = { stage: 'extracted, indexed or consolidated' };
const ROLE = { role: 'extraction, enrichment, answer, verifier or embedding' };
const JOB = { job: 'name of a background job' };
const POOL = { pool: 'requests, or work (the committer and the stages)' };

/** Every metric of the service beside those of the process, by name. */
export const METRICS = {
  strata_build_info: {
    type: 'gauge',
    help: 'Always 1; the labels say what runs.',
    labels: { version: 'of the service', git_sha: 'commit that was built', built_at: 'instant of the build' },
  },
  strata_request_seconds: {
    type: 'histogram',
    help: 'Requests answered, and how long each took; of a stream, how long it was open.',
    labels: {
      operation: 'operation id; over GraphQL the top-level field, `several` for more than one',
      transport: 'rest, graphql or websocket',
      status: '2xx, 3xx, 4xx, 5xx, or gone when the client left first',
    },
    buckets: SECONDS,
  },
  strata_captures_total: {
    type: 'counter',
    help: 'Events handed in for capture and decided.',
    labels: {
      outcome:
        'captured, replaced, replayed, conflict, deleting (the scope is) or suppressed (its content is)',
    },
  },
  strata_captures_suppressed_total: {
    type: 'counter',
    help: 'Captures refused because their content was forgotten from the scope with `suppress`.',
  },
  strata_commit_events: {
    type: 'histogram',
    help: 'Capture transactions, and how many events each decided.',
    buckets: EVENTS,
  },
  strata_commit_seconds: {
    type: 'histogram',
    help: 'How long capture transactions took, tries included.',
    buckets: SECONDS,
  },
  strata_commit_queue_events: { type: 'gauge', help: 'Events accepted for capture and not answered yet.' },
  strata_commit_queue_bytes: {
    type: 'gauge',
    help: 'Bytes of envelopes accepted for capture and not answered yet.',
  },
  strata_commit_refused_events_total: {
    type: 'counter',
    help: 'Events that were not written.',
    labels: { reason: 'queue_full, database_away or refused_by_database' },
  },
  strata_audit_lost_rows_total: {
    type: 'counter',
    help: 'Rows of the audit log that could not be written; the log has each of them.',
    labels: { decision: 'allow or deny' },
  },
  strata_audit_removed_rows_total: {
    type: 'counter',
    help: 'Rows of the audit log that were removed because they were kept long enough.',
  },
  strata_log_head_offset: {
    type: 'gauge',
    help: 'Newest offset of the log that this process knows to be readable.',
  },
  strata_leases: { type: 'gauge', help: 'Shards of derivation work that this process holds, of 64.' },
  strata_stage_lag_events: {
    type: 'gauge',
    help: 'Events of the log between its head and the place that a stage has passed in every held shard.',
    labels: STAGE,
  },
  strata_stage_lag_seconds: {
    type: 'gauge',
    help: 'How long ago the oldest of these events became known to this process.',
    labels: STAGE,
  },
  strata_stage_waiting_shards: {
    type: 'gauge',
    help: 'Held shards that a stage has work in, or has to look at.',
    labels: STAGE,
  },
  strata_stage_events_total: { type: 'counter', help: 'Events that passed a stage here.', labels: STAGE },
  strata_stage_batch_seconds: {
    type: 'histogram',
    help: 'Transactions of a stage, and how long each took; indexing that extracts too counts as indexed.',
    labels: STAGE,
    buckets: SECONDS,
  },
  strata_stage_parked_total: {
    type: 'counter',
    help: 'Events that a stage gave up, with the reason kept.',
    labels: STAGE,
  },
  strata_job_seconds: {
    type: 'histogram',
    help: 'Runs of background jobs, failed ones too, and how long each took.',
    labels: JOB,
    buckets: SECONDS,
  },
  strata_job_failures_total: {
    type: 'counter',
    help: 'Runs of background jobs that failed; the log has the reason.',
    labels: JOB,
  },
  strata_job_failing: {
    type: 'gauge',
    help: 'Whether the last run of a background job failed: 1, else 0.',
    labels: JOB,
  },
  strata_job_items_total: {
    type: 'counter',
    help: 'What background jobs got done: events, frames, packs and the like, where a job counts them.',
    labels: JOB,
  },
  strata_forgets_total: {
    type: 'counter',
    help: 'Forgets and erasures carried out.',
    labels: { cascade: 'none, derived_only, redact_events or erasure' },
  },
  strata_retention_sweeps_total: {
    type: 'counter',
    help: 'Sweeps of a tenant by retention that ended, dry runs among them.',
    labels: { stopped: 'complete, max_events, tick_budget, rules_changed, lease_lost or shutdown' },
  },
  strata_retention_erased_events_total: {
    type: 'counter',
    help: 'Events that were kept long enough, of which an erasure by a sweep was put on record.',
  },
  strata_scope_deletion_left_events_total: {
    type: 'counter',
    help: 'Events that a deletion of a scope passed over because the database refused to redact them, each time that it was tried.',
    labels: { failure: 'transient, unavailable, overdue, constraint or permanent' },
  },
  strata_model_request_seconds: {
    type: 'histogram',
    help: 'Requests to models, and how long each took.',
    labels: ROLE,
    buckets: MODEL_SECONDS,
  },
  strata_model_failures_total: {
    type: 'counter',
    help: 'Requests to models that no completion came from.',
    labels: ROLE,
  },
  strata_model_input_tokens_total: {
    type: 'counter',
    help: 'Tokens sent to models, as they counted them.',
    labels: ROLE,
  },
  strata_model_output_tokens_total: {
    type: 'counter',
    help: 'Tokens that models answered, as they counted them.',
    labels: ROLE,
  },
  strata_extraction_held_total: {
    type: 'counter',
    help: 'Events that extraction held, to try them again later.',
    labels: { cause: 'outage, late or answer' },
  },
  strata_enrichment_events_total: {
    type: 'counter',
    help: 'Events that enrichment asked about, and what became of them.',
    labels: { outcome: 'extracted, held or given_up' },
  },
  strata_embedding_passages_total: {
    type: 'counter',
    help: 'Passages whose vectors were asked for, and what became of them.',
    labels: { outcome: 'embedded, stale (its neighbours changed meanwhile) or refused' },
  },
  strata_embedding_due_passages: {
    type: 'gauge',
    help: 'Passages of held shards whose vectors have still to be made; of each shard up to 10,000 are counted.',
  },
  strata_embedding_oldest_seconds: {
    type: 'gauge',
    help: 'How long the oldest of them has been due.',
  },
  strata_lifecycle_readers: {
    type: 'gauge',
    help: 'Open lifecycle readers: SSE streams and subscriptions together.',
  },
  strata_lifecycle_stalled_readers: {
    type: 'gauge',
    help: 'Lifecycle readers that take nothing any more: told where to resume when they come back, cut off when they do not.',
  },
  strata_lifecycle_lag_frames: {
    type: 'gauge',
    help: 'Frames between the newest one and the slowest lifecycle reader.',
  },
  strata_body_bytes: {
    type: 'gauge',
    help: 'Bytes of JSON bodies, unpacked, that are being read or worked on.',
  },
  strata_blob_upload_bytes: {
    type: 'gauge',
    help: 'Bytes of uploads under way that are in memory.',
  },
  strata_keyed_blobs_total: {
    type: 'counter',
    help: 'Uploads under a key that were stored, that repeated a stored one, or were refused for other bytes or a retired key; and keys that were retired.',
    labels: { outcome: 'stored, repeated, refused or retired' },
  },
  strata_event_loop_delay_seconds: {
    type: 'gauge',
    help: 'By how much the event loop was behind at most in its last 40 measurements, ten seconds of a process that keeps up.',
  },
  strata_shed_requests_total: {
    type: 'counter',
    help: 'Requests, sockets and operations of sockets refused because the event loop was behind for too long.',
    labels: { transport: 'rest, graphql or websocket' },
  },
  strata_rate_limited_total: {
    type: 'counter',
    help: 'Requests refused because the caller sent too many.',
    labels: { kind: 'read, write or signup' },
  },
  strata_wrong_keys_total: {
    type: 'counter',
    help: 'Bearers shown that are neither the key nor a token that verifies; throttled ones were not looked at.',
    labels: { outcome: 'refused (401) or throttled (429)' },
  },
  strata_graphql_sockets: { type: 'gauge', help: 'Open GraphQL sockets.' },
  strata_graphql_subscriptions: { type: 'gauge', help: 'Open GraphQL subscriptions.' },
  strata_database_sessions: {
    type: 'gauge',
    help: 'Units of work with the database now: each has a connection or waits for one.',
    labels: POOL,
  },
  strata_database_connections_max: { type: 'gauge', help: 'Connections kept at most.', labels: POOL },
  strata_database_waiting: {
    type: 'gauge',
    help: 'Units of work beyond the connections there may be.',
    labels: POOL,
  },
  strata_statement_seconds: {
    type: 'histogram',
    help: 'Statements answered by the database, and how long each took.',
    labels: { statement: 'name of a statement in graph/' },
    buckets: STATEMENT_SECONDS,
  },
  strata_statement_failures_total: {
    type: 'counter',
    help: 'Statements that failed.',
    labels: { failure: 'transient, unavailable, overdue, constraint or permanent' },
  },
  strata_retries_total: {
    type: 'counter',
    help: 'Work sent to the database again after a passing failure.',
    labels: { work: 'statement, commit, stage or deletion' },
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

/** The name of a metric of the service. */
export type MetricName = keyof typeof METRICS;

type NamesOf<Type extends MetricDefinition['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['type'] extends Type ? Name : never;
}[MetricName];
/** The name of a counter. */
export type CounterName = NamesOf<'counter'>;
/** The name of a gauge. */
export type GaugeName = NamesOf<'gauge'>;
/** The name of a histogram. */
export type HistogramName = NamesOf<'histogram'>;

/** The metrics as a table in markdown, as docs/reference/metrics.md has it; a test holds the two equal. */
export function metricsTable(): string {
  const rows = Object.entries(METRICS as Readonly<Record<string, MetricDefinition>>).map(
    ([name, { type, help, labels = {} }]) => {
      const meanings = Object.entries(labels).map(([label, meaning]) => `\`${label}\`: ${meaning}`);
      return `| \`${name}\` | ${type} | ${help} | ${meanings.join('; ')} |`;
    },
  );
  return ['| Metric | Type | Meaning | Labels |', '|---|---|---|---|', ...rows].join('\n');
}
