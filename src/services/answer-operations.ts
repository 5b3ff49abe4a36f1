import type { AnswerResponse } from '../../schemas/answer.ts';
import type { ComposeResponse } from '../../schemas/compose.ts';
import type { Layer } from '../../schemas/recall.ts';
import type { Call } from './access.ts';

/** A frame of an answer that is written while it is read. */
export type AnswerFrame =
  | {
      readonly event: 'recall';
      readonly data: { readonly pack_id: string; readonly counts: Readonly<Record<Layer, number>> };
    }
  | { readonly event: 'delta'; readonly data: { readonly text: string } }
  | {
      readonly event: 'citations';
      readonly data: Pick<AnswerResponse, 'citations'> & { readonly dropped_citations: readonly string[] };
    }
  | { readonly event: 'done'; readonly data: AnswerResponse };

/** An answer while it is written. Who stops listening (`return`) stops the model. */
export interface AnswerStream {
  readonly frames: AsyncGenerator<AnswerFrame>;
}

/** Texts that models write from memory. */
export interface AnswerOperations {
  answer(call: Call, body: unknown): Promise<AnswerResponse>;
  /** The answer, or the stream of it where the body asks for that. */
  respond(call: Call, body: unknown): Promise<AnswerResponse | AnswerStream>;
}

/** Documents that models write from memory. */
export interface ComposeOperations {
  compose(call: Call, body: unknown): Promise<ComposeResponse>;
}
