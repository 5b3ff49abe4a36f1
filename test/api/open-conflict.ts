import { claimOf } from '../support/contradict.ts';
import type { SharedService } from '../support/shared-service.ts';

/** A value of a claim, and what is said of it beside. */
export type Part = readonly [value: string, more?: Record<string, unknown>];

/** States values of one claim in one transaction; answers the ids of their events. */
export async function stateParts(
  service: Pick<SharedService, 'post'>,
  scope: string,
  ...parts: Part[]
): Promise<string[]> {
  const items = parts.map(([value, more]) => claimOf(scope, value, more));
  const { status, json } = await service.post('/v1/experience/bulk?wait=consolidated', { items });
  expect(status).toBe(202);
  return json.results.map(({ event_id }: any) => event_id);
}

/** A conflict that was opened. */
export interface Open {
  readonly id: string;
  /** Ids of records by value. */
  readonly records: Readonly<Record<string, string>>;
}

/** States values of one claim that contradict each other; answers their conflict. */
export async function openConflict(
  service: Pick<SharedService, 'get' | 'post'>,
  scope: string,
  ...parts: Part[]
): Promise<Open> {
  await stateParts(service, scope, ...parts);
  const { conflicts } = (await service.get(`/v1/conflicts?scope=${scope}&status=all`)).json;
  const [conflict] = conflicts.filter(({ status }: any) => status === 'open');
  return {
    id: conflict.id,
    records: Object.fromEntries(conflict.records.map(({ object, id }: any) => [object, id])),
  };
}
