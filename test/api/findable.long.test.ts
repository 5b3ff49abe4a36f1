import { scopeRef } from '../../src/capture/scope-key.ts';
import { message, type Answer } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { blobOf } from './blobs.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await service.stop();
});

const capture = (body: unknown, query = ''): Promise<Answer> => service.post(`/v1/experience${query}`, body);

const WORDS: [what: string, text: string, words?: string][] = [
  ['plain words', 'The quick brown fox', 'brown quick'],
  ['stop words', 'to be or not to be', 'to be'],
  ['operators', 'alpha AND beta OR gamma NOT delta', 'AND'],
  ['query syntax', 'c++ -minus +plus wild*card what? "quoted" (a) [b TO c] {d} a:b x^2 ~fuzzy \\ / && ||'],
  ['a decimal number', 'it costs 3.14 dollars', '3.14'],
  ['a thousands number', 'pressure 1,234.5 psi', '1,234.5'],
  ['an apostrophe', "don't can’t l'eau", "don't"],
  ['an underscore', 'call fetch_all_rows now', 'fetch_all_rows'],
  ['a dotted name', 'see module.sub.name', 'module.sub.name'],
  ['a mail address', 'write to priya@acme.com', 'priya@acme.com'],
  ['a path', 'open /var/log/app-1.log', '/var/log/app-1.log'],
  ['a date', 'on 2026-03-05T10:00:00Z', '2026-03-05T10:00:00Z'],
  ['Chinese', '阿波罗十三号返回地球', '返回地球'],
  ['Japanese', '東京タワーとスカイツリーへ行く', 'スカイツリー'],
  ['Korean', '서울에서 만나요', '만나요'],
  ['Thai', 'สวัสดีครับ', 'สวัสดีครับ'],
  ['Arabic with marks', 'السَّلَامُ عَلَيْكُمْ', 'السَّلَامُ'],
  ['Hindi', 'नमस्ते दुनिया', 'नमस्ते'],
  ['Greek capitals with a final sigma', 'Ο ΟΔΥΣΣΕΥΣ ΕΦΥΓΕ', 'ΟΔΥΣΣΕΥΣ'],
  ['Turkish capital I', 'İSTANBUL Iğdır', 'İSTANBUL'],
  ['a sharp s', 'STRASSE und Straße', 'Straße'],
  ['decomposed letters', 'cafe\u0301 re\u0301sume\u0301', 'caf\u00e9'],
  ['full width', 'ＡＢＣ１２３', 'abc123'],
  ['ligatures and circled numbers', 'ﬁnal ① ½', 'final'],
  ['letters beyond the basic plane', '𐐀𐐁 𝒜𝓁𝑔𝑒𝒷𝓇𝒶', '𝒜𝓁𝑔𝑒𝒷𝓇𝒶'],
  ['one very long word', `x${'y'.repeat(5000)}z`],
  ['a long run of Chinese', '天地玄黄宇宙洪荒'.repeat(400)],
  ['many words', Array.from({ length: 3000 }, (_, i) => `w${i}`).join(' ')],
];

describe('wait=indexed makes words findable at once', () => {
  it.each(WORDS)('%s', async (_what, text, words = text) => {
    const scope = `org:words/user:w${WORDS.findIndex(([, other]) => other === text)}`;
    await capture(message(scope, 'decoy'));
    const { json } = await capture(message(scope, text), '?wait=indexed');
    const hits = await service.context.passages.search(scopeRef('default', scope), words, 10);
    expect(hits.map(({ event_id }) => event_id)).toEqual([json.event_id]);
    const listed = await service.get(`/v1/events?scope=${scope}&limit=1`);
    expect(listed.json.items[0].id).toBe(json.event_id);
  });

  it('finds json by keys, texts and numbers, a triple by its names, a blob by its transcript', async () => {
    const scope = 'org:words/user:kinds';
    const contents = [
      { kind: 'json', data: { pressure_psi: [{ tank: 'oxygen' }, 912.5] } },
      {
        kind: 'triple',
        triple: {
          subject: { type: 'entity', id: 'e', name: 'Odyssey' },
          predicate: 'docked_with',
          object: { type: 'literal', datatype: 'string', value: 'Aquarius' },
        },
      },
      { kind: 'blob_ref', blob_id: await blobOf(service, 'crackle'), transcript: 'crackling voices' },
    ];
    const words = [['pressure_psi', 'oxygen', '912.5'], ['odyssey', 'docked', 'AQUARIUS'], ['crackling']];
    for (const [i, content] of contents.entries()) {
      const { json } = await capture({ scope, modality: 'observation', content }, '?wait=indexed');
      for (const word of words[i] ?? []) {
        const hits = await service.context.passages.search(scopeRef('default', scope), word, 10);
        expect([word, hits.map(({ event_id }) => event_id)]).toEqual([word, [json.event_id]]);
      }
    }
  });

  it('keeps scopes and tenants apart', async () => {
    await capture(message('org:words/user:apart', 'zyzzyva'), '?wait=indexed');
    const found = (tenant: string, scope: string): Promise<unknown[]> =>
      service.context.passages.search(scopeRef(tenant, scope), 'zyzzyva', 10);
    expect(await found('default', 'org:words/user:apart')).toHaveLength(1);
    expect(await found('default', 'org:words')).toHaveLength(1);
    expect(await found('default', 'org:words/user:other')).toHaveLength(0);
    expect(await found('other', 'org:words/user:apart')).toHaveLength(0);
  });
});
