import { claimOf } from '../support/contradict.ts';
import type { Answer } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

type Part = readonly [value: string, more?: Record<string, unknown>];

/** States values of one claim in one transaction; answers the ids of their events. */
async function state(scope: string, ...parts: Part[]): Promise<string[]> {
  const items = parts.map(([value, more]) => claimOf(scope, value, more));
  const { status, json } = await service.post('/v1/experience/bulk?wait=consolidated', { items });
  expect(status).toBe(202);
  return json.results.map(({ event_id }: any) => event_id);
}

interface Open {
  readonly id: string;
  /** Ids of records by value. */
  readonly records: Readonly<Record<string, string>>;
}

async function open(scope: string, ...parts: Part[]): Promise<Open> {
  await state(scope, ...parts);
  const { conflicts } = await all(scope);
  const [conflict] = conflicts.filter(({ status }: any) => status === 'open');
  return {
    id: conflict.id,
    records: Object.fromEntries(conflict.records.map(({ object, id }: any) => [object, id])),
  };
}

const all = async (scope: string): Promise<any> =>
  (await service.get(`/v1/conflicts?scope=${scope}&status=all`)).json;
const resolve = (id: string, body: object): Promise<Answer> =>
  service.post(`/v1/conflicts/${id}/resolve`, body);

async function settle(id: string, body: object): Promise<any> {
  const { status, json, text } = await resolve(id, body);
  expect([status, text]).toEqual([200, text]);
  return json;
}

describe('a conflict that was settled', () => {
  it('is at earlier recorded instants what it was then', async () => {
    const scope = 'user:then';
    const { id, records } = await open(scope, ['Paris'], ['London']);
    await state(scope, ['London']);
    const settled = await settle(id, { action: 'pick', winner: records.Paris });
    const instantOf = (text: string, add = 0): string => new Date(Date.parse(text) + add).toISOString();
    const at = async (instant: string): Promise<any[]> => {
      const known = `as_of_recorded=${instant}`;
      const one = await service.get(`/v1/conflicts/${id}?${known}`);
      for (const list of [`&status=all`, ''])
        expect((await service.get(`/v1/conflicts?scope=${scope}${list}&${known}`)).json).toMatchObject({
          items: one.status === 200 && (list !== '' || one.json.status === 'open') ? [one.json] : [],
          total: one.status === 200 && (list !== '' || one.json.status === 'open') ? 1 : 0,
        });
      if (one.status !== 200) return [one.json.error_code];
      const { status, resolved_at, resolved_by, resolution, records: shown } = one.json;
      const sides = shown.map(({ object, status: became }: any) => `${object} ${became}`);
      return [status, resolved_at, resolved_by, resolution?.action ?? null, sides];
    };
    expect(await at(instantOf(settled.detected_at, -1))).toEqual(['NOT_FOUND']);
    expect(await at(settled.detected_at)).toEqual([
      'open',
      null,
      null,
      null,
      ['Paris displaced', 'London active'],
    ]);
    expect(await at(instantOf(settled.resolved_at, -1))).toEqual([
      'open',
      null,
      null,
      null,
      ['Paris displaced', 'London active', 'London active'],
    ]);
    const { resolved_at, resolved_by } = settled;
    const after = ['manually_resolved', resolved_at, resolved_by, 'pick'];
    expect((await at(resolved_at)).slice(0, 4)).toEqual(after);
    expect((await at(resolved_at))[4]).toEqual(
      settled.records.map(({ object, status }: any) => `${object} ${status}`),
    );
    const { data } = await ask(
      service,
      `{ conflict(id: "${id}", asOf: { recorded: "${settled.detected_at}" }) { status records { object } } }`,
    );
    expect(data.conflict).toEqual({ status: 'open', records: [{ object: 'Paris' }, { object: 'London' }] });
  });
});
