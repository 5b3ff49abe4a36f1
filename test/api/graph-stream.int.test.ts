import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

import { cancelled } from '../support/cancel.ts';
import { message, operatorHeaders } from '../support/client.ts';
import { closeEvents, openEvents, type EventStream } from '../support/event-stream.ts';
import { statement } from '../support/facts.ts';
import fc from '../support/property.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { allOf, FollowedGraph, graphOf, textsOf } from './graph-pages.ts';
import { expectProblem } from './problem.ts';

const PEOPLE = ['ann', 'bob', 'cyd'];

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});
afterEach(closeEvents);

function open(query: Record<string, string>, headers: Record<string, string> = {}): Promise<EventStream> {
  return openEvents(service.url, query, headers, '/v1/graph/stream');
}

async function tell(envelope: Record<string, unknown>): Promise<any> {
  const { status, json, text } = await service.post('/v1/experience?wait=consolidated', envelope);
  if (status !== 202) throw new Error(text);
  return json;
}

/** Follows a graph until a frame is taken in, and tells what the reader then has and what there is. */
async function followed(stream: EventStream, scope: string, query: string): Promise<FollowedGraph> {
  const [newest] = (await allOfFrames(scope)).slice(-1);
  const events = await stream.until(({ id }) => (id ?? '') >= newest.lifecycle_id);
  const graph = new FollowedGraph(scope, () => graphOf(service, query));
  for (const { data } of events) await graph.take(data);
  return graph;
}

/** The frames of a scope that a change of its graph is made of. */
async function allOfFrames(scope: string): Promise<any[]> {
  return allOf(
    service,
    `/v1/lifecycle?scope=${scope}&events=captured,consolidated,cancelled,forgotten&limit=1000`,
  );
}

const said = fc.record({
  triple: fc.tuple(
    fc.constantFrom(...PEOPLE),
    fc.constantFrom('likes', 'lives_in', 'knows'),
    fc.constantFrom(...PEOPLE, 'oslo', 'tea'),
  ),
  day: fc.integer({ min: 1, max: 9 }),
  confidence: fc.constantFrom(0.4, 0.7, 1),
  /** Which of the facts of before it was concluded from; none where there is none. */
  premise: fc.option(fc.nat({ max: 9 }), { nil: null, freq: 2 }),
});

describe('the stream of a graph', () => {
  it.each(['', '&include_superseded=true'])(
    'keeps the graph of a scope up to date while it is written to (%s)',
    async (superseded) => {
      let number = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(said, { minLength: 3, maxLength: 7 }), async (history) => {
          const scope = `org:graph-stream/user:${superseded === '' ? 'now' : 'all'}${(number += 1)}`;
          const query = `scope=${scope}${superseded}&limit=100`;
          const whenever = superseded === '' ? {} : { include_superseded: 'true' };
          const stream = await open({ scope, ...whenever });
          const [first] = await stream.atLeast(1);
          expect(first).toMatchObject({ event: 'graph_changed', data: { read_again: true, scope } });
          // Read before anything is written: all that comes is told by changes.
          for (const { triple, day, confidence, premise } of history) {
            const { json } = await service.get(`/v1/facts?scope=${scope}&include_superseded=true`);
            const named = premise === null ? undefined : json.items[premise]?.id;
            const on = `2026-01-0${day}T00:00:00Z`;
            const more = { observed_at: on, valid_from: on, confidence };
            const premises = named === undefined ? {} : { derived_from: [named] };
            await tell(statement(scope, triple, { ...more, ...premises }));
          }
          const graph = new FollowedGraph(scope, () => Promise.resolve({ nodes: [], edges: [] }));
          const [newest] = (await allOfFrames(scope)).slice(-1);
          const events = await stream.until(({ id }) => (id ?? '') >= newest.lifecycle_id);
          for (const [i, { data }] of events.entries()) expect(await graph.take(data)).toBe(i === 0);
          stream.close();
          expect(textsOf(graph.graph)).toEqual(textsOf(await graphOf(service, query)));
        }),
        { numRuns: 4 },
      );
    },
  );

  it('says when the graph has to be read again, and goes on behind the last change that was taken', async () => {
    const scope = 'org:graph-stream/user:again';
    const { event_id: id } = await tell(message(scope, 'The pump is to be replaced.'));
    const stream = await open({ scope, since_lifecycle_id: 'lce_0000000000000000' });
    const seen = await followed(stream, scope, `scope=${scope}`);
    expect(seen.graph.nodes.map((node) => node.id)).toContain(id);
    const cursor = stream.events.at(-1)?.id ?? '';
    stream.close();
    await cancelled(service, id, scope);
    const resumed = await open({ scope }, { 'last-event-id': cursor });
    await resumed.until(({ data }) => data.read_again === true);
    expect(resumed.events[0]).toMatchObject({ id: cursor, data: { read_again: false, nodes: [] } });
  });

  it('tells nothing of layers that the caller may not read', async () => {
    const scope = 'org:graph-stream/user:narrow';
    const { token } = await mintFrom(service, { caps: ['lifecycle.subscribe', 'scope.read.local'] });
    const narrow = await open({ scope }, bearer(token));
    const whole = await open({ scope });
    await tell(statement(scope, ['ann', 'lives_in', 'oslo'], {}));
    const [newest] = (await allOfFrames(scope)).slice(-1);
    const told = async (stream: EventStream): Promise<string> => {
      const events = await stream.until(({ id }) => (id ?? '') >= newest.lifecycle_id);
      return JSON.stringify(events);
    };
    expect(await told(whole)).toContain('"concept_');
    const seen = await told(narrow);
    expect(seen).toContain('"fact_');
    expect(seen).not.toContain('"concept_');
  });

  it('is the same over GraphQL', async () => {
    const scope = 'org:graph-stream/user:graphql';
    const client = createClient({
      url: `${service.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: operatorHeaders(),
      retryAttempts: 0,
    });
    const query = `subscription { graphChanged(scope: "${scope}") {
      event lifecycleId readAgain gone nodes { id summary record { id } } edges { from to type } } }`;
    const changes: any[] = [];
    for await (const { data, errors } of client.iterate<any>({ query })) {
      expect(errors).toBeUndefined();
      changes.push(data.graphChanged);
      if (changes.length === 1) await tell(message(scope, 'The pump was replaced.'));
      if (data.graphChanged.nodes.some((node: any) => node.id.startsWith('ep_'))) break;
    }
    await client.dispose();
    expect(changes[0]).toMatchObject({ event: 'graph_changed', readAgain: true, nodes: [], gone: [] });
    const { nodes, edges } = changes.at(-1);
    const event = nodes.find((node: any) => node.id.startsWith('evt_'));
    expect(event).toMatchObject({ summary: 'The pump was replaced.', record: { id: event.id } });
    expect(edges).toContainEqual(expect.objectContaining({ to: event.id, type: 'CONTAINS' }));
  });

  it('refuses a cursor that is none', async () => {
    const answer = await service.get('/v1/graph/stream?scope=org:graph-stream&since_lifecycle_id=lce_1');
    expectProblem(answer, { status: 400, code: 'INVALID_QUERY', field: 'since_lifecycle_id' });
  });
});
