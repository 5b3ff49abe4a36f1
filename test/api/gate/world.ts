import { randomUUID } from 'node:crypto';

import { send, TEST_KEY, message, type Answer } from '../../support/client.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { contradict } from '../../support/contradict.ts';
import { bearer, craft, mintFrom, testSigningKey } from '../../support/tokens.ts';

/** Where the roster of the world governs. */
export const CLOSED = 'ws:closed';
/** A scope of the same kind that does not exist. */
export const GONE = 'ws:absent';

/** The roster of the closed scope. */
export const MEMBERS = ['owner', 'writer', 'reader'].map((role) => ({ actor: `user:${role}`, role }));

/** Whoever knocks, and with what; those who are let in come last, since what they take away is hidden from nobody any more. */
export const CALLERS = [
  'nobody',
  'malformed',
  'expired',
  'revoked',
  'foreign',
  'stranger',
  'confined',
  'incapable',
  'reader',
  'writer',
  'owner',
  'operator',
] as const;
export type Caller = (typeof CALLERS)[number];

/** The actor that a caller names. */
export function actorOf(caller: Caller): string {
  const named: readonly Caller[] = ['stranger', 'reader', 'writer', 'operator'];
  return named.includes(caller) ? `user:${caller}` : 'user:owner';
}

/** Things in the closed scope, by what they are called in paths. */
export interface Things {
  readonly event: string;
  readonly episode: string;
  readonly frame: string;
  readonly blob: string;
  /** The key of an upload. */
  readonly key: string;
  readonly audit: string;
  readonly fact: string;
  readonly entity: string;
  readonly conflict: string;
  readonly belief: string;
  readonly concept: string;
  readonly link: string;
  readonly job: string;
  readonly preview: string;
  readonly erasure: string;
  readonly hold: string;
  /** The name of a vocabulary. */
  readonly vocabulary: string;
}

/** A service with a governed scope, things in it, and a token for everybody. */
export interface World {
  readonly service: TestService;
  readonly there: Things;
  readonly gone: Things;
  readonly headers: Readonly<Record<Caller, Record<string, string | null>>>;
  send(
    caller: Caller,
    method: string,
    path: string,
    body?: unknown,
    more?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** Captures a fresh event into the closed scope and answers its id. */
  freshEvent(): Promise<string>;
}

/** An answer about what is there, in the words of one about what is not. */
export function alike(answer: unknown, there: Things, gone: Things): unknown {
  const names = Object.keys(there) as (keyof Things)[];
  const renamed = JSON.stringify(answer).replaceAll(CLOSED, GONE);
  return JSON.parse(names.reduce((text, name) => text.replaceAll(there[name], gone[name]), renamed));
}

/** An id of the same form that nothing has. */
function strange(id: string): string {
  return `${id.slice(0, -6)}${id.endsWith('000000') ? '111111' : '000000'}`;
}

/** Starts the world. */
export async function createWorld(): Promise<World> {
  const service = await startTestService({ STRATA_V1_MINTER_ENABLE: '1', STRATA_TENANTS: 'other' });
  // Statements are counted, and planning ahead sends those of recalls.
  await service.context.planned;
  await expectStatus(
    service.post('/v1/scopes', { path: CLOSED, members: MEMBERS, policies: { retention: { events: null } } }),
    201,
  );
  const headers = await credentials(service);
  const ask: World['send'] = (caller, method, path, body, more = {}) =>
    send(service.url, method, path, {
      headers: { ...headers[caller], ...more },
      ...(body === undefined ? {} : { body }),
    });
  const capture = async (more: Record<string, unknown> = {}): Promise<string> => {
    const text = `said ${randomUUID()}`;
    const answer = await ask('owner', 'POST', '/v1/experience?wait=indexed', message(CLOSED, text, more));
    if (answer.status !== 202) throw new Error(`no event: ${answer.text}`);
    return answer.json.event_id;
  };
  const event = await capture({ idempotency_key: 'a key' });
  const trace = await ask('owner', 'GET', `/v1/lifecycle/memory-event/${event}`);
  const there = {
    event,
    episode: await episodeOf(ask),
    frame: trace.json.lifecycle_event_ids[0] as string,
    blob: await uploadInto(ask),
    key: await uploadKeyedInto(ask),
    conflict: await contradict((...request) => ask('owner', ...request), CLOSED),
    audit: (await ask('owner', 'GET', '/v1/audit?limit=1')).json.items[0].id as string,
    ...(await factInto(ask)),
    link: await linkInto(ask),
    job: await jobOf(ask),
    ...(await erasureOf(ask)),
    hold: await holdOf(ask),
    vocabulary: await vocabularyOf(ask),
  };
  const gone = {
    event: strange(event),
    episode: strange(there.episode),
    frame: 'lce_0000009999999999',
    blob: strange(there.blob),
    key: strange(there.key),
    audit: strange(there.audit),
    fact: strange(there.fact),
    entity: strange(there.entity),
    conflict: strange(there.conflict),
    belief: strange(there.belief),
    concept: strange(there.concept),
    link: strange(there.link),
    job: strange(there.job),
    preview: strange(there.preview),
    erasure: strange(there.erasure),
    hold: strange(there.hold),
    vocabulary: strange(there.vocabulary),
  };
  return { service, there, gone, headers, send: ask, freshEvent: () => capture() };
}

/** What every caller shows. */
async function credentials(service: TestService): Promise<World['headers']> {
  const held = async (actor: string, more: Record<string, unknown> = {}, tenant = 'default') => {
    const asOperator = { authorization: `Bearer ${TEST_KEY}`, 'x-strata-tenant': tenant };
    return bearer((await mintFrom(service, { subject: actor, ...more }, asOperator)).token, actor);
  };
  const revoked = await mintFrom(service, { subject: 'user:owner' });
  await expectStatus(service.post('/v1/auth/revoke', { jti: revoked.jti }), 204);
  return {
    nobody: { authorization: null },
    malformed: bearer('v4.public.not-a-token', 'user:owner'),
    expired: bearer(await expiredToken(), 'user:owner'),
    revoked: bearer(revoked.token, 'user:owner'),
    foreign: await held('user:owner', {}, 'other'),
    stranger: await held('user:stranger'),
    reader: await held('user:reader'),
    writer: await held('user:writer'),
    owner: await held('user:owner'),
    // The one capability that no operation asks for by itself.
    incapable: await held('user:owner', { caps: ['scope.write.elevated'] }),
    confined: await held('user:owner', { scopes: ['*:ws:elsewhere/*'] }),
    operator: { authorization: `Bearer ${TEST_KEY}` },
  };
}

/** A blob of the owner that an event of the closed scope refers to. */
async function uploadInto(ask: World['send']): Promise<string> {
  const uploaded = await ask('owner', 'POST', '/v1/blobs', { some: randomUUID() });
  await refer(ask, uploaded);
  return uploaded.json.blob_id;
}

/** The key of such a blob. */
async function uploadKeyedInto(ask: World['send']): Promise<string> {
  const key = randomUUID();
  const named = { 'x-strata-idempotency-key': key };
  await refer(ask, await ask('owner', 'POST', '/v1/blobs/idempotent', { some: key }, named));
  return key;
}

async function refer(ask: World['send'], uploaded: Answer): Promise<void> {
  if (uploaded.status >= 300) throw new Error(`no blob: ${uploaded.text}`);
  const { blob_id } = uploaded.json;
  const envelope = { scope: CLOSED, modality: 'document', content: { kind: 'blob_ref', blob_id } };
  const captured = await ask('owner', 'POST', '/v1/experience', envelope);
  if (captured.status !== 202) throw new Error(`no reference: ${captured.text}`);
}

/** A link of entities of the closed scope of which nothing is stated. */
async function linkInto(ask: World['send']): Promise<string> {
  const link = { scope: CLOSED, entity: 'ent_closed_alias', same_as: 'ent_closed' };
  const answer = await ask('owner', 'POST', '/v1/entities/link', link);
  if (answer.status !== 201) throw new Error(`no link: ${answer.text}`);
  return answer.json.link_id;
}

/** A fact of the closed scope, and the entity that it is about. */
async function factInto(ask: World['send']): Promise<Pick<Things, 'fact' | 'entity' | 'belief' | 'concept'>> {
  const entity = 'ent_ada_of_closed';
  const subject = { type: 'entity', id: entity, name: 'Ada' };
  const triple = { subject, predicate: 'lives_in', object: { type: 'entity', id: 'ent_london' } };
  const envelope = { scope: CLOSED, modality: 'observation', content: { kind: 'triple', triple } };
  const captured = await ask('owner', 'POST', '/v1/experience?wait=consolidated', envelope);
  if (captured.status !== 202) throw new Error(`no statement: ${captured.text}`);
  const { json } = await ask('owner', 'GET', `/v1/facts?scope=${CLOSED}`);
  const { json: beliefs } = await ask('owner', 'GET', `/v1/beliefs?scope=${CLOSED}`);
  const { json: concepts } = await ask('owner', 'GET', `/v1/understanding?scope=${CLOSED}&topic=${entity}`);
  return { entity, fact: json.items[0].id, belief: beliefs.items[0].id, concept: concepts.items[0].id };
}

/** A preview of an erasure and an erasure, both of nothing. */
async function erasureOf(ask: World['send']): Promise<Pick<Things, 'preview' | 'erasure'>> {
  const body = { scope: CLOSED, selector: { memory_ids: [] } };
  const shown = await ask('owner', 'POST', '/v1/erasures/preview', body);
  const done = await ask('owner', 'POST', '/v1/erasures', body);
  if (shown.status !== 200 || done.status !== 202) throw new Error(`no erasure: ${shown.text} ${done.text}`);
  return { preview: shown.json.preview_id, erasure: done.json.erasure_id };
}

/** A job of the owner, which is over. */
async function jobOf(ask: World['send']): Promise<string> {
  const built = await ask('owner', 'POST', '/v1/beliefs/build', { scope: CLOSED });
  if (built.status !== 200) throw new Error(`no job: ${built.text}`);
  return built.json.job_id as string;
}

/** A legal hold of the closed scope that is over, so that things there may still be taken away. */
async function holdOf(ask: World['send']): Promise<string> {
  const hold = {
    id: 'closed-000001',
    scope: CLOSED,
    reason: 'It was needed.',
    until: '2020-01-01T00:00:00Z',
  };
  const answer = await ask('owner', 'PUT', '/v1/legal-holds', hold);
  if (answer.status !== 200) throw new Error(`no hold: ${answer.text}`);
  return answer.json.id as string;
}

/** A vocabulary of the closed scope. */
async function vocabularyOf(ask: World['send']): Promise<string> {
  const said = { scope: CLOSED, description: 'Words of the closed scope.' };
  const answer = await ask('owner', 'PATCH', '/v1/vocabularies/closed-000001', said);
  if (answer.status !== 200) throw new Error(`no vocabulary: ${answer.text}`);
  return answer.json.name as string;
}

/** An episode of the closed scope. */
async function episodeOf(ask: World['send']): Promise<string> {
  const envelope = message(CLOSED, 'something that happened');
  const captured = await ask('owner', 'POST', '/v1/experience?wait=consolidated', envelope);
  if (captured.status !== 202) throw new Error(`no episode: ${captured.text}`);
  const { json } = await ask('owner', 'GET', `/v1/episodes?scope=${CLOSED}`);
  return json.items[0].id as string;
}

/** A token that the service signed and that has ended. */
async function expiredToken(): Promise<string> {
  const claims = { iss: 'strata', aud: 'default', sub: 'user:owner', jti: `tok_${'0'.repeat(32)}` };
  return craft(await testSigningKey(), claims, Date.now() - 3 * 3_600_000);
}

async function expectStatus(answer: Promise<Answer>, status: number): Promise<void> {
  const { status: got, text } = await answer;
  if (got !== status) throw new Error(`${got} instead of ${status}: ${text}`);
}
