import { caughtUp } from '../support/cancel.ts';
import type { Answer, RequestOptions } from '../support/client.ts';
import { factsOf, stateEach, statement } from '../support/facts.ts';
import { allDerived } from '../support/rebuild.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { eventually } from '../support/wait.ts';
import { expectProblem } from './problem.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

type Triple = readonly [string, string, string];

/** Captures a statement and waits until it is derived; answers the id of its event. */
async function stated(scope: string, triple: Triple, more: Record<string, unknown> = {}): Promise<string> {
  const answer = await service.post('/v1/experience?wait=consolidated', statement(scope, triple, more));
  expect(answer.status).toBe(202);
  return answer.json.event_id;
}

const forget = (scope: string, body: Record<string, unknown>, options?: RequestOptions): Promise<Answer> =>
  service.post('/v1/forget', { scope, ...body }, options);
const preview = (scope: string, body: Record<string, unknown>): Promise<Answer> =>
  service.post('/v1/forget/preview', { scope, ...body });
const items = async (path: string): Promise<any[]> => (await service.get(path)).json.items;
const facts = (scope: string): Promise<any[]> => items(`/v1/facts?scope=${scope}&limit=100`);
const status = async (path: string): Promise<number> => (await service.get(path)).status;
const NONE = { events: 0, episodes: 0, facts: 0, beliefs: 0, understanding: 0 };

describe('redact_events', () => {
  it('takes an event with all that it alone supports, and nothing else', async () => {
    const scope = 'org:forget/ws:redact';
    const gone = await stated(scope, ['ann', 'likes', 'secret-tea'], { idempotency_key: 'k1' });
    const stays = await stated(scope, ['ann', 'likes', 'coffee']);
    const [before] = (await facts(scope)).filter(({ id }) => id !== undefined);
    expect(before).toBeDefined();
    const answer = await forget(scope, {
      selector: { memory_ids: [gone] },
      cascade: 'redact_events',
      reason: 'asked to',
    });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      requested: 1,
      matched: 1,
      deleted: { events: 1, facts: 1, beliefs: 1 },
    });
    expect((await service.get(`/v1/audit/${answer.json.audit_id}`)).json).toMatchObject({
      capability: 'forget.cascade.redact_events',
      scope,
    });
    expect(await status(`/v1/events/${gone}`)).toBe(404);
    expect(await status(`/v1/events/${stays}`)).toBe(200);
    expect((await facts(scope)).map(({ object }) => object.id ?? object)).toHaveLength(1);
    expect(JSON.stringify(await items(`/v1/understanding?scope=${scope}`))).not.toContain('secret-tea');
    const recalled = await service.post('/v1/recall', { scope, query: 'secret-tea' });
    expect(recalled.text.replaceAll('"secret-tea"', '')).not.toContain('ann likes secret-tea');
    // The key is free, and the same may be said again.
    const again = await stated(scope, ['ann', 'likes', 'secret-tea'], { idempotency_key: 'k1' });
    expect(again).not.toBe(gone);
    expect(await facts(scope)).toHaveLength(2);
  });

  it('keeps what others support, under the id of what is left', async () => {
    const scope = 'org:forget/ws:shared';
    const first = await stated(scope, ['bob', 'likes', 'chess']);
    await stated(scope, ['bob', 'likes', 'chess']);
    const answer = await forget(scope, { selector: { memory_ids: [first] }, cascade: 'redact_events' });
    expect(answer.json.deleted).toMatchObject({ events: 1, facts: 0, beliefs: 0 });
    expect(await facts(scope)).toHaveLength(1);
  });

  it('redacts what the records rest on that are named', async () => {
    const scope = 'org:forget/ws:source';
    const event = await stated(scope, ['cyd', 'likes', 'tea']);
    const [fact] = await facts(scope);
    const answer = await forget(scope, { selector: { memory_ids: [fact.id] }, cascade: 'redact_events' });
    expect(answer.json).toMatchObject({ requested: 1, matched: 1, deleted: { events: 1, facts: 1 } });
    expect(await status(`/v1/events/${event}`)).toBe(404);
  });

  it('empties a scope that takes new writes at once', async () => {
    const scope = 'org:forget/ws:wiped';
    await stated(scope, ['dan', 'likes', 'tea'], { idempotency_key: 'wiped' });
    await service.post('/v1/experience?wait=consolidated', {
      scope,
      modality: 'message',
      content: { kind: 'text', text: 'hello there' },
    });
    const answer = await forget(scope, { confirm_all: true, cascade: 'redact_events' });
    expect(answer.json.deleted).toMatchObject({ events: 2, facts: 1, beliefs: 1 });
    for (const layer of ['events', 'facts', 'beliefs', 'episodes', 'understanding'])
      expect([layer, await items(`/v1/${layer}?scope=${scope}`)]).toEqual([layer, []]);
    await stated(scope, ['dan', 'likes', 'tea'], { idempotency_key: 'wiped' });
    expect(await facts(scope)).toHaveLength(1);
  });
});

describe('derived_only', () => {
  it('takes a fact that is not derived again from its event, and leaves the event', async () => {
    const scope = 'org:forget/ws:derived';
    const event = await stated(scope, ['eve', 'works_at', 'acme']);
    await stated(scope, ['eve', 'likes', 'tea']);
    const fact = (await facts(scope)).find(({ predicate }) => predicate === 'works_at');
    const answer = await forget(scope, { selector: { memory_ids: [fact.id] } });
    expect(answer.json).toMatchObject({
      requested: 1,
      matched: 1,
      deleted: { events: 0, facts: 1, beliefs: 1 },
    });
    expect(await status(`/v1/events/${event}`)).toBe(200);
    const left = async (): Promise<string[]> => (await facts(scope)).map(({ predicate }) => predicate);
    expect(await left()).toEqual(['likes']);
    const rebuilt = await service.post('/v1/admin/derived/rederive', { scope });
    expect(rebuilt.status).toBe(202);
    await allDerived(service.driver());
    expect(await left()).toEqual(['likes']);
    // Said anew, it is known anew.
    await stated(scope, ['eve', 'works_at', 'acme']);
    expect((await left()).sort()).toEqual(['likes', 'works_at']);
    expect(await status(`/v1/facts/${fact.id}`)).toBe(404);
  });

  it('takes a belief and leaves the fact, whatever comes to the claim', async () => {
    const scope = 'org:forget/ws:belief';
    await stated(scope, ['fay', 'lives_in', 'oslo']);
    const [belief] = await items(`/v1/beliefs?scope=${scope}`);
    const answer = await forget(scope, { layers: ['beliefs'], selector: { memory_ids: [belief.id] } });
    expect(answer.json.deleted).toEqual({
      ...NONE,
      beliefs: 1,
      understanding: answer.json.deleted.understanding,
    });
    expect(await items(`/v1/beliefs?scope=${scope}`)).toEqual([]);
    expect(await facts(scope)).toHaveLength(1);
  });

  it('takes all that a person is known by from events that stay', async () => {
    const scope = 'org:forget/ws:person';
    await stated(scope, ['gus', 'likes', 'tea']);
    await stated(scope, ['hal', 'likes', 'tea']);
    const answer = await forget(scope, { selector: { about_entity: 'gus' } });
    expect(answer.json.deleted).toMatchObject({ events: 0, facts: 1, beliefs: 1 });
    expect((await facts(scope)).map(({ subject }) => subject.id)).toEqual(['hal']);
    expect(await items(`/v1/events?scope=${scope}`)).toHaveLength(2);
  });
});

describe('none', () => {
  it('takes the selected records and no event', async () => {
    const scope = 'org:forget/ws:none';
    const event = await stated(scope, ['ida', 'likes', 'tea']);
    const nothing = await forget(scope, { selector: { memory_ids: [event] }, cascade: 'none' });
    expect(nothing.json).toMatchObject({ requested: 1, matched: 1, deleted: NONE });
    const [fact] = await facts(scope);
    const answer = await forget(scope, { selector: { memory_ids: [fact.id] }, cascade: 'none' });
    expect(answer.json.deleted).toMatchObject({ events: 0, facts: 1 });
    expect(await facts(scope)).toEqual([]);
  });

  it('counts the concepts that cite an episode which goes, or its first event', async () => {
    const scope = 'org:forget/ws:cited';
    const concepts = async (): Promise<Map<string, string>> =>
      new Map(
        (await items(`/v1/understanding?scope=${scope}`)).map(({ id, supported_by }) => [
          id,
          JSON.stringify(supported_by),
        ]),
      );
    const observed_actor = { id: 'user:teller', session: 'a-morning' };
    const [first = ''] = await stateEach(
      service,
      [statement(scope, ['ann', 'likes', 'tea']), statement(scope, ['bob', 'likes', 'milk'])].map(
        (envelope) => ({ ...envelope, observed_actor }),
      ),
    );
    const episodes = async () => (await items(`/v1/episodes?scope=${scope}`)).map(({ id }) => id);
    for (const [selected, cascade] of [
      [() => Promise.resolve([first]), 'redact_events'],
      [episodes, 'none'],
    ] as const) {
      const before = await concepts();
      const body = { selector: { memory_ids: await selected() }, cascade };
      const shown = (await preview(scope, body)).json;
      const gone = (await forget(scope, body)).json.deleted.understanding;
      await caughtUp(service, scope);
      const after = await concepts();
      const changed = [...after].filter(([id, cited]) => before.get(id) !== cited);
      expect(changed.length).toBeGreaterThan(0);
      expect([shown.estimated_revised.understanding, before.size - after.size]).toEqual([
        changed.length,
        gone,
      ]);
      expect(shown.revised_ids.understanding).toEqual(changed.map(([id]) => id).sort());
    }
  });
});

describe('what is not there', () => {
  it('is answered with zeros', async () => {
    const scope = 'org:forget/ws:elsewhere';
    const event = await stated('org:forget/ws:other', ['jo', 'likes', 'tea']);
    await stated(scope, ['jo', 'likes', 'tea']);
    for (const selector of [
      { memory_ids: [event] },
      { memory_ids: ['evt_nothing'] },
      { memory_ids: [] },
      { predicate: 'no_such' },
    ]) {
      const answer = await forget(scope, { selector, cascade: 'redact_events' });
      expect([answer.status, answer.json.deleted]).toEqual([200, NONE]);
      expect(answer.json.requested).toBe(selector.memory_ids?.length ?? 0);
    }
    expect(await facts(scope)).toHaveLength(1);
  });
});

describe('a preview', () => {
  const all = { confirm_all: true, cascade: 'redact_events' };

  it('shows what is then forgotten, once', async () => {
    const scope = 'org:forget/ws:preview';
    await stated(scope, ['kim', 'likes', 'tea']);
    await stated(scope, ['kim', 'likes', 'milk']);
    const shown = await preview(scope, all);
    expect(shown.status).toBe(200);
    expect(shown.json.preview_id).toMatch(/^fpvw_[0-9a-f]{32}$/);
    expect(shown.json.estimated_deleted).toMatchObject({ events: 2, facts: 2, beliefs: 2 });
    expect(shown.json.ids.facts.sort()).toEqual((await facts(scope)).map(({ id }) => id).sort());
    // What comes since does not count; the episode goes on with it.
    await stated(scope, ['lou', 'plays', 'chess']);
    const { preview_id: from_preview_id, estimated_deleted } = shown.json;
    const done = await forget(scope, { from_preview_id, confirm_all: true, cascade: 'derived_only' });
    expect([done.status, done.json.deleted]).toEqual([200, { ...estimated_deleted, episodes: 0 }]);
    expect((await facts(scope)).map(({ subject }) => subject.id)).toEqual(['lou']);
    const again = await forget(scope, { from_preview_id });
    expectProblem(again, { status: 422, code: 'UNKNOWN_PREVIEW_ID', field: 'from_preview_id' });
  });

  it('is refused when something that it showed has changed since', async () => {
    const scope = 'org:forget/ws:changed';
    const event = await stated(scope, ['mia', 'likes', 'tea']);
    const { preview_id: from_preview_id } = (await preview(scope, { selector: { memory_ids: [event] } }))
      .json;
    // The fact would stay now: somebody else says the same.
    await stated(scope, ['mia', 'likes', 'tea']);
    expectProblem(await forget(scope, { from_preview_id }), { status: 409, code: 'SCOPE_STATE_CHANGED' });
    expect(await facts(scope)).toHaveLength(1);
  });

  it('belongs to its scope', async () => {
    const scope = 'org:forget/ws:mine';
    await stated(scope, ['ned', 'likes', 'tea']);
    const { preview_id: from_preview_id } = (await preview(scope, all)).json;
    for (const [place, id] of [
      ['org:forget/ws:theirs', from_preview_id],
      [scope, 'fpvw_nothing'],
    ])
      expectProblem(await forget(place, { from_preview_id: id }), {
        status: 422,
        code: 'UNKNOWN_PREVIEW_ID',
        field: 'from_preview_id',
      });
  });
});

it('leaves a frame that says what went', async () => {
  const scope = 'org:forget/ws:frame';
  await stated(scope, ['oda', 'likes', 'tea']);
  const { audit_id } = (await forget(scope, { confirm_all: true })).json;
  const frame = await eventually('the frame', async () => {
    const found = await items(`/v1/lifecycle?scope=${scope}&events=forgotten&limit=100`);
    return found.find(({ data }) => data.audit_id === audit_id);
  });
  expect(frame.data).toMatchObject({ cascade: 'derived_only', deleted: { events: 0, facts: 1 } });
  expect(await factsOf(service.driver(), scope)).toEqual([]);
});
