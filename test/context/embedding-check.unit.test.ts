import { embeddingCheck } from '../../src/context/embedding-check.ts';

const ANSWERED = { model: 'm', url: undefined, fault: null, hasAnswered: true, finding: null } as const;
const AT_REST = { fault: null, lag: { due: 0 }, searchable: {} };

describe('the readiness of embeddings', () => {
  it('names what would turn them on', () => {
    const check = embeddingCheck(undefined, undefined);
    expect(check).toMatchObject({ ok: true, status: 'off' });
    expect(check.fix).toMatch(/STRATA_EMBEDDING_PROVIDER.*STRATA_EMBEDDING_URL/);
  });

  it.each<['local' | 'endpoint', string]>([
    ['local', 'STRATA_CACHE_DIR'],
    ['endpoint', 'STRATA_EMBEDDING_URL'],
  ])('tells up from down, and what to do (%s)', (provider, setting) => {
    const up = embeddingCheck({ ...ANSWERED, provider }, AT_REST);
    expect(up).toMatchObject({ ok: true, status: 'up' });
    expect(up.detail).not.toMatch(/wait|former/);
    const down = embeddingCheck(
      { ...ANSWERED, provider, fault: 'it broke' },
      { ...AT_REST, lag: { due: 7 } },
    );
    expect(down).toMatchObject({ ok: false, status: 'down' });
    expect(down.detail).toMatch(/it broke.*7 passages/);
    expect(down.fix).toContain(setting);
  });

  it('is not said to work before anything is known of it', () => {
    for (const provider of ['local', 'endpoint'] as const) {
      const check = embeddingCheck({ ...ANSWERED, provider, hasAnswered: false }, AT_REST);
      expect(check).toMatchObject({
        ok: true,
        status: 'unknown',
        detail: expect.stringMatching('not asked yet'),
      });
    }
  });

  it('is no fault where words serve for a model that was chosen by itself', () => {
    const down = { ...ANSWERED, provider: 'local', fault: 'it broke' } as const;
    const words = { detail: 'it is being fetched', fix: 'wait' };
    expect(embeddingCheck(down, undefined, words)).toEqual({ ok: true, status: 'off', ...words });
  });

  it('tells that vectors of a former model are left, and that another one was pinned', () => {
    const embedder = { ...ANSWERED, provider: 'endpoint' } as const;
    expect(embeddingCheck(embedder, { ...AT_REST, searchable: null }).detail).toContain('former');
    const other = embeddingCheck(embedder, { ...AT_REST, fault: 'another model was pinned' });
    expect(other).toMatchObject({ ok: false, status: 'down' });
    expect(other.detail).toContain('another model');
  });
});
