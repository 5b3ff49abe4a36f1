import { PROVIDERS } from '../models/preset.ts';
import { choice, integer, list, text, toggle } from './kinds.ts';
import { setting } from './setting.ts';

const URL_TEXT = /^https?:\/\/[^\s?#@]+$/;
const URL_WORDS = 'a URL of http or https without credentials and query';
const MODEL = /^\S{1,256}$/;
const MODEL_WORDS = 'the name of a model';
const VISIBLE = /^[\x21-\x7e]{1,4096}$/;
const KEY_WORDS = 'a text of visible ASCII characters without spaces';
const REGION = /^[a-z]{2}(-[a-z]+)+-\d{1,2}$/;
/** A provider, with a model of it where another than its default is meant. */
const CHAIN_LINK = new RegExp(`^(${PROVIDERS.join('|')})(/[^\\s,]{1,256})?$`);
const CHAIN_WORDS = `providers (${PROVIDERS.join(', ')}), each with an own model if wanted: anthropic/claude-haiku-4-5`;

const key = (env: string, description: string, fallbackText = 'none') =>
  setting(text(VISIBLE, KEY_WORDS), { env, fallbackText, secret: true, description });
const chain = (env: string, description: string, fallbackText: string) =>
  setting(list(CHAIN_LINK, CHAIN_WORDS), { env, fallbackText, description });

const general = {
  'llm.provider': setting(choice(PROVIDERS), {
    env: 'STRATA_LLM_PROVIDER',
    fallbackText: 'openai',
    description:
      'General provider of models, by its OpenAI-compatible endpoint. With a key for it extraction and the verifier are on; ollama needs none.',
  }),
  'llm.endpoint': setting(text(URL_TEXT, URL_WORDS), {
    env: 'STRATA_LLM_URL',
    fallbackText: 'the endpoint of the provider',
    description:
      'OpenAI-compatible endpoint for extraction, up to `/v1`. Being set turns extraction on even without a key.',
  }),
  'llm.api_key': setting(text(VISIBLE, KEY_WORDS), {
    env: 'STRATA_LLM_API_KEY',
    alias: 'LLM_API_KEY',
    fallbackText: 'the variable of the provider, such as OPENAI_API_KEY',
    secret: true,
    description:
      'Key of `llm.endpoint`, which alone gets it; where none is named, of the general provider, for all call sites.',
  }),
  'llm.for': setting(choice(['extraction', 'all']), {
    env: 'STRATA_LLM_FOR',
    fallback: 'extraction',
    description:
      'What `llm.endpoint`, `llm.api_key` and `llm.model` serve: extraction, or answers and verifier too where these name no provider, endpoint or key of their own.',
  }),
  'llm.model': setting(text(MODEL, MODEL_WORDS), {
    env: 'STRATA_LLM_MODEL',
    fallbackText: 'a small model of the provider',
    description: 'Model for extraction: small and cheap, but it has to honour a structure.',
  }),
  'llm.disable': setting(toggle(), {
    env: 'STRATA_LLM_DISABLE',
    fallback: false,
    description:
      'Turns extraction off: writes cost no calls; facts come from structured statements alone, text stays searchable.',
  }),
  'llm.fallback_provider': setting(choice(PROVIDERS), {
    env: 'STRATA_LLM_FALLBACK_PROVIDER',
    fallbackText: 'none',
    description: 'Provider that is asked when the first one fails, for extraction and enrichment.',
  }),
  'llm.fallback_endpoint': setting(text(URL_TEXT, URL_WORDS), {
    env: 'STRATA_LLM_FALLBACK_URL',
    fallbackText: 'the endpoint of the fallback provider',
    description: 'Its endpoint.',
  }),
  'llm.fallback_api_key': key(
    'STRATA_LLM_FALLBACK_API_KEY',
    'Its key.',
    'the variable of the fallback provider',
  ),
  'llm.fallback_model': setting(text(MODEL, MODEL_WORDS), {
    env: 'STRATA_LLM_FALLBACK_MODEL',
    fallbackText: 'a small model of the fallback provider',
    description: 'Its model.',
  }),
  'llm.fallback_chain': chain(
    'STRATA_LLM_FALLBACK_CHAIN',
    'Providers that are tried one after the other when all before them fail, at every call site. Each needs its key.',
    'none',
  ),
  'llm.max_extraction_batch_size': setting(integer({ min: 1, max: 8 }), {
    env: 'STRATA_LLM_MAX_EXTRACTION_BATCH_SIZE',
    fallback: 8,
    unit: 'events',
    description: 'Events that one call extracts from; all are of one scope.',
  }),
  'llm.extraction_calls': setting(integer({ min: 1, max: 64 }), {
    env: 'STRATA_LLM_EXTRACTION_CALLS',
    fallback: 4,
    unit: 'calls',
    description: 'Calls of extraction that this process has under way at once.',
  }),
  'llm.extraction_timeout_ms': setting(integer({ min: 100, max: 600_000 }), {
    env: 'STRATA_LLM_EXTRACTION_TIMEOUT_MS',
    fallback: 30_000,
    unit: 'ms',
    description: 'Time for one request of extraction; then the events are held and tried again.',
  }),
  'llm.extraction_retry_ms': setting(integer({ min: 10, max: 3_600_000 }), {
    env: 'STRATA_LLM_EXTRACTION_RETRY_MS',
    fallback: 30_000,
    unit: 'ms',
    description: 'Time until an event that is held is tried again; doubled with each try, up to an hour.',
  }),
  'llm.timeout_ms': setting(integer({ min: 100, max: 600_000 }), {
    env: 'STRATA_LLM_TIMEOUT_MS',
    fallback: 120_000,
    unit: 'ms',
    description: 'Time for one request of the other call sites; large models take long.',
  }),
  'llm.openai_base_url': setting(text(URL_TEXT, URL_WORDS), {
    env: 'OPENAI_BASE_URL',
    fallbackText: 'the endpoint of OpenAI',
    description: 'Endpoint of the provider openai, wherever that is meant and no other endpoint is named.',
  }),
  'llm.openai_api_key': key('OPENAI_API_KEY', 'Key of OpenAI, wherever that provider is meant.'),
  'llm.anthropic_api_key': key('ANTHROPIC_API_KEY', 'Key of Anthropic.'),
  'llm.gemini_api_key': key('GEMINI_API_KEY', 'Key of Gemini.'),
  'llm.bedrock_api_key': key('AWS_BEARER_TOKEN_BEDROCK', 'Key of Bedrock.'),
  'llm.bedrock_region': setting(text(REGION, 'a region such as us-east-1'), {
    env: 'AWS_REGION',
    fallback: 'us-east-1',
    description: 'Region of Bedrock.',
  }),
} as const;

const extraction = {
  'extraction.api_key': key('STRATA_ENTITY_API_KEY', 'Key for extraction.', 'that of the general provider'),
  'extraction.fallback_chain': chain(
    'STRATA_EXTRACTION_FALLBACK_CHAIN',
    'Chain of extraction alone, instead of the general one.',
    'llm.fallback_chain',
  ),
} as const;

const enrichment = {
  'enrichment.model': setting(text(MODEL, MODEL_WORDS), {
    env: 'STRATA_ENRICHMENT_MODEL',
    fallbackText: 'none: the lane is off',
    description: 'Model of enrichment.',
  }),
  'enrichment.delay_seconds': setting(integer({ min: 0, max: 31_536_000 }), {
    env: 'STRATA_ENRICHMENT_DELAY_SECONDS',
    fallbackText: 'none: the lane is off',
    unit: 's',
    description: 'Time after a write before it is enriched; 0: as soon as allowed.',
  }),
  'enrichment.url': setting(text(URL_TEXT, URL_WORDS), {
    env: 'STRATA_ENRICHMENT_URL',
    fallbackText: 'llm.endpoint, else that of the provider',
    description: 'Endpoint of enrichment.',
  }),
  'enrichment.api_key': key(
    'STRATA_ENRICHMENT_API_KEY',
    'Key for enrichment; that of extraction does not count.',
    'that of the general provider',
  ),
  'enrichment.disable': setting(toggle(), {
    env: 'STRATA_ENRICHMENT_DISABLE',
    fallback: false,
    description: 'Turns the lane off whatever else is set.',
  }),
  'enrichment.fallback_chain': chain(
    'STRATA_ENRICHMENT_FALLBACK_CHAIN',
    'Chain of enrichment alone.',
    'llm.fallback_chain',
  ),
} as const;

const scheduler = {
  'scheduler.enrichment_drain_interval_secs': setting(integer({ min: 1, max: 86_400 }), {
    env: 'STRATA_ENRICHMENT_DRAIN_INTERVAL_SECS',
    fallback: 30,
    unit: 's',
    description: 'How often events that have waited for the delay are looked for.',
  }),
} as const;

const answer = {
  'answer.provider': setting(choice(PROVIDERS), {
    env: 'STRATA_ANSWER_PROVIDER',
    fallbackText: 'llm.provider',
    description: 'Provider that answers questions.',
  }),
  'answer.model': setting(text(MODEL, MODEL_WORDS), {
    env: 'STRATA_ANSWER_MODEL',
    fallbackText: 'a large model of the provider',
    description: 'Model that answers questions.',
  }),
  'answer.url': setting(text(URL_TEXT, URL_WORDS), {
    env: 'STRATA_ANSWER_URL',
    fallbackText: 'the endpoint of the provider',
    description: 'Endpoint that answers questions. Being set turns the lane on even without a key.',
  }),
  'answer.api_key': key('STRATA_ANSWER_API_KEY', 'Key for answers.', "the provider's own"),
  'answer.max_tokens': setting(integer({ min: 1, max: 1_000_000 }), {
    env: 'STRATA_ANSWER_MAX_TOKENS',
    fallback: 1500,
    unit: 'tokens',
    description: 'Tokens of an answer at most.',
  }),
  'answer.disable': setting(toggle(), {
    env: 'STRATA_ANSWER_DISABLE',
    fallback: false,
    description: 'Turns the lane off whatever else is set.',
  }),
  'answer.fallback_chain': chain(
    'STRATA_ANSWER_FALLBACK_CHAIN',
    'Chain of answers alone.',
    'llm.fallback_chain',
  ),
} as const;

const verifier = {
  'verifier.model': setting(text(MODEL, MODEL_WORDS), {
    env: 'STRATA_VERIFIER_MODEL',
    fallbackText: 'one of another family than the answer model',
    description: 'Model that checks answers.',
  }),
  'verifier.url': setting(text(/^(https?:\/\/[^\s?#@]+)?$/, `${URL_WORDS}, or empty`), {
    env: 'STRATA_VERIFIER_URL',
    fallbackText: 'the endpoint of the general provider',
    emptyCounts: true,
    description: 'Endpoint that checks answers; set and empty turns the verifier off.',
  }),
  'verifier.api_key': key(
    'STRATA_VERIFIER_API_KEY',
    'Key for the verifier; that of answers does not count.',
    'that of the general provider',
  ),
  'verifier.max_tokens': setting(integer({ min: 1, max: 1_000_000 }), {
    env: 'STRATA_VERIFIER_MAX_TOKENS',
    fallback: 16_384,
    unit: 'tokens',
    description: 'Tokens of a check at most.',
  }),
  'verifier.disable': setting(toggle(), {
    env: 'STRATA_VERIFIER_DISABLE',
    fallback: false,
    description: 'Turns the lane off whatever else is set.',
  }),
  'verifier.fallback_chain': chain(
    'STRATA_VERIFIER_FALLBACK_CHAIN',
    'Chain of the verifier alone.',
    'llm.fallback_chain',
  ),
} as const;

/** The settings of the call sites of models. */
export const MODEL_SETTINGS = {
  ...general,
  ...extraction,
  ...enrichment,
  ...scheduler,
  ...answer,
  ...verifier,
};
