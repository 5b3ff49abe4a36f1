import type { OperationExample } from './example.ts';
import { ANSWER_EXAMPLES } from './examples/answer.ts';
import { AUDIT_EXAMPLES } from './examples/audit.ts';
import { BELIEF_EXAMPLES } from './examples/belief.ts';
import { BLOB_EXAMPLES } from './examples/blob.ts';
import { CLAIM_EXAMPLES } from './examples/claim.ts';
import { CONCEPT_EXAMPLES } from './examples/concept.ts';
import { CONFLICT_EXAMPLES } from './examples/conflict.ts';
import { CONTRACT_EXAMPLES } from './examples/contract.ts';
import { DERIVATION_EXAMPLES } from './examples/derivation.ts';
import { ENTITY_EXAMPLES } from './examples/entity.ts';
import { EPISODE_EXAMPLES } from './examples/episode.ts';
import { EVENT_EXAMPLES } from './examples/event.ts';
import { EXPERIENCE_EXAMPLES } from './examples/experience.ts';
import { FACT_EXAMPLES } from './examples/fact.ts';
import { ERASURE_EXAMPLES } from './examples/erasure.ts';
import { FORGET_EXAMPLES } from './examples/forget.ts';
import { GRAPH_EXAMPLES } from './examples/graph.ts';
import { HEALTH_EXAMPLES } from './examples/health.ts';
import { KEYED_BLOB_EXAMPLES } from './examples/keyed-blob.ts';
import { LEGAL_HOLD_EXAMPLES } from './examples/legal-hold.ts';
import { LIFECYCLE_EXAMPLES } from './examples/lifecycle.ts';
import { POLICY_EXAMPLES } from './examples/policy.ts';
import { PROVENANCE_EXAMPLES } from './examples/provenance.ts';
import { REBUILD_EXAMPLES } from './examples/rebuild.ts';
import { RECALL_EXAMPLES } from './examples/recall.ts';
import { SCOPE_EXAMPLES } from './examples/scope.ts';
import { RETENTION_EXAMPLES } from './examples/retention.ts';
import { SUPPRESSION_EXAMPLES } from './examples/suppression.ts';
import { TEMPORAL_PHRASE_EXAMPLES } from './examples/temporal-phrase.ts';
import { TOKEN_EXAMPLES } from './examples/token.ts';
import { USAGE_EXAMPLES } from './examples/usage.ts';
import { VOCABULARY_EXAMPLES } from './examples/vocabulary.ts';
import { isServed, type OperationId, type ServedOperationId } from './operation.ts';

/** An example of every operation of this release: the requests and answers of one story, in which Priya moves to Lisbon. */
export const EXAMPLES: Readonly<Record<ServedOperationId, OperationExample>> = {
  ...EXPERIENCE_EXAMPLES,
  ...RECALL_EXAMPLES,
  ...ANSWER_EXAMPLES,
  ...EVENT_EXAMPLES,
  ...FACT_EXAMPLES,
  ...ENTITY_EXAMPLES,
  ...BELIEF_EXAMPLES,
  ...CONCEPT_EXAMPLES,
  ...EPISODE_EXAMPLES,
  ...PROVENANCE_EXAMPLES,
  ...GRAPH_EXAMPLES,
  ...LIFECYCLE_EXAMPLES,
  ...DERIVATION_EXAMPLES,
  ...REBUILD_EXAMPLES,
  ...FORGET_EXAMPLES,
  ...ERASURE_EXAMPLES,
  ...SUPPRESSION_EXAMPLES,
  ...RETENTION_EXAMPLES,
  ...LEGAL_HOLD_EXAMPLES,
  ...CONFLICT_EXAMPLES,
  ...CLAIM_EXAMPLES,
  ...BLOB_EXAMPLES,
  ...KEYED_BLOB_EXAMPLES,
  ...TEMPORAL_PHRASE_EXAMPLES,
  ...VOCABULARY_EXAMPLES,
  ...SCOPE_EXAMPLES,
  ...POLICY_EXAMPLES,
  ...TOKEN_EXAMPLES,
  ...AUDIT_EXAMPLES,
  ...USAGE_EXAMPLES,
  ...HEALTH_EXAMPLES,
  ...CONTRACT_EXAMPLES,
};

/** The example of an operation; null of one that this release has not. */
export function exampleOf(id: OperationId): OperationExample | null {
  return isServed(id) ? EXAMPLES[id] : null;
}
