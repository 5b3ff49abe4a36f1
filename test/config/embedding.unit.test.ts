import { loadConfig } from '../../src/config.ts';
import type { StartupError } from '../../src/errors.ts';
import type { EmbeddingConfig } from '../../src/models/embedding.ts';

const read = (environment: Record<string, string>): EmbeddingConfig =>
  loadConfig({ directory: '/nowhere', environment: { XDG_CACHE_HOME: '/cache', ...environment } }).embedding;

function refusal(environment: Record<string, string>): StartupError {
  try {
    read(environment);
  } catch (error) {
    return error as StartupError;
  }
  throw new Error('the start was not refused');
}

const URL = 'https://embed.example.org/v1';

describe('embeddings', () => {
  it('are made on this machine where nothing is said of them, whatever other call sites are', () => {
    const chosen = { provider: 'local', auto: true, cacheDir: '/cache/strata', javaHome: undefined };
    expect(read({})).toEqual(chosen);
    expect(read({ STRATA_EMBEDDING_PROVIDER: 'auto' })).toEqual(chosen);
    expect(read({ OPENAI_API_KEY: 'k', STRATA_LLM_URL: 'http://127.0.0.1:1/v1' })).toEqual(chosen);
  });

  it('are off where that is wished', () => {
    expect(read({ STRATA_EMBEDDING_PROVIDER: 'none', STRATA_EMBEDDING_URL: URL })).toEqual({
      provider: 'none',
    });
  });

  it('are those of an endpoint as soon as one is named', () => {
    expect(read({ STRATA_EMBEDDING_URL: `${URL}/`, STRATA_EMBEDDING_API_KEY: 'sk' })).toEqual({
      provider: 'endpoint',
      auto: true,
      url: URL,
      apiKey: 'sk',
      model: 'text-embedding-3-small',
      dimensions: 1536,
      batchTexts: 64,
      timeoutMs: 120_000,
    });
    expect(
      read({
        STRATA_EMBEDDING_PROVIDER: 'endpoint',
        STRATA_EMBEDDING_URL: URL,
        STRATA_EMBEDDING_API_KEY: 'sk',
        STRATA_EMBEDDING_MODEL: 'nomic-embed-text',
        STRATA_EMBEDDING_DIMS: '768',
        STRATA_EMBEDDING_BATCH: '8',
      }),
    ).toMatchObject({ model: 'nomic-embed-text', dimensions: 768, batchTexts: 8 });
  });

  it.each(['http://127.0.0.1:11434/v1', 'http://localhost:1/v1', 'http://[::1]:1/v1', 'http://127.1:1/v1'])(
    'need no key at %s, which is this machine',
    (url) => {
      expect(read({ STRATA_EMBEDDING_URL: url })).toMatchObject({ url, apiKey: null });
    },
  );

  it('are made on this machine when that is wished', () => {
    expect(read({ STRATA_EMBEDDING_PROVIDER: 'local', STRATA_EMBEDDING_URL: URL })).toEqual({
      provider: 'local',
      cacheDir: '/cache/strata',
      javaHome: undefined,
    });
    const places = { STRATA_CACHE_DIR: '/elsewhere', STRATA_JAVA_HOME: '/java', NEO4J_URI: 'bolt://db' };
    expect(read({ STRATA_EMBEDDING_PROVIDER: 'local', ...places })).toMatchObject({
      cacheDir: '/elsewhere',
      javaHome: '/java',
    });
  });

  it.each<[string, Record<string, string>, string]>([
    ['an endpoint without an address', { STRATA_EMBEDDING_PROVIDER: 'endpoint' }, 'STRATA_EMBEDDING_URL'],
    ['an endpoint elsewhere without a key', { STRATA_EMBEDDING_URL: URL }, 'STRATA_EMBEDDING_API_KEY'],
    [
      'an endpoint elsewhere with the key of another call site',
      { STRATA_EMBEDDING_URL: URL, OPENAI_API_KEY: 'k', LLM_API_KEY: 'k' },
      'STRATA_EMBEDDING_API_KEY',
    ],
    [
      'an endpoint whose name begins like that of this machine',
      { STRATA_EMBEDDING_URL: 'http://127.0.0.1.example.org/v1' },
      'STRATA_EMBEDDING_API_KEY',
    ],
    [
      'a model of unknown length',
      { STRATA_EMBEDDING_URL: 'http://127.0.0.1:1/v1', STRATA_EMBEDDING_MODEL: 'bge-m3' },
      'STRATA_EMBEDDING_DIMS',
    ],
    ['an unknown provider', { STRATA_EMBEDDING_PROVIDER: 'mock' }, 'STRATA_EMBEDDING_PROVIDER'],
    ['no URL', { STRATA_EMBEDDING_URL: 'http://[1/v1' }, 'STRATA_EMBEDDING_URL'],
    ['a length of nothing', { STRATA_EMBEDDING_DIMS: '0' }, 'STRATA_EMBEDDING_DIMS'],
  ])('refuse the start for %s', (_what, environment, named) => {
    const { message, exitCode } = refusal(environment);
    expect(message).toContain(named);
    expect(exitCode).toBe(78);
  });
});
