import type { ModelRole } from '../../schemas/usage.ts';
import { StartupError } from '../errors.ts';
import type { CallSiteConfig, ModelEndpoint } from '../models/call-site-config.ts';
import { PRESETS, type Provider } from '../models/preset.ts';
import { settingOf, type SettingKey, type SettingValues } from './settings.ts';

/** The call sites of models, and how extraction works. */
export interface ModelsConfig {
  readonly extraction: CallSiteConfig;
  readonly enrichment: CallSiteConfig;
  readonly answer: CallSiteConfig;
  readonly verifier: CallSiteConfig;
  /** Events of one call. */
  readonly batchEvents: number;
  /** Calls of extraction under way at once. */
  readonly extractionCalls: number;
  /** Milliseconds until an event that is held is tried again for the first time. */
  readonly retryMs: number;
  /** Milliseconds after a write before it is enriched. */
  readonly enrichmentDelayMs: number;
  /** Milliseconds between two looks for what is to be enriched. */
  readonly enrichmentDrainMs: number;
}

const PROVIDER_KEYS: Readonly<Record<Provider, SettingKey | null>> = {
  openai: 'llm.openai_api_key',
  anthropic: 'llm.anthropic_api_key',
  gemini: 'llm.gemini_api_key',
  bedrock: 'llm.bedrock_api_key',
  ollama: null,
};

/**
 * The call sites as the settings say.
 *
 * @throws StartupError when a chain names a provider for which there is no key.
 */
export function modelsConfig(values: SettingValues): ModelsConfig {
  return {
    extraction: extractionCallSite(values),
    enrichment: enrichmentCallSite(values),
    answer: answerCallSite(values),
    verifier: verifierCallSite(values),
    batchEvents: values['llm.max_extraction_batch_size'],
    extractionCalls: values['llm.extraction_calls'],
    retryMs: values['llm.extraction_retry_ms'],
    enrichmentDelayMs: (values['enrichment.delay_seconds'] ?? 0) * 1000,
    enrichmentDrainMs: values['scheduler.enrichment_drain_interval_secs'] * 1000,
  };
}

const generalProvider = (values: SettingValues): Provider => values['llm.provider'] ?? 'openai';

/**
 * The key of a provider by its own variable, or the general one where it is the general provider. What belongs to an endpoint that is
 * named is sent there alone.
 */
function keyOf(values: SettingValues, provider: Provider): string | null {
  const own = PROVIDER_KEYS[provider];
  const isGeneral = provider === generalProvider(values) && values['llm.endpoint'] === undefined;
  const general = isGeneral ? values['llm.api_key'] : undefined;
  return general ?? (own === null ? null : ((values[own] as string | undefined) ?? null));
}

/** The name of what gives a provider its key. */
function keyName(provider: Provider): string {
  const own = PROVIDER_KEYS[provider];
  return own === null ? settingOf('llm.api_key').env : settingOf(own).env;
}

type Size = 'small' | 'large' | 'verifier';
interface Given {
  readonly url?: string | undefined;
  readonly apiKey: string | null;
  readonly model?: string | undefined;
}

function endpoint(values: SettingValues, provider: Provider, size: Size, given: Given): ModelEndpoint {
  const preset = PRESETS[provider];
  const model = given.model ?? preset[size];
  // What speaks the same wire elsewhere may refuse the word.
  const url = given.url ?? builtIn(values, provider);
  const reasons = url === preset.url && preset.reasoning.includes(model);
  return {
    provider,
    url: url.replace(/(?<!\/)\/+$/, ''),
    apiKey: given.apiKey,
    model,
    rung: preset.rung,
    outputLimit: preset.outputLimit,
    ...(reasons ? { effort: 'low' as const } : {}),
  };
}

/** The endpoint of a provider where none is named. */
function builtIn(values: SettingValues, provider: Provider): string {
  const instead = provider === 'openai' ? values['llm.openai_base_url'] : undefined;
  return instead ?? PRESETS[provider].url.replace('{region}', values['llm.bedrock_region']);
}

/** What extraction names for other call sites too, as far as it does. */
function shared(values: SettingValues): Partial<Given> {
  if (values['llm.for'] !== 'all') return {};
  return {
    url: values['llm.endpoint'],
    model: values['llm.model'],
    ...(values['llm.api_key'] === undefined ? {} : { apiKey: values['llm.api_key'] }),
  };
}

/** Whether an endpoint can be asked: there is a key, an address was named, or the provider asks for no key. */
function usable(provider: Provider, { url, apiKey }: Given): boolean {
  return apiKey !== null || (url !== undefined && url !== '') || PRESETS[provider].keyless;
}

interface Open {
  readonly role: ModelRole;
  readonly size: Size;
  readonly first: ModelEndpoint;
  readonly timeoutMs: number;
  readonly maxOutputTokens?: number;
}

/** A lane with its chain: the one fallback of the `[llm]` section where it applies, then the providers of the chain. */
function open(
  values: SettingValues,
  { role, size, first, timeoutMs, maxOutputTokens }: Open,
): CallSiteConfig {
  const own: SettingKey = `${role}.fallback_chain` as SettingKey;
  const links = (values[own] ?? values['llm.fallback_chain'] ?? []) as readonly string[];
  const chained = links.map((link) => chainLink(values, link, size));
  const fallback = size === 'small' ? fallbackOf(values) : [];
  return {
    on: true,
    role,
    endpoints: [first, ...fallback, ...chained],
    timeoutMs,
    maxOutputTokens: maxOutputTokens ?? null,
  };
}

function chainLink(values: SettingValues, link: string, size: Size): ModelEndpoint {
  const slash = link.indexOf('/');
  const provider = (slash < 0 ? link : link.slice(0, slash)) as Provider;
  const apiKey = keyOf(values, provider);
  if (apiKey === null && !PRESETS[provider].keyless) {
    throw new StartupError(
      `a fallback chain names ${provider}, and there is no key for it: set ${keyName(provider)}, or take it out of the chain`,
    );
  }
  return endpoint(values, provider, size, {
    apiKey,
    model: slash < 0 ? undefined : link.slice(slash + 1),
  });
}

function fallbackOf(values: SettingValues): ModelEndpoint[] {
  const named = values['llm.fallback_provider'];
  const url = values['llm.fallback_endpoint'];
  const model = values['llm.fallback_model'];
  if (named === undefined && url === undefined && model === undefined) return [];
  const provider = named ?? generalProvider(values);
  const given = { url, apiKey: values['llm.fallback_api_key'] ?? keyOf(values, provider), model };
  if (!usable(provider, given)) {
    throw new StartupError(
      `llm.fallback_provider is ${provider}, and there is no key for it: set STRATA_LLM_FALLBACK_API_KEY or ${keyName(provider)}`,
    );
  }
  return [endpoint(values, provider, 'small', given)];
}

function extractionCallSite(values: SettingValues): CallSiteConfig {
  const role = 'extraction';
  const provider = generalProvider(values);
  const given = {
    url: values['llm.endpoint'],
    apiKey: values['extraction.api_key'] ?? values['llm.api_key'] ?? keyOf(values, provider),
    model: values['llm.model'],
  };
  if (values['llm.disable'])
    return {
      on: false,
      role,
      why: 'Turned off: facts come from structured statements alone, text stays searchable.',
      fix: 'Remove STRATA_LLM_DISABLE.',
    };
  if (!usable(provider, given))
    return {
      on: false,
      role,
      why: 'No model: facts come from structured statements alone, text stays searchable.',
      fix: `Set ${keyName(provider)} (or STRATA_LLM_API_KEY, STRATA_ENTITY_API_KEY), or STRATA_LLM_URL for an endpoint without a key; STRATA_LLM_MODEL names the model.`,
    };
  const first = endpoint(values, provider, 'small', given);
  return open(values, { role, size: 'small', first, timeoutMs: values['llm.extraction_timeout_ms'] });
}

function enrichmentCallSite(values: SettingValues): CallSiteConfig {
  const role = 'enrichment';
  const provider = generalProvider(values);
  const model = values['enrichment.model'];
  const given = {
    url: values['enrichment.url'] ?? values['llm.endpoint'],
    apiKey: values['enrichment.api_key'] ?? values['llm.api_key'] ?? keyOf(values, provider),
    model,
  };
  const why = 'Off unless a model, a delay and a key are set.';
  if (values['enrichment.disable'])
    return { on: false, role, why: 'Turned off.', fix: 'Remove STRATA_ENRICHMENT_DISABLE.' };
  if (model === undefined || values['enrichment.delay_seconds'] === undefined)
    return { on: false, role, why, fix: 'Set STRATA_ENRICHMENT_MODEL and STRATA_ENRICHMENT_DELAY_SECONDS.' };
  if (!usable(provider, given))
    return { on: false, role, why, fix: `Set STRATA_ENRICHMENT_API_KEY or ${keyName(provider)}.` };
  const first = endpoint(values, provider, 'small', given);
  return open(values, { role, size: 'small', first, timeoutMs: values['llm.timeout_ms'] });
}

function answerCallSite(values: SettingValues): CallSiteConfig {
  const role = 'answer';
  const provider = values['answer.provider'] ?? generalProvider(values);
  const named = [values['answer.provider'], values['answer.url'], values['answer.api_key']];
  const others = named.every((one) => one === undefined) ? shared(values) : {};
  const given = {
    url: values['answer.url'] ?? others.url,
    apiKey: values['answer.api_key'] ?? others.apiKey ?? keyOf(values, provider),
    model: values['answer.model'] ?? others.model,
  };
  if (values['answer.disable'])
    return { on: false, role, why: 'Turned off.', fix: 'Remove STRATA_ANSWER_DISABLE.' };
  if (!usable(provider, given))
    return {
      on: false,
      role,
      why: 'No model that answers; those of extraction do not count.',
      fix: `Set STRATA_ANSWER_API_KEY or ${keyName(provider)}; STRATA_ANSWER_PROVIDER, STRATA_ANSWER_URL and STRATA_ANSWER_MODEL name another, and STRATA_LLM_FOR=all that of extraction.`,
    };
  const first = endpoint(values, provider, 'large', given);
  const maxOutputTokens = values['answer.max_tokens'];
  return open(values, { role, size: 'large', first, timeoutMs: values['llm.timeout_ms'], maxOutputTokens });
}

function verifierCallSite(values: SettingValues): CallSiteConfig {
  const role = 'verifier';
  const provider = generalProvider(values);
  const isOwn = values['verifier.url'] !== undefined || values['verifier.api_key'] !== undefined;
  const others = isOwn ? {} : shared(values);
  const url = values['verifier.url'] ?? others.url;
  const apiKey = values['verifier.api_key'] ?? others.apiKey ?? keyOf(values, provider);
  if (url === '' || values['verifier.disable'])
    return {
      on: false,
      role,
      why: 'Turned off.',
      fix: url === '' ? 'Remove the empty STRATA_VERIFIER_URL.' : 'Remove STRATA_VERIFIER_DISABLE.',
    };
  if (!usable(provider, { url, apiKey }))
    return {
      on: false,
      role,
      why: 'No model that checks answers.',
      fix: `Set STRATA_VERIFIER_API_KEY or ${keyName(provider)}; STRATA_LLM_FOR=all names the model of extraction.`,
    };
  const given = { url, apiKey, model: values['verifier.model'] ?? others.model };
  const first = endpoint(values, provider, 'verifier', given);
  const maxOutputTokens = values['verifier.max_tokens'];
  return open(values, {
    role,
    size: 'verifier',
    first,
    timeoutMs: values['llm.timeout_ms'],
    maxOutputTokens,
  });
}
