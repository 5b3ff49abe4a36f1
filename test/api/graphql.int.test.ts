import { readFileSync } from 'node:fs';

import { message } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const CAPTURE = `mutation ($input: ExperienceInput!, $wait: Wait) {
  capture(input: $input, wait: $wait) { eventId status walOffset recordedAt replayedFromIdempotency lifecycleStream }
}`;

describe('GraphQL', () => {
  it('captures, reads back and cancels', async () => {
    const input = {
      scope: 'user:priya',
      modality: 'conversation',
      content: { message: { role: 'user', text: 'My flight leaves on Thursday.' } },
      idempotencyKey: 'first-one',
    };
    const { data, errors } = await ask(service, CAPTURE, { input, wait: 'indexed' });
    expect(errors).toBeUndefined();
    expect(data.capture).toMatchObject({ status: 'captured', replayedFromIdempotency: false });
    const id = data.capture.eventId as string;
    const read = await ask(
      service,
      `query ($id: ID!) {
        event(id: $id) { id scope walOffset content { kind ... on MessageContent { role text } } trace { stagesCompleted } }
        memoryEventTrace(id: $id) { eventId lifecycleEventIds }
        lifecycle(eventId: $id) { nodes { event data memoryEvent { id } } }
        experienceStatus(eventId: $id) { found status stage }
        derivationStatus(scope: "user:priya") { headOffset stages { indexed { offset } } }
        health { status } ready { ready } adminHealth { status } adminReady { ready checks } version { capabilities }
      }`,
      { id },
    );
    expect(read.errors).toBeUndefined();
    expect(read.data.event).toMatchObject({
      id,
      content: { kind: 'message', role: 'user', text: 'My flight leaves on Thursday.' },
    });
    expect(read.data.lifecycle.nodes[0]).toMatchObject({ event: 'captured', memoryEvent: { id } });
    const cancelled = await ask(
      service,
      `mutation { cancelEvent(id: "${id}") { eventId excludedFromRecall } }`,
    );
    expect(cancelled.data.cancelEvent).toEqual({ eventId: id, excludedFromRecall: true });
    const gone = await ask(service, '{ event(id: "evt_none") { id } }');
    expect(gone.errors?.[0]).toMatchObject({
      path: ['event'],
      extensions: { code: 'NOT_FOUND', retriable: false },
    });
  });

  it('captures many', async () => {
    const items = ['a', 'b'].map((text) => ({ modality: 'conversation', content: { text: { text } } }));
    const { data, errors } = await ask(
      service,
      'mutation ($input: BulkInput!) { captureMany(input: $input) { accepted results { index eventId status } } }',
      { input: { scope: 'user:many', items } },
    );
    expect(errors).toBeUndefined();
    expect(data.captureMany).toMatchObject({ accepted: 2, results: [{ index: 0 }, { index: 1 }] });
    expect((await service.get('/v1/events?scope=user:many')).json.items).toHaveLength(2);
  });

  it('answers the example of the documents', async () => {
    const page = readFileSync(new URL('../../docs/graphql.md', import.meta.url), 'utf8');
    const body = JSON.parse(/-d '(\{.*?\n {2}\})'/s.exec(page)?.[1] ?? '') as {
      query: string;
      variables: object;
    };
    const context = { labels: ['travel'] };
    const sent = await service.post(
      '/v1/experience?wait=indexed',
      message('user:priya', 'Lisbon', { context }),
    );
    const { data, errors } = await ask(service, body.query, body.variables);
    expect(errors).toBeUndefined();
    expect(data.events.nodes[0]).toEqual({
      id: sent.json.event_id,
      context,
      content: { kind: 'message', role: 'user', text: 'Lisbon' },
      trace: { stagesCompleted: expect.arrayContaining(['captured', 'indexed']) },
    });
  });

  it('tells its schema', async () => {
    const { data } = await ask(service, '{ __schema { queryType { name } } }');
    expect(data.__schema.queryType.name).toBe('Query');
  });
});
