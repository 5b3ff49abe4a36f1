/** Kinds of providers that are known beforehand; all are spoken to through their OpenAI-compatible endpoints. */
export const PROVIDERS = ['openai', 'anthropic', 'gemini', 'bedrock', 'ollama'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** How an answer of a given shape is asked for, best first: by a schema, by the arguments of a tool, by words alone. */
export const RUNGS = ['json_schema', 'tool', 'prompt'] as const;
export type Rung = (typeof RUNGS)[number];

/** What is known of a provider. */
export interface Preset {
  /** Address of its OpenAI-compatible endpoint; `{region}` stands for the region where it has one. */
  readonly url: string;
  /** The rung to begin with: of some endpoints it is known that they pass a schema over. */
  readonly rung: Rung;
  /** The field that bounds the answer: newer models of OpenAI refuse the old name, others know only that. */
  readonly outputLimit: 'max_completion_tokens' | 'max_tokens';
  /** Models that reason before they answer, and take a word on how much (`reasoning_effort`). */
  readonly reasoning: readonly string[];
  /** Whether it answers without a key. */
  readonly keyless: boolean;
  /** A small, cheap model that honours a structure: for extraction. */
  readonly small: string;
  /** A large one: for answers. */
  readonly large: string;
  /** One of another family than the large one, where the provider has any: for checking its answers. */
  readonly verifier: string;
}

/** What is known of each provider. */
export const PRESETS: Readonly<Record<Provider, Preset>> = {
  openai: {
    url: 'https://api.openai.com/v1',
    rung: 'json_schema',
    outputLimit: 'max_completion_tokens',
    reasoning: ['gpt-5', 'gpt-5-mini'],
    keyless: false,
    small: 'gpt-5-mini',
    large: 'gpt-5',
    verifier: 'gpt-4.1',
  },
  anthropic: {
    url: 'https://api.anthropic.com/v1',
    rung: 'tool',
    outputLimit: 'max_tokens',
    reasoning: [],
    keyless: false,
    small: 'claude-haiku-4-5',
    large: 'claude-sonnet-4-5',
    verifier: 'claude-opus-4-1',
  },
  gemini: {
    url: 'https://generativelanguage.googleapis.com/v1beta/openai',
    rung: 'json_schema',
    outputLimit: 'max_tokens',
    reasoning: ['gemini-2.5-pro', 'gemini-2.5-flash'],
    keyless: false,
    small: 'gemini-2.5-flash',
    large: 'gemini-2.5-pro',
    verifier: 'gemini-2.5-flash',
  },
  bedrock: {
    url: 'https://bedrock-runtime.{region}.amazonaws.com/openai/v1',
    rung: 'tool',
    outputLimit: 'max_tokens',
    reasoning: [],
    keyless: false,
    small: 'openai.gpt-oss-20b-1:0',
    large: 'openai.gpt-oss-120b-1:0',
    verifier: 'openai.gpt-oss-20b-1:0',
  },
  ollama: {
    url: 'http://127.0.0.1:11434/v1',
    rung: 'json_schema',
    outputLimit: 'max_tokens',
    reasoning: [],
    keyless: true,
    small: 'qwen3:8b',
    large: 'llama3.3',
    verifier: 'qwen3:8b',
  },
};
