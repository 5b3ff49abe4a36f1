import type { AnswerResponse } from '../../schemas/answer.ts';
import type { ComposeResponse } from '../../schemas/compose.ts';
import type { Call } from './access.ts';
import type { WrittenFrame, WrittenStream } from './written-frames.ts';

/** A frame of an answer that is sent while it is written. */
export type AnswerFrame = WrittenFrame<
  AnswerResponse,
  Pick<AnswerResponse, 'citations'> & { readonly dropped_citations: readonly string[] }
>;

/** Texts that models write from memory. */
export interface AnswerOperations {
  answer(call: Call, body: unknown): Promise<AnswerResponse>;
  /** The answer, or the stream of it where the body asks for that. */
  respond(call: Call, body: unknown): Promise<AnswerResponse | WrittenStream<AnswerFrame>>;
}

/** Documents that models write from memory. */
export interface ComposeOperations {
  compose(call: Call, body: unknown): Promise<ComposeResponse>;
}
