import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadConfig, type Config } from '../../src/config.ts';
import { TEST_KEY, TEST_TOKEN_KEY } from '../support/client.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'strata-config-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const load = (environment: Record<string, string>): Config => loadConfig({ environment, directory });

function refusal(environment: Record<string, string>): { message: string; exitCode: number } {
  try {
    load(environment);
  } catch (error) {
    return error as { message: string; exitCode: number };
  }
  throw new Error('the configuration was taken');
}

const EMBEDDING = { STRATA_EMBEDDING_URL: 'http://127.0.0.1:1/v1' };
const OPEN = { STRATA_INSECURE_NO_AUTH: '1' };

/** Every variable that the specification (with its prefix `SVC_`) and the decisions name, a value of it, and what has to be set beside it. */
const NAMED: readonly (readonly [name: string, value: string, beside?: Record<string, string>])[] = [
  ['STRATA_LLM_DISABLE', 'true'],
  ['STRATA_LLM_URL', 'http://127.0.0.1:1/v1'],
  ['STRATA_LLM_MODEL', 'small-1'],
  ['STRATA_ENTITY_API_KEY', 'sk-1'],
  ['LLM_API_KEY', 'sk-2'],
  ['STRATA_ENRICHMENT_MODEL', 'small-2'],
  ['STRATA_ENRICHMENT_DELAY_SECONDS', '0'],
  ['STRATA_ENRICHMENT_URL', 'http://127.0.0.1:2/v1'],
  ['STRATA_ENRICHMENT_API_KEY', 'sk-3'],
  ['STRATA_ANSWER_PROVIDER', 'ollama'],
  ['STRATA_ANSWER_MODEL', 'large-1'],
  ['STRATA_ANSWER_URL', 'http://127.0.0.1:3/v1'],
  ['STRATA_ANSWER_API_KEY', 'sk-4'],
  ['STRATA_ANSWER_MAX_TOKENS', '1500'],
  ['STRATA_VERIFIER_MODEL', 'other-1'],
  ['STRATA_VERIFIER_URL', ''],
  ['STRATA_VERIFIER_API_KEY', 'sk-5'],
  ['STRATA_VERIFIER_MAX_TOKENS', '16384'],
  ['STRATA_DEPLOYMENT_PRESET', 'cloud_shared_saas'],
  ['STRATA_V1_MINTER_ENABLE', '1'],
  ['STRATA_INSECURE_NO_AUTH', '1'],
  ['STRATA_API_KEY', TEST_KEY],
  ['STRATA_DESTRUCTIVE_LEASE_WAIT_SECS', '10'],
  ['STRATA_V1_LAYERS_INCREMENTAL', '1'],
  ['STRATA_CODE_PLANE', '0'],
  ['STRATA_CODE_REPO_ROOTS', '/repos/one, /repos/two'],
  ['STRATA_EXTRACTION_CACHE_PURGE', '1'],
  ['STRATA_HEADER_ALIASES', 'Cortex,Legacy'],
  ['STRATA_HOST', 'localhost'],
  ['STRATA_PORT', '3142'],
  ['STRATA_DATA_DIR', './elsewhere'],
  ['NEO4J_URI', 'bolt://127.0.0.1:7687'],
  ['NEO4J_USER', 'strata'],
  ['NEO4J_PASSWORD', 'secret-of-nobody'],
  ['NEO4J_DATABASE', 'memory'],
  ['STRATA_TOKEN_SECRET_KEY', TEST_TOKEN_KEY],
  ['STRATA_TRUSTED_ISSUERS', '[]'],
  ['STRATA_INSECURE_BIND_ALL', '1', OPEN],
  ['STRATA_SIGNUP_ENABLE', '1'],
  ['STRATA_EMBEDDING_PROVIDER', 'none'],
  ['STRATA_EMBEDDING_URL', 'http://127.0.0.1:4/v1'],
  ['STRATA_EMBEDDING_MODEL', 'text-embedding-3-small', EMBEDDING],
  ['STRATA_EMBEDDING_DIMS', '1536', EMBEDDING],
  ['STRATA_EMBEDDING_API_KEY', 'sk-6', EMBEDDING],
  ['STRATA_EMBEDDING_BATCH', '8', EMBEDDING],
  ['STRATA_TRUST_PROXY', '1'],
];

/** Those of what is still to come; whoever adds one moves it to the list above. */
const toCome: readonly string[] = ['STRATA_WEBHOOK_ALLOW_HTTP'];

describe('the variables of the contract', () => {
  it.each(NAMED.map(([name, value, beside = {}]) => [name, { ...beside, [name]: value }] as const))(
    '%s is taken',
    (_name, environment) => {
      expect(() => load(environment)).not.toThrow();
    },
  );

  it('are not known where they are still to come: whoever adds one moves it to the list of those that are taken', () => {
    const known = toCome.filter((name) => !refusal({ [name]: '1' }).message.includes(`${name} is not known`));
    expect(known).toEqual([]);
  });
});

describe('what the contract has and this release has not', () => {
  const idle = (environment: Record<string, string>): string[] =>
    load(environment).idle.map(({ variable, reason }) => `${variable}: ${reason}`);

  it('is told for the log of the start where it is asked for', () => {
    expect(idle({})).toEqual([]);
    expect(
      idle({
        STRATA_CODE_REPO_ROOTS: '/repos/one',
        STRATA_V1_LAYERS_INCREMENTAL: '0',
        STRATA_EXTRACTION_CACHE_PURGE: 'true',
      }),
    ).toEqual([
      expect.stringMatching(/^STRATA_CODE_REPO_ROOTS: the code plane is not part of this release/),
      expect.stringMatching(/^STRATA_V1_LAYERS_INCREMENTAL: layers are always derived incrementally/),
      expect.stringMatching(/^STRATA_EXTRACTION_CACHE_PURGE: there is no cache of extractions/),
    ]);
  });

  it('is silent about what holds anyway, or is turned off', () => {
    const off = {
      STRATA_V1_LAYERS_INCREMENTAL: '1',
      STRATA_EXTRACTION_CACHE_PURGE: '0',
      STRATA_CODE_PLANE: '0',
    };
    expect(idle({ ...off, STRATA_CODE_REPO_ROOTS: '', STRATA_CLUSTER_MODE: '0' })).toEqual([]);
  });

  it.each([
    ['STRATA_CODE_REPO_ROOTS', 'here'],
    ['STRATA_V1_LAYERS_INCREMENTAL', 'maybe'],
    ['STRATA_EXTRACTION_CACHE_PURGE', 'all'],
    ['STRATA_CODE_PLANE', 'on'],
  ])('has values that are looked at: %s is not %s', (name, value) => {
    const { message, exitCode } = refusal({ [name]: value });
    expect([exitCode, message]).toEqual([78, expect.stringMatching(new RegExp(`^${name} must be `))]);
  });

  it.each(['code.plane', 'cluster.mode'])('refuses the start in the file as well: %s', (key) => {
    const [section = '', name = ''] = key.split('.');
    writeFileSync(join(directory, 'strata.toml'), `[${section}]\n${name} = true\n`);
    const { message, exitCode } = refusal({});
    expect([exitCode, message]).toEqual([78, expect.stringContaining(key)]);
  });

  it.each(['[cluster]\nnodes = 3', 'cluster = true', 'cluster_peers = ["a"]'])(
    'refuses any key of a cluster by the code of the contract: %j',
    (text) => {
      writeFileSync(join(directory, 'strata.toml'), text);
      expect(refusal({}).message).toMatch(/^CLUSTER_MODE_UNSUPPORTED: cluster\S* in strata\.toml asks for /);
    },
  );
});
