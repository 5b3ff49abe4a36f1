import { LETTERS, LETTER_DIMENSIONS, ModelEndpoint } from '../support/model-endpoint.ts';
import { message } from '../support/client.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { RETRIES_PATIENCE_MS } from '../support/patience.ts';

// A model that counts letters finds anagrams, which have no word in common.

let endpoint: ModelEndpoint;
let service: TestService;
const SCOPE = 'org:near/user:a';
const ids: Record<string, string> = {};

beforeAll(async () => {
  endpoint = await ModelEndpoint.start();
  service = await startTestService({
    STRATA_PIPELINE_POLL_MS: '200',
    STRATA_EMBEDDING_URL: endpoint.url,
    STRATA_EMBEDDING_MODEL: 'letters',
    STRATA_EMBEDDING_DIMS: String(LETTER_DIMENSIONS),
  });
  await eventually(
    'a capture',
    async () => (await service.post('/v1/experience?wait=indexed', message('org:warm', 'up'))).status === 202,
    RETRIES_PATIENCE_MS,
  );
  const said = async (name: string, scope: string, text: string, more: object = {}): Promise<void> => {
    const session = { observed_actor: { id: 'user:ann', session: name } };
    const { json } = await service.post(
      '/v1/experience?wait=indexed',
      message(scope, text, { ...session, ...more }),
    );
    ids[name] = json.event_id;
  };
  await said('listen', SCOPE, 'silent');
  await said('old', SCOPE, 'tinsel', { context: { observed_at: '2020-05-05T10:00:00Z', labels: ['old'] } });
  await said('other', SCOPE, 'zzz xxx qqq');
  await said('elsewhere', 'org:near/user:b', 'enlist');
  await said('private', 'org:far/user:c', 'inlets');
  const gone = await service.post('/v1/experience?wait=indexed', message(SCOPE, 'lintse'));
  await service.request('POST', `/v1/lifecycle/memory-event/${gone.json.event_id}/cancel`);
});
afterAll(async () => {
  await service.stop();
  await endpoint.stop();
});
beforeEach(() => {
  endpoint.embeddingScript = LETTERS;
});

async function recall(more: object = {}): Promise<any> {
  const { status, json } = await service.post('/v1/recall', { scope: SCOPE, query: 'listen', ...more });
  expect(status).toBe(200);
  return json;
}
/** The first recall whose search for vectors came in time: on a busy machine one may be late, and goes by words then. */
function recallInTime(more: object = {}): Promise<any> {
  return eventually('a search for vectors that is in time', async () => {
    const pack = await recall(more);
    return !pack.warnings.some((warning: string) => warning.includes('took too long')) && pack;
  });
}
const found = (pack: any): string[] => pack.layers.events.map(({ id }: { id: string }) => id);

describe('a recall by vectors', () => {
  it('finds what has no word of the query, and says by what', async () => {
    const pack = await eventually('the index', async () => {
      const one = await recall({ view: 'local' });
      return found(one).length >= 3 && one.warnings.length === 0 && one;
    });
    expect(found(pack).slice(0, 2).sort()).toEqual([ids.listen, ids.old].sort());
    expect(found(pack)).not.toContain(ids.elsewhere);
    expect(found(pack)).not.toContain(ids.private);
    expect(pack.diagnostics.signals).toContain('vector');
    expect(pack.layers.events[0].matched_by ?? pack.layers.events[0].match?.matched_by).toEqual(['vector']);
    expect(pack.warnings).toEqual([]);
  });

  it('reads a subtree, and nothing beside it', async () => {
    const events = found(await recallInTime({ scope: 'org:near', view: 'descend' }));
    expect(events).toEqual(expect.arrayContaining([ids.listen, ids.old, ids.elsewhere]));
    expect(events).not.toContain(ids.private);
  });

  it('keeps to filters, stretches and instants', async () => {
    expect(found(await recallInTime({ view: 'local', filters: { labels: { in: ['old'] } } }))).toEqual([
      ids.old,
    ]);
    const during = { valid_during: ['2020-01-01', '2021-01-01'] };
    expect(found(await recallInTime({ view: 'local', temporal: during }))).toEqual([ids.old]);
    expect(
      found(await recallInTime({ view: 'local', temporal: { as_of_valid: '2020-06-01T00:00:00Z' } })),
    ).toEqual([ids.old]);
  });

  it('goes by variants where there is no query', async () => {
    for (const query of [undefined, ' ']) {
      const pack = await recallInTime({ view: 'local', query, query_variants: [{ text: 'listen' }] });
      expect(pack.warnings).toEqual([]);
      expect(found(pack)).toEqual(expect.arrayContaining([ids.listen, ids.old]));
    }
  });

  it('goes by words where the provider is away or slow', async () => {
    endpoint.embeddingScript = () => ({ silent: true });
    const late = await recall({ view: 'local', query: 'silent' });
    expect(found(late)).toEqual([ids.listen]);
    expect(late.warnings).toEqual([expect.stringContaining('took too long')]);
    endpoint.embeddingScript = () => ({ status: 401 });
    const away = await recall({ view: 'local', query: 'silent' });
    expect(found(away)).toEqual([ids.listen]);
    expect(away.warnings).toEqual([expect.stringContaining('vectors were left out')]);
    endpoint.embeddingScript = LETTERS;
    await eventually(
      'the provider',
      async () => (await recall({ view: 'local' })).warnings.length === 0,
      RETRIES_PATIENCE_MS,
    );
  });
});
