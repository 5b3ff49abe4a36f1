import type { Driver } from 'neo4j-driver';

import { scopeRef } from '../../src/capture/scope-key.ts';
import { query } from '../support/database.ts';
import { message } from '../support/client.ts';
import { eventually } from '../support/wait.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { expectProblem } from './problem.ts';

let service: SharedService;
let driver: Driver;

beforeAll(() => {
  service = sharedService();
  driver = service.driver();
});
afterAll(async () => {
  await driver.close();
});

const at = (path: string, records?: string): string =>
  `/v1/scopes?path=${encodeURIComponent(path)}${records === undefined ? '' : `&records=${records}`}`;
const remove = (path: string, records?: string) => service.request('DELETE', at(path, records));
const listed = async (scope: string): Promise<string[]> =>
  (await service.get(`/v1/events?scope=${scope}`)).json.items.map(({ id }: any) => id as string);

describe('a scope that is forgotten', () => {
  it('ends while others write, and takes nothing with it that was acknowledged after it began', async () => {
    const scope = 'ws:busy';
    await service.post('/v1/scopes', { path: scope, owner: 'user:o' });
    const acknowledged = new Map<string, number>();
    const refusals = new Set<string>();
    let writing = true;
    const writer = async (): Promise<void> => {
      while (writing) {
        const { status, json } = await service.post('/v1/experience', message(scope, 'more'));
        if (status === 202) acknowledged.set(json.event_id as string, json.wal_offset as number);
        else refusals.add(json.error_code as string);
      }
    };
    const writers = Array.from({ length: 4 }, writer);
    await eventually('there are events', () => Promise.resolve(acknowledged.size > 20));
    expect((await remove(scope, 'forget')).status).toBe(204);
    const atTheEnd = acknowledged.size;
    await eventually('it is written to again', () => Promise.resolve(acknowledged.size > atTheEnd + 20));
    writing = false;
    await Promise.all(writers);
    const left = new Set(
      (await service.get(`/v1/events?scope=${scope}&limit=1000`)).json.items.map(({ id }: any) => id),
    );
    const offsets = (kept: boolean) =>
      [...acknowledged].filter(([id]) => left.has(id) === kept).map(([, offset]) => offset);
    expect(offsets(true).length).toBe(left.size);
    expect(Math.max(...offsets(false))).toBeLessThan(Math.min(...offsets(true)));
    expect([...refusals].filter((code) => code !== 'DESTRUCTIVE_OPERATION_IN_PROGRESS')).toEqual([]);
  });

  it('takes nothing in until it is done, from whatever transport', async () => {
    const path = 'ws:closed';
    await service.post('/v1/scopes', { path, owner: 'user:o' });
    const held = message(path, 'held', { idempotency_key: 'key' });
    const first = (await service.post('/v1/experience', held)).json.event_id as string;
    // What a process leaves that dies right after it marked a scope.
    await query(
      driver,
      `MATCH (s:Scope {ref: $ref}), (wal:Counter {name: 'wal'})
       SET s.deleting_through = wal.value, s.deleting_by = 'user:gone'`,
      { ref: scopeRef(service.tenant, path) },
    );
    const code = 'DESTRUCTIVE_OPERATION_IN_PROGRESS';
    for (const body of [message(path, 'new'), held]) {
      const refused = await service.post('/v1/experience', body);
      expectProblem(refused, { status: 409, code, retriable: true });
      expect(refused.headers.get('retry-after')).toBe('5');
    }
    const items = [message('ws:open', 'beside'), message(path, 'new'), held];
    const mixed = await service.post('/v1/experience/bulk', { items });
    expect([mixed.status, mixed.json.accepted]).toEqual([207, 1]);
    expect(mixed.json.failures.map(({ index, error_code }: any) => [index, error_code])).toEqual([
      [1, code],
      [2, code],
    ]);
    const strict = await service.post('/v1/experience/bulk', { items, ordering: 'strict_temporal' });
    expectProblem(strict, { status: 409, code, retriable: true });
    expect(await listed('ws:open')).toEqual([mixed.json.results[0].event_id]);
    expect((await remove(path)).status).toBe(204);
    const after = await service.post('/v1/experience', held);
    expect([after.status, after.json.replayed_from_idempotency]).toEqual([202, false]);
    expect(after.json.event_id).not.toBe(first);
    expect(await listed(path)).toEqual([after.json.event_id]);
  });
});
