import type { Document } from '../../src/explorer/api/document.ts';
import { EXAMPLE_SCOPE } from '../../src/explorer/example/story.ts';
import { tellStory } from '../../src/explorer/example/tell.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';

let service: SharedService;

async function ask<Data, Variables>(
  { text }: Document<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const { json } = await service.post('/graphql', { query: text, variables: variables as object });
  expect(json.errors).toBeUndefined();
  return json.data as Data;
}

async function tell(): Promise<number[]> {
  const reports: number[] = [];
  await tellStory(ask, (done) => reports.push(done));
  return reports;
}

async function valuesOf(predicate: string, more = ''): Promise<string[]> {
  const path = `/v1/facts?scope=${EXAMPLE_SCOPE}&predicate=${predicate}${more}`;
  const { json } = await service.get(path);
  return json.items.map(({ object }: any) => object.name ?? object.value).sort();
}

beforeAll(async () => {
  service = sharedService();
  await tell();
});

describe('the example', () => {
  it('has moves, and one that was told late', async () => {
    expect(await valuesOf('lives_in')).toEqual(['Tromsø']);
    expect(await valuesOf('lives_in', '&as_of_valid=2024-12-01T00:00:00Z')).toEqual(['Ålesund']);
    expect(await valuesOf('lives_in', '&as_of_valid=2024-06-01T00:00:00Z')).toEqual(['Bergen']);
  });

  it('has two sources that disagree', async () => {
    const { json } = await service.get(`/v1/conflicts?scope=${EXAMPLE_SCOPE}`);
    expect(json.total).toBe(1);
    expect(json.conflicts[0].records.map(({ object }: any) => object).sort()).toEqual(['1958', '1962']);
  });

  it('has a conclusion that falls with its premise', async () => {
    const at = '&as_of_valid=2025-10-01T00:00:00Z';
    expect(await valuesOf('ready_for', at)).toEqual(['launch in May']);
    expect(await valuesOf('ready_for')).toEqual([]);
    expect(await valuesOf('hull_condition')).toEqual([]);
  });

  it('can be told again and stays as it is', async () => {
    const count = async (): Promise<number> =>
      (await service.get(`/v1/events?scope=${EXAMPLE_SCOPE}&limit=100`)).json.items.length;
    const before = await count();
    expect(await tell()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await count()).toBe(before);
  });
});
