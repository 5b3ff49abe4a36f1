import type { AnswerCitation, AnswerResponse } from '../../schemas/answer.ts';
import { markerOf, type MarkerPrefix, type Source } from '../recall/source.ts';
import type { Evidence } from './evidence.ts';
import { NOT_VERIFIED, type Verification } from './writing.ts';

/** How a text came about. */
export interface Written {
  readonly citations: AnswerCitation[];
  readonly verification: Verification;
  readonly dropped: readonly string[];
  /** Null where no model was called. */
  readonly llm_model: string | null;
  readonly llm_ms: number;
  readonly truncated: boolean;
}

/** A text that no model wrote. */
export const NO_TEXT: Written = {
  citations: [],
  verification: NOT_VERIFIED,
  dropped: [],
  llm_model: null,
  llm_ms: 0,
  truncated: false,
};

/** What the caller asks to be told. */
export interface AnswerOptions {
  /** The model that the request names. */
  readonly model: string | undefined;
  /** Whether the block is asked for. */
  readonly context: boolean | undefined;
  readonly block: string;
  /** What its markers begin with. */
  readonly prefix: MarkerPrefix;
}

/** What every text from memory tells of itself. */
export function writtenOf(
  { pack, sources, recallMs }: Evidence,
  { citations, verification, dropped, llm_model, llm_ms, truncated }: Written,
  { model, context, block, prefix }: AnswerOptions,
): Omit<AnswerResponse, 'pack_id' | 'answer' | 'pack'> {
  return {
    citations,
    provenance: {
      ...pack.provenance,
      // The block of an answer has the markers of its pack.
      citations: prefix === '' ? pack.provenance.citations : citedBy(sources, prefix),
    },
    diagnostics: {
      answer_model: model ?? llm_model,
      llm_model,
      ...verification,
      recall_ms: recallMs,
      llm_ms,
      dropped_citations: [...dropped],
      truncated,
      recall: pack.diagnostics,
    },
    warnings: pack.warnings,
    as_of: pack.as_of,
    ...(context === true ? { context_block: block } : {}),
  };
}

function citedBy(
  sources: readonly Source[],
  prefix: MarkerPrefix,
): AnswerResponse['provenance']['citations'] {
  return Object.fromEntries(
    sources.map(({ number, layer, id }) => [markerOf(number, prefix), { layer, id }]),
  );
}
