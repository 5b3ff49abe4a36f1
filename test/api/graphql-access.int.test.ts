import { executableSchema } from '../../resolvers/schema.ts';
import { message } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { blobOf } from './blobs.ts';
import { ask } from './graphql/ask.ts';

const SCOPE = 'org:kept';
const ALL = `input: {scope: "${SCOPE}", confirmAll: true}`;
let service: SharedService;
let id: string;
let frame: string;
let blob: string;
/** Headers of somebody whose token lets him do nothing but what no field is for. */
let refused: Record<string, string>;

beforeAll(async () => {
  service = sharedService();
  const { json } = await service.post('/v1/experience?wait=indexed', message(SCOPE, 'kept'));
  id = json.event_id;
  blob = await blobOf(service, 'kept');
  const { token } = await mintFrom(service, { subject: 'user:refused', caps: ['webhooks.manage'] });
  refused = bearer(token, 'user:refused');
  frame = (await service.get(`/v1/lifecycle?event_id=${id}`)).json.items[0].lifecycle_id;
});

type Outcome = 'POLICY_DENIED' | 'open';

const input = `{scope: "${SCOPE}", modality: "m", content: {text: {text: "x"}}}`;
type Rows = Record<string, [selection: string, outcome: Outcome]>;

/** Fields of the ledger and of who may do what. */
const ledgerFields = (): Rows => ({
  'query events': [`events(scope: "${SCOPE}") { nodes { id } }`, 'POLICY_DENIED'],
  'query event': [`event(id: "${id}") { id }`, 'POLICY_DENIED'],
  'query experienceStatus': [`experienceStatus(eventId: "${id}") { found }`, 'POLICY_DENIED'],
  'query lifecycle': [`lifecycle(scope: "${SCOPE}") { nodes { lifecycleId } }`, 'POLICY_DENIED'],
  'query lifecycleFrame': [`lifecycleFrame(id: "${frame}") { event }`, 'POLICY_DENIED'],
  'query memoryEventTrace': [`memoryEventTrace(id: "${id}") { eventId }`, 'POLICY_DENIED'],
  'query derivationStatus': [`derivationStatus(scope: "${SCOPE}") { headOffset }`, 'POLICY_DENIED'],
  'query keyedBlob': ['keyedBlob(key: "k") { status }', 'POLICY_DENIED'],
  'query blob': [`blob(id: "${blob}") { id }`, 'POLICY_DENIED'],
  'query scope': [`scope(path: "${SCOPE}") { path }`, 'POLICY_DENIED'],
  'query scopes': ['scopes { nodes { path } }', 'POLICY_DENIED'],
  'query effectivePolicy': ['effectivePolicy { allowed }', 'POLICY_DENIED'],
  'query deploymentPolicy': ['deploymentPolicy { preset }', 'POLICY_DENIED'],
  'query audit': ['audit { nodes { id } }', 'POLICY_DENIED'],
  'query auditRow': [`auditRow(id: "audit_1") { id }`, 'POLICY_DENIED'],
  'query auditChain': ['auditChain { length }', 'POLICY_DENIED'],
  'query verifyAudit': ['verifyAudit(input: {auditId: "audit_1", body: ""}) { valid }', 'POLICY_DENIED'],
  'query verifyAuditChain': ['verifyAuditChain { valid }', 'POLICY_DENIED'],
  'query health': ['health { status }', 'open'],
  'query ready': ['ready { ready }', 'open'],
  'query adminHealth': ['adminHealth { status }', 'open'],
  'query adminReady': ['adminReady { ready }', 'open'],
  'query version': ['version { version }', 'open'],
  'mutation capture': [`capture(input: ${input}) { eventId }`, 'POLICY_DENIED'],
  'mutation captureMany': [`captureMany(input: {items: [${input}]}) { accepted }`, 'POLICY_DENIED'],
  'query whoami': ['whoami { caller }', 'open'],
  'mutation mintToken': ['mintToken(input: {subject: "user:b"}) { jti }', 'POLICY_DENIED'],
  'mutation revokeToken': ['revokeToken(input: {jti: "tok_0"})', 'POLICY_DENIED'],
  'mutation registerScope': [`registerScope(input: {path: "${SCOPE}"}) { path }`, 'POLICY_DENIED'],
  'mutation setScopePolicies': [
    `setScopePolicies(path: "${SCOPE}", input: {policies: {}}) { path }`,
    'POLICY_DENIED',
  ],
  'mutation setScopeMembers': [
    `setScopeMembers(path: "${SCOPE}", input: {members: []}) { path }`,
    'POLICY_DENIED',
  ],
  'mutation deleteScope': [`deleteScope(path: "${SCOPE}", records: forget)`, 'POLICY_DENIED'],
  'mutation pruneScopes': ['pruneScopes { pruned }', 'POLICY_DENIED'],
  'query temporalPhrases': ['temporalPhrases { nodes { name } }', 'POLICY_DENIED'],
  'mutation defineTemporalPhrase': [
    'defineTemporalPhrase(input: {name: "n", anchor: "now", expression: "P0D..P1D"}) { name }',
    'POLICY_DENIED',
  ],
  'mutation removeTemporalPhrase': ['removeTemporalPhrase(name: "n")', 'POLICY_DENIED'],
  'query vocabularies': ['vocabularies { nodes { name } }', 'POLICY_DENIED'],
  'query vocabulary': ['vocabulary(name: "n") { name }', 'POLICY_DENIED'],
  'mutation updateVocabulary': [
    `updateVocabulary(name: "n", input: {scope: "${SCOPE}"}) { name }`,
    'POLICY_DENIED',
  ],
  'mutation removeVocabulary': ['removeVocabulary(name: "n")', 'POLICY_DENIED'],
  'mutation cancelEvent': [`cancelEvent(id: "${id}") { eventId }`, 'POLICY_DENIED'],
  'mutation retireKeyedBlob': ['retireKeyedBlob(key: "k") { blobId }', 'POLICY_DENIED'],
  'mutation deleteBlob': [`deleteBlob(id: "${blob}") { blobId }`, 'POLICY_DENIED'],
});

/** Fields that forget, erase, and keep from both. */
const forgettingFields = (): Rows => ({
  'mutation forget': [`forget(${ALL}) { matched }`, 'POLICY_DENIED'],
  'mutation previewForget': [`previewForget(${ALL}) { matched }`, 'POLICY_DENIED'],
  'mutation previewErasure': [`previewErasure(${ALL}) { scope }`, 'POLICY_DENIED'],
  'mutation erase': [`erase(${ALL}) { scope }`, 'POLICY_DENIED'],
  'query erasure': ['erasure(id: "ers_1") { id }', 'POLICY_DENIED'],
  'query erasureReceipt': ['erasureReceipt(id: "ers_1") { kid }', 'POLICY_DENIED'],
  'mutation cancelErasure': ['cancelErasure(id: "ers_1") { id }', 'POLICY_DENIED'],
  'mutation verifyErasure': ['verifyErasure(id: "ers_1") { verified }', 'POLICY_DENIED'],
  'query suppressions': [`suppressions(scope: "${SCOPE}") { nodes { id } }`, 'POLICY_DENIED'],
  'mutation liftSuppression': ['liftSuppression(id: "supp_1")', 'POLICY_DENIED'],
  'query retention': ['retention { enabled }', 'POLICY_DENIED'],
  'mutation sweepRetention': ['sweepRetention(input: {}) { running }', 'POLICY_DENIED'],
  'query retentionPolicy': [`retentionPolicy(scope: "${SCOPE}") { scope }`, 'POLICY_DENIED'],
  'mutation setRetentionPolicy': [
    `setRetentionPolicy(input: {scope: "${SCOPE}", defaultRetentionDays: 30}) { scope }`,
    'POLICY_DENIED',
  ],
  'mutation deleteRetentionPolicy': [`deleteRetentionPolicy(scope: "${SCOPE}")`, 'POLICY_DENIED'],
  'query legalHolds': [`legalHolds(scope: "${SCOPE}") { nodes { id } }`, 'POLICY_DENIED'],
  'query legalHold': ['legalHold(id: "case-1") { id }', 'POLICY_DENIED'],
  'mutation putLegalHold': [
    `putLegalHold(input: {id: "case-1", scope: "${SCOPE}", reason: "x"}) { id }`,
    'POLICY_DENIED',
  ],
  'mutation removeLegalHold': ['removeLegalHold(id: "case-1")', 'POLICY_DENIED'],
});

/** Fields of what is derived. */
const derivedFields = (): Rows => ({
  'query facts': [`facts(scope: "${SCOPE}") { nodes { id } }`, 'POLICY_DENIED'],
  'query fact': ['fact(id: "fact_1") { id }', 'POLICY_DENIED'],
  'query factTimeline': ['factTimeline(subject: "ent_a") { nodes { value } }', 'POLICY_DENIED'],
  'query entities': [`entities(scope: "${SCOPE}") { nodes { id } }`, 'POLICY_DENIED'],
  'query entity': ['entity(id: "ent_a") { id }', 'POLICY_DENIED'],
  'query entityEdges': ['entityEdges(id: "ent_a") { nodes { factId } }', 'POLICY_DENIED'],
  'query beliefs': [`beliefs(scope: "${SCOPE}") { nodes { id } }`, 'POLICY_DENIED'],
  'query belief': ['belief(id: "belief_1") { id }', 'POLICY_DENIED'],
  'query beliefHistory': ['beliefHistory(beliefId: "belief_1") { nodes { causedBy } }', 'POLICY_DENIED'],
  'query beliefWhy': ['beliefWhy(beliefId: "belief_1") { narrative }', 'POLICY_DENIED'],
  'query episodes': [`episodes(scope: "${SCOPE}") { nodes { id } }`, 'POLICY_DENIED'],
  'query episode': ['episode(id: "ep_1") { id }', 'POLICY_DENIED'],
  'query conflicts': [`conflicts(scope: "${SCOPE}") { nodes { id } }`, 'POLICY_DENIED'],
  'query conflict': ['conflict(id: "x") { id }', 'POLICY_DENIED'],
  'mutation resolveConflict': [
    'resolveConflict(id: "x", input: {action: dismiss, reason: "r"}) { id }',
    'POLICY_DENIED',
  ],
  'mutation declareBelief': [
    `declareBelief(input: {scope: "${SCOPE}", statement: "s", confidence: 1}) { id }`,
    'POLICY_DENIED',
  ],
  'query claims': [`claims(scope: "${SCOPE}") { nodes { id } }`, 'POLICY_DENIED'],
  'query claimHistory': [
    `claimHistory(scope: "${SCOPE}", subject: "ent_a", predicate: "p") { nodes { id } }`,
    'POLICY_DENIED',
  ],
  'query recall': [`recall(input: {scope: "${SCOPE}", view: local}) { packId }`, 'POLICY_DENIED'],
  'query answer': [
    `answer(input: {scope: "${SCOPE}", view: local, question: "q", skipAnswerLlm: true}) { packId }`,
    'POLICY_DENIED',
  ],
  'query compose': [`compose(input: {scope: "${SCOPE}", brief: "b"}) { packId }`, 'POLICY_DENIED'],
  'query concepts': [`concepts(scope: "${SCOPE}") { nodes { id } }`, 'POLICY_DENIED'],
  'query concept': ['concept(id: "concept_1") { id }', 'POLICY_DENIED'],
  'query conceptHistory': ['conceptHistory(id: "concept_1") { nodes { causedBy } }', 'POLICY_DENIED'],
  'query relatedConcepts': ['relatedConcepts(id: "concept_1") { nodes { id } }', 'POLICY_DENIED'],
  'query conceptCoverage': [`conceptCoverage(scope: "${SCOPE}") { scope }`, 'POLICY_DENIED'],
  'mutation synthesizeConcepts': [
    `synthesizeConcepts(input: {scope: "${SCOPE}"}) { jobId }`,
    'POLICY_DENIED',
  ],
  'mutation linkEntities': [
    `linkEntities(input: {scope: "${SCOPE}", entity: "ent_a", sameAs: "ent_b"}) { linkId }`,
    'POLICY_DENIED',
  ],
  'mutation unlinkEntities': ['unlinkEntities(id: "link_1") { linkId }', 'POLICY_DENIED'],
  'query factWhy': ['factWhy(id: "fact_1") { narrative }', 'POLICY_DENIED'],
  'query node': ['node(id: "fact_1") { id }', 'POLICY_DENIED'],
  'query provenance': ['provenance(id: "fact_1") { truncated }', 'POLICY_DENIED'],
  'query layerStats': ['layerStats { layers { facts { count } } }', 'POLICY_DENIED'],
  'query usage': ['usage { period }', 'POLICY_DENIED'],
  'query rederiveJob': ['rederiveJob(id: "job_1") { status }', 'POLICY_DENIED'],
  'mutation rederive': [`rederive(input: {scope: "${SCOPE}"}) { status }`, 'POLICY_DENIED'],
  'mutation buildBeliefs': [`buildBeliefs(input: {scope: "${SCOPE}"}) { built }`, 'POLICY_DENIED'],
  'mutation buildEpisodes': [`buildEpisodes(input: {scope: "${SCOPE}"}) { built }`, 'POLICY_DENIED'],
});

/** Fields of the graph. */
const graphFields = (): Rows => ({
  'query graph': [`graph(scope: "${SCOPE}") { nodes { id } }`, 'POLICY_DENIED'],
  'query graphDiff': [
    `graphDiff(scope: "${SCOPE}", from: "2026-01-01T00:00:00Z") { unchanged { nodes } }`,
    'POLICY_DENIED',
  ],
  'query neighbours': ['neighbours(id: "fact_1") { nodes { id } }', 'POLICY_DENIED'],
});

/** Every root field over HTTP, and what a caller who may do nothing is answered. */
const fields = (): Rows => ({
  ...ledgerFields(),
  ...derivedFields(),
  ...graphFields(),
  ...forgettingFields(),
});
const NAMES = Object.keys(fields());

function outcomeOf({ errors }: Awaited<ReturnType<typeof ask>>): string {
  if (errors !== undefined) return errors[0].extensions.code;
  return 'open';
}

describe('the table', () => {
  it('has every root field', () => {
    const schema = executableSchema();
    const roots = { query: schema.getQueryType(), mutation: schema.getMutationType() };
    const found = Object.entries(roots).flatMap(([kind, root]) =>
      Object.keys(root?.getFields() ?? {}).map((field) => `${kind} ${field}`),
    );
    expect(found.sort()).toEqual([...NAMES].sort());
  });
});

describe('a caller who is refused everything', () => {
  it.each(NAMES)('gets nothing of: %s', async (name) => {
    const [selection, outcome] = fields()[name] ?? ['', 'open'];
    const operation = `${name.split(' ')[0]!} { ${selection} }`;
    expect(outcomeOf(await ask(service, operation, undefined, { headers: refused }))).toBe(outcome);
  });
});

describe('a caller without key or of an unknown tenant', () => {
  it.each(NAMES)('gets nothing of: %s', async (name) => {
    const query = `${name.split(' ')[0]!} { ${fields()[name]?.[0] ?? ''} }`;
    const keyless = await ask(service, query, undefined, { headers: { authorization: null } });
    expect([keyless.status, keyless.errors?.[0].extensions.code]).toEqual([401, 'MISSING_TOKEN']);
    const lost = await ask(service, query, undefined, { headers: { 'x-strata-tenant': 'nobody' } });
    expect([lost.data, lost.errors?.[0].extensions.code]).toEqual([undefined, 'WRONG_TENANT']);
  });

  it('left nothing behind', async () => {
    const { data } = await ask(service, `{ events(scope: "${SCOPE}") { nodes { id } } }`);
    expect(data.events.nodes).toEqual([{ id }]);
  });
});
