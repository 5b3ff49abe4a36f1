import { z } from 'zod';

import { costOf, readContent, readUsage, type Cost } from './chat.ts';
import { ModelFailure, statedFailure } from './failure.ts';
import type { ReasoningFilter } from './reasoning.ts';

/** How a text ended. */
export interface TextEnd {
  /** Whether it ended at its limit of tokens. */
  readonly cut: boolean;
}

/** What is looked at of a piece; endpoints add fields and leave others out. */
const chunk = z.object({
  choices: z.array(
    z.object({
      finish_reason: z.string().nullish(),
      delta: z.object({ content: readContent, refusal: z.string().nullish() }).nullish(),
    }),
  ),
  usage: readUsage,
});

/** What a stream came to so far. */
export class TextStream {
  /** What it cost as the endpoint told it. */
  reportedCost: Cost | null = null;
  /** The text so far, with what was reasoned. */
  text = '';
  readonly reasoning: ReasoningFilter;
  private isBlank = true;
  /** Characters of the text at most. */
  private readonly most: number;
  private finish: string | null = null;
  private refused = false;
  pieces = 0;

  constructor(most: number, reasoning: ReasoningFilter) {
    this.most = most;
    this.reasoning = reasoning;
  }

  /** Whether the model said that it is through; only what it cost may follow. */
  get isFinished(): boolean {
    return this.finish !== null;
  }

  /** Whether it said so of itself, and not because of a limit. */
  get isWhole(): boolean {
    return this.finish !== null && this.finish !== 'length';
  }

  /** Takes the next piece; gives what of the text may be handed on. */
  take(body: unknown): string {
    const read = chunk.safeParse(body);
    if (!read.success)
      throw (
        statedFailure(body) ?? new ModelFailure('answer', 'the endpoint answered no stream of a completion')
      );
    const { choices, usage } = read.data;
    const [choice] = choices;
    this.pieces += 1;
    this.reportedCost = costOf(usage) ?? this.reportedCost;
    this.finish = choice?.finish_reason ?? this.finish;
    this.refused ||= (choice?.delta?.refusal ?? '') !== '';
    const text = choice?.delta?.content ?? '';
    this.text += text;
    if (this.text.length > this.most)
      throw new ModelFailure('answer', `the answer is longer than ${this.most} characters`);
    return this.shown(this.reasoning.push(text));
  }

  /** What is left of the text when it is over. */
  rest(): string {
    return this.shown(this.reasoning.end());
  }

  private shown(text: string): string {
    if (this.reasoning.isTooLate)
      throw new ModelFailure('answer', 'the model wrote what it reasoned without saying where that begins');
    this.isBlank &&= text.trim() === '';
    return text;
  }

  /** How it ended. Throws `ModelFailure` for an end that is none. `most`: tokens that were asked for. */
  end(most: number | null): TextEnd {
    if (this.pieces === 0) throw new ModelFailure('answer', 'the endpoint answered no stream');
    if (this.refused || this.finish === 'content_filter')
      throw new ModelFailure('answer', 'the model refused to answer');
    const cut = this.finish === 'length';
    if (this.isBlank) throw noText(cut, most);
    if (this.finish === null)
      throw new ModelFailure('outage', 'the endpoint broke its answer off', { passing: true });
    return { cut };
  }
}

/** What an endpoint that does not stream answers at once, as the one piece of a stream. */
const atOnce = z.looseObject({
  choices: z.array(
    z
      .looseObject({ message: z.unknown() })
      .transform(({ message, ...rest }) => ({ ...rest, delta: message })),
  ),
});

/** What an endpoint answered at once where a stream was asked for, as the one piece of it; what is no completion as it is. */
export function pieceOf(body: unknown): unknown {
  const read = atOnce.safeParse(body);
  return read.success ? read.data : body;
}

/** Why there is no text. A model that reasons may have used its tokens up before it came to one. */
export function noText(cut: boolean, most: number | null): ModelFailure {
  if (!cut) return new ModelFailure('answer', 'the model said nothing');
  const limit = most === null ? 'its limit of tokens' : `its limit of ${most} tokens`;
  return new ModelFailure(
    'answer',
    `the model reached ${limit} before it said anything; what a model reasons counts too: allow more (answer_max_tokens, of a composition max_tokens, and STRATA_ANSWER_MAX_TOKENS)`,
  );
}
