import { randomUUID } from 'node:crypto';

import type { Row as RestRow } from './row.ts';
import { unknownTokenId } from '../../support/tokens.ts';
import { actorOf, type Caller, type Things } from './world.ts';

/** A root field, and how it is guarded. */
export interface Row extends Pick<RestRow, 'guard' | 'role'> {
  /** The selection about a thing in a scope. */
  readonly select: (things: Things, scope: string, caller: Caller) => string;
  /** Code for whom is let in, where it is not a success. */
  readonly accepted?: string;
}

const input = (scope: string): string => `{scope: "${scope}", modality: "m", content: {text: {text: "x"}}}`;
const members =
  '[{actor: "user:owner", role: owner}, {actor: "user:writer", role: writer}, {actor: "user:reader", role: reader}]';

/** Every root field of GraphQL but subscriptions; one that is missing fails the build. */
export const GRAPHQL_ROWS: Readonly<Record<string, Row>> = {
  'query events': {
    guard: 'view',
    select: (_, scope) => `events(scope: "${scope}") { nodes { id } withheldScopes }`,
  },
  'query event': { guard: 'thing', select: ({ event }) => `event(id: "${event}") { id scope }` },
  'query facts': {
    guard: 'view',
    select: (_, scope) => `facts(scope: "${scope}", subject: "Ada") { nodes { id } withheldScopes }`,
  },
  'query factTimeline': {
    guard: 'view',
    select: (_, scope) =>
      `factTimeline(scope: "${scope}", subject: "Ada") { subject { id } nodes { factId } }`,
  },
  'query fact': {
    guard: 'thing',
    select: ({ fact }) => `fact(id: "${fact}") { id scope derivedFrom { id } supersedes { id } }`,
  },
  'query factWhy': {
    guard: 'thing',
    select: ({ fact }) => `factWhy(id: "${fact}") { narrative supportGraph { nodes { id } } }`,
  },
  'query provenance': {
    guard: 'thing',
    select: ({ fact }) => `provenance(id: "${fact}", direction: both) { nodes { id } edges { from } }`,
  },
  'query graph': {
    guard: 'view',
    select: (_, scope) =>
      `graph(scope: "${scope}") { nodes { id record { id } } edges { from to } withheldScopes }`,
  },
  'query graphDiff': {
    guard: 'view',
    select: (_, scope) =>
      `graphDiff(scope: "${scope}", from: "2020-01-01T00:00:00Z") { appeared { nodes { id } } withheldScopes }`,
  },
  'query neighbours': {
    guard: 'thing',
    select: ({ fact }) => `neighbours(id: "${fact}") { nodes { id } edges { from to } }`,
  },
  'query node': {
    guard: 'thing',
    select: ({ belief }) =>
      `node(id: "${belief}") { id derivedFrom { id } derives { id } supersedes { id } supersededBy { id } }`,
  },
  'query entities': { guard: 'view', select: (_, scope) => `entities(scope: "${scope}") { nodes { id } }` },
  'query entity': { guard: 'thing', select: ({ entity }) => `entity(id: "${entity}") { id scopes }` },
  'query entityEdges': {
    guard: 'thing',
    select: ({ entity }) => `entityEdges(id: "${entity}") { nodes { factId fact { id } } }`,
  },
  'query beliefs': {
    guard: 'view',
    select: (_, scope) => `beliefs(scope: "${scope}") { nodes { id } withheldScopes }`,
  },
  'query belief': { guard: 'thing', select: ({ belief }) => `belief(id: "${belief}") { id scope }` },
  'query beliefHistory': {
    guard: 'thing',
    select: ({ belief }) => `beliefHistory(beliefId: "${belief}") { current { id } nodes { causedBy } }`,
  },
  'query beliefWhy': {
    guard: 'thing',
    select: ({ belief }) => `beliefWhy(beliefId: "${belief}") { narrative supportGraph { nodes { id } } }`,
  },
  'query episodes': {
    guard: 'view',
    select: (_, scope) => `episodes(scope: "${scope}") { nodes { id } withheldScopes }`,
  },
  'query episode': {
    guard: 'thing',
    select: ({ episode }) => `episode(id: "${episode}") { id scope derivedFrom { id } follows { id } }`,
  },
  'query concepts': {
    guard: 'view',
    select: (_, scope) => `concepts(scope: "${scope}") { nodes { id } withheldScopes }`,
  },
  'query concept': { guard: 'thing', select: ({ concept }) => `concept(id: "${concept}") { id scope }` },
  'query conceptHistory': {
    guard: 'thing',
    select: ({ concept }) => `conceptHistory(id: "${concept}") { current { id } nodes { causedBy } }`,
  },
  'query relatedConcepts': {
    guard: 'thing',
    select: ({ concept }) => `relatedConcepts(id: "${concept}") { concept { id } nodes { id } }`,
  },
  'query conceptCoverage': {
    guard: 'view',
    select: (_, scope) => `conceptCoverage(scope: "${scope}") { concepts partial coverageScore }`,
  },
  'query experienceStatus': {
    guard: 'thing',
    select: ({ event }) => `experienceStatus(eventId: "${event}") { found note status }`,
  },
  'query lifecycle': {
    guard: 'view',
    select: (_, scope) => `lifecycle(scope: "${scope}") { nodes { lifecycleId } }`,
  },
  'query lifecycleFrame': {
    guard: 'thing',
    select: ({ frame }) => `lifecycleFrame(id: "${frame}") { event }`,
  },
  'query memoryEventTrace': {
    guard: 'thing',
    select: ({ event }) => `memoryEventTrace(id: "${event}") { stagesCompleted }`,
  },
  'query derivationStatus': {
    guard: 'view',
    select: (_, scope) => `derivationStatus(scope: "${scope}") { caughtUp held idleSeconds }`,
  },
  'query conflicts': {
    guard: 'view',
    select: (_, scope) => `conflicts(scope: "${scope}") { total nodes { id subject records { object } } }`,
  },
  'query claims': {
    guard: 'view',
    select: (_, scope) => `claims(scope: "${scope}", subject: "Ada") { nodes { id } }`,
  },
  'query claimHistory': {
    guard: 'view',
    select: (_, scope) =>
      `claimHistory(scope: "${scope}", subject: "Ada", predicate: "lives_in") { claim { subject } nodes { id } conflicts { id } }`,
  },
  'query conflict': {
    guard: 'thing',
    select: ({ conflict }) => `conflict(id: "${conflict}") { scope status }`,
  },
  'query rederiveJob': { guard: 'own', select: ({ job }) => `rederiveJob(id: "${job}") { status scope }` },
  'query health': { guard: 'open', select: () => 'health { status }' },
  'query ready': { guard: 'open', select: () => 'ready { ready }' },
  'query adminHealth': { guard: 'open', select: () => 'adminHealth { status }' },
  'query adminReady': { guard: 'open', select: () => 'adminReady { ready }' },
  'query version': { guard: 'open', select: () => 'version { version }' },
  'query layerStats': { guard: 'tenant', select: () => 'layerStats { layers { events { count lag } } }' },
  'query usage': { guard: 'tenant', select: () => 'usage { totals { calls } }' },
  'query whoami': { guard: 'caller', select: () => 'whoami { caller }' },
  'query scope': { guard: 'thing', select: (_, scope) => `scope(path: "${scope}") { path }` },
  'query scopes': { guard: 'view', select: (_, scope) => `scopes(prefix: "${scope}") { nodes { path } }` },
  // What may be done where nobody governs is what governing changes: under dev_local it has to show.
  'query effectivePolicy': {
    guard: 'tenant',
    select: (_, scope) => `effectivePolicy(scope: "${scope}") { allowed }`,
  },
  'query deploymentPolicy': { guard: 'tenant', select: () => 'deploymentPolicy { preset }' },
  'query blob': { guard: 'thing', select: ({ blob }) => `blob(id: "${blob}") { sizeBytes }` },
  'query suppressions': {
    guard: 'view',
    role: 'writer',
    select: (_, scope) => `suppressions(scope: "${scope}") { nodes { id } }`,
  },
  'query retention': { guard: 'tenant', select: () => 'retention { enabled }' },
  'mutation sweepRetention': {
    guard: 'write',
    role: 'owner',
    select: (_, scope) =>
      `sweepRetention(input: {dryRun: false, scope: "${scope}/app:silent"}) { running report { erased } }`,
  },
  'query retentionPolicy': {
    guard: 'thing',
    select: (_, scope) => `retentionPolicy(scope: "${scope}") { scope effectiveDays }`,
  },
  'mutation setRetentionPolicy': {
    guard: 'write',
    role: 'owner',
    select: (_, scope) =>
      `setRetentionPolicy(input: {scope: "${scope}/app:${randomUUID()}", defaultRetentionDays: null}) { scope }`,
  },
  'mutation deleteRetentionPolicy': {
    guard: 'named',
    select: (_, scope) => `deleteRetentionPolicy(scope: "${scope}/app:silent")`,
    accepted: 'NOT_FOUND',
  },
  'mutation liftSuppression': {
    guard: 'tenant',
    select: () => 'liftSuppression(id: "supp_of_nobody")',
    accepted: 'NOT_FOUND',
  },
  'query legalHolds': {
    guard: 'view',
    role: 'owner',
    select: (_, scope) => `legalHolds(scope: "${scope}") { nodes { id } }`,
  },
  'query legalHold': {
    guard: 'thing',
    role: 'owner',
    select: ({ hold }) => `legalHold(id: "${hold}") { scope reason }`,
  },
  'query audit': { guard: 'tenant', select: () => 'audit { nodes { id } }' },
  'query auditRow': { guard: 'thing', select: ({ audit }) => `auditRow(id: "${audit}") { id endpoint }` },
  'query auditChain': { guard: 'tenant', select: () => 'auditChain { length }' },
  'query verifyAudit': {
    guard: 'thing',
    select: ({ audit }) => `verifyAudit(input: {auditId: "${audit}", body: ""}) { valid }`,
  },
  'query verifyAuditChain': { guard: 'tenant', select: () => 'verifyAuditChain { valid }' },
  'mutation capture': { guard: 'write', select: (_, scope) => `capture(input: ${input(scope)}) { eventId }` },
  'mutation captureMany': {
    guard: 'write',
    select: (_, scope) =>
      `captureMany(input: {ordering: strict_temporal, items: [${input(scope)}]}) { accepted }`,
  },
  'mutation declareBelief': {
    guard: 'write',
    select: (_, scope) =>
      `declareBelief(input: {scope: "${scope}", statement: "It was declared.", confidence: 0.9}) { id }`,
  },
  'mutation cancelEvent': {
    guard: 'change',
    select: ({ event }) => `cancelEvent(id: "${event}") { eventId }`,
  },
  'mutation linkEntities': {
    guard: 'write',
    select: (_, scope) =>
      `linkEntities(input: {scope: "${scope}", entity: "ent_gate_alias", sameAs: "ent_gate"}) { linkId }`,
  },
  'mutation unlinkEntities': {
    guard: 'change',
    select: ({ link }) => `unlinkEntities(id: "${link}") { linkId }`,
  },
  'mutation resolveConflict': {
    guard: 'change',
    select: ({ conflict }) =>
      `resolveConflict(id: "${conflict}", input: {action: pick, winner: "no record"}) { id }`,
    accepted: 'INVALID_BODY',
  },
  'mutation mintToken': {
    guard: 'tenant',
    select: (_, _scope, caller) => `mintToken(input: {subject: "${actorOf(caller)}"}) { jti }`,
  },
  'mutation revokeToken': {
    guard: 'tenant',
    select: () => `revokeToken(input: {jti: "${unknownTokenId()}"})`,
  },
  'mutation rederive': {
    guard: 'write',
    role: 'owner',
    select: (_, scope) => `rederive(input: {scope: "${scope}", dryRun: true}) { status eligibleEvents }`,
  },
  'mutation buildBeliefs': {
    guard: 'write',
    select: (_, scope) => `buildBeliefs(input: {scope: "${scope}"}) { built }`,
  },
  'mutation buildEpisodes': {
    guard: 'write',
    select: (_, scope) => `buildEpisodes(input: {scope: "${scope}"}) { built }`,
  },
  'mutation forget': {
    guard: 'write',
    select: (_, scope) => `forget(input: {scope: "${scope}", selector: {memoryIds: []}}) { auditId }`,
  },
  'mutation putLegalHold': {
    guard: 'write',
    role: 'owner',
    select: (_, scope) =>
      `putLegalHold(input: {id: "gate", scope: "${scope}", reason: "It was needed.", until: "2020-01-01T00:00:00Z"}) { active }`,
  },
  'mutation removeLegalHold': { guard: 'own', select: ({ hold }) => `removeLegalHold(id: "${hold}")` },
  'mutation previewForget': {
    guard: 'write',
    select: (_, scope) =>
      `previewForget(input: {scope: "${scope}", selector: {memoryIds: []}}) { previewId }`,
  },
  'mutation previewErasure': {
    guard: 'write',
    role: 'owner',
    select: (_, scope) =>
      `previewErasure(input: {scope: "${scope}", selector: {memoryIds: []}}) { previewId }`,
  },
  'mutation erase': {
    guard: 'write',
    role: 'owner',
    select: (_, scope) => `erase(input: {scope: "${scope}", selector: {memoryIds: []}}) { erasureId }`,
  },
  'query erasure': {
    guard: 'thing',
    role: 'owner',
    select: ({ erasure }) => `erasure(id: "${erasure}") { id status }`,
  },
  'query erasureReceipt': {
    guard: 'thing',
    role: 'owner',
    select: ({ erasure }) => `erasureReceipt(id: "${erasure}") { erasureId receipt }`,
  },
  'mutation cancelErasure': {
    guard: 'thing',
    role: 'owner',
    select: ({ erasure }) => `cancelErasure(id: "${erasure}") { id }`,
    accepted: 'NOT_FOUND',
  },
  'mutation verifyErasure': {
    guard: 'thing',
    role: 'owner',
    select: ({ erasure }) => `verifyErasure(id: "${erasure}") { verified }`,
  },
  'query recall': {
    guard: 'view',
    select: (_, scope) => `recall(input: {scope: "${scope}", view: local}) { layers { events { id } } }`,
  },
  'query answer': {
    guard: 'view',
    select: (_, scope) =>
      `answer(input: {scope: "${scope}", view: local, question: "What is there?", skipAnswerLlm: true}) { pack { layers { events { id } } } }`,
  },
  'query compose': {
    guard: 'view',
    select: (_, scope) =>
      `compose(input: {scope: "${scope}", view: descend, brief: "What there is"}) { document }`,
    accepted: 'ANSWER_UNAVAILABLE',
  },
  'mutation synthesizeConcepts': {
    guard: 'write',
    select: (_, scope) => `synthesizeConcepts(input: {scope: "${scope}"}) { jobId status }`,
  },
  'query temporalPhrases': {
    guard: 'tenant',
    select: () => 'temporalPhrases { nodes { name current { from } } }',
  },
  'mutation defineTemporalPhrase': {
    guard: 'tenant',
    select: () =>
      'defineTemporalPhrase(input: {name: "gate time", anchor: "today", expression: "-P14D..P0D"}) { name }',
  },
  'mutation removeTemporalPhrase': {
    guard: 'tenant',
    select: () => 'removeTemporalPhrase(name: "no such time")',
    accepted: 'NOT_FOUND',
  },
  'query vocabularies': { guard: 'tenant', select: () => 'vocabularies { nodes { name } }' },
  'query vocabulary': {
    guard: 'thing',
    select: ({ vocabulary }) => `vocabulary(name: "${vocabulary}") { description revision }`,
  },
  'mutation updateVocabulary': {
    guard: 'write',
    role: 'owner',
    select: (_, scope) => `updateVocabulary(name: "gate", input: {scope: "${scope}"}) { revision }`,
  },
  'mutation removeVocabulary': {
    guard: 'tenant',
    select: () => 'removeVocabulary(name: "none")',
    accepted: 'NOT_FOUND',
  },
  'mutation registerScope': {
    guard: 'write',
    role: 'owner',
    select: (_, scope) => `registerScope(input: {path: "${scope}/app:${randomUUID()}"}) { path }`,
  },
  'mutation setScopePolicies': {
    guard: 'named',
    select: (_, scope) =>
      `setScopePolicies(path: "${scope}", input: {policies: {consolidation: eager, retention: {events: null}}}) { path }`,
  },
  'mutation setScopeMembers': {
    guard: 'named',
    select: (_, scope) => `setScopeMembers(path: "${scope}", input: {members: ${members}}) { path }`,
  },
  'mutation deleteScope': {
    guard: 'named',
    select: (_, scope) => `deleteScope(path: "${scope}")`,
    accepted: 'SCOPE_HAS_RECORDS',
  },
  'mutation pruneScopes': { guard: 'tenant', select: () => 'pruneScopes { pruned }' },
  'query keyedBlob': { guard: 'own', select: ({ key }) => `keyedBlob(key: "${key}") { status }` },
  'mutation retireKeyedBlob': {
    guard: 'own',
    select: ({ key }) => `retireKeyedBlob(key: "${key}") { blobId }`,
  },
  'mutation deleteBlob': { guard: 'own', select: ({ blob }) => `deleteBlob(id: "${blob}") { blobId }` },
};
