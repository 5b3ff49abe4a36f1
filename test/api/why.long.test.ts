import { statement } from '../support/facts.ts';
import { ModelEndpoint, SIMPLE_MIND } from '../support/model-endpoint.ts';
import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { statementsOf } from './gate/statements.ts';
import { ask } from './graphql/ask.ts';
import { expectCode } from './problem.ts';

let endpoint: ModelEndpoint;
let service: TestService;

beforeAll(async () => {
  endpoint = await ModelEndpoint.start();
  endpoint.script = SIMPLE_MIND;
  service = await startTestService({
    STRATA_LLM_URL: endpoint.url,
    STRATA_LLM_MODEL: 'simple-mind',
  });
});
afterAll(async () => {
  await service.stop();
  await endpoint.stop();
});

async function say(envelope: object): Promise<string> {
  const { status, json, text } = await service.post('/v1/experience?wait=consolidated', envelope);
  if (status !== 202) throw new Error(text);
  return json.event_id as string;
}

async function only(noun: string, query: string): Promise<any> {
  const { items } = (await service.get(`/v1/${noun}?${query}`)).json;
  expect(items).toHaveLength(1);
  return items[0];
}

describe('why', () => {
  it('a quoted fact rests on words of its event, and says which', async () => {
    const text = 'Well 🚀, Cid lives_in Turin now.';
    const event = await say(message('user:quoted', text));
    const fact = await only('facts', 'scope=user:quoted');
    const { json } = await service.get(`/v1/facts/${fact.id}/why`);
    const start = Array.from('Well 🚀, ').length;
    expect(json).toEqual({
      fact,
      support_graph: {
        nodes: [
          { id: fact.id, type: 'fact', summary: expect.stringMatching(/^Cid lives in Turin, since /) },
          { id: event, type: 'event', summary: text },
        ],
        edges: [
          {
            from: fact.id,
            to: event,
            relation: 'extracted_from',
            span: { start, end: start + 'Cid lives_in Turin'.length },
          },
        ],
        truncated: false,
      },
      narrative:
        `That Cid lives in Turin is stated by 1 event: confidence ${(fact.confidence as number).toFixed(2)}. ` +
        `It holds since ${fact.valid_from as string}. What was said: “${text}”.`,
      narrative_model: null,
    });
    const belief = await only('beliefs', 'scope=user:quoted');
    const why = (await service.get(`/v1/beliefs/why?belief_id=${belief.id}`)).json;
    expect(why.support_graph.edges[1]).toEqual(json.support_graph.edges[0]);
    const { data, errors } = await ask(
      service,
      `{ facts(scope: "user:quoted") { nodes { why(depth: 1) { narrative narrativeModel fact { id } supportGraph { edges { span { start end } } } } } }
        factWhy(id: "${fact.id}") { narrative }
        beliefs(scope: "user:quoted") { nodes { why { narrative supportGraph { nodes { record { __typename } } } }
          history { revisionCount nodes { revision causedBy } } } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.facts.nodes[0].why).toEqual({
      narrative: json.narrative,
      narrativeModel: null,
      fact: { id: fact.id },
      supportGraph: { edges: [{ span: json.support_graph.edges[0].span }] },
    });
    expect(data.factWhy.narrative).toBe(json.narrative);
    const [told] = data.beliefs.nodes;
    expect(told.why.narrative).toBe(why.narrative);
    expect(told.why.supportGraph.nodes.map(({ record }: any) => record.__typename)).toEqual([
      'Belief',
      'Fact',
      'Event',
    ]);
    expect(told.history).toEqual({ revisionCount: 1, nodes: [{ revision: 1, causedBy: event }] });
  });

  it('a fact that is gone, or was not known yet, is the same 404', async () => {
    const { id } = await only('facts', 'scope=user:quoted');
    const unknown = await service.get(`/v1/facts/fact_${'0'.repeat(32)}/why`);
    const early = await service.get(`/v1/facts/${id}/why?as_of_recorded=2020-01-01T00:00:00Z`);
    expectCode(unknown, 'NOT_FOUND');
    expectCode(early, 'NOT_FOUND');
    expect(early.json.message).toBe(unknown.json.message);
  });
});

describe('a page of records with all that hangs on them', () => {
  const SCOPE = 'org:why/user:page';
  const ROWS = 50;

  beforeAll(async () => {
    const items = Array.from({ length: ROWS }, (_, i) =>
      statement(SCOPE, [`ent_${i % 25}`, 'lives in', `ent_town_${i}`], {
        valid_from: `20${10 + (i % 10)}-01-01`,
      }),
    );
    const { status } = await service.post('/v1/experience/bulk?wait=consolidated', { items });
    expect(status).toBe(202);
  });

  const LINKS =
    'derivedFrom { id } derives { id } supersedes { id } supersededBy { id } provenance(direction: both) { nodes { id } }';

  it.each([
    ['facts', 'includeSuperseded: true', `${LINKS} why { narrative }`],
    ['beliefs', '', `${LINKS} why { narrative }`],
    ['events', '', LINKS],
    ['episodes', '', LINKS],
  ])('takes as many round trips for 50 %s as for one', async (noun, filter, fields) => {
    const sent = async (first: number): Promise<number> => {
      const text = `{ ${noun}(scope: "${SCOPE}", first: ${first}${filter === '' ? '' : `, ${filter}`}) { nodes { id ${fields} } } }`;
      const { data, errors } = await ask(service, text);
      expect(errors).toBeUndefined();
      if (noun !== 'episodes') expect(data[noun].nodes).toHaveLength(first);
      return statementsOf(service, () => ask(service, text));
    };
    const [one, all] = [await sent(1), await sent(ROWS)];
    // A chain or a graph of some record of the page may be a step longer, and one step is shared by all.
    expect(all - one).toBeLessThanOrEqual(6);
  });
});
