import { recallPack, type RecallPack } from '../../schemas/recall.ts';
import { message } from '../support/client.ts';
import { sharedService, type SharedService } from '../support/shared-service.ts';

// What is found by which words: as people write them, in whatever script, and where nothing is asked for but what there is.

const scope = 'org:words/user:ann';
let service: SharedService;

const TEXTS = [
  '오늘 동생과 끝말잇기 게임을 했다.',
  'ผมแพ้กุ้งและปลาหมึก',
  'Le café préféré de Zoé est à Orléans.',
  'Er zog nach München in die Friedrichstraße.',
  'We flew to Tromsø with Nguyễn and saw İstanbul.',
  'NullPointerException came out of InvoiceRenderer.renderLines',
  'The field user_id is empty, said the C++ crowd',
  'Nobody here likes C# at all',
  'The rent is 12,500 a year.',
  'The dentist is on 2026-05-05.',
];

beforeAll(async () => {
  service = sharedService();
  const items = TEXTS.map((text, i) =>
    message(scope, text, { context: { observed_at: `2026-02-0${i % 9}T12:00:00Z`.replace('-00T', '-09T') } }),
  );
  expect((await service.post('/v1/experience/bulk?wait=indexed', { items })).status).toBe(202);
});

async function recall(query: string, more: Record<string, unknown> = {}): Promise<RecallPack> {
  const { status, json } = await service.post('/v1/recall', { scope, include: ['events'], query, ...more });
  expect([status, json?.message]).toEqual([200, undefined]);
  return recallPack.parse(json);
}

const said = ({ layers }: RecallPack): unknown[] =>
  layers.events.map(({ content }) => (content as { text?: string } | undefined)?.text);

describe('recall finds', () => {
  it.each([
    ['동생', 0],
    ['กุ้ง', 1],
    ['cafe orleans', 2],
    ['munchen', 3],
    ['Friedrichstrasse', 3],
    ['Tromso', 4],
    ['Nguyen', 4],
    ['istanbul', 4],
    ['null pointer', 5],
    ['render lines', 5],
    ['userId', 6],
    ['C++', 6],
    ['C#', 7],
    ['12500', 8],
    ['May 5, 2026', 9],
    ['5 May', 9],
  ])('by %s what says it otherwise', async (query, i) => {
    expect(said(await recall(query))[0]).toBe(TEXTS[i]);
  });

  it('what has the word itself before what has another form of it', async () => {
    const own = 'org:words/user:forms';
    const items = ['Das Café ist offen.', 'The cafe is open.'].map((text) => message(own, text));
    await service.post('/v1/experience/bulk?wait=indexed', { items });
    expect(said(await recall('cafe', { scope: own }))).toEqual(['The cafe is open.', 'Das Café ist offen.']);
    expect(said(await recall('café', { scope: own }))).toEqual(['Das Café ist offen.', 'The cafe is open.']);
  });

  it('what happened at a time, where the question says no more than that', async () => {
    const temporal = { natural: 'yesterday', reference_date: '2026-02-04T09:00:00Z' };
    expect(said(await recall('What did I do yesterday?', { temporal }))).toEqual([TEXTS[3]]);
    expect(said(await recall('What happened yesterday?', { temporal }))).toEqual([TEXTS[3]]);
  });

  it.each([
    ['What did I do on 2026-02-05?', 'UTC', 5],
    ['What happened on February 5th, 2026?', 'UTC', 5],
    ['What did I do on the 6th of February 2026?', 'Pacific/Kiritimati', 5],
  ])('what happened on a day that the question names: %s, %s', async (query, timezone, i) => {
    expect(said(await recall(query, { temporal: { timezone } }))).toEqual([TEXTS[i]]);
  });

  it('what names a day beside what happened on it, within what is asked for otherwise', async () => {
    const own = 'org:words/user:days';
    // Each in a session of its own, since what stands around a text counts for it.
    const observed = (text: string, observed_at: string) =>
      message(own, text, { context: { observed_at }, observed_actor: { id: 'user:days', session: text } });
    const items = [
      observed('The regatta is on 4 March 2026', '2026-02-20T09:00:00Z'),
      observed('We rowed', '2026-03-04T09:00:00Z'),
      observed('We won', '2026-03-04T18:00:00Z'),
      observed('We slept', '2026-03-05T00:00:00Z'),
    ];
    expect((await service.post('/v1/experience/bulk', { items })).status).toBe(202);
    const query = 'What did I do on 2026-03-04?';
    const all = ['The regatta is on 4 March 2026', 'We won', 'We rowed'];
    // Before the index knows any of it, and after.
    expect(said(await recall(query, { scope: own })).sort()).toEqual([...all].sort());
    await service.post('/v1/experience?wait=indexed', message(own, 'Good night'));
    expect(said(await recall(query, { scope: own }))).toEqual(all);
    const temporal = { valid_during: ['2026-03-04T12:00:00Z', '2026-04-01T00:00:00Z'] };
    expect(said(await recall(query, { scope: own, temporal }))).toEqual(['We won']);
    expect(said(await recall('What did I do on the boat on 2026-03-04?', { scope: own }))).toEqual([all[0]]);
  });

  it('the newest, where a question asks for whatever there is', async () => {
    const pack = await recall('Tell me everything about me');
    expect(said(pack)[0]).toBe(TEXTS[0]);
    expect(pack.layers.events[0]).toMatchObject({ matched_by: ['recency'] });
  });
});
