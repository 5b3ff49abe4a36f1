import { NARROW_WINDOW_TURNS, WIDE_WINDOW_TURNS } from '../src/limits/search.ts';

/** A uniqueness constraint, a range index over nodes or over edges, or a full-text index that the statements rely on. */
export interface SchemaObject {
  readonly name: string;
  readonly kind: 'unique' | 'range' | 'edges' | 'fulltext';
  /** Label of the nodes, or type of the edges. */
  readonly label: string;
  readonly properties: readonly string[];
}

/** Ancestor levels that carry an ordered index of their own; deeper scopes are reached through the last one and a filter. */
export const INDEXED_LEVELS = 8;

const unique = (name: string, label: string, ...properties: string[]): SchemaObject => ({
  name,
  kind: 'unique',
  label,
  properties,
});
const range = (name: string, label: string, ...properties: string[]): SchemaObject => ({
  name,
  kind: 'range',
  label,
  properties,
});

const edges = (name: string, label: string, ...properties: string[]): SchemaObject => ({
  name,
  kind: 'edges',
  label,
  properties,
});

/** Splits text at blanks: what is a word, and in what form, is decided before it is handed over. */
export const FULLTEXT_ANALYZER = 'whitespace';

/** Name of the full-text index over passages. */
export const PASSAGE_TEXT_INDEX = 'passage_text';

/** The windows of a turn, by the number of turns that they hold on each side. */
export const NARROW_WINDOW = `window_${NARROW_WINDOW_TURNS}`;
export const WIDE_WINDOW = `window_${WIDE_WINDOW_TURNS}`;

/** What is searched: the words of turns, of what stands around them and of sessions, and what a search is narrowed by. */
const PASSAGE_SCHEMA: readonly SchemaObject[] = [
  unique('passage_event', 'Passage', 'event_id'),
  range('passage_place', 'Passage', 'thread', 'place'),
  range('passage_due', 'Passage', 'due_shard', 'due_class', 'due_since'),
  range('passage_due_scope', 'Passage', 'scope_ref', 'due_since'),
  range('passage_unembedded', 'Passage', 'scope_ref', 'embed_fault'),
  unique('session_passage', 'SessionPassage', 'thread', 'segment'),
  unique('passage_scope', 'PassageScope', 'scope_ref'),
  {
    name: PASSAGE_TEXT_INDEX,
    kind: 'fulltext',
    label: 'Passage',
    properties: [
      'text',
      NARROW_WINDOW,
      WIDE_WINDOW,
      'session_text',
      'scope_tokens',
      'scope_ref',
      'tags',
      'observed_day',
      'recorded_day',
    ],
  },
];

/** What is derived from statements. */
const CLAIM_SCHEMA: readonly SchemaObject[] = [
  unique('statement_id', 'Statement', 'id'),
  range('statement_claim_valid', 'Statement', 'claim', 'stated_from'),
  range('statement_claim_end', 'Statement', 'claim', 'stated_to'),
  range('qualifying_claim', 'RequiresFullReplay', 'claim'),
  range('statement_event', 'Statement', 'event_id'),
  range('fact_scope', 'Fact', 'scope_ref', 'life_class', 'position'),
  ...Array.from({ length: INDEXED_LEVELS }, (_, level) =>
    range(`fact_a${level}`, 'Fact', `a${level}`, 'life_class', 'position'),
  ),
  range('fact_subject', 'Fact', 'scope_ref', 'subject_id', 'life_class', 'position'),
  range('fact_entity', 'Fact', 'tenant', 'subject_id', 'life_class', 'position'),
  unique('fact_version_fact', 'FactVersion', 'fact_id', 'recorded_from'),
  range('fact_version_resumes', 'FactVersion', 'resumes', 'valid_from'),
  range('fact_version_claim_valid', 'FactVersion', 'claim', 'valid_from'),
  range('fact_version_claim_recorded', 'FactVersion', 'claim', 'recorded_from'),
  range('fact_version_claim_known', 'FactVersion', 'claim', 'recorded_to'),
  unique('entity_key', 'Entity', 'key'),
  range('entity_id', 'Entity', 'tenant', 'id'),
  unique('entity_name_key', 'EntityName', 'entity_key', 'given', 'normalised_name'),
  unique('premise_id', 'Premise', 'id'),
  range('premise_claim', 'Premise', 'claim'),
  unique('premise_home_key', 'PremiseHome', 'key'),
  range('premise_home_claim', 'PremiseHome', 'claim'),
  unique('belief_id', 'Belief', 'id'),
];

/**
 * What readings of facts and entities rely on besides: the facts of one subject and predicate, those
 * that name an object, those of a subject in the order of valid time and where they are resumed (the versions that say a subject), those of predicates that nothing knows, entities by scope, and their names: of one in order, and those who have one by scope and tenant, in the order in which they had it.
 */
const FACT_READING_SCHEMA: readonly SchemaObject[] = [
  range('kept_topic', 'MultiValueStatement', 'scope_ref', 'subject_id', 'predicate'),
  range('fact_topic', 'Fact', 'scope_ref', 'subject_id', 'predicate', 'cardinality', 'position'),
  range('fact_object', 'Fact', 'scope_ref', 'object_id', 'position'),
  range('fact_assumed', 'Fact', 'scope_ref', 'assumed_predicate'),
  range('fact_valid', 'Fact', 'scope_ref', 'subject_id', 'stated_from'),
  range('fact_version_subject', 'FactVersion', 'scope_ref', 'subject_id', 'valid_from'),
  range('entity_scope', 'Entity', 'scope_ref', 'position'),
  range('entity_name_order', 'EntityName', 'entity_key', 'recorded_at', 'position', 'normalised_name'),
  range('entity_name_scope', 'EntityName', 'scope_ref', 'normalised_name', 'position'),
  range('entity_name_tenant', 'EntityName', 'tenant', 'normalised_name', 'position'),
];

/** Conflicts, and the statements that are evidence of some. */
const CONFLICT_SCHEMA: readonly SchemaObject[] = [
  unique('conflict_id', 'Conflict', 'id'),
  range('conflict_claim', 'Conflict', 'claim'),
  range('conflict_scope', 'Conflict', 'scope_ref', 'position', 'id'),
  range('conflict_open', 'Conflict', 'scope_ref', 'status', 'position', 'id'),
  range('timed_from', 'TimedStatement', 'claim', 'stated_from'),
  range('timed_to', 'TimedStatement', 'claim', 'stated_to'),
  range('denial_claim', 'Denial', 'claim', 'position'),
];

/** Entries of the log that say what derivation goes by, in the order in which they count. */
const POLICY_SCHEMA = [range('policy_entry', 'PolicyEntry', 'scope_ref', 'after_offset', 'number')];

/** Links of entities: which entities were linked with which others, and the entries that have still to be applied; what was taken out by what it named. */
const LINK_SCHEMA: readonly SchemaObject[] = [
  unique('linked_entity_key', 'LinkedEntity', 'key'),
  range('linked_entity_scope', 'LinkedEntity', 'scope_ref'),
  range('linked_entity_id', 'LinkedEntity', 'tenant', 'entity_id'),
  unique('link_group_id', 'LinkGroup', 'id'),
  range('retracted_subject', 'Retracted', 'scope_ref', 'subject_id', 'position'),
  range('retracted_object', 'Retracted', 'scope_ref', 'object_id', 'position'),
  range('entity_link_pending', 'LinkEntry', 'pending_shard', 'after_offset', 'number'),
];

/** Beliefs and their rows: by id and claim for deriving them, by place and instant for readings. */
const BELIEF_SCHEMA: readonly SchemaObject[] = [
  range('belief_place', 'Belief', 'scope_ref', 'position'),
  ...Array.from({ length: INDEXED_LEVELS }, (_, level) =>
    range(`belief_a${level}`, 'Belief', `a${level}`, 'position'),
  ),
  range('belief_subject', 'Belief', 'scope_ref', 'subject_id', 'position'),
  range('belief_object', 'Belief', 'scope_ref', 'object_id', 'position'),
  range('belief_tenant_subject', 'Belief', 'tenant', 'subject_id', 'position'),
  range('belief_tenant_object', 'Belief', 'tenant', 'object_id', 'position'),
  unique('belief_revision_row', 'BeliefRevision', 'belief_id', 'recorded_from', 'valid_from'),
  range('belief_revision_claim', 'BeliefRevision', 'claim', 'recorded_from'),
  range('belief_revision_closed', 'BeliefRevision', 'claim', 'recorded_to'),
  range('belief_revision_open', 'BeliefRevision', 'belief_id', 'recorded_to', 'valid_to'),
  range('belief_revision_made', 'BeliefRevision', 'belief_id', 'revised_at'),
  range('belief_revision_valid', 'BeliefRevision', 'belief_id', 'valid_from'),
];

/** Concepts, their versions, what supports them, and the entries that ask for them to be brought up to date. */
const CONCEPT_SCHEMA: readonly SchemaObject[] = [
  unique('concept_id', 'Concept', 'id'),
  range('concept_place', 'Concept', 'scope_ref', 'position'),
  ...Array.from({ length: INDEXED_LEVELS }, (_, level) =>
    range(`concept_a${level}`, 'Concept', `a${level}`, 'position'),
  ),
  range('concept_tenant_entity', 'Concept', 'tenant', 'entity_id', 'position'),
  unique('concept_version', 'ConceptVersion', 'concept_id', 'recorded_from'),
  edges('support_claim', 'SUPPORTED_BY', 'claim', 'recorded_to'),
  edges('support_begun', 'SUPPORTED_BY', 'concept_id', 'recorded_from'),
  edges('support_newest', 'SUPPORTED_BY', 'concept_id', 'recorded_to', 'position', 'fact_id'),
  range('concept_scope_id', 'Concept', 'scope_ref', 'id'),
  range('synthesis_scope', 'Synthesis', 'scope_ref', 'recorded_at'),
  range('synthesis_pending', 'Synthesis', 'pending_shard', 'after_offset'),
];

/** What the statements about episodes rely on, beside the index of episodes by scope. */
const EPISODE_SCHEMA: readonly SchemaObject[] = [
  unique('episode_id', 'Episode', 'id'),
  range('episode_place', 'Episode', 'scope_ref', 'position'),
  ...Array.from({ length: INDEXED_LEVELS }, (_, level) =>
    range(`episode_a${level}`, 'Episode', `a${level}`, 'position'),
  ),
  range('episode_shard', 'Episode', 'shard', 'idle_since'),
  unique('episode_revision', 'EpisodeRevision', 'episode_id', 'recorded_from'),
  unique('episode_thread', 'EpisodeThread', 'key', 'episode_id'),
  range('episode_thread_end', 'EpisodeThread', 'key', 'last', 'position'),
  range('episode_thread_episode', 'EpisodeThread', 'episode_id'),
  unique('episode_progress', 'EpisodeProgress', 'scope_ref'),
  range('episode_postponed', 'EpisodeProgress', 'postponed_shard'),
  range('log_entry_seal', 'LogEntry', 'sealed_scope', 'idle_before'),
  edges('contains_place', 'CONTAINS', 'episode_id', 'observed_at', 'position'),
];

/** Everything that version 1 of the store declares. */
export const LEDGER_SCHEMA: readonly SchemaObject[] = [
  unique('event_id', 'Event', 'id'),
  unique('event_wal_offset', 'Event', 'wal_offset'),
  range('event_scope', 'Event', 'scope_ref', 'wal_offset'),
  range('event_shard', 'Event', 'shard', 'wal_offset'),
  ...Array.from({ length: INDEXED_LEVELS }, (_, level) =>
    range(`event_a${level}`, 'Event', `a${level}`, 'wal_offset'),
  ),
  unique('idempotency_key', 'IdempotencyKey', 'scope_ref', 'key'),
  range('idempotency_key_tenant', 'IdempotencyKey', 'tenant', 'key'),
  range('released_key_scope', 'ReleasedKey', 'scope_ref', 'key'),
  range('released_key_tenant', 'ReleasedKey', 'tenant', 'key'),
  unique('log_entry_id', 'LogEntry', 'id'),
  unique('counter_name', 'Counter', 'name'),
  unique('scope_ref', 'Scope', 'ref'),
  range('scope_path', 'Scope', 'tenant', 'path'),
  range('scope_access', 'Scope', 'access_version'),
  range('scope_deletion', 'Scope', 'deleting_through'),
  unique('removed_scope_ref', 'RemovedScope', 'ref'),
  range('removed_scope_access', 'RemovedScope', 'access_version'),
  unique('lifecycle_sequence', 'LifecycleEvent', 'sequence'),
  range('lifecycle_tenant', 'LifecycleEvent', 'tenant', 'sequence'),
  range('lifecycle_scope', 'LifecycleEvent', 'scope_ref', 'sequence'),
  range('lifecycle_batch', 'LifecycleEvent', 'batch_id', 'sequence'),
  range('lifecycle_job', 'LifecycleEvent', 'job_id', 'sequence'),
  range('lifecycle_event', 'LifecycleEvent', 'event_id'),
  unique('shard_number', 'Shard', 'number'),
  unique('shard_intake', 'ShardIntake', 'number'),
  unique('worker_id', 'Worker', 'id'),
  range('worker_expiry', 'Worker', 'expires_at'),
  unique('retry_id', 'StageRetry', 'id'),
  range('retry_event', 'StageRetry', 'event_id'),
  range('retry_queue', 'StageRetry', 'shard', 'state'),
  range('retry_scope', 'StageRetry', 'scope_ref', 'state'),
  range('retry_deferred', 'StageRetry', 'scope_ref', 'deferred_offset'),
  unique('deferral_scope', 'Deferral', 'scope_ref'),
  range('deferral_due', 'Deferral', 'shard', 'due_at'),
  range('deferral_checked', 'Deferral', 'shard', 'checked'),
  range('deferral_open', 'Deferral', 'open_shard'),
  unique('signing_key_kid', 'SigningKey', 'kid'),
  range('signing_key_active', 'SigningKey', 'active'),
  range('signing_key_access', 'SigningKey', 'access_version'),
  unique('revoked_token', 'RevokedToken', 'tenant', 'jti'),
  range('revoked_token_access', 'RevokedToken', 'access_version'),
  range('revoked_token_end', 'RevokedToken', 'keep_until'),
  unique('tenant_id', 'Tenant', 'id'),
  unique('deployment_id', 'Deployment', 'id'),
  unique('blob_id', 'Blob', 'id'),
  unique('keyed_blob_key', 'KeyedBlob', 'tenant', 'uploader', 'key_hash'),
  unique('blob_body_id', 'BlobBody', 'id'),
  range('blob_body_end', 'BlobBody', 'remove_at'),
  unique('blob_chunk', 'BlobChunk', 'body_id', 'index'),
  range('blob_use_blob', 'BlobUse', 'blob_id'),
  range('blob_use_event', 'BlobUse', 'event_id'),
  unique('pack_id', 'Pack', 'id'),
  range('pack_expiry', 'Pack', 'expires_at'),
  unique('forget_plan_id', 'ForgetPlan', 'id'),
  range('forget_plan_scope', 'ForgetPlan', 'scope_ref'),
  range('forget_plan_tenant', 'ForgetPlan', 'tenant', 'scope'),
  range('forget_plan_touched', 'ForgetPlan', 'touched_at'),
  unique('forget_step_number', 'ForgetStep', 'plan_id', 'number'),
  range('forget_step_kept', 'ForgetStep', 'kept_at'),
  unique('taken_entities', 'TakenEntities', 'plan_id', 'number'),
  unique('forget_preview_id', 'ForgetPreview', 'id'),
  range('forget_preview_expiry', 'ForgetPreview', 'expires_at'),
  unique('forget_preview_part', 'ForgetPreviewPart', 'preview_id', 'number'),
  range('forget_preview_part_expiry', 'ForgetPreviewPart', 'expires_at'),
  unique('export_use_id', 'ExportUse', 'id'),
  range('export_use_ref', 'ExportUse', 'ref'),
  unique('erasure_id', 'Erasure', 'id'),
  unique('erasure_key', 'Erasure', 'scope_ref', 'key'),
  unique('erased_part', 'ErasedPart', 'erasure_id', 'number'),
  unique('erasure_manifest_id', 'ErasureManifest', 'id'),
  range('erasure_manifest_expiry', 'ErasureManifest', 'expires_at'),
  unique('erasure_manifest_part', 'ErasureManifestPart', 'manifest_id', 'number'),
  range('erasure_manifest_part_expiry', 'ErasureManifestPart', 'expires_at'),
  unique('audit_batch_id', 'AuditBatch', 'id'),
  range('audit_batch_tenant', 'AuditBatch', 'tenant', 'sequence'),
  range('audit_unsealed', 'AuditBatch', 'unsealed'),
  unique('audit_chain_tenant', 'AuditChain', 'tenant'),
  ...CLAIM_SCHEMA,
  ...FACT_READING_SCHEMA,
  ...POLICY_SCHEMA,
  ...LINK_SCHEMA,
  ...BELIEF_SCHEMA,
  ...CONFLICT_SCHEMA,
  ...PASSAGE_SCHEMA,
  ...EPISODE_SCHEMA,
  ...CONCEPT_SCHEMA,
];

/** What extraction by models and the ledger of their usage rely on. */
export const MODEL_SCHEMA: readonly SchemaObject[] = [
  unique('extraction_event', 'Extraction', 'event_id'),
  range('retry_due', 'StageRetry', 'shard', 'retry_at'),
  unique('enrichment_scope', 'EnrichmentProgress', 'scope_ref'),
  range('enrichment_open', 'EnrichmentProgress', 'open_shard', 'served'),
  unique('enrichment_hold', 'EnrichmentRetry', 'event_id'),
  range('enrichment_due', 'EnrichmentRetry', 'shard', 'retry_at'),
  range('enrichment_hold_scope', 'EnrichmentRetry', 'scope_ref', 'state'),
  unique('usage_id', 'Usage', 'id'),
  range('usage_ref', 'Usage', 'ref', 'day'),
];

/** Jobs, and the scopes that are being rebuilt. */
const REBUILD_SCHEMA: readonly SchemaObject[] = [
  unique('job_id', 'Job', 'id'),
  unique('job_active', 'Job', 'active'),
  range('job_state', 'Job', 'state', 'requested_at'),
  range('job_end', 'Job', 'finished_at'),
  unique('rebuild_scope', 'Rebuild', 'scope_ref'),
  range('rebuild_shard', 'Rebuild', 'shard'),
];

/** Own time phrases: by name for changing one, by number for reading them, and what holds a tenant's together. */
const PHRASE_SCHEMA: readonly SchemaObject[] = [
  unique('phrase_book_tenant', 'PhraseBook', 'tenant'),
  unique('temporal_phrase_name', 'TemporalPhrase', 'tenant', 'folded'),
  unique('temporal_phrase_number', 'TemporalPhrase', 'tenant', 'number'),
];

/** Vocabularies of tenants: by name for changing one, by number for reading them, and what holds a tenant's together. */
const VOCABULARY_SCHEMA: readonly SchemaObject[] = [
  unique('vocabulary_book_tenant', 'VocabularyBook', 'tenant'),
  unique('vocabulary_name', 'Vocabulary', 'tenant', 'name'),
  unique('vocabulary_number', 'Vocabulary', 'tenant', 'number'),
];

/** Suppressions: by id and by scope, and what they suppress by what is captured. */
const SUPPRESSION_SCHEMA: readonly SchemaObject[] = [
  unique('suppression_id', 'Suppression', 'id'),
  unique('suppression_number', 'Suppression', 'scope_ref', 'number'),
  unique('suppressed_content', 'SuppressedContent', 'scope_ref', 'hash', 'suppression_id'),
  range('suppressed_content_of', 'SuppressedContent', 'suppression_id'),
];

/** Legal holds: by id for changing one, by scope for what covers an event and for lists, and what holds a tenant's together. */
const LEGAL_HOLD_SCHEMA: readonly SchemaObject[] = [
  unique('legal_hold_register_tenant', 'LegalHoldRegister', 'tenant'),
  unique('legal_hold_id', 'LegalHold', 'tenant', 'id'),
  unique('legal_hold_number', 'LegalHold', 'scope_ref', 'number'),
];

/** How far the sweeps of retention are, by tenant. */
const RETENTION_SCHEMA = [unique('retention_sweep_tenant', 'RetentionSweep', 'tenant')];

/** Everything that the store declares. */
export const STORE_SCHEMA: readonly SchemaObject[] = [
  ...LEDGER_SCHEMA,
  ...MODEL_SCHEMA,
  ...REBUILD_SCHEMA,
  ...PHRASE_SCHEMA,
  ...VOCABULARY_SCHEMA,
  ...LEGAL_HOLD_SCHEMA,
  ...SUPPRESSION_SCHEMA,
  ...RETENTION_SCHEMA,
];

/** The statement that creates a schema object when it is not there; schema texts cannot take parameters. */
export function createSchemaText(object: SchemaObject): string {
  const properties = object.properties.map((property) => `n.${property}`).join(', ');
  switch (object.kind) {
    case 'unique':
      return `CREATE CONSTRAINT ${object.name} IF NOT EXISTS FOR (n:${object.label}) REQUIRE (${properties}) IS UNIQUE`;
    case 'range':
      return `CREATE INDEX ${object.name} IF NOT EXISTS FOR (n:${object.label}) ON (${properties})`;
    case 'edges':
      return `CREATE INDEX ${object.name} IF NOT EXISTS FOR ()-[n:${object.label}]-() ON (${properties})`;
    case 'fulltext':
      return (
        `CREATE FULLTEXT INDEX ${object.name} IF NOT EXISTS FOR (n:${object.label}) ON EACH [${properties}] ` +
        `OPTIONS {indexConfig: {\`fulltext.analyzer\`: '${FULLTEXT_ANALYZER}', \`fulltext.eventually_consistent\`: true}}`
      );
  }
}
