import type { z } from 'zod';

import { answerRequest, answerResponse } from './answer.ts';
import { composeRequest, composeResponse } from './compose.ts';
import { blobDeleted, blobUploaded } from './blob.ts';
import {
  auditChain,
  auditChainVerification,
  auditChainVerifyRequest,
  auditPage,
  auditRow,
  auditVerification,
  auditVerifyRequest,
} from './audit.ts';
import { claimHistory, claimPage } from './claim.ts';
import { conflictPage, conflictView, resolveConflictBody } from './conflict.ts';
import { derivationStatus } from './derivation.ts';
import { layerStats } from './layer-stats.ts';
import { entityEdgesPage, entityItem, entityLinkRecord, entityPage, linkEntitiesBody } from './entity.ts';
import { envelope } from './envelope.ts';
import { cancelResponse, eventItem, eventPage } from './event.ts';
import { bulkRequest, bulkResponse, captureResponse, experienceStatus } from './experience.ts';
import { usage } from './usage.ts';
import { beliefHistory, beliefItem, beliefPage, beliefWhy, declareBeliefBody } from './belief.ts';
import { episodeItem, episodePage } from './episode.ts';
import {
  conceptCoverage,
  conceptHistory,
  conceptItem,
  conceptPage,
  relatedConcepts,
  synthesizeRequest,
  synthesizeResponse,
} from './concept.ts';
import { factItem, factPage, factTimeline, factWhy } from './fact.ts';
import {
  erasureAccepted,
  erasurePreviewRequest,
  erasurePreviewResponse,
  erasureReceiptResponse,
  erasureRecord,
  erasureRequest,
  erasureVerification,
} from './erasure.ts';
import { forgetPreviewRequest, forgetPreviewResponse, forgetRequest, forgetResponse } from './forget.ts';
import { keyedBlobNotFound, keyedBlobRetired, keyedBlobStatus, keyedBlobUploaded } from './keyed-blob.ts';
import { legalHold, legalHoldItem, legalHoldPage } from './legal-hold.ts';
import { graphDiffPage, graphPage } from './graph.ts';
import { provenanceGraph } from './provenance.ts';
import { memoryRecord } from './record.ts';
import { adminReady, health, metricsReading, ready, version } from './health.ts';
import { lifecycleItem, lifecyclePage, memoryEventTrace } from './lifecycle.ts';
import { cancelRequest } from './operation/cancel.ts';
import { deploymentPolicy, effectivePolicy } from './policy-record.ts';
import { problem } from './problem.ts';
import {
  buildRequest,
  builtBeliefs,
  builtEpisodes,
  rederiveAccepted,
  rederiveJob,
  rederiveRequest,
} from './rebuild.ts';
import { recallPack, recallRequest } from './recall.ts';
import {
  retentionPolicyInput,
  retentionPolicyRecord,
  retentionPolicySet,
  retentionStatus,
  retentionSweepReport,
  retentionSweepRequest,
  retentionSweepRunning,
} from './retention.ts';
import { suppressionPage } from './suppression.ts';
import { temporalPhrase, temporalPhraseItem, temporalPhrasePage } from './temporal-phrase.ts';
import { mintRequest, mintResponse, revokeRequest, signupRequest, signupResponse, whoami } from './token.ts';
import { vocabularyChange, vocabularyItem, vocabularyPage } from './vocabulary-record.ts';
import {
  pruneScopesResponse,
  registerScopeRequest,
  scopePage,
  scopeRecord,
  setScopeMembersRequest,
  setScopePoliciesRequest,
} from './scope-record.ts';

/** A schema that is served by name. */
export interface NamedSchema {
  readonly schema: z.ZodType;
  /** Whether it describes what callers send or what the service answers. */
  readonly side: 'input' | 'output';
}

const input = (schema: z.ZodType): NamedSchema => ({ schema, side: 'input' });
const output = (schema: z.ZodType): NamedSchema => ({ schema, side: 'output' });

/** Every shape of the contract under its name in `/v1/schemas/{name}` and in the OpenAPI document. */
export const NAMED_SCHEMAS: Readonly<Record<string, NamedSchema>> = {
  experience_envelope: input(envelope),
  capture_response: output(captureResponse),
  bulk_request: input(bulkRequest),
  bulk_response: output(bulkResponse),
  experience_status: output(experienceStatus),
  recall_request: input(recallRequest),
  recall_pack: output(recallPack),
  answer_request: input(answerRequest),
  answer_response: output(answerResponse),
  compose_request: input(composeRequest),
  compose_response: output(composeResponse),
  event: output(eventItem),
  event_page: output(eventPage),
  cancel_request: input(cancelRequest),
  cancel_response: output(cancelResponse),
  belief: output(beliefItem),
  declare_belief_request: input(declareBeliefBody),
  belief_page: output(beliefPage),
  belief_history: output(beliefHistory),
  belief_why: output(beliefWhy),
  episode: output(episodeItem),
  episode_page: output(episodePage),
  concept: output(conceptItem),
  concept_page: output(conceptPage),
  concept_history: output(conceptHistory),
  concept_coverage: output(conceptCoverage),
  related_concepts: output(relatedConcepts),
  synthesize_request: input(synthesizeRequest),
  synthesize_response: output(synthesizeResponse),
  fact: output(factItem),
  fact_page: output(factPage),
  fact_timeline: output(factTimeline),
  fact_why: output(factWhy),
  provenance_graph: output(provenanceGraph),
  graph_page: output(graphPage),
  graph_diff_page: output(graphDiffPage),
  memory_record: output(memoryRecord),
  entity: output(entityItem),
  entity_page: output(entityPage),
  entity_edges_page: output(entityEdgesPage),
  link_entities_request: input(linkEntitiesBody),
  entity_link_record: output(entityLinkRecord),
  lifecycle_event: output(lifecycleItem),
  lifecycle_page: output(lifecyclePage),
  memory_event_trace: output(memoryEventTrace),
  derivation_status: output(derivationStatus),
  layer_stats: output(layerStats),
  rederive_request: input(rederiveRequest),
  rederive_accepted: output(rederiveAccepted),
  rederive_job: output(rederiveJob),
  build_request: input(buildRequest),
  built_beliefs: output(builtBeliefs),
  built_episodes: output(builtEpisodes),
  forget_request: input(forgetRequest),
  forget_response: output(forgetResponse),
  forget_preview_request: input(forgetPreviewRequest),
  forget_preview_response: output(forgetPreviewResponse),
  erasure_preview_request: input(erasurePreviewRequest),
  erasure_preview_response: output(erasurePreviewResponse),
  erasure_request: input(erasureRequest),
  erasure_accepted: output(erasureAccepted),
  erasure: output(erasureRecord),
  erasure_receipt: output(erasureReceiptResponse),
  erasure_verification: output(erasureVerification),
  suppression_page: output(suppressionPage),
  retention_policy_request: input(retentionPolicyInput),
  retention_policy: output(retentionPolicyRecord),
  retention_policy_set: output(retentionPolicySet),
  retention_status: output(retentionStatus),
  retention_sweep_request: input(retentionSweepRequest),
  retention_sweep_report: output(retentionSweepReport),
  retention_sweep_running: output(retentionSweepRunning),
  put_legal_hold_request: input(legalHold),
  legal_hold: output(legalHoldItem),
  legal_hold_page: output(legalHoldPage),
  usage: output(usage),
  claim_page: output(claimPage),
  claim_history: output(claimHistory),
  conflict: output(conflictView),
  resolve_conflict_request: input(resolveConflictBody),
  conflict_page: output(conflictPage),
  blob: output(blobUploaded),
  blob_deleted: output(blobDeleted),
  keyed_blob: output(keyedBlobUploaded),
  keyed_blob_status: output(keyedBlobStatus),
  keyed_blob_retired: output(keyedBlobRetired),
  keyed_blob_not_found: output(keyedBlobNotFound),
  define_temporal_phrase_request: input(temporalPhrase),
  temporal_phrase: output(temporalPhraseItem),
  temporal_phrase_page: output(temporalPhrasePage),
  update_vocabulary_request: input(vocabularyChange),
  vocabulary: output(vocabularyItem),
  vocabulary_page: output(vocabularyPage),
  signup_request: input(signupRequest),
  signup_response: output(signupResponse),
  mint_request: input(mintRequest),
  mint_response: output(mintResponse),
  revoke_request: input(revokeRequest),
  whoami: output(whoami),
  register_scope_request: input(registerScopeRequest),
  scope: output(scopeRecord),
  scope_page: output(scopePage),
  set_scope_policies_request: input(setScopePoliciesRequest),
  set_scope_members_request: input(setScopeMembersRequest),
  prune_scopes_response: output(pruneScopesResponse),
  effective_policy: output(effectivePolicy),
  deployment_policy: output(deploymentPolicy),
  audit_row: output(auditRow),
  audit_page: output(auditPage),
  audit_verify_request: input(auditVerifyRequest),
  audit_verification: output(auditVerification),
  audit_chain: output(auditChain),
  audit_chain_verify_request: input(auditChainVerifyRequest),
  audit_chain_verification: output(auditChainVerification),
  health: output(health),
  ready: output(ready),
  admin_ready: output(adminReady),
  metrics: output(metricsReading),
  version: output(version),
  error: output(problem),
};
