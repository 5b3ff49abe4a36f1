import { message } from '../support/client.ts';
import { inDepth } from '../support/depth.ts';
import { unrefused } from '../support/resend.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';
import { ask } from './graphql/ask.ts';

// What was acknowledged is recalled by its words at once: nothing waits for the index here.

const TIMES = inDepth(15, 100);
const ROOT = 'org:atonce';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

/** A word of letters for a number, in the form in which stems are kept. */
const wordOf = (name: string, i: number): string =>
  `zq${name}${String(i).replace(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)] ?? '')}x`;

async function capture(scope: string, text: string, more: Record<string, unknown> = {}): Promise<string> {
  const { status, json } = await unrefused('a capture', () =>
    service.post('/v1/experience', message(scope, text, more)),
  );
  expect(status).toBe(202);
  return json.event_id as string;
}

async function recalled(scope: string, query: string, more: Record<string, unknown> = {}): Promise<string[]> {
  const { status, json } = await unrefused('a recall', () =>
    service.post('/v1/recall', { scope, query, include: ['events'], ...more }),
  );
  expect([status, json?.message]).toEqual([200, undefined]);
  return (json.layers.events as { id: string }[]).map(({ id }) => id);
}

describe('an event that was acknowledged a moment ago', () => {
  it.each([
    ['its scope', (scope: string) => scope],
    ['above', () => ROOT],
  ])('is recalled from %s, however often', async (name, from) => {
    const missed: string[] = [];
    for (let i = 0; i < TIMES; i += 1) {
      const word = wordOf(name === 'above' ? 'r' : 'l', i);
      const scope = `${ROOT}/user:u${i % 3}`;
      const id = await capture(scope, `Somebody said ${word} and left.`);
      const found = await recalled(from(scope), `who said ${word}?`);
      if (found[0] !== id) missed.push(`${word}: ${found.join()}`);
    }
    expect(missed).toEqual([]);
  });

  it('is recalled by GraphQL, however often', async () => {
    const missed: string[] = [];
    for (let i = 0; i < TIMES; i += 1) {
      const word = wordOf('g', i);
      const scope = `${ROOT}/user:g`;
      const content = { text: { text: `They named it ${word} then.` } };
      const { data, errors } = await ask(
        service,
        'mutation ($input: ExperienceInput!) { capture(input: $input) { eventId } }',
        { input: { scope, modality: 'conversation', content } },
      );
      expect(errors).toBeUndefined();
      const found = await ask(
        service,
        'query ($input: RecallInput!) { recall(input: $input) { layers { events { id } } } }',
        { input: { scope, query: word, include: ['events'] } },
      );
      expect(found.errors).toBeUndefined();
      const ids = (found.data.recall.layers.events as { id: string }[]).map(({ id }) => id);
      if (ids[0] !== data.capture.eventId) missed.push(`${word}: ${ids.join()}`);
    }
    expect(missed).toEqual([]);
  });

  it('is recalled in full length', async () => {
    const filler = 'and then the talk went on about nothing in particular ';
    const id = await capture(`${ROOT}/user:long`, `${filler.repeat(2_000)} zqlongwordx`);
    expect(await recalled(`${ROOT}/user:long`, 'zqlongwordx')).toEqual([id]);
  });

  it('stands with the best of what is found by the index, once', async () => {
    const scope = `${ROOT}/user:rank`;
    await capture(scope, 'The lighthouse keeper left.', {});
    const old = await capture(scope, 'The lighthouse stands at the harbour.');
    await service.post('/v1/experience?wait=indexed', message(scope, 'Nobody came to the harbour.'));
    const id = await capture(scope, 'Again the lighthouse at the harbour.');
    const found = await recalled(scope, 'lighthouse harbour');
    expect(found.slice(0, 2).sort()).toEqual([old, id].sort());
    expect(found).toEqual([...new Set(found)]);
    await service.post('/v1/experience?wait=indexed', message(scope, 'Something else.'));
    const later = await recalled(scope, 'lighthouse harbour');
    expect(later).toEqual([...new Set(later)]);
    expect(later).toEqual(expect.arrayContaining(found));
  });

  it('is left out by filters, times and scopes as any other', async () => {
    const scope = `${ROOT}/user:narrow`;
    const context = { labels: ['red'], observed_at: '2024-03-05T12:00:00Z' };
    const id = await capture(scope, 'The narrowed word is zqnarrowx.', { context });
    const with_ = (more: Record<string, unknown>) => recalled(scope, 'zqnarrowx', more);
    expect(await with_({ filters: { labels: { eq: 'red' } } })).toEqual([id]);
    expect(await with_({ temporal: { natural: 'March 2024' } })).toEqual([id]);
    expect(await with_({ filters: { labels: { eq: 'green' } } })).toEqual([]);
    expect(await with_({ temporal: { natural: 'April 2024' } })).toEqual([]);
    expect(await with_({ temporal: { as_of_valid: '2024-03-01T00:00:00Z' } })).toEqual([]);
    expect(await with_({ temporal: { as_of_recorded: '2024-03-06T00:00:00Z' } })).toEqual([]);
    expect(await recalled(`${ROOT}/user:other`, 'zqnarrowx', { view: 'local' })).toEqual([]);
  });

  it('is left out once it is cancelled', async () => {
    const scope = `${ROOT}/user:cancel`;
    const id = await capture(scope, 'The cancelled word is zqcancelx.');
    expect((await service.post(`/v1/lifecycle/memory-event/${id}/cancel`)).status).toBe(200);
    expect(await recalled(scope, 'zqcancelx')).toEqual([]);
  });

  it('is not shown to another tenant', async () => {
    const scope = `${ROOT}/user:tenant`;
    await capture(scope, 'The hidden word is zqtenantx.');
    const headers = { 'x-strata-tenant': service.anotherTenant() };
    const { status, json } = await service.post('/v1/recall', { scope, query: 'zqtenantx' }, { headers });
    expect([status, json.layers.events]).toEqual([200, []]);
  });
});
