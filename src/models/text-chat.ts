import type OpenAI from 'openai';
import { z } from 'zod';

import { MODEL_LAST_WORD_MS, MODEL_STREAM_BYTES } from '../limits/models.ts';
import {
  answerBytes,
  Chat,
  costOf,
  estimatedCost,
  NO_COST,
  readUsage,
  requestBody,
  type ChatRequest,
  type Cost,
  type OnRequest,
  type Turn,
} from './chat.ts';
import { joinSignals, timeLimit } from '../time-limit.ts';
import { openAiClient, patiently } from './client.ts';
import { failureOf, ModelFailure } from './failure.ts';
import type { ModelEndpoint } from './lane.ts';

/** A question whose answer is a text. */
export interface TextQuestion {
  readonly system: string;
  readonly user: string;
  /** Tokens of the answer at most; null leaves it to the model. */
  readonly maxOutputTokens: number | null;
}

/** How a text ended. */
export interface TextEnd {
  /** Whether it ended at its limit of tokens. */
  readonly cut: boolean;
}

const TEXT = { rung: 'prompt' } as const;

/** What is looked at of a piece; endpoints add fields and leave others out. */
const chunk = z.object({
  choices: z.array(
    z.object({
      finish_reason: z.string().nullish(),
      delta: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
    }),
  ),
  usage: readUsage,
});

/** What a stream came to so far. */
class Stream {
  /** What it cost as the endpoint told it. */
  told: Cost | null = null;
  /** The text so far. */
  text = '';
  private isBlank = true;
  /** Characters of the text at most. */
  private readonly most: number;
  private finish: string | null = null;
  private refused = false;
  pieces = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** Whether the model said that it is through; only what it cost may follow. */
  get isFinished(): boolean {
    return this.finish !== null;
  }

  /** Takes the next piece; gives its text. */
  take(body: unknown): string {
    const read = chunk.safeParse(body);
    if (!read.success) throw new ModelFailure('answer', 'the endpoint answered no stream of a completion');
    const { choices, usage } = read.data;
    const [choice] = choices;
    this.pieces += 1;
    this.told = costOf(usage) ?? this.told;
    this.finish = choice?.finish_reason ?? this.finish;
    this.refused ||= (choice?.delta?.refusal ?? '') !== '';
    const text = choice?.delta?.content ?? '';
    this.text += text;
    this.isBlank &&= text.trim() === '';
    if (this.text.length > this.most)
      throw new ModelFailure('answer', `the answer is longer than ${this.most} characters`);
    return text;
  }

  /** How it ended. Throws `ModelFailure` for an end that is none. `most`: tokens that were asked for. */
  end(most: number | null): TextEnd {
    if (this.pieces === 0) throw new ModelFailure('answer', 'the endpoint answered no stream');
    if (this.refused || this.finish === 'content_filter')
      throw new ModelFailure('answer', 'the model refused to answer');
    const cut = this.finish === 'length';
    if (this.isBlank) throw nothingSaid(cut, most);
    if (this.finish === null)
      throw new ModelFailure('outage', 'the endpoint broke its answer off', { passing: true });
    return { cut };
  }
}

/** Asks one endpoint for texts, in whole or as they are written. */
export class TextChat {
  private readonly endpoint: ModelEndpoint;
  private readonly timeoutMs: number;
  private readonly chat: Chat;
  private readonly client: OpenAI;

  constructor(endpoint: ModelEndpoint, timeoutMs: number) {
    this.endpoint = endpoint;
    this.timeoutMs = timeoutMs;
    this.chat = new Chat(endpoint, timeoutMs);
    const { url, apiKey } = endpoint;
    this.client = openAiClient({ url, apiKey, timeoutMs, maxBytes: MODEL_STREAM_BYTES });
  }

  /** The whole text. Throws `ModelFailure`; the reason of `signal` when that fires. */
  async say(
    question: TextQuestion,
    signal: AbortSignal,
    onRequest: OnRequest,
  ): Promise<TextEnd & { readonly text: string }> {
    const { text, refused, cut } = await this.chat.ask(this.request(question), signal, onRequest);
    if (refused) throw new ModelFailure('answer', 'the model refused to answer');
    if (text === null || text.trim() === '') throw nothingSaid(cut, question.maxOutputTokens);
    return { text, cut };
  }

  /**
   * The text as it is written. A request is repeated only as long as nothing of it was handed on. Throws as {@link TextChat.say} does;
   * ends the request when nobody listens any more.
   */
  async *tell(
    question: TextQuestion,
    signal: AbortSignal,
    onRequest: OnRequest,
  ): AsyncGenerator<string, TextEnd> {
    const { pieces, first } = await patiently(signal, async () => {
      const begun = this.pieces(question, signal, onRequest);
      return { pieces: begun, first: await begun.next() };
    });
    try {
      for (let next = first; ; next = await pieces.next()) {
        if (next.done === true) return next.value;
        yield next.value;
      }
    } finally {
      await pieces.return({ cut: false });
    }
  }

  private async *pieces(
    question: TextQuestion,
    signal: AbortSignal,
    onRequest: OnRequest,
  ): AsyncGenerator<string, TextEnd> {
    signal.throwIfAborted();
    const began = performance.now();
    const limit = timeLimit(this.timeoutMs, signal);
    const stream = new Stream(answerBytes(question.maxOutputTokens));
    const over = new AbortController();
    const ends = joinSignals(limit.signal, over.signal);
    let left: NodeJS.Timeout | undefined;
    // What nobody listened to until its end was asked for all the same.
    let ok = true;
    try {
      const chunks = await this.client.chat.completions.create(
        {
          ...requestBody(this.endpoint, this.request(question)),
          stream: true,
          stream_options: { include_usage: true },
        },
        { signal: ends.signal },
      );
      for await (const body of chunks) {
        const text = stream.take(body);
        // Some endpoints leave the connection open behind their last word.
        if (stream.isFinished)
          left ??= setTimeout(() => {
            over.abort();
          }, MODEL_LAST_WORD_MS);
        if (text !== '') yield text;
      }
      // The package ends what is aborted as if it were over.
      signal.throwIfAborted();
      if (!stream.isFinished) limit.signal.throwIfAborted();
      return stream.end(question.maxOutputTokens);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      ok = false;
      throw failureOf(error, { late: limit.isOver, timeoutMs: this.timeoutMs });
    } finally {
      clearTimeout(left);
      ends.end();
      limit.end();
      const isAtWork = ok || stream.pieces > 0 || limit.isOver;
      const cost = stream.told ?? (isAtWork ? estimatedCost(turnsOf(question), stream.text) : NO_COST);
      onRequest({ ok, cost, ms: performance.now() - began });
    }
  }

  private request(question: TextQuestion): ChatRequest {
    const { maxOutputTokens } = question;
    return { turns: turnsOf(question), shape: TEXT, maxOutputTokens, effort: this.endpoint.effort };
  }
}

function turnsOf({ system, user }: TextQuestion): Turn[] {
  return [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
}

/** Why there is no text. A model that reasons may have used its tokens up before it came to one. */
function nothingSaid(cut: boolean, most: number | null): ModelFailure {
  if (!cut) return new ModelFailure('answer', 'the model said nothing');
  const limit = most === null ? 'its limit of tokens' : `its limit of ${most} tokens`;
  return new ModelFailure(
    'answer',
    `the model reached ${limit} before it said anything; what a model reasons counts too: allow more (answer_max_tokens, of a composition max_tokens, and STRATA_ANSWER_MAX_TOKENS)`,
  );
}
