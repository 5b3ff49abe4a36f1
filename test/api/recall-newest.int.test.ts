import { recallPack, type RecallPack } from '../../schemas/recall.ts';
import { message } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';

// What a recall without words asks for may lie behind more events than are walked.

const scope = 'org:newest/user:ann';
let service: SharedService;

beforeAll(async () => {
  service = sharedService();
  const old = { labels: ['kept'], observed_at: '2024-03-05T12:00:00Z' };
  const { status } = await service.post(
    '/v1/experience?wait=indexed',
    message(scope, 'An old note', { context: old }),
  );
  expect(status).toBe(202);
  for (const half of [0, 1]) {
    const items = Array.from({ length: 550 }, (_, i) => message(scope, `Filler ${half} ${i}`));
    expect((await service.post('/v1/experience/bulk', { items })).status).toBe(202);
  }
});

async function recall(body: Record<string, unknown>): Promise<RecallPack> {
  const { status, json } = await service.post('/v1/recall', { scope, include: ['events'], ...body });
  expect([status, json?.message]).toEqual([200, undefined]);
  return recallPack.parse(json);
}

const said = ({ layers }: RecallPack): unknown[] =>
  layers.events.map(({ content }) => (content as { text?: string } | undefined)?.text);

describe('a recall without words', () => {
  it.each([
    ['a filter', { filters: { metadata: { labels: 'kept' } } }],
    ['a filter of times', { filters: { observed_at: { lte: '2024-03-05T12:00:00Z' } } }],
    ['a time phrase', { temporal: { natural: 'March 2024' } }],
    ['an instant', { temporal: { as_of_valid: '2024-04-01T00:00:00Z' } }],
    ['a sign', { query: '*', filters: { labels: { eq: 'kept' } } }],
  ])('finds by %s what lies behind a thousand others', async (_, body) => {
    const pack = await recall(body);
    expect(said(pack)).toEqual(['An old note']);
    expect(pack.layers.events[0]).toMatchObject({ matched_by: ['recency'] });
    expect(pack.warnings).toEqual([]);
  });

  it('is none where a variant of the query has words', async () => {
    const pack = await recall({ query: '…?', query_variants: [{ text: 'an old note' }] });
    expect(said(pack)[0]).toBe('An old note');
    expect(pack.layers.events[0]).toMatchObject({ matched_by: ['keyword'] });
  });

  it('brings the newest first, as many as are wanted', async () => {
    const pack = await recall({ budgets: { max_events: 3, max_tokens: 4000 } });
    expect(said(pack)).toEqual(
      Array.from({ length: 3 }, () => expect.stringMatching(/^Filler 1 (49|5[0-4])\d$/)),
    );
  });
});

describe('a recall of what content speaks of', () => {
  const own = 'org:newest/user:speaks';

  it('finds it behind hundreds that speak of other times', async () => {
    const speaking = (text: string, from: string) => message(own, text, { context: { refers_to: { from } } });
    const items = [
      speaking(
        'The launch of the long voyage that everybody had been waiting for so very long',
        '2026-07-04',
      ),
      ...Array.from({ length: 400 }, (_, i) => speaking(`The launch launch ${i}`, '2026-08-01')),
    ];
    const answer = await service.post('/v1/experience/bulk?wait=indexed', { items });
    expect(answer.status).toBe(202);
    for (const query of ['launch', undefined]) {
      const temporal = { refers_during: { from: '2026-07' } };
      const pack = await recall({ scope: own, temporal, ...(query === undefined ? {} : { query }) });
      expect(said(pack)).toEqual([expect.stringContaining('long voyage')]);
    }
  });
});
