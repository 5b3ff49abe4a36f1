import { FORGET_LAYERS } from '../../schemas/forget.ts';
import { ERASURE_AT_ONCE } from '../../src/limits/erasure.ts';
import type { Answer } from '../support/client.ts';
import { query } from '../support/database.ts';
import { derivedDump, unlike } from '../support/derived-dump.ts';
import { statement } from '../support/facts.ts';
import { ownService } from '../support/own-service.ts';
import { DERIVING_PATIENCE_MS } from '../support/patience.ts';
import { allDerived, askForRebuild } from '../support/rebuild.ts';
import { eventually } from '../support/wait.ts';
import { StormLog, type Sent, type Span } from './erasure-storm.ts';
import { erasingOn } from './erasures.ts';

// Erasures, a rebuild, captures and a deletion at once: what may not meet is refused by the codes of the contract, and nothing is half done.

const SCOPES = ['org:storm/ws:one', 'org:storm/ws:two'] as const;
/** More than is erased before the answer, so that the others come while it goes on. */
const EVENTS = ERASURE_AT_ONCE + 100;
const ROUNDS = 8;
const PEOPLE = ['ann', 'bob', 'cyd'];

// Nobody waits for another: whoever meets one is refused at once.
const own = ownService({ STRATA_DESTRUCTIVE_LEASE_WAIT_SECS: '0' });
const { over } = erasingOn(() => own.service);
const log = new StormLog();
/** Erasures from their start to their end. */
const erasures: (Span & { readonly scope: string; readonly id: string })[] = [];
let said = 0;

function envelope(scope: string): Record<string, unknown> {
  said += 1;
  return statement(scope, [PEOPLE[said % 3] ?? '', said % 2 === 0 ? 'likes' : 'knows', `thing-${said % 40}`]);
}

async function filled(scope: string): Promise<void> {
  const items = Array.from({ length: EVENTS }, () => envelope(scope));
  expect((await own.service.post('/v1/experience/bulk', { items })).json).toMatchObject({ accepted: EVENTS });
}

/** Sends something until it is done; a refusal is told, and it is sent again. */
async function done(
  kind: 'erase' | 'delete' | 'rebuild',
  scope: string,
  request: () => Promise<Answer>,
): Promise<Sent> {
  return eventually(
    `a request to ${kind} ${scope}`,
    async () => {
      const sent = await log.send(kind, scope, request);
      return (sent.code === null || ['NOT_FOUND', 'NO_ELIGIBLE_EVENTS'].includes(sent.code)) && sent;
    },
    DERIVING_PATIENCE_MS,
    50,
  );
}

async function erase(scope: string, what: object): Promise<void> {
  const { answer, from } = await done('erase', scope, () =>
    own.service.post('/v1/erasures', { scope, ...what }),
  );
  const { id, status, error, completed_at } = await over(answer.json.erasure_id as string);
  expect([status, error]).toEqual(['completed', null]);
  erasures.push({ scope, id, from, to: Date.parse(completed_at as string) });
}

const rebuild = (scope: string): Promise<Sent> =>
  done('rebuild', scope, () => own.service.post('/v1/admin/derived/rederive', { scope }));

const remove = (scope: string): Promise<Sent> =>
  done('delete', scope, () => own.service.request('DELETE', `/v1/scopes?path=${scope}&records=forget`));

/** What must have met: else the storm says nothing. */
function met(): Record<string, boolean> {
  const [one, two] = [erasures.filter(({ scope }) => scope === SCOPES[0]), erasures];
  return {
    'an erasure met a rebuild': log.refused('erase', 'REDERIVE_IN_PROGRESS'),
    'a deletion met a rebuild': log.refused('delete', 'REDERIVE_IN_PROGRESS'),
    'a deletion met an erasure': log.refused(
      'delete',
      'DESTRUCTIVE_OPERATION_IN_PROGRESS',
      /forgotten or erased/,
    ),
    'two erasures of one scope met': one.some((a) =>
      one.some((b) => a.id !== b.id && a.from < b.to && b.from < a.to),
    ),
    'a capture met an erasure': log.within('capture', two),
  };
}

async function storm(): Promise<void> {
  const [one, two] = SCOPES;
  await Promise.all(SCOPES.map(filled));
  await allDerived(own.driver);
  let isOver = false;
  const captures = SCOPES.map(async (scope) => {
    while (!isOver)
      await log.send('capture', scope, () => own.service.post('/v1/experience', envelope(scope)));
  });
  const first = rebuild(one);
  let isErased = false;
  const third = erase(two, { confirm_all: true }).finally(() => {
    isErased = true;
  });
  const all = [
    first,
    erase(one, { confirm_all: true }),
    erase(one, { selector: { about_entity: 'ann' } }),
    third,
    first.then(begun).then(() => remove(one)),
    rebuild(two),
    eventually(
      'an erasure to go on',
      async () => isErased || (await erasing(two)) > 0,
      DERIVING_PATIENCE_MS,
      5,
    ).then(() => remove(two)),
  ];
  await Promise.all(all).finally(() => {
    isOver = true;
  });
  await Promise.all(captures);
}

/** Resolves when a rebuild that was asked for has come to its scope. */
async function begun({ answer }: Sent): Promise<void> {
  const id = answer.json.job_id as string | undefined;
  if (id === undefined) return;
  const look =
    "MATCH (j:Job {id: $id}) WHERE j.at_ref IS NOT NULL OR j.state = 'completed' RETURN j.id AS id";
  await eventually(
    'a rebuild to begin',
    async () => (await query(own.driver, look, { id })).length > 0,
    DERIVING_PATIENCE_MS,
    5,
  );
}

async function erasing(scope: string): Promise<number> {
  const rows = await query(own.driver, 'MATCH (p:ForgetPlan {scope: $scope}) RETURN p.id AS id', { scope });
  return rows.length;
}

/** Whatever is neither there nor gone. */
const HALF_DONE = `RETURN
  COUNT { MATCH (e:Event) WHERE e.scope_ref IS NOT NULL AND (e.redacted_at IS NOT NULL OR e.envelope IS NULL OR e.id IS NULL) } AS half_events,
  COUNT { MATCH (e:Event) WHERE e.scope_ref IS NULL AND e.redacted_at IS NULL AND size(keys(e)) <> 2 } AS half_erased,
  COUNT { MATCH (e:Event) WHERE e.scope_ref IS NULL AND EXISTS { (e)<-[:STATED_IN]-() } } AS stated_by_nothing,
  COUNT { MATCH (e:Event) WHERE e.scope_ref IS NOT NULL AND NOT EXISTS { MATCH (:Passage {event_id: e.id}) } } AS not_found,
  COUNT { MATCH (p:Passage) WHERE NOT p:SessionPassage AND NOT EXISTS { MATCH (e:Event {id: p.event_id}) WHERE e.scope_ref IS NOT NULL } } AS found_though_gone,
  COUNT { MATCH (f:Fact) WHERE f.scope_ref IS NOT NULL AND NOT EXISTS { (f)-[:DERIVED_FROM]->(e:Event) WHERE e.scope_ref IS NOT NULL } } AS facts_of_nothing,
  COUNT { MATCH (:ForgetPlan) } + COUNT { MATCH (:ForgetStep) } + COUNT { MATCH (:Rebuild) } AS under_way,
  COUNT { MATCH (s:Scope) WHERE s.deleting_through IS NOT NULL } AS deleting,
  COUNT { MATCH (h:StageRetry) WHERE h.state = 'failed' } AS given_up`;

it('erasures, rebuilds, captures and deletions at once are refused by the contract, or done whole', async () => {
  expect((await own.service.post('/v1/scopes', { path: 'org:storm' })).status).toBe(201);
  for (let round = 0; round < ROUNDS && Object.values(met()).includes(false); round += 1) await storm();
  expect(log.faults()).toEqual([]);
  expect(Object.entries(met()).flatMap(([pair, isMet]) => (isMet ? [] : [pair]))).toEqual([]);
  await allDerived(own.driver);
  const [half] = await query(own.driver, HALF_DONE);
  expect(Object.entries(half ?? {}).filter(([, count]) => count !== 0)).toEqual([]);
  for (const { id } of erasures)
    expect((await own.service.post(`/v1/erasures/${id}/verify`, undefined)).json).toMatchObject({
      verified: true,
      findings: [],
    });
  // What is derived is what is derived of the log that is left.
  const left = await derivedDump(own.driver);
  for (const scope of SCOPES) await askForRebuild(own.database, scope);
  await allDerived(own.driver);
  expect(unlike(left, await derivedDump(own.driver))).toEqual({ lost: [], new: [] });
  for (const scope of SCOPES) {
    await erase(scope, { confirm_all: true });
    for (const layer of FORGET_LAYERS)
      expect((await own.service.get(`/v1/${layer}?scope=${scope}`)).json.items).toEqual([]);
  }
});
