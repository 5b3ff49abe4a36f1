import { operationOf, SERVED_IDS, type OperationId } from '../../schemas/operation.ts';
import { blobIdOf } from '../api/blobs.ts';
import { contradict } from '../support/contradict.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';

const ENVELOPE = {
  scope: 'org:acme/user:priya',
  modality: 'conversation',
  content: { kind: 'message', role: 'user', text: 'Marcus owns billing' },
  context: { observed_at: '2026-01-31T12:00:00+01:00', labels: ['billing'] },
  idempotency_key: 'k-1',
};

/** A phrase that is there before it is defined: the table names 200 first. */
const PHRASE = { name: 'last sprint', anchor: 'today', expression: '-P14D..P0D' };

const HOLD = {
  id: 'case-1',
  scope: 'org:acme/user:held',
  selector: { labels: ['lease'], valid_during: ['2026-01', '2026-02'] },
  reason: 'A dispute.',
};

/** The bytes that are uploaded, before they are asked for. */
const BLOB = 'crackle';

describe('the operation table and the service', () => {
  let service: SharedService;
  let id: string;
  beforeAll(async () => {
    service = sharedService();
    ids.getBlob = ids.deleteBlob = blobIdOf(BLOB);
    id = (await service.post('/v1/experience?wait=indexed', ENVELOPE)).json.event_id as string;
    ids.getLifecycle = (await service.get('/v1/lifecycle?limit=1')).json.items[0].lifecycle_id as string;
    ids.getConflict = await contradict(
      (method, path, body) => service.request(method, path, { body }),
      ENVELOPE.scope,
    );
    const derived = async (noun: string): Promise<string> =>
      (await service.get(`/v1/${noun}?scope=${ENVELOPE.scope}`)).json.items[0].id;
    ids.getFact =
      ids.factWhy =
      ids.provenance =
      ids.exportProvenance =
      ids.neighbours =
        await derived('facts');
    ids.getBelief = ids.getRecord = await derived('beliefs');
    for (const of of ['getConcept', 'conceptHistory', 'relatedConcepts'] as const)
      ids[of] = await derived('understanding');
    ids.getEpisode = await derived('episodes');
    ids.getEntity = 'ent_priya';
    ids.listEntityEdges = 'ent_priya';
    for (const of of ['beliefHistory', 'beliefWhy'] as const) query[of] = `?belief_id=${ids.getBelief}`;
    ids.getAudit = (await service.get('/v1/audit?limit=1')).json.items[0].id as string;
    const other = { ...ENVELOPE, scope: 'org:acme/user:marcus', idempotency_key: 'k-0' };
    await service.post('/v1/experience?wait=consolidated', other);
    const job = await service.post('/v1/admin/derived/rederive', { scope: other.scope });
    ids.getRederive = job.json.job_id as string;
    const nothing = { scope: 'org:acme/user:lena', selector: { memory_ids: [] } };
    const shown = await service.post('/v1/erasures/preview', nothing);
    ids.getErasurePreviewManifest = shown.json.preview_id as string;
    const erased = (await service.post('/v1/erasures', nothing)).json.erasure_id as string;
    for (const of of ['getErasure', 'getErasureManifest', 'getErasureReceipt', 'verifyErasure'] as const)
      ids[of] = erased;
    ids.resolveConflict = ids.getConflict;
    const linked = { scope: ENVELOPE.scope, entity: 'ent_bob', same_as: 'ent_robert' };
    ids.unlinkEntities = (await service.post('/v1/entities/link', linked)).json.link_id as string;
    await service.post('/v1/temporal/phrases', body.defineTemporalPhrase);
    await service.request('PATCH', '/v1/vocabularies/wire', { body: body.updateVocabulary });
    const gone = { ...ENVELOPE, scope: 'org:acme/user:suppressed', idempotency_key: 'k-9' };
    await service.post('/v1/experience?wait=consolidated', gone);
    const suppress = { scope: gone.scope, confirm_all: true, cascade: 'redact_events', suppress: true };
    ids.liftSuppression = (await service.post('/v1/forget', suppress)).json.suppression_id as string;
    body.verifyAudit = { audit_id: ids.getAudit, body: JSON.stringify(ENVELOPE) };
  });

  const query: Partial<Record<OperationId, string>> = {
    experienceStatus: '?idempotency_key=k-1',
    listEvents: '?scope=org:acme/user:priya',
    derivationStatus: '?scope=org:acme/user:priya',
    listConflicts: '?scope=org:acme/user:priya',
    listFacts: '?scope=org:acme/user:priya',
    factTimeline: '?subject=ent_priya&predicate=lives_in',
    listEntities: '?scope=org:acme/user:priya',
    listBeliefs: '?scope=org:acme/user:priya',
    listEpisodes: '?scope=org:acme/user:priya',
    graph: '?scope=org:acme/user:priya',
    graphDiff: '?scope=org:acme/user:priya&from=2020-01-01T00:00:00Z',
    exportGraph: '?scope=org:acme/user:priya&format=cytoscape',
    exportProvenance: '?format=prov-json',
    listClaims: '?scope=org:acme/user:priya',
    claimHistory: '?scope=org:acme/user:priya&subject=ent_priya&predicate=lives_in',
    listConcepts: '?scope=org:acme/user:priya',
    conceptCoverage: '?scope=org:acme/user:priya',
    listLifecycle: '?scope=org:acme/*&limit=1000',
    adminMetrics: '?format=json',
    getScope: '?path=ws:wire',
    setScopePolicies: '?path=ws:wire',
    setScopeMembers: '?path=ws:wire',
    deleteScope: '?path=ws:wire',
    listSuppressions: '?scope=org:acme/user:suppressed',
    getRetentionPolicy: '?scope=org:acme/user:kept',
    deleteRetentionPolicy: '?scope=org:acme/user:kept',
    listLegalHolds: `?scope=${HOLD.scope}`,
    removeLegalHold: `?id=${HOLD.id}`,
  };
  const ids: Partial<Record<OperationId, string>> = {
    schema: 'experience_envelope',
    getLegalHold: 'case-1',
    removeTemporalPhrase: encodeURIComponent(PHRASE.name),
    ...{ getVocabulary: 'wire', updateVocabulary: 'wire', removeVocabulary: 'wire' },
  };
  const body: Partial<Record<OperationId, object>> = {
    captureExperience: ENVELOPE,
    captureExperienceBulk: { items: [ENVELOPE, { ...ENVELOPE, idempotency_key: 'k-2' }] },
    cancelEvent: {},
    recall: { scope: ENVELOPE.scope, query: 'billing', diagnostics: 'full' },
    answer: { scope: ENVELOPE.scope, question: 'billing', skip_answer_llm: true, include_context: true },
    synthesizeConcepts: { scope: ENVELOPE.scope },
    linkEntities: { scope: ENVELOPE.scope, entity: 'ent_ada', same_as: 'ent_augusta' },
    defineTemporalPhrase: PHRASE,
    updateVocabulary: {
      terms: [{ id: 'arr', aliases: ['ARR'] }],
      predicates: [{ id: 'renews_on', cardinality: 'one', valid_to: '2040-01-01' }],
    },
    declareBelief: { scope: ENVELOPE.scope, statement: 'Billing is in good hands', confidence: 0.8 },
    resolveConflict: { action: 'dismiss', reason: 'a slip of the tongue' },
    rederive: { scope: ENVELOPE.scope, dry_run: true },
    forget: { scope: 'org:acme/user:forgotten', confirm_all: true },
    previewErasure: { scope: 'org:acme/user:forgotten', selector: { predicate: 'likes' } },
    startErasure: { scope: 'org:acme/user:forgotten', confirm_all: true },
    previewForget: { scope: 'org:acme/user:forgotten', selector: { predicate: 'likes' } },
    putLegalHold: HOLD,
    sweepRetention: {},
    setRetentionPolicy: { scope: 'org:acme/user:kept', default_retention_days: null },
    buildBeliefs: { scope: ENVELOPE.scope },
    buildEpisodes: { scope: ENVELOPE.scope },
    mintToken: { subject: 'user:priya', scopes: ['scope.read:org:acme/*'] },
    revokeToken: { jti: 'tok_0' },
    registerScope: { path: 'ws:wire', owner: 'user:priya' },
    setScopePolicies: { policies: {} },
    setScopeMembers: { members: [{ actor: 'user:priya', role: 'owner' }] },
  };

  // A stream has no end, a document needs a model, and what is over cannot be cancelled; their own tests read them.
  const unread: readonly OperationId[] = ['streamLifecycle', 'streamGraph', 'compose', 'cancelErasure'];
  const finite = SERVED_IDS.filter((operationId) => !unread.includes(operationId));

  it.each(finite)('%s answers in the shape of the table', async (operationId) => {
    const { method, path, answers, bytes, keyed } = operationOf(operationId);
    const target = path.replace(/\{(?:id|name)\}/, ids[operationId] ?? id) + (query[operationId] ?? '');
    const given = body[operationId];
    const answer = await service.request(method, target, {
      ...(given === undefined ? {} : { body: given }),
      ...(bytes === true ? { raw: BLOB } : {}),
      headers: {
        ...(bytes === true ? { 'content-type': 'text/plain' } : {}),
        ...(keyed === true ? { 'x-strata-idempotency-key': 'of-the-wire' } : {}),
      },
    });
    expect([answer.status, answer.text]).toEqual([Number(Object.keys(answers)[0]), expect.any(String)]);
    const parsed = answers[answer.status]?.schema?.safeParse(answer.json);
    expect(parsed?.error?.issues ?? []).toEqual([]);
  });

  it('answers 207 in the shape of the table for a bulk with a refused item', async () => {
    const { answers } = operationOf('captureExperienceBulk');
    const items = [{ ...ENVELOPE, idempotency_key: 'k-3' }, { scope: 'nonsense' }];
    const answer = await service.post('/v1/experience/bulk', { items });
    expect(answer.status).toBe(207);
    expect(answers[207]?.schema?.safeParse(answer.json).error?.issues ?? []).toEqual([]);
  });

  it.each([
    ['/v1/events', 'scope'],
    ['/v1/events?limit=5', 'scope'],
    ['/v1/derivation/status', 'scope'],
    ['/v1/experience/status', 'idempotency_key'],
    ['/v1/events/evt_1?scope=org:a&scope=org:a', 'scope'],
  ])('answers %s in plain text', async (path, name) => {
    const answer = await service.get(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/plain; charset=utf-8']);
    expect(answer.text).toContain(name);
  });

  it.each([
    ['/v1/events?scope=org:a&view=sideways', 422, 'INVALID_QUERY'],
    ['/v1/events?scope=org:a&limit=ten', 400, 'INVALID_QUERY'],
    ['/v1/events?scope=org:a&curser=x', 400, 'INVALID_QUERY'],
    ['/v1/events?scope=org', 400, 'INVALID_QUERY'],
    ['/v1/events?scope=org:a&scope=org:a', 400, 'INVALID_QUERY'],
    ['/v1/events/evt_1?scope=', 422, 'INVALID_SCOPE_GRAMMAR'],
    ['/v1/events/evt_1', 404, 'NOT_FOUND'],
    ['/v1/lifecycle/memory-event/evt_1', 404, 'NOT_FOUND'],
  ])('refuses %s', async (path, status, code) => {
    const answer = await service.get(path);
    expect([answer.status, answer.json?.error_code]).toEqual([status, code]);
  });

  it('shows why lanes are off to callers who may read diagnostics only', async () => {
    const known = await service.get('/v1/admin/ready');
    const unknown = await service.get('/v1/admin/ready', { headers: { Authorization: null } });
    expect(known.json.checks.embeddings.detail).toEqual(expect.any(String));
    expect(unknown.json.checks.embeddings).toEqual({ ok: true, status: 'off' });
  });
});
