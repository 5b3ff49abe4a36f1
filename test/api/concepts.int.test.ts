import { cancelled } from '../support/cancel.ts';
import { stateEach, statement } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const state = (...envelopes: Record<string, unknown>[]): Promise<string[]> => stateEach(service, envelopes);

/** A statement that gives its subject a name. */
function named(envelope: any, name: string): Record<string, unknown> {
  const { triple } = envelope.content;
  return {
    ...envelope,
    content: { kind: 'triple', triple: { ...triple, subject: { ...triple.subject, name } } },
  };
}

async function conceptOf(scope: string, topic: string, query = ''): Promise<any> {
  const { status, json } = await service.get(`/v1/understanding?scope=${scope}&topic=${topic}${query}`);
  expect([status, json.items?.length]).toEqual([200, 1]);
  return json.items[0];
}

async function recordedAt(event: string | undefined): Promise<string> {
  const { json } = await service.get(`/v1/events/${event}`);
  return encodeURIComponent(json.context.recorded_at as string);
}

async function framesOf(event: string | undefined): Promise<any> {
  const { json } = await service.get(`/v1/lifecycle?event_id=${event}`);
  return json.items.find((one: any) => one.event === 'consolidated').data;
}

describe('what is understood of an entity', () => {
  const scope = 'org:minds/user:ada';
  let events: string[];

  beforeAll(async () => {
    events = await state(
      named(statement(scope, ['ent_ada', 'likes', 'ent_tea']), 'Ada'),
      statement(scope, ['ent_ada', 'likes', 'ent_chess']),
    );
  });

  it('is partial until three events speak of it, and then whole', async () => {
    const partial = await conceptOf(scope, 'ent_ada');
    expect(partial).toMatchObject({
      scope,
      entity_id: 'ent_ada',
      name: 'Ada',
      version: 2,
      previous_version: 1,
      summary: 'Ada likes ent_chess; Ada likes ent_tea.',
      stance: 'supported',
      confidence: 0.75,
      coverage_score: 1,
      fact_count: 2,
      _partial: true,
      _partial_reason: '2 of 3 events that speak of it independently',
      _progress: 0.666667,
      caused_by: events[1],
      recorded_to: null,
    });
    expect(partial.staleness_score).toBeLessThan(0.01);
    expect(partial.supported_by.facts).toHaveLength(2);
    expect(partial.supported_by.beliefs).toHaveLength(2);
    expect(partial.supported_by.episodes).toHaveLength(1);
    const { json: facts } = await service.get(`/v1/facts?scope=${scope}`);
    expect(facts.items.map(({ id }: any) => id)).toEqual(partial.supported_by.facts);
    events.push(...(await state(statement(scope, ['ent_ada', 'is a', 'ent_mathematician']))));
    const whole = await conceptOf(scope, 'ada');
    expect(whole).toMatchObject({ id: partial.id, version: 3, previous_version: 2, _progress: 1 });
    expect(Object.keys(whole)).not.toEqual(expect.arrayContaining(['_partial']));
    expect(Object.keys(whole)).not.toEqual(expect.arrayContaining(['_partial_reason']));
    expect((await framesOf(events[2])).concepts_touched).toContain(whole.id);
  });

  it('says what it has to do with others, each from its side', async () => {
    const whole = await conceptOf(scope, 'ent_ada');
    const kind = await conceptOf(scope, 'ent_mathematician');
    const tea = await conceptOf(scope, 'ent_tea');
    expect(whole.edges).toContainEqual({ to: kind.id, relation: 'specializes', weight: 0.333333 });
    expect(whole.edges).toContainEqual({ to: tea.id, relation: 'co_occurs', weight: 0.333333 });
    expect(kind.edges).toEqual([{ to: whole.id, relation: 'generalizes', weight: 1 }]);
    const near = (await service.get(`/v1/understanding/${tea.id}/related`)).json;
    expect(near).toMatchObject({
      concept: { id: tea.id },
      items: [{ id: whole.id, name: 'Ada', relation: 'co_occurs', depth: 1, from: tea.id }],
      has_more: false,
    });
    const far = (await service.get(`/v1/concepts/${tea.id}/related?depth=9`)).json;
    expect(far.items.map((one: any) => [one.name, one.depth]).sort()).toEqual([
      ['Ada', 1],
      ['ent_chess', 2],
      ['ent_mathematician', 2],
    ]);
    const kinds = (await service.get(`/v1/concepts/${whole.id}/related?relation=specializes`)).json;
    expect(kinds.items.map(({ id }: any) => id)).toEqual([kind.id]);
    const few = (await service.get(`/v1/concepts/${whole.id}/related?limit=1`)).json;
    expect(few).toMatchObject({ has_more: true, items: [{ depth: 1 }] });
    const more = (await service.get(`/v1/concepts/${whole.id}/related?cursor=${few.next_cursor}`)).json;
    expect(more).toMatchObject({ has_more: false });
    expect(new Set([...few.items, ...more.items].map(({ id }: any) => id)).size).toBe(3);
  });

  it('keeps every version, and answers as of any recorded instant', async () => {
    const whole = await conceptOf(scope, 'ent_ada');
    const first = await conceptOf(scope, 'ent_ada', `&as_of_recorded=${await recordedAt(events[0])}`);
    expect(first).toMatchObject({ version: 1, summary: 'Ada likes ent_tea.', _progress: 0.333333 });
    expect(first.recorded_to).not.toBeNull();
    const both = `/v1/understanding/${whole.id}?as_of=${await recordedAt(events[1])}`;
    expect((await service.get(both)).json).toMatchObject({ version: 2 });
    const before = `/v1/understanding/${whole.id}?as_of=2001-01-01T00:00:00Z`;
    expect(await service.get(before)).toMatchObject({ status: 404 });
    const { json } = await service.get(`/v1/concepts/${whole.id}/history`);
    expect(json.versions.map((one: any) => [one.version, one.caused_by])).toEqual([
      [1, events[0]],
      [2, events[1]],
      [3, events[2]],
    ]);
    expect(json).toMatchObject({ current: { version: 3 }, has_more: false });
    const part = (await service.get(`/v1/understanding/${whole.id}/history?limit=2`)).json;
    expect(part).toMatchObject({ has_more: true, versions: [{ version: 1 }, { version: 2 }] });
    const rest = `/v1/understanding/${whole.id}/history?limit=2&cursor=${part.next_cursor}`;
    expect((await service.get(rest)).json).toMatchObject({ has_more: false, versions: [{ version: 3 }] });
  });

  it('is listed newest first, page by page, over the tree, and under both paths', async () => {
    const all = (await service.get(`/v1/understanding?scope=${scope}`)).json.items;
    const [kind, chess, ...oldest] = all.map(({ name }: any) => name as string);
    expect([kind, chess, oldest.sort()]).toEqual(['ent_mathematician', 'ent_chess', ['Ada', 'ent_tea']]);
    expect((await service.get(`/v1/concepts?scope=${scope}`)).json.items.length).toBe(all.length);
    const names: string[] = [];
    for (let cursor = ''; ;) {
      const { json } = await service.get(`/v1/concepts?scope=${scope}&limit=1${cursor}`);
      names.push(...json.items.map(({ name }: any) => name as string));
      if (json.has_more !== true) break;
      cursor = `&cursor=${json.next_cursor}`;
    }
    expect(names).toEqual(all.map(({ name }: any) => name));
    const above = `/v1/understanding?scope=org:minds`;
    expect((await service.get(above)).json.items).toEqual([]);
    expect((await service.get(`${above}&view=descend`)).json.items).toHaveLength(4);
    expect((await service.get(`${above}&view=descend&topic=ada`)).json.items).toHaveLength(1);
    expect((await service.get(`${above}&view=raw`)).json.items).toEqual([]);
    expect((await service.get(`/v1/understanding?scope=${scope}&topic=nobody`)).json.items).toEqual([]);
  });

  it('is counted', async () => {
    const { json } = await service.get(`/v1/concepts/coverage?scope=${scope}`);
    expect(json).toEqual({
      scope,
      concepts: 4,
      partial: 3,
      supports: 6,
      supports_cited: 6,
      coverage_score: 1,
    });
    const { json: status } = await service.get(`/v1/derivation/status?scope=${scope}`);
    expect(status.built.concepts).toBe(4);
    const none = (await service.get('/v1/understanding/coverage?scope=user:nobody')).json;
    expect(none).toMatchObject({ concepts: 0, coverage_score: 0 });
  });

  it('answers the same over GraphQL', async () => {
    const whole = await conceptOf(scope, 'ent_ada');
    const { data } = await ask(
      service,
      `query ($scope: String!, $id: ID!) {
        concepts(scope: $scope, topic: "ent_ada") { nodes { id version _partial } edges { cursor } pageInfo { hasNextPage } }
        concept(id: $id) { id summary supportedBy { facts } edges { to relation weight } previousVersion }
        conceptHistory(id: $id, first: 1) { current { version } nodes { version causedBy } pageInfo { hasNextPage } }
        relatedConcepts(id: $id, relation: specializes) { nodes { relation depth } pageInfo { hasNextPage } }
        conceptCoverage(scope: $scope) { concepts partial }
      }`,
      { scope, id: whole.id },
    );
    expect(data).toMatchObject({
      concepts: { nodes: [{ id: whole.id, version: 3, _partial: null }], pageInfo: { hasNextPage: false } },
      concept: { id: whole.id, summary: whole.summary, supportedBy: { facts: whole.supported_by.facts } },
      conceptHistory: { current: { version: 3 }, nodes: [{ version: 1 }], pageInfo: { hasNextPage: true } },
      relatedConcepts: { nodes: [{ relation: 'specializes', depth: 1 }], pageInfo: { hasNextPage: false } },
      conceptCoverage: { concepts: 4, partial: 3 },
    });
  });

  it('refuses what it cannot answer', async () => {
    const unknown = `concept_${'0'.repeat(32)}`;
    for (const path of ['', '/history', '/related'])
      expect(await service.get(`/v1/understanding/${unknown}${path}`)).toMatchObject({
        status: 404,
        json: { error_code: 'NOT_FOUND' },
      });
    expect(await service.get(`/v1/understanding/${unknown}/related?relation=likes`)).toMatchObject({
      status: 400,
      json: { error_code: 'INVALID_QUERY', details: { field_path: 'relation' } },
    });
    expect(await service.get(`/v1/understanding?scope=${scope}&as_of_valid=2001-01-01`)).toMatchObject({
      status: 400,
      json: { error_code: 'INVALID_QUERY' },
    });
    expect((await service.get('/v1/understanding')).status).toBe(400);
  });
});

describe('a concept', () => {
  const scope = 'user:turns';
  const at = { valid_from: '2020-01-01' };

  it('is replayed where what it cites is superseded, and where that is taken back', async () => {
    await state(
      statement(scope, ['ent_bo', 'lives in', 'ent_oslo'], at),
      statement(scope, ['ent_bo', 'likes', 'ent_snow'], at),
    );
    const [moved] = await state(
      statement(scope, ['ent_bo', 'lives in', 'ent_rome'], { valid_from: '2024-01-01' }),
    );
    const bo = await conceptOf(scope, 'ent_bo');
    expect(bo).toMatchObject({
      version: 3,
      summary: 'ent_bo lives in ent_rome; ent_bo likes ent_snow.',
      caused_by: moved,
    });
    expect(await conceptOf(scope, 'ent_oslo')).toMatchObject({
      version: 2,
      stance: 'deprecated',
      summary: 'Nothing is known of ent_oslo any more.',
      supported_by: { facts: [], beliefs: [], episodes: [] },
      coverage_score: 0,
      staleness_score: 1,
      _progress: 0,
    });
    await cancelled(service, moved, scope);
    expect(await conceptOf(scope, 'ent_bo')).toMatchObject({
      version: 2,
      summary: 'ent_bo likes ent_snow; ent_bo lives in ent_oslo.',
    });
    expect(await conceptOf(scope, 'ent_oslo')).toMatchObject({ version: 1, stance: 'supported' });
    expect((await service.get(`/v1/understanding?scope=${scope}&topic=ent_rome`)).json.items).toEqual([]);
  });

  describe('that rests on premises of premises', () => {
    const own = 'user:chain';
    const depths = [1, 2, 3, 4, 5, 6];
    const causes = { gone: '', again: '' };
    /** The concept at each depth: with its premise, without it, with it again, and what is left without all of its sources. */
    const seen: Record<'before' | 'fallen' | 'returned' | 'left', any[]> = {
      before: [],
      fallen: [],
      returned: [],
      left: [],
    };
    const atAllDepths = (read: (topic: string) => Promise<any>): Promise<any[]> =>
      Promise.all(depths.map((depth) => read(`ent_step${depth}`)));
    const concepts = (): Promise<any[]> => atAllDepths((topic) => conceptOf(own, topic));

    beforeAll(async () => {
      const [home] = await state(statement(own, ['ent_cy', 'lives in', 'ent_bern'], at));
      for (const depth of depths) {
        const { json } = await service.get(`/v1/facts?scope=${own}&limit=1`);
        const derived_from = [json.items[0].id];
        await state(statement(own, [`ent_step${depth}`, 'follows from', 'ent_cy'], { ...at, derived_from }));
      }
      seen.before = await concepts();
      const denial = statement(own, ['ent_cy', 'lives in', 'ent_bern'], { polarity: 'negative' });
      causes.gone = (await state(denial))[0] ?? '';
      seen.fallen = await concepts();
      causes.again = (await state(statement(own, ['ent_cy', 'lives in', 'ent_bern'], at)))[0] ?? '';
      seen.returned = await concepts();
      await cancelled(service, home, own);
      await cancelled(service, causes.again, own);
      seen.left = await atAllDepths(
        async (topic) => (await service.get(`/v1/understanding?scope=${own}&topic=${topic}`)).json.items,
      );
    });

    it.each(depths)('falls and returns with a premise %i steps away', async (depth) => {
      const [before, fallen, returned, left] = Object.values(seen).map((all) => all[depth - 1]);
      expect(before).toMatchObject({ version: 1, stance: 'supported' });
      expect(fallen).toMatchObject({ version: 2, stance: 'deprecated', caused_by: causes.gone });
      expect((await framesOf(causes.gone)).concepts_touched).toContain(fallen.id);
      expect(returned).toMatchObject({ version: 3, stance: 'supported', caused_by: causes.again });
      expect(left).toEqual([]);
    });
  });

  it('is up to date with what an answer to `wait=consolidated`, a frame and `caught_up` vouch for', async () => {
    const own = 'user:four';
    const likes = (what: string) => statement(own, ['ent_fay', 'likes', `=${what}`]);
    const ids = await state(...['tea', 'chess', 'snow'].map(likes));
    ids.push(...(await state(likes('jazz'))));
    const items = [likes('rain'), likes('wool')];
    const bulk = await service.post('/v1/experience/bulk?wait=consolidated', { items });
    ids.push(...(bulk.json.results.map(({ event_id }: any) => event_id as string) as string[]));
    const fay = await conceptOf(own, 'ent_fay');
    const { json: facts } = await service.get(`/v1/facts?scope=${own}`);
    expect(fay).toMatchObject({ fact_count: ids.length, coverage_score: 1 });
    expect(fay.supported_by.facts).toEqual(facts.items.map(({ id }: any) => id));
    expect((await service.get(`/v1/derivation/status?scope=${own}`)).json).toMatchObject({ caught_up: true });
    expect((await service.get(`/v1/concepts/coverage?scope=${own}`)).json).toMatchObject({
      supports: ids.length,
      supports_cited: ids.length,
      coverage_score: 1,
    });
    const { json: history } = await service.get(`/v1/concepts/${fay.id}/history`);
    expect(history.versions.map((one: any) => [one.caused_by, one.fact_count])).toEqual([
      ...ids.slice(0, 4).map((id, i) => [id, i + 1]),
      [[...ids.slice(4)].sort()[1], ids.length],
    ]);
    for (const { caused_by } of history.versions)
      expect((await framesOf(caused_by)).concepts_touched).toEqual([fay.id]);
  });

  it('cites so many facts at most, and says how many there are', async () => {
    const own = 'user:hub';
    const items = Array.from({ length: 60 }, (_, i) => statement(own, ['ent_hub', 'knows', `ent_k${i}`]));
    const { status } = await service.post('/v1/experience/bulk?wait=consolidated', { items });
    expect(status).toBe(202);
    const hub = await conceptOf(own, 'ent_hub');
    expect(hub).toMatchObject({ version: 1, fact_count: 60, coverage_score: 0.833333, _progress: 1 });
    expect(hub.supported_by.facts).toHaveLength(50);
    expect(hub.edges).toHaveLength(16);
    expect(hub.summary).toMatch(/ And 52 more facts\.$/);
  });
});
