import { embeddingCheck } from '../../src/context/models.ts';
import type { EmbeddingConfig } from '../../src/models/embedding.ts';

const LOCAL: EmbeddingConfig = { provider: 'local', cacheDir: '/cache', javaHome: undefined };
const REMOTE: EmbeddingConfig = {
  provider: 'endpoint',
  url: 'http://127.0.0.1:1/v1',
  apiKey: null,
  model: 'm',
  dimensions: 3,
  batchTexts: 64,
  timeoutMs: 1000,
};

describe('the readiness of embeddings', () => {
  it('names what would turn them on', () => {
    const check = embeddingCheck({ provider: 'none' }, null);
    expect(check).toMatchObject({ ok: true, status: 'off' });
    expect(check.fix).toMatch(/STRATA_EMBEDDING_PROVIDER.*STRATA_EMBEDDING_URL/);
  });

  it.each([LOCAL, REMOTE])('does not call up what nothing asks', (config) => {
    const check = embeddingCheck(config, null);
    expect(check).toMatchObject({ ok: true, status: 'off' });
    expect(check.detail).toContain('nothing calls it');
  });

  it.each<[EmbeddingConfig, 'local' | 'endpoint', string]>([
    [LOCAL, 'local', 'STRATA_CACHE_DIR'],
    [REMOTE, 'endpoint', 'STRATA_EMBEDDING_URL'],
  ])('tells up from down, and what to do', (config, provider, setting) => {
    expect(embeddingCheck(config, { provider, model: 'm', fault: null })).toMatchObject({
      ok: true,
      status: 'up',
    });
    const down = embeddingCheck(config, { provider, model: 'm', fault: 'it broke' });
    expect(down).toMatchObject({ ok: false, status: 'down' });
    expect(down.detail).toContain('it broke');
    expect(down.fix).toContain(setting);
  });
});
