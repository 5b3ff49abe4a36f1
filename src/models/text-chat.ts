import type OpenAI from 'openai';

import { MODEL_STREAM_BYTES } from '../limits/models.ts';
import {
  answerBytes,
  Chat,
  estimatedCost,
  NO_COST,
  requestBody,
  type ChatRequest,
  type OnRequest,
  type Turn,
} from './chat.ts';
import { joinSignals, timeLimit } from '../time-limit.ts';
import { openAiClient, patiently } from './client.ts';
import { failureOf, ModelFailure } from './failure.ts';
import type { ModelEndpoint } from './call-site-config.ts';
import { reasonedIn, ReasoningFilter, type Reasoned } from './reasoning.ts';
import { noText, pieceOf, TextStream, type TextEnd } from './text-stream.ts';

/** How long a stream is still listened to once the model said that it is through, milliseconds: what it cost follows. */
export const MODEL_LAST_WORD_MS = 2000;

/** A question whose answer is a text. */
export interface TextQuestion {
  readonly system: string;
  readonly user: string;
  /** Tokens of the answer at most; null leaves it to the model. */
  readonly maxOutputTokens: number | null;
}

const TEXT = { rung: 'prompt' } as const;

/** Asks one endpoint for texts, in whole or as they are written. */
export class TextChat {
  private readonly endpoint: ModelEndpoint;
  private readonly timeoutMs: number;
  private readonly chat: Chat;
  private readonly client: OpenAI;
  /** Whether a text came to its end that had reasoning with a beginning, or none. */
  private isPlain = false;
  /** Whether reasoning came without its beginning. */
  private omitsBeginning = false;

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
    const said = reasonedIn(text ?? '');
    if (said.text.trim() === '') throw noText(cut, question.maxOutputTokens);
    this.learn(said, !cut);
    return { text: said.text, cut };
  }

  /**
   * The text as it is written, without what was reasoned. It comes at its end, unless it begins with the beginning of reasoning, as long
   * as nothing is known of how the model writes, and for good once it left that beginning out. A request is repeated only as long as
   * nothing of it was handed on. Throws as {@link TextChat.say} does; ends the request when nobody listens any more.
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
    const stream = new TextStream(
      answerBytes(question.maxOutputTokens),
      new ReasoningFilter({ mayOmitBeginning: this.mayOmitBeginning }),
    );
    const over = new AbortController();
    const ends = joinSignals(limit.signal, over.signal);
    let left: NodeJS.Timeout | undefined;
    // What nobody listened to until its end was asked for all the same.
    let ok = true;
    try {
      for await (const body of await this.chunks(question, ends.signal)) {
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
      const rest = stream.rest();
      const end = stream.end(question.maxOutputTokens);
      if (rest !== '') yield rest;
      return end;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      ok = false;
      throw failureOf(error, { late: limit.isOver, timeoutMs: this.timeoutMs });
    } finally {
      clearTimeout(left);
      this.learn(stream.reasoning, stream.isWhole);
      ends.end();
      limit.end();
      const isAtWork = ok || stream.pieces > 0 || limit.isOver;
      const cost =
        stream.reportedCost ?? (isAtWork ? estimatedCost(turnsOf(question), stream.text) : NO_COST);
      onRequest({ ok, cost, ms: performance.now() - began });
    }
  }

  private async chunks(
    question: TextQuestion,
    signal: AbortSignal,
  ): Promise<AsyncIterable<unknown> | unknown[]> {
    const { data, response } = await this.client.chat.completions
      .create(
        {
          ...requestBody(this.endpoint, this.request(question)),
          stream: true,
          stream_options: { include_usage: true },
        },
        { signal },
      )
      .withResponse();
    if (!/^application\/json\b/iu.test(response.headers.get('content-type') ?? '')) return data;
    return [pieceOf(await response.json())];
  }

  /** Whether a text is held back until it is known that it is no reasoning: some models write no beginning of it, at least now and then. */
  private get mayOmitBeginning(): boolean {
    return this.omitsBeginning || !this.isPlain;
  }

  /** Learns from a text how the model writes; one that was cut off may have come to nothing but reasoning. */
  private learn({ omitsBeginning }: Pick<Reasoned, 'omitsBeginning'>, isWhole: boolean): void {
    this.omitsBeginning ||= omitsBeginning;
    this.isPlain ||= isWhole && !omitsBeginning;
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
