import { OPERATION_IDS, operationOf, type OperationId } from '../../schemas/operation.ts';
import type { Answer } from '../support/client.ts';
import { expectedOf } from './gate/expected.ts';
import { REST_ROWS } from './gate/rest-rows.ts';
import type { Row } from './gate/row.ts';
import { namesBetween, sentBetween, statementCounts } from './gate/statements.ts';
import {
  alike,
  CALLERS,
  CLOSED,
  createWorld,
  GONE,
  type Caller,
  type Things,
  type World,
} from './gate/world.ts';

// Every operation against every kind of caller: the right status and code, and for whom may not know, the answer that a
// thing gets which does not exist.

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  await world.service.stop();
});

/** What is left of an answer when what differs from request to request is gone. */
function essence({ status, headers, json, text }: Answer): unknown {
  const varying =
    /^(date|etag|content-length|content-disposition|x-request-id|x-ratelimit-.*|x-(strata|cortex)-(request-id|token-expires-.*))$/;
  const kept = [...headers].filter(([name]) => !varying.test(name));
  const { request_id: _id, ...body } = typeof json === 'object' && json !== null ? json : { text };
  return { status, headers: Object.fromEntries(kept), body: lasting(body) };
}

/** Fields that tell of the moment: ids of packs, when they were read and how long that took. */
const MOMENTARY = new Set(['pack_id', 'as_of', 'time_ms', 'elapsed_ms', 'recall_ms', 'llm_ms']);

/** A body without what tells of the moment. */
function lasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lasting);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !MOMENTARY.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, lasting(inner)]));
}

async function knock(caller: Caller, row: Row, there: boolean, things?: Things): Promise<Answer> {
  const { method, path, body, key } = row.knock(
    things ?? (there ? world.there : world.gone),
    there ? CLOSED : GONE,
    caller,
  );
  return world.send(caller, method, path, body, key === undefined ? {} : { 'x-strata-idempotency-key': key });
}

/** A thing of its own for whoever may change it. */
async function fresh(row: Row): Promise<Things> {
  return row.guard === 'change' ? { ...world.there, event: await world.freshEvent() } : world.there;
}

/** Whether what is there and what is not were answered by as many statements, and the answers. */
async function compared(
  caller: Caller,
  row: Row,
): Promise<{ even: boolean; hidden: Answer; missing: Answer }> {
  const before = statementCounts(world.service);
  const hidden = await knock(caller, row, true);
  const between = statementCounts(world.service);
  const missing = await knock(caller, row, false);
  const after = statementCounts(world.service);
  return { even: sentBetween(before, between) === sentBetween(between, after), hidden, missing };
}

async function expectHidden(caller: Caller, row: Row): Promise<void> {
  let found = await compared(caller, row);
  // Once more, so that what a process remembers of either is the same.
  if (!found.even) found = await compared(caller, row);
  expect(alike(essence(found.hidden), world.there, world.gone)).toEqual(essence(found.missing));
  expect(found.even).toBe(true);
}

async function expectAnswer(caller: Caller, id: OperationId, row: Row): Promise<void> {
  const expected = expectedOf(caller, row);
  if (expected.kind === 'open') return;
  if (expected.kind === 'hidden') {
    await expectHidden(caller, row);
    return;
  }
  const answer = await knock(caller, row, true, await fresh(row));
  if (expected.kind === 'let in') {
    const { accepted } = row;
    const good = accepted === undefined ? answer.status < 300 : answer.status === accepted;
    expect([answer.text, good]).toEqual([answer.text, true]);
    return;
  }
  expect([answer.status, answer.json?.error_code]).toEqual([expected.status, expected.code]);
  if (expected.code !== 'POLICY_DENIED') return;
  const { access } = operationOf(id);
  expect(answer.json.details).toMatchObject({
    capability: caller === 'incapable' && 'capability' in access ? access.capability : expect.any(String),
    decided_by_tier: 'actor',
  });
  expect(answer.headers.get('x-strata-policy')).toContain('decision=deny');
}

describe.each(OPERATION_IDS.map((id) => [id, REST_ROWS[id]] as const))('%s', (id, row) => {
  it('stands in the table', () => {
    expect(row).toBeDefined();
    expect(row.guard === 'open').toBe('open' in operationOf(id).access);
  });

  if (row.guard === 'stream') return;
  it.each(CALLERS)('answers %s as it has to', (caller) => expectAnswer(caller, id, row));
});

/** Operations that name one record, and what it is looked for as. */
const PLACED: Partial<Record<OperationId, string>> = {
  experienceStatus: 'events',
  getEvent: 'events',
  cancelEvent: 'events',
  memoryEventTrace: 'events',
  getFact: 'facts',
  factWhy: 'facts',
  provenance: 'events',
  getBelief: 'beliefs',
  beliefHistory: 'beliefs',
  beliefWhy: 'beliefs',
  getRecord: 'beliefs',
  getConcept: 'concepts',
  conceptHistory: 'concepts',
  relatedConcepts: 'concepts',
  getEpisode: 'episodes',
  getConflict: 'conflicts',
  resolveConflict: 'conflicts',
  unlinkEntities: 'links',
  getVocabulary: 'vocabularies',
  getLegalHold: 'legal_holds',
  removeLegalHold: 'legal_holds',
  getLifecycle: 'frames',
  getRederive: 'jobs',
  getErasure: 'erasures',
  cancelErasure: 'erasures',
  getErasureReceipt: 'erasures',
  verifyErasure: 'erasures',
  getErasureManifest: 'manifests',
  getErasurePreviewManifest: 'manifests',
  getScope: 'scope',
  setScopePolicies: 'scope',
  setScopeMembers: 'scope',
  deleteScope: 'scope',
  getRetentionPolicy: 'scope',
  deleteRetentionPolicy: 'scope',
};

it.each(Object.entries(PLACED) as [OperationId, string][])(
  '%s reads of what is hidden only where it lies, in one statement',
  async (id, kind) => {
    for (const there of [true, false]) {
      const before = statementCounts(world.service);
      await knock('stranger', REST_ROWS[id], there);
      expect(namesBetween(before, statementCounts(world.service))).toEqual([`place.${kind}`]);
    }
  },
);

it.each(['getAudit', 'verifyAudit'] as const)(
  '%s reads of a hidden row of the audit log only where it lies',
  async (id) => {
    for (const there of [true, false]) {
      const before = statementCounts(world.service);
      await knock('stranger', REST_ROWS[id], there);
      const names = namesBetween(before, statementCounts(world.service));
      expect(names.sort()).toEqual(['access.rules', 'audit.row_place']);
    }
  },
);

it('reads of the frames of a hidden event only where it lies', async () => {
  for (const { event } of [world.there, world.gone]) {
    const before = statementCounts(world.service);
    await world.send('stranger', 'GET', `/v1/lifecycle?event_id=${event}`);
    const names = namesBetween(before, statementCounts(world.service));
    expect(names.sort()).toEqual(['access.rules', 'lifecycle.scopes_of_event']);
  }
});

it('reads what a list shows of a scope only where the caller may read it', async () => {
  for (const [caller, there, read] of [
    ['stranger', true, false],
    ['stranger', false, false],
    ['reader', true, true],
  ] as const) {
    const before = statementCounts(world.service);
    await knock(caller, REST_ROWS.listScopes, there);
    const names = namesBetween(before, statementCounts(world.service));
    expect(names.includes('scope.details')).toBe(read);
  }
});

it('counts what is sent', async () => {
  const before = statementCounts(world.service);
  await knock('owner', REST_ROWS.getEvent, true);
  expect(sentBetween(before, statementCounts(world.service))).toBeGreaterThan(0);
});
