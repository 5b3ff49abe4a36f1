import { cancelled } from '../support/cancel.ts';
import { declare } from '../support/declared.ts';
import { statement } from '../support/facts.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { ask } from './graphql/ask.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

/** A synthesis tells which of its topics several entities go by. */
async function expectTopics(scope: string, expected: readonly object[]): Promise<void> {
  const topics = { scope, topics: ['BO', 'una'] };
  const queued = (await service.post('/v1/understanding/synthesize', topics)).json;
  expect(queued).toMatchObject({ status: 'queued', ambiguous_entity: expected });
  const synthesis = await ask(
    service,
    `mutation { synthesizeConcepts(input: {scope: "${scope}", topics: ["Bo"]}) { ambiguousEntity { name ids } } }`,
  );
  expect(synthesis.data).toEqual({ synthesizeConcepts: { ambiguousEntity: expected } });
  const certain = await service.post('/v1/understanding/synthesize', { scope, topics: ['ent_first'] });
  expect(certain.json).not.toHaveProperty('ambiguous_entity');
}

describe('a name by which alone an entity is named', () => {
  it('is the entity of the scope that goes by it at its place in the log', async () => {
    const scope = 'org:declared-resolved';
    const named = async (id: string, name: string): Promise<string> => {
      const sent = statement(scope, [id, 'knows', 'ent_una'], { subject: { type: 'entity', id, name } });
      const { status, json } = await service.post('/v1/experience', sent);
      expect(status).toBe(202);
      return json.event_id as string;
    };
    const about = async (subject: string, predicate: string): Promise<any> => {
      const belief = await declare(service, scope, { subject, predicate, statement: 'It is so.' });
      return belief.claim.subject;
    };
    expect((await about('Anna', 'before')).id).toBe('ent_anna');
    // What is declared makes its name known as what is stated does.
    expect((await about('ANNA', 'again')).id).toBe('ent_anna');
    const first = await named('ent_a', 'Ann');
    expect(await about(' ANN', 'by its name')).toEqual({ type: 'entity', id: 'ent_a', name: 'Ann' });
    await named('ent_a', 'Anna Smith');
    expect(await about('Ann', 'by another name')).toMatchObject({ id: 'ent_a' });
    await named('ent_b', 'Ann');
    expect((await about('Ann', 'by what goes by it')).id).toBe('ent_b');
    expect((await about('ent_ann', 'by its id')).id).toBe('ent_ann');
    const predicates = async (entity: string): Promise<string[]> =>
      (await service.get(`/v1/beliefs?scope=${scope}&about=${encodeURIComponent(entity)}`)).json.items
        .map(({ predicate }: any) => predicate as string)
        .filter((predicate: string) => predicate !== 'knows')
        .sort();
    const expected = async (): Promise<void> => {
      expect(await predicates('ent_a')).toEqual(['by_another_name', 'by_its_name']);
      expect(await predicates('Anna Smith')).toEqual(['by_another_name', 'by_its_name']);
      expect(await predicates('ent_anna')).toEqual(['again', 'before']);
      expect(await predicates('ent_ann')).toEqual(['by_its_id']);
      expect(await predicates('ent_b')).toEqual(['by_what_goes_by_it']);
    };
    await expected();
    // What gave the name may go: what was about it then stays about it, and a rebuild finds the same.
    await cancelled(service, first, scope);
    await expected();
    expect((await service.post('/v1/beliefs/build', { scope })).status).toBe(200);
    await expected();
  });

  it('that several entities of the scope have is said to be ambiguous, in frames, answers and lists', async () => {
    const scope = 'org:declared-ambiguous';
    for (const id of ['ent_first', 'ent_second']) {
      const sent = statement(scope, [id, 'knows', 'ent_una'], {
        subject: { type: 'entity', id, name: 'Bo' },
      });
      const { json } = await service.post('/v1/experience?wait=consolidated', sent);
      expect(json).not.toHaveProperty('ambiguous_entity');
    }
    const expected = [{ name: 'bo', ids: ['ent_first', 'ent_second'] }];
    const frameOf = async (id: string): Promise<any> =>
      (await service.get(`/v1/lifecycle?events=consolidated&event_id=${id}`)).json.items[0].data;
    const belief = await declare(service, scope, { subject: 'Bo' });
    expect(belief.claim.subject.id).toBe('ent_first');
    expect(await frameOf(belief.supports[0].id)).toMatchObject({ ambiguous_entity: expected });
    const subject = { type: 'literal', datatype: 'string', value: 'Bo' };
    const sent = statement(scope, ['', 'is at', 'ent_home'], { subject });
    const { json } = await service.post('/v1/experience?wait=consolidated', sent);
    expect(json).toMatchObject({ warnings: ['ambiguous_entity'], ambiguous_entity: expected });
    expect(await frameOf(json.event_id)).toMatchObject({ ambiguous_entity: expected });
    const bulk = await service.post('/v1/experience/bulk?wait=consolidated', { items: [sent] });
    expect(bulk.json.results[0]).toMatchObject({ ambiguous_entity: expected });
    const { data, errors } = await ask(
      service,
      `mutation { capture(wait: consolidated, input: {scope: "${scope}", modality: "observation", content: {triple: {
        subject: {literal: {datatype: "string", value: "Bo"}}, predicate: "is at", object: {literal: {datatype: "string", value: "home"}}}}})
        { warnings ambiguousEntity { name ids } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.capture).toEqual({ warnings: ['ambiguous_entity'], ambiguousEntity: expected });
    for (const query of ['facts?subject=Bo', 'beliefs?about=BO', 'understanding?topic=bo']) {
      const page = (await service.get(`/v1/${query}&scope=${scope}`)).json;
      expect([query, page.ambiguous_entity]).toEqual([query, expected]);
    }
    for (const query of ['facts/timeline?subject=Bo', 'claims/history?subject=Bo&predicate=knows']) {
      const { json: one } = await service.get(`/v1/${query}&scope=${scope}`);
      expect([query, one.subject?.id ?? one.claim.subject]).toEqual([query, 'ent_first']);
    }
    await expectTopics(scope, expected);
    for (const query of ['facts?subject=ent_first', 'beliefs?about=ent_una'])
      expect((await service.get(`/v1/${query}&scope=${scope}`)).json).not.toHaveProperty('ambiguous_entity');
    const asked = await ask(
      service,
      `{ facts(scope: "${scope}", subject: "Bo") { ambiguousEntity { name ids } }
         beliefs(scope: "${scope}", about: "Bo") { ambiguousEntity { name ids } }
         concepts(scope: "${scope}", topic: "una") { ambiguousEntity { ids } } }`,
    );
    expect(asked.data).toEqual({
      facts: { ambiguousEntity: expected },
      beliefs: { ambiguousEntity: expected },
      concepts: { ambiguousEntity: null },
    });
    // A link makes one of them, of which there is nothing to be asked.
    await service.post('/v1/entities/link', { scope, entity: 'ent_second', same_as: 'ent_first' });
    const linked = (await service.get(`/v1/facts?subject=Bo&scope=${scope}`)).json;
    expect(linked).not.toHaveProperty('ambiguous_entity');
  });

  it('stands for the same entity first wherever it is told that several have it', async () => {
    const scope = 'org:declared-order';
    const [una, other] = ['ent_una', 'ent_other'];
    for (const [id, name] of [
      [una, 'Robert'],
      [other, 'Bo'],
      [una, 'Bo'],
    ] as const)
      await service.post(
        '/v1/experience?wait=consolidated',
        statement(scope, [id, 'is at', `=${name}`], { subject: { type: 'entity', id, name } }),
      );
    const subject = { type: 'literal', datatype: 'string', value: 'Bo' };
    const sent = statement(scope, ['', 'works at', '=home'], { subject, idempotency_key: 'bo' });
    const captured = (): Promise<any> => service.post('/v1/experience?wait=consolidated', sent);
    const expected = [{ name: 'bo', ids: [una, other] }];
    expect((await captured()).json.ambiguous_entity).toEqual(expected);
    const queries = [
      'facts?subject=Bo',
      'facts/timeline?subject=Bo',
      'entities?q=BO',
      'claims?subject=Bo',
      'claims/history?subject=Bo&predicate=works_at',
    ];
    const told = async (): Promise<unknown[]> => {
      const pages = await Promise.all(queries.map((query) => service.get(`/v1/${query}&scope=${scope}`)));
      const recalled = await service.post('/v1/recall', { scope, query: 'Where does Bo work?' });
      return [...pages, recalled].map(({ json }) => json.ambiguous_entity);
    };
    expect(await told()).toEqual([...queries, 'recall'].map(() => expected));
    const field = 'ambiguousEntity { name ids }';
    const { data, errors } = await ask(
      service,
      `{ factTimeline(subject: "Bo", scope: "${scope}") { ${field} }
         entities(scope: "${scope}", q: "Bo") { ${field} }
         claims(scope: "${scope}", subject: "Bo") { ${field} }
         claimHistory(scope: "${scope}", subject: "Bo", predicate: "works_at") { ${field} }
         recall(input: {scope: "${scope}", query: "Where does Bo work?"}) { ${field} } }`,
    );
    expect(errors).toBeUndefined();
    expect(Object.values(data)).toEqual(Array.from({ length: 5 }, () => ({ ambiguousEntity: expected })));
    // A link makes one of them: of what is captured behind it, and of what is asked for again.
    await service.post('/v1/entities/link', { scope, entity: other, same_as: una });
    expect((await captured()).json).toMatchObject({ replayed_from_idempotency: true });
    const anew = await service.post('/v1/experience?wait=consolidated', { ...sent, idempotency_key: 'bo2' });
    for (const { json } of [await captured(), anew]) {
      expect(json).not.toHaveProperty('warnings');
      expect(json).not.toHaveProperty('ambiguous_entity');
    }
    const frames = await service.get(`/v1/lifecycle?events=consolidated&event_id=${anew.json.event_id}`);
    expect(frames.json.items[0].data).not.toHaveProperty('ambiguous_entity');
    expect(await told()).toEqual([...queries, 'recall'].map(() => undefined));
  });

  it('is told to who may write alone to be ambiguous, without the entities', async () => {
    const scope = 'org:declared-unread';
    await service.post('/v1/scopes', { path: scope, members: [{ actor: 'user:a', role: 'owner' }] });
    for (const id of ['ent_first', 'ent_second'])
      await service.post(
        '/v1/experience?wait=consolidated',
        statement(scope, [id, 'knows', 'ent_una'], { subject: { type: 'entity', id, name: 'Bo' } }),
      );
    const sent = statement(scope, ['', 'is at', '=home'], {
      subject: { type: 'literal', datatype: 'string', value: 'Bo' },
    });
    const captured = async (caps: string[]): Promise<any[]> => {
      const { token } = await mintFrom(service, { caps });
      const headers = bearer(token);
      const one = await service.post('/v1/experience?wait=consolidated', sent, { headers });
      const bulk = await service.post(
        '/v1/experience/bulk?wait=consolidated',
        { items: [sent] },
        { headers },
      );
      const { data } = await ask(
        service,
        `mutation { capture(wait: consolidated, input: {scope: "${scope}", modality: "observation", content: {triple: {
          subject: {literal: {datatype: "string", value: "Bo"}}, predicate: "is at", object: {literal: {datatype: "string", value: "home"}}}}})
          { warnings ambiguousEntity { name ids } } }`,
        undefined,
        { headers },
      );
      expect([one.status, bulk.status]).toEqual([202, 202]);
      const [item] = bulk.json.results;
      return [
        one.json,
        item,
        { ...data.capture, ambiguous_entity: data.capture.ambiguousEntity ?? undefined },
      ];
    };
    for (const answer of await captured(['scope.write'])) {
      expect(answer.warnings).toEqual(['ambiguous_entity']);
      expect(answer.ambiguous_entity).toBeUndefined();
      expect(JSON.stringify(answer)).not.toContain('ent_first');
    }
    for (const answer of await captured(['scope.write', 'scope.read']))
      expect(answer.ambiguous_entity).toEqual([{ name: 'bo', ids: ['ent_first', 'ent_second'] }]);
  });

  it('may be the subject of a triple, while an id that is given stays what it is', async () => {
    const scope = 'org:declared-literal';
    const subject = (id: string, name: string): object => ({ type: 'entity', id, name });
    await service.post(
      '/v1/experience',
      statement(scope, ['ent_a', 'lives in', 'ent_x'], { subject: subject('ent_a', 'Ann') }),
    );
    const literal = { type: 'literal', datatype: 'string', value: 'ann' };
    for (const one of [literal, subject('ent_ann', 'Ann')])
      await service.post(
        '/v1/experience?wait=consolidated',
        statement(scope, ['', 'works at', 'ent_y'], { subject: one }),
      );
    const facts = (await service.get(`/v1/facts?scope=${scope}&predicate=works_at`)).json.items;
    expect(facts.map((fact: any) => fact.subject.id).sort()).toEqual(['ent_a', 'ent_ann']);
  });
});
