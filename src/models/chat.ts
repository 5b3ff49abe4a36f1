import type OpenAI from 'openai';
import { z } from 'zod';

import { MODEL_ANSWER_BYTES, MODEL_ENVELOPE_BYTES } from '../limits/models.ts';
import { countTokens } from '../recall/token-count.ts';
import { timeLimit } from '../time-limit.ts';
import { openAiClient, patiently, valueOf } from './client.ts';
import { failureOf, ModelFailure, statedFailure } from './failure.ts';
import type { ModelEndpoint } from './call-site-config.ts';

/** Bytes of an answer that are read for each token that was asked for, where that is more: escaped Chinese has some 10, and what was reasoned may stand beside it. */
const MODEL_TOKEN_BYTES = 24;

/** Tokens of one request that an endpoint may tell: no model takes a hundredth of it; what says more counts as none. */
export const MOST_TOLD_TOKENS = 1_000_000_000;

/** A turn that is sent. */
export interface Turn {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** How the shape of the answer is asked for. */
export type Shape =
  | { readonly rung: 'json_schema' | 'tool'; readonly name: string; readonly schema: Record<string, unknown> }
  | { readonly rung: 'prompt' };

/** One request. */
export interface ChatRequest {
  readonly turns: readonly Turn[];
  readonly shape: Shape;
  readonly maxOutputTokens: number | null;
  /** How much to reason; left to the model where it is left out. */
  readonly effort?: 'low' | undefined;
}

/** What an endpoint said, as far as it is used. */
export interface ChatAnswer {
  /** The text, or the arguments of the tool call; null when there is none. */
  readonly text: string | null;
  readonly refused: boolean;
  /** Whether the answer ended at a limit of tokens. */
  readonly cut: boolean;
}

/** What one request cost. */
export interface Cost {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * Told of each request that was sent, repeats included, also where nobody waited for its end. Where the endpoint worked at it and told
 * no cost, that is an estimate: what was sent and what had come are counted here. A request that was refused cost nothing.
 */
export type OnRequest = (outcome: { readonly ok: boolean; readonly cost: Cost; readonly ms: number }) => void;

/** A count of tokens as an endpoint tells it; what cannot be one counts as none. */
export const readTokens = z.number().min(0).max(MOST_TOLD_TOKENS).transform(Math.round).catch(0);
/** What a request cost, as far as the endpoint tells. */
export const readUsage = z
  .object({ prompt_tokens: readTokens, completion_tokens: readTokens })
  .nullish()
  .catch(null);
/** A part of a text: some endpoints answer a list of them, with what was reasoned among them. */
const part = z.object({ type: z.string().nullish().catch(null), text: z.string().nullish().catch(null) });
/** A text as an endpoint answers it: as one, or as a list of parts. */
export const readContent = z
  .union([z.string(), z.array(z.union([z.string(), part])).transform((parts) => parts.map(textOf).join(''))])
  .nullish();

function textOf(one: string | z.infer<typeof part>): string {
  if (typeof one === 'string') return one;
  return REASONING_PARTS.test(one.type ?? '') ? '' : (one.text ?? '');
}

const REASONING_PARTS = /think|reason/u;

/** What is looked at of an answer; endpoints add fields and leave others out. */
const completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: readContent,
          refusal: z.string().nullish(),
          tool_calls: z
            .array(z.object({ function: z.object({ arguments: z.string() }).optional() }))
            .nullish(),
        }),
      }),
    )
    .min(1),
  usage: readUsage,
});

/** The cost of a request that was refused. */
export const NO_COST: Cost = { inputTokens: 0, outputTokens: 0 };

/** What a request cost as the endpoint told it; null where it told nothing. */
export function costOf(usage: z.infer<typeof readUsage>): Cost | null {
  const inputTokens = usage?.prompt_tokens ?? 0;
  const outputTokens = usage?.completion_tokens ?? 0;
  return inputTokens + outputTokens === 0 ? null : { inputTokens, outputTokens };
}

/** An estimate of what a request cost of which the endpoint told nothing. */
export function estimatedCost(turns: readonly Turn[], answer: string): Cost {
  const inputTokens = turns.reduce((sum, { content }) => sum + countTokens(content), 0);
  return { inputTokens, outputTokens: countTokens(answer) };
}

/** Speaks to one endpoint: bounded in bytes and time, repeated while the endpoint is away for a moment. */
export class Chat {
  private readonly endpoint: ModelEndpoint;
  private readonly timeoutMs: number;

  constructor(endpoint: ModelEndpoint, timeoutMs: number) {
    this.endpoint = endpoint;
    this.timeoutMs = timeoutMs;
  }

  /** One answer. Throws `ModelFailure`; the reason of `signal` when that fires. */
  async ask(request: ChatRequest, signal: AbortSignal, onRequest: OnRequest): Promise<ChatAnswer> {
    return patiently(signal, () => this.once(request, signal, onRequest));
  }

  private client({ maxOutputTokens }: ChatRequest): OpenAI {
    const { url, apiKey } = this.endpoint;
    const maxBytes = answerBytes(maxOutputTokens);
    return openAiClient({ url, apiKey, timeoutMs: this.timeoutMs, maxBytes });
  }

  private async once(request: ChatRequest, signal: AbortSignal, onRequest: OnRequest): Promise<ChatAnswer> {
    signal.throwIfAborted();
    const began = performance.now();
    const limit = timeLimit(this.timeoutMs, signal);
    let reported: Cost | null = null;
    try {
      const body = await this.client(request).chat.completions.create(requestBody(this.endpoint, request), {
        // The package watches the time until the headers; a body that never ends is cut off by this.
        signal: limit.signal,
      });
      const value = valueOf(body);
      const read = completion.safeParse(value);
      if (!read.success)
        throw statedFailure(value) ?? new ModelFailure('answer', 'the endpoint answered no completion');
      reported = costOf(read.data.usage);
      const answer = answerOf(read.data, request.shape.rung);
      const cost = reported ?? estimatedCost(request.turns, answer.text ?? '');
      onRequest({ ok: true, cost, ms: performance.now() - began });
      return answer;
    } catch (error) {
      const isAtWork = limit.signal.aborted;
      const cost = reported ?? (isAtWork ? estimatedCost(request.turns, '') : NO_COST);
      // What nobody listened to until its end was asked for all the same.
      onRequest({ ok: signal.aborted, cost, ms: performance.now() - began });
      throw failureOf(error, { late: limit.isOver, timeoutMs: this.timeoutMs });
    } finally {
      limit.end();
    }
  }
}

/** Bytes of an answer that are read: what is longer is garbage, and is cut off. */
export function answerBytes(maxOutputTokens: number | null): number {
  return Math.max(MODEL_ANSWER_BYTES, MODEL_ENVELOPE_BYTES + MODEL_TOKEN_BYTES * (maxOutputTokens ?? 0));
}

function answerOf({ choices }: z.infer<typeof completion>, rung: Shape['rung']): ChatAnswer {
  const [choice] = choices;
  const message = choice?.message;
  const called = rung === 'tool' ? message?.tool_calls?.[0]?.function?.arguments : undefined;
  return {
    text: called ?? message?.content ?? null,
    refused: (message?.refusal ?? '') !== '' || choice?.finish_reason === 'content_filter',
    cut: choice?.finish_reason === 'length',
  };
}

/** What is sent of a request. */
export function requestBody(
  { model, outputLimit }: ModelEndpoint,
  { turns, shape, maxOutputTokens, effort }: ChatRequest,
): OpenAI.ChatCompletionCreateParamsNonStreaming {
  return {
    model,
    messages: turns.map((turn) => ({ ...turn })),
    ...(maxOutputTokens === null ? {} : { [outputLimit]: maxOutputTokens }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(shape.rung === 'json_schema'
      ? {
          response_format: {
            type: 'json_schema' as const,
            json_schema: { name: shape.name, schema: shape.schema, strict: true },
          },
        }
      : {}),
    ...(shape.rung === 'tool'
      ? {
          tools: [{ type: 'function' as const, function: { name: shape.name, parameters: shape.schema } }],
          tool_choice: { type: 'function' as const, function: { name: shape.name } },
        }
      : {}),
  };
}
