import { cancelled } from '../support/cancel.ts';
import { statement } from '../support/facts.ts';
import { eventually } from '../support/wait.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { linkEntities, recordedAt as recordedAtOf, stateAll, unlinkEntities } from './entity-link.ts';
import { ask } from './graphql/ask.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const state = (...envelopes: Record<string, unknown>[]): Promise<string[]> => stateAll(service, ...envelopes);
const link = (scope: string, entity: string, same_as: string): Promise<any> =>
  linkEntities(service, scope, entity, same_as);
const unlink = (id: string): Promise<any> => unlinkEntities(service, id);
const recordedAt = (event: string | undefined): Promise<string> => recordedAtOf(service, event);

/** A statement that gives its subject a name. */
function named(envelope: any, name: string): Record<string, unknown> {
  const { triple } = envelope.content;
  return {
    ...envelope,
    content: { kind: 'triple', triple: { ...triple, subject: { ...triple.subject, name } } },
  };
}

/** What is true, as short lines in the order of letters. */
async function facts(scope: string, query = ''): Promise<string[]> {
  const { status, json } = await service.get(`/v1/facts?scope=${scope}${query}`);
  expect(status).toBe(200);
  return json.items
    .map(({ subject, predicate, object }: any) => `${subject.id} ${predicate} ${object.id ?? object.value}`)
    .sort();
}

describe('a link', () => {
  const scope = 'org:links/user:bob';
  let events: string[];
  let made: any;
  let back: any;

  beforeAll(async () => {
    events = await state(
      named(statement(scope, ['ent_bob', 'likes', 'ent_tea']), 'Bob'),
      named(statement(scope, ['ent_robert', 'likes', 'ent_chess']), 'Robert'),
      statement(scope, ['ent_ann', 'knows', 'ent_bob']),
      statement(scope, ['ent_robert', 'lives_in', 'ent_rome'], { valid_from: '2020-01-01' }),
    );
    made = await link(scope, 'ent_bob', 'ent_robert');
  });

  it('has one entity go by the other', async () => {
    expect(made).toEqual({
      link_id: expect.stringMatching(/^link_[0-9a-f]{32}$/),
      scope,
      entity: 'ent_bob',
      same_as: 'ent_robert',
      recorded_at: expect.any(String),
      linked_by: 'user:local',
      unlinked_at: null,
      unlinked_by: null,
      status: 'applied',
    });
    const all = [
      'ent_ann knows ent_robert',
      'ent_robert likes ent_chess',
      'ent_robert likes ent_tea',
      'ent_robert lives_in ent_rome',
    ];
    expect(await facts(scope)).toEqual(all);
    expect(await facts(scope, '&subject=ent_bob')).toEqual(all.slice(1));
    expect(await facts(scope, '&subject=Bob')).toEqual(all.slice(1));
    expect(await facts(scope, '&object=ent_bob')).toEqual(all.slice(0, 1));
  });

  it('shows them apart at instants before it', async () => {
    const before = `&as_of_recorded=${await recordedAt(events.at(-1))}`;
    expect(await facts(scope, before)).toEqual([
      'ent_ann knows ent_bob',
      'ent_bob likes ent_tea',
      'ent_robert likes ent_chess',
      'ent_robert lives_in ent_rome',
    ]);
    expect(await facts(scope, `${before}&subject=ent_bob`)).toEqual(['ent_bob likes ent_tea']);
  });

  it('is told with the entity', async () => {
    const entity = {
      id: 'ent_robert',
      name: 'Robert',
      aliases: ['Bob'],
      type: 'other',
      scopes: [scope],
      links: [expect.objectContaining({ link_id: made.link_id, entity: 'ent_bob', same_as: 'ent_robert' })],
    };
    expect((await service.get(`/v1/entities/ent_bob?scope=${scope}`)).json).toEqual(entity);
    expect((await service.get('/v1/entities/ent_robert')).json).toEqual(entity);
    const { json } = await service.get(`/v1/entities?scope=${scope}&q=bob`);
    expect(json.items).toEqual([entity]);
    const all = await service.get(`/v1/entities?scope=${scope}`);
    expect(all.json.items.map(({ id }: any) => id).sort()).toEqual([
      'ent_ann',
      'ent_chess',
      'ent_robert',
      'ent_rome',
      'ent_tea',
    ]);
    const then = `?as_of=${await recordedAt(events.at(-1))}`;
    expect((await service.get(`/v1/entities/ent_bob${then}`)).json).toMatchObject({
      id: 'ent_bob',
      links: [],
    });
    const edges = await service.get(`/v1/entities/ent_bob/edges?scope=${scope}`);
    expect(edges.json.items).toHaveLength(4);
  });

  it('brings what contradicts itself together', async () => {
    await state(statement(scope, ['ent_bob', 'lives_in', 'ent_paris'], { valid_from: '2022-01-01' }));
    expect(await facts(scope, '&predicate=lives_in')).toEqual(['ent_robert lives_in ent_paris']);
    expect(await facts(scope, '&predicate=lives_in&as_of_valid=2021-01-01T00:00:00Z')).toEqual([
      'ent_robert lives_in ent_rome',
    ]);
  });

  it('has the concept of the one be another name of that of the other', async () => {
    const { json } = await service.get(`/v1/understanding?scope=${scope}&topic=ent_bob`);
    const [bob] = json.items.filter(({ entity_id }: any) => entity_id === 'ent_bob');
    const [robert] = json.items.filter(({ entity_id }: any) => entity_id === 'ent_robert');
    expect(bob).toMatchObject({ canonical_id: robert.id, fact_count: 0, caused_by: made.link_id });
    expect(robert.canonical_id).toBeUndefined();
    expect(robert.fact_count).toBe(4);
    const then = await service.get(
      `/v1/understanding/${bob.id}?as_of_recorded=${await recordedAt(events.at(-1))}`,
    );
    expect(then.json).toMatchObject({ fact_count: 2 });
    expect(then.json.canonical_id).toBeUndefined();
  });

  it('is the same over GraphQL', async () => {
    const answer = await ask(
      service,
      `query ($scope: String!) { entity(id: "ent_bob", scope: $scope) { id aliases links { linkId sameAs linkedBy } } }`,
      { scope },
    );
    expect(answer.data.entity).toEqual({
      id: 'ent_robert',
      aliases: ['Bob'],
      links: [{ linkId: made.link_id, sameAs: 'ent_robert', linkedBy: 'user:local' }],
    });
  });

  it('is answered again when it holds already', async () => {
    const again = await service.post('/v1/entities/link', {
      scope,
      entity: 'ent_bob',
      same_as: 'ent_robert',
    });
    expect([again.status, again.json]).toEqual([201, made]);
  });

  it('can be taken back, and then shows what each was said to be', async () => {
    back = await unlink(made.link_id);
    expect(back).toMatchObject({ link_id: made.link_id, unlinked_by: 'user:local' });
    expect(await facts(scope)).toEqual([
      'ent_ann knows ent_bob',
      'ent_bob likes ent_tea',
      'ent_bob lives_in ent_paris',
      'ent_robert likes ent_chess',
      'ent_robert lives_in ent_rome',
    ]);
    const { json } = await service.get(`/v1/understanding?scope=${scope}&topic=ent_bob`);
    expect(json.items).toHaveLength(1);
    const robert = await service.get(`/v1/understanding?scope=${scope}&topic=ent_robert`);
    expect(json.items[0]).toMatchObject({ derived_from: [robert.json.items[0].id], fact_count: 3 });
    expect(json.items[0].canonical_id).toBeUndefined();
    const meanwhile = await facts(scope, `&as_of_recorded=${encodeURIComponent(made.recorded_at)}`);
    expect(meanwhile).toContain('ent_robert likes ent_tea');
    expect((await unlink(made.link_id)).unlinked_at).toBe(back.unlinked_at);
  });
});

describe('what is refused', () => {
  const scope = 'org:links/user:refused';
  const post = (entity: string, same_as: string, more: object = {}): Promise<any> =>
    service.post('/v1/entities/link', { scope, entity, same_as, ...more });

  beforeAll(async () => {
    await state(statement(scope, ['ent_a', 'likes', 'ent_x']));
    await link(scope, 'ent_a', 'ent_b');
    await link(scope, 'ent_b', 'ent_c');
  });

  it.each([
    ['ent_a', 'ent_a', 422, 'INVALID_BODY'],
    ['ent_c', 'ent_a', 409, 'LINK_CONFLICT'],
    ['ent_a', 'ent_z', 409, 'LINK_CONFLICT'],
    ['ent_a', 'ent_c', 409, 'LINK_CONFLICT'],
  ])('%s as %s', async (entity, same_as, status, code) => {
    const answer = await post(entity, same_as);
    expect([answer.status, answer.json.error_code]).toEqual([status, code]);
  });

  it('a scope into which nobody has written, and an unknown link', async () => {
    expect((await post('ent_a', 'ent_b', { scope: 'org:links/user:nobody' })).status).toBe(404);
    expect((await service.request('DELETE', '/v1/entities/link/link_0')).status).toBe(404);
  });

  it('the link of another tenant', async () => {
    const { link_id } = await link(scope, 'ent_p', 'ent_q');
    const elsewhere = { headers: { 'x-strata-tenant': service.anotherTenant() } };
    const answer = await service.request('DELETE', `/v1/entities/link/${link_id}`, elsewhere);
    expect(answer.status).toBe(404);
    const there = await service.get(`/v1/entities?scope=${scope}`, elsewhere);
    expect(there.json.items).toEqual([]);
  });
});

describe('a chain', () => {
  const scope = 'org:links/user:chain';

  it('is gone to its end, and breaks where a link is taken back', async () => {
    await state(statement(scope, ['ent_a', 'likes', 'ent_x']), statement(scope, ['ent_b', 'likes', 'ent_y']));
    await link(scope, 'ent_a', 'ent_b');
    const second = await link(scope, 'ent_b', 'ent_c');
    expect(await facts(scope)).toEqual(['ent_c likes ent_x', 'ent_c likes ent_y']);
    await state(statement(scope, ['ent_a', 'likes', 'ent_z']));
    expect(await facts(scope, '&subject=ent_a')).toEqual([
      'ent_c likes ent_x',
      'ent_c likes ent_y',
      'ent_c likes ent_z',
    ]);
    await unlink(second.link_id);
    expect(await facts(scope)).toEqual(['ent_b likes ent_x', 'ent_b likes ent_y', 'ent_b likes ent_z']);
  });
});

describe('what rests on a fact of a linked entity', () => {
  const scope = 'org:links/user:rests';

  it('keeps standing while the fact does, whatever its entity goes by', async () => {
    const [first] = await state(statement(scope, ['ent_a', 'owns', 'ent_boat']));
    const { json } = await service.get(`/v1/facts?scope=${scope}`);
    await state(
      statement(scope, ['ent_club', 'admits', 'ent_sailors'], { derived_from: [json.items[0].id] }),
    );
    const { link_id } = await link(scope, 'ent_a', 'ent_b');
    expect(await facts(scope)).toEqual(['ent_b owns ent_boat', 'ent_club admits ent_sailors']);
    await unlink(link_id);
    expect(await facts(scope)).toEqual(['ent_a owns ent_boat', 'ent_club admits ent_sailors']);
    await link(scope, 'ent_a', 'ent_b');
    await cancelled(service, first, scope);
    expect(await facts(scope)).toEqual([]);
  });

  it('stays with a belief that is stated of its own entity, whoever else says the same of another', async () => {
    const own = 'org:links/user:stays';
    const [, second] = await state(
      statement(own, ['ent_a', 'likes', 'ent_tea']),
      statement(own, ['ent_b', 'likes', 'ent_tea']),
    );
    const { link_id } = await link(own, 'ent_a', 'ent_b');
    const { json } = await service.get(`/v1/beliefs?scope=${own}&about=ent_b`);
    const belief = json.items.find(({ claim }: any) => claim.subject.id === 'ent_b').id;
    await state(statement(own, ['ent_club', 'admits', 'ent_b'], { derived_from: [belief] }));
    await unlink(link_id);
    const all = ['ent_a likes ent_tea', 'ent_b likes ent_tea', 'ent_club admits ent_b'];
    expect(await facts(own)).toEqual(all);
    await cancelled(service, second, own);
    expect(await facts(own)).toEqual(all.slice(0, 1));
  });
});

describe('what was concluded from a belief of a linked entity', () => {
  it('is known of the past as it was, whatever is stated later', async () => {
    const scope = 'org:links/user:past';
    await state(statement(scope, ['ent_b', 'likes', 'ent_tea']));
    const { json } = await service.get(`/v1/beliefs?scope=${scope}&about=ent_b`);
    await state(statement(scope, ['ent_club', 'admits', 'ent_b'], { derived_from: [json.items[0].id] }));
    const { link_id } = await link(scope, 'ent_b', 'ent_a');
    const [marker] = await state(statement(scope, ['ent_x', 'likes', 'ent_y']));
    const then = `&as_of_recorded=${await recordedAt(marker)}`;
    await unlink(link_id);
    const known = ['ent_a likes ent_tea', 'ent_club admits ent_a', 'ent_x likes ent_y'];
    expect(await facts(scope, then)).toEqual(known);
    await state(statement(scope, ['ent_b', 'likes', 'ent_tea']));
    expect(await facts(scope, then)).toEqual(known);
    expect(await facts(scope)).toEqual(['ent_b likes ent_tea', 'ent_club admits ent_b', 'ent_x likes ent_y']);
  });
});

describe('the deletion of a scope', () => {
  const linksOf = async (scope: string): Promise<string[]> => {
    const { json } = await service.get(`/v1/entities/ent_a?scope=${scope}`);
    return json.links.map(({ entity, same_as }: any) => `${entity} ${same_as}`);
  };

  it.each(['with', 'without'])('forgets its links, %s events', async (events) => {
    const scope = `org:links/user:deleted-${events}`;
    expect((await service.post('/v1/scopes', { path: scope })).status).toBe(201);
    if (events === 'with') await state(statement(scope, ['ent_a', 'likes', 'ent_tea']));
    await link(scope, 'ent_a', 'ent_b');
    const gone = await service.request(
      'DELETE',
      `/v1/scopes?path=${encodeURIComponent(scope)}&records=forget`,
    );
    expect(gone.status).toBe(204);
    await eventually(
      'the scope to be gone',
      async () => (await service.post('/v1/scopes', { path: scope })).status === 201,
    );
    await state(statement(scope, ['ent_a', 'likes', 'ent_tea']));
    expect(await linksOf(scope)).toEqual([]);
    expect(await facts(scope)).toEqual(['ent_a likes ent_tea']);
  });
});
