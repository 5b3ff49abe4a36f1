import { loadConfig } from '../../src/config.ts';
import type { ModelsConfig } from '../../src/config/call-sites.ts';
import { PRESETS, PROVIDERS } from '../../src/models/preset.ts';

type Role = 'extraction' | 'enrichment' | 'answer' | 'verifier';
const ROLES: readonly Role[] = ['extraction', 'enrichment', 'answer', 'verifier'];

const MINE = 'http://127.0.0.1:1/v1';

const models = (environment: Record<string, string>): ModelsConfig =>
  loadConfig({ directory: '/nowhere', environment }).models;

/** Endpoints of a lane that is on. */
function endpoints(role: Role, environment: Record<string, string>) {
  const lane = models(environment)[role];
  if (!lane.on) throw new Error(`${role} is off: ${lane.fix}`);
  return lane.endpoints;
}

const on = (environment: Record<string, string>): Role[] =>
  ROLES.filter((role) => models(environment)[role].on);

describe('call sites of models', () => {
  it.each<[string, Record<string, string>, Role[]]>([
    ['nothing', {}, []],
    ['the key of the general provider', { OPENAI_API_KEY: 'k' }, ['extraction', 'answer', 'verifier']],
    ['a general key', { STRATA_LLM_API_KEY: 'k' }, ['extraction', 'answer', 'verifier']],
    ['a general key by its other name', { LLM_API_KEY: 'k' }, ['extraction', 'answer', 'verifier']],
    [
      'an endpoint of extraction and its key',
      { STRATA_LLM_URL: MINE, STRATA_LLM_API_KEY: 'k' },
      ['extraction'],
    ],
    [
      'an endpoint for all',
      { STRATA_LLM_URL: MINE, STRATA_LLM_FOR: 'all' },
      ['extraction', 'answer', 'verifier'],
    ],
    [
      'an endpoint for all while nothing is extracted',
      { STRATA_LLM_URL: MINE, STRATA_LLM_FOR: 'all', STRATA_LLM_DISABLE: '1' },
      ['answer', 'verifier'],
    ],
    [
      'an endpoint for all, and answers of a provider without a key',
      { STRATA_LLM_URL: MINE, STRATA_LLM_FOR: 'all', STRATA_ANSWER_PROVIDER: 'gemini' },
      ['extraction', 'verifier'],
    ],
    ['the key of another provider', { GEMINI_API_KEY: 'k' }, []],
    [
      'another provider and its key',
      { GEMINI_API_KEY: 'k', STRATA_LLM_PROVIDER: 'gemini' },
      ['extraction', 'answer', 'verifier'],
    ],
    ['the key of extraction', { STRATA_ENTITY_API_KEY: 'k' }, ['extraction']],
    ['an endpoint of extraction', { STRATA_LLM_URL: 'http://127.0.0.1:1/v1' }, ['extraction']],
    ['the key of answers', { STRATA_ANSWER_API_KEY: 'k' }, ['answer']],
    ['a local provider of answers', { STRATA_ANSWER_PROVIDER: 'ollama' }, ['answer']],
    ['the key of the verifier', { STRATA_VERIFIER_API_KEY: 'k' }, ['verifier']],
    [
      'a model of enrichment without a delay',
      {
        LLM_API_KEY: 'k',
        STRATA_ENRICHMENT_MODEL: 'm',
        STRATA_LLM_DISABLE: '1',
        STRATA_ANSWER_DISABLE: '1',
        STRATA_VERIFIER_DISABLE: '1',
      },
      [],
    ],
    [
      'a model, a delay and a key of enrichment',
      {
        STRATA_ENRICHMENT_API_KEY: 'k',
        STRATA_ENRICHMENT_MODEL: 'm',
        STRATA_ENRICHMENT_DELAY_SECONDS: '0',
      },
      ['enrichment'],
    ],
    [
      'a key for enrichment that is that of extraction',
      {
        STRATA_ENTITY_API_KEY: 'k',
        STRATA_ENRICHMENT_MODEL: 'm',
        STRATA_ENRICHMENT_DELAY_SECONDS: '0',
      },
      ['extraction'],
    ],
    [
      'everything but extraction',
      { OPENAI_API_KEY: 'k', STRATA_LLM_DISABLE: 'true' },
      ['answer', 'verifier'],
    ],
    [
      'an empty address of the verifier',
      { OPENAI_API_KEY: 'k', STRATA_VERIFIER_URL: '' },
      ['extraction', 'answer'],
    ],
  ])('with %s those are on that should be', (_what, environment, expected) => {
    expect(on(environment)).toEqual(expected);
    for (const role of ROLES) {
      const lane = models(environment)[role];
      if (!lane.on) expect(`${lane.why} ${lane.fix}`).toMatch(/STRATA_|LLM_API_KEY|_API_KEY/);
    }
  });

  it.each(PROVIDERS)('know %s', (provider) => {
    const key = { LLM_API_KEY: 'k', STRATA_LLM_PROVIDER: provider };
    const preset = PRESETS[provider];
    for (const [role, model] of [
      ['extraction', preset.small],
      ['answer', preset.large],
      ['verifier', preset.verifier],
    ] as const) {
      const [first] = endpoints(role, key);
      expect(first).toMatchObject({ provider, model, apiKey: 'k', rung: preset.rung });
      expect(first.url).toMatch(/^https?:\/\/[^{}]+[^/]$/);
    }
  });

  it('serve all by what extraction names, where that is said and nothing else is named', () => {
    const all = {
      STRATA_LLM_URL: `${MINE}/`,
      STRATA_LLM_API_KEY: 'mine',
      STRATA_LLM_MODEL: 'm',
      STRATA_LLM_FOR: 'all',
      STRATA_ENTITY_API_KEY: 'entities',
    };
    const mine = { url: MINE, apiKey: 'mine', model: 'm' };
    expect(endpoints('extraction', all)[0]).toMatchObject({ ...mine, apiKey: 'entities' });
    expect(endpoints('answer', all)[0]).toMatchObject(mine);
    expect(endpoints('verifier', all)[0]).toMatchObject(mine);
    const large = { ...all, STRATA_ANSWER_MODEL: 'large' };
    expect(endpoints('answer', large)[0]).toMatchObject({ ...mine, model: 'large' });
    const elsewhere = { ...all, STRATA_ANSWER_URL: 'http://127.0.0.1:2/v1' };
    expect(endpoints('answer', elsewhere)[0]).toMatchObject({
      url: 'http://127.0.0.1:2/v1',
      apiKey: null,
      model: PRESETS.openai.large,
    });
    expect(models(all).enrichment.on).toBe(false);
  });

  it('send the key of an endpoint nowhere else', () => {
    const environment = { STRATA_LLM_URL: MINE, LLM_API_KEY: 'mine', OPENAI_API_KEY: 'openai' };
    expect(endpoints('extraction', environment)[0]).toMatchObject({ url: MINE, apiKey: 'mine' });
    expect(endpoints('answer', environment)[0]).toMatchObject({ url: PRESETS.openai.url, apiKey: 'openai' });
    expect(endpoints('verifier', environment)[0].apiKey).toBe('openai');
  });

  it('take the name of a key before its other name', () => {
    const both = { LLM_API_KEY: 'other', STRATA_LLM_API_KEY: 'first' };
    expect(endpoints('extraction', both)[0].apiKey).toBe('first');
    expect(endpoints('extraction', { ...both, STRATA_LLM_API_KEY: '' })[0].apiKey).toBe('other');
  });

  it('ask where OPENAI_BASE_URL says, wherever openai is meant', () => {
    const environment = {
      OPENAI_API_KEY: 'k',
      ANTHROPIC_API_KEY: 'a',
      OPENAI_BASE_URL: `${MINE}/`,
      STRATA_ENRICHMENT_MODEL: 'm',
      STRATA_ENRICHMENT_DELAY_SECONDS: '0',
      STRATA_LLM_FALLBACK_CHAIN: 'anthropic,openai/other',
    };
    const anthropic = PRESETS.anthropic.url;
    for (const role of ROLES)
      expect(endpoints(role, environment).map(({ url }) => url)).toEqual([MINE, anthropic, MINE]);
    expect(endpoints('answer', environment)[0].effort).toBeUndefined();
    const named = { ...environment, STRATA_LLM_URL: 'http://127.0.0.1:2/v1' };
    expect(endpoints('extraction', named)[0].url).toBe('http://127.0.0.1:2/v1');
    expect(endpoints('answer', named)[0].url).toBe(MINE);
  });

  it('put the keys in the order of the contract', () => {
    const keys = { OPENAI_API_KEY: 'provider', LLM_API_KEY: 'general' };
    expect(endpoints('extraction', { ...keys, STRATA_ENTITY_API_KEY: 'own' })[0].apiKey).toBe('own');
    expect(endpoints('extraction', keys)[0].apiKey).toBe('general');
    expect(endpoints('verifier', { ...keys, STRATA_ANSWER_API_KEY: 'answer' })[0].apiKey).toBe('general');
    const elsewhere = { ...keys, STRATA_ANSWER_PROVIDER: 'anthropic', ANTHROPIC_API_KEY: 'anthropic' };
    expect(endpoints('answer', elsewhere)[0].apiKey).toBe('anthropic');
  });

  it('go down their chains', () => {
    const environment = {
      OPENAI_API_KEY: 'o',
      ANTHROPIC_API_KEY: 'a',
      STRATA_LLM_FALLBACK_PROVIDER: 'ollama',
      STRATA_LLM_FALLBACK_MODEL: 'tiny',
      STRATA_LLM_FALLBACK_CHAIN: 'anthropic,ollama/other',
      STRATA_VERIFIER_FALLBACK_CHAIN: 'anthropic/strict',
    };
    const named = (role: Role): string[] =>
      endpoints(role, environment).map(({ provider, model }) => `${provider} ${model}`);
    expect(named('extraction')).toEqual([
      `openai ${PRESETS.openai.small}`,
      'ollama tiny',
      `anthropic ${PRESETS.anthropic.small}`,
      'ollama other',
    ]);
    expect(named('answer')).toEqual([
      `openai ${PRESETS.openai.large}`,
      `anthropic ${PRESETS.anthropic.large}`,
      'ollama other',
    ]);
    expect(named('verifier')).toEqual([`openai ${PRESETS.openai.verifier}`, 'anthropic strict']);
  });

  it.each<[Record<string, string>, string]>([
    [{ OPENAI_API_KEY: 'k', STRATA_LLM_FALLBACK_CHAIN: 'gemini' }, 'GEMINI_API_KEY'],
    [{ OPENAI_API_KEY: 'k', STRATA_LLM_FALLBACK_PROVIDER: 'bedrock' }, 'AWS_BEARER_TOKEN_BEDROCK'],
    [{ STRATA_LLM_FALLBACK_CHAIN: 'nobody' }, 'STRATA_LLM_FALLBACK_CHAIN'],
    [{ STRATA_LLM_URL: 'ftp://x' }, 'STRATA_LLM_URL'],
    [{ OPENAI_BASE_URL: 'api.openai.com' }, 'OPENAI_BASE_URL'],
    [{ STRATA_LLM_FOR: 'answers' }, 'STRATA_LLM_FOR'],
    [{ STRATA_LLM_URL: 'https://me:secret@x/v1' }, 'STRATA_LLM_URL'],
    [{ STRATA_LLM_MAX_EXTRACTION_BATCH_SIZE: '9' }, 'STRATA_LLM_MAX_EXTRACTION_BATCH_SIZE'],
    [{ STRATA_LLM_MODEL: 'two words' }, 'STRATA_LLM_MODEL'],
  ])('refuse %j, naming what is wrong', (environment, name) => {
    expect(() => models(environment)).toThrow(name);
    expect(() => models(environment)).not.toThrow('secret');
  });

  it('say how much to reason where the model of the provider is known to take that', () => {
    const effort = (more: Record<string, string>) =>
      endpoints('answer', { OPENAI_API_KEY: 'k', ...more })[0].effort;
    expect(effort({})).toBe('low');
    expect(effort({ STRATA_ANSWER_MODEL: 'gpt-4.1' })).toBeUndefined();
    expect(effort({ STRATA_ANSWER_URL: 'http://127.0.0.1:1/v1' })).toBeUndefined();
  });

  it('put the region into the address of Bedrock', () => {
    const environment = { LLM_API_KEY: 'k', STRATA_LLM_PROVIDER: 'bedrock', AWS_REGION: 'eu-central-1' };
    expect(endpoints('extraction', environment)[0].url).toContain('bedrock-runtime.eu-central-1.');
  });
});
