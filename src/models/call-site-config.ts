import type { ModelRole } from '../../schemas/usage.ts';
import type { Preset, Provider, Rung } from './preset.ts';

/** One model behind one endpoint. */
export interface ModelEndpoint {
  readonly provider: Provider;
  /** Base address of the OpenAI-compatible routes. */
  readonly url: string;
  /** Sent as bearer; null sends none. */
  readonly apiKey: string | null;
  readonly model: string;
  /** How a structure is asked for at first. */
  readonly rung: Rung;
  readonly outputLimit: Preset['outputLimit'];
  /** How much it is to reason before a text, which counts as its answer; left out where it is not known to take that. */
  readonly effort?: 'low';
}

/** A call site that calls models, or why it does not. */
export type CallSiteConfig =
  | {
      readonly on: true;
      readonly role: ModelRole;
      /** In the order in which they are tried; the first is the configured one. */
      readonly endpoints: readonly [ModelEndpoint, ...ModelEndpoint[]];
      /** Milliseconds for one request. */
      readonly timeoutMs: number;
      /** Tokens of an answer at most; null leaves it to the model. */
      readonly maxOutputTokens: number | null;
    }
  | {
      readonly on: false;
      readonly role: ModelRole;
      /** What it is, for people. */
      readonly why: string;
      /** What would turn it on: the settings by name. */
      readonly fix: string;
    };

/** A lane that is on. */
export type OpenCallSite = Extract<CallSiteConfig, { on: true }>;
