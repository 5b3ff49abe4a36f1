import type { SharedService } from '../support/shared-service.ts';

/** States triples of one scope, one after the other, and answers the ids of the events once all are derived from. */
export async function stateAll(
  service: SharedService,
  ...envelopes: Record<string, unknown>[]
): Promise<string[]> {
  const ids: string[] = [];
  for (const [i, envelope] of envelopes.entries()) {
    const wait = i === envelopes.length - 1 ? 'consolidated' : 'captured';
    const { status, json } = await service.post(`/v1/experience?wait=${wait}`, envelope);
    expect(status).toBe(202);
    ids.push(json.event_id as string);
  }
  return ids;
}

export async function linkEntities(
  service: SharedService,
  scope: string,
  entity: string,
  same_as: string,
): Promise<any> {
  const { status, json } = await service.post('/v1/entities/link', { scope, entity, same_as });
  expect([status, json.status]).toEqual([201, 'applied']);
  return json;
}

export async function unlinkEntities(service: SharedService, id: string): Promise<any> {
  const { status, json } = await service.request('DELETE', `/v1/entities/link/${id}`);
  expect([status, json.status]).toEqual([200, 'applied']);
  return json;
}

export async function recordedAt(service: SharedService, event: string | undefined): Promise<string> {
  const { json } = await service.get(`/v1/events/${event}`);
  return encodeURIComponent(json.context.recorded_at as string);
}
