import { statement } from '../support/facts.ts';
import { message } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { eventually } from '../support/wait.ts';

// A conclusion falls with an event that it rests on, whatever that event states itself.

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

async function captured(envelope: object): Promise<string> {
  const { status, json } = await service.post('/v1/experience?wait=consolidated', envelope);
  expect(status).toBe(202);
  return json.event_id as string;
}

const concluded = (scope: string, premise: string): Promise<string> =>
  captured(statement(scope, ['ent_tank', 'state', 'ent_empty'], { derived_from: [premise] }));

async function factsOf(scope: string): Promise<number> {
  return (await service.get(`/v1/facts?scope=${scope}`)).json.items.length as number;
}

const falls = (scope: string): Promise<unknown> =>
  eventually('the conclusion to fall', async () => (await factsOf(scope)) === 0);

it('falls with an event that states nothing and is in no episode', async () => {
  const envelope = message('org:premise/ws:silent', 'The gauge reads zero', { directives: { extract: [] } });
  const id = await captured(envelope);
  const scope = 'org:premise/ws:concluded';
  await concluded(scope, id);
  expect(await factsOf(scope)).toBe(1);
  expect((await service.post(`/v1/lifecycle/memory-event/${id}/cancel`)).status).toBe(200);
  await falls(scope);
});

it('falls with any of the events of a scope that is forgotten', async () => {
  const forgotten = 'org:premise/ws:forgotten';
  expect((await service.post('/v1/scopes', { path: forgotten })).status).toBe(201);
  const scopes: string[] = [];
  for (const [i, text] of ['The gauge reads zero', 'The valve is open', 'The line is cold'].entries()) {
    const scope = `org:premise/ws:rests${i}`;
    await concluded(scope, await captured(message(forgotten, text)));
    scopes.push(scope);
  }
  const path = `/v1/scopes?path=${forgotten}&records=forget`;
  expect((await service.request('DELETE', path)).status).toBe(204);
  for (const scope of scopes) await falls(scope);
});
