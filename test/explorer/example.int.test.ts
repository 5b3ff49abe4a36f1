import { chapterInput } from '../../src/explorer/example/envelope.ts';
import { CAPTURE_CHAPTER, type BulkData } from '../../src/explorer/example/queries.ts';
import { CHAPTERS, EXAMPLE_SCOPE } from '../../src/explorer/example/story.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';

let service: SharedService;

/** Tells the story as the explorer does; answers how many events are new. */
async function tell(): Promise<number> {
  const events = new Map<string, string>();
  let written = 0;
  for (const chapter of CHAPTERS) {
    const { json } = await service.post('/graphql', {
      query: CAPTURE_CHAPTER.text,
      variables: { input: chapterInput(chapter, events) },
    });
    expect(json.errors).toBeUndefined();
    const { results, failures } = (json.data as BulkData).captureMany!;
    expect(failures).toBeNull();
    for (const { index, eventId } of results) {
      const { name } = chapter.moments[index]!;
      if (!events.has(name)) written += 1;
      events.set(name, eventId!);
    }
  }
  return written;
}

async function valuesOf(predicate: string, more = ''): Promise<string[]> {
  const path = `/v1/facts?scope=${EXAMPLE_SCOPE}&predicate=${predicate}${more}`;
  const { json } = await service.get(path);
  return json.items.map(({ object }: any) => object.name ?? object.value).sort();
}

beforeAll(async () => {
  service = sharedService();
  expect(await tell()).toBe(CHAPTERS.flatMap(({ moments }) => moments).length);
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
    await tell();
    expect(await count()).toBe(before);
  });
});
