import { roundedMs } from './rounded.ts';
import { composeRequest, type ComposeRequest, type ComposeResponse } from '../../schemas/compose.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import type { Clock } from '../clock.ts';
import { composeQuestion } from '../models/compose.ts';
import { CitationFilter } from '../recall/citation-filter.ts';
import { documentOf, sectionsOf } from '../recall/section.ts';
import { shownSources } from '../recall/source.ts';
import { parseInput } from '../validation.ts';
import type { Call } from './access.ts';
import { noEvidence, type Evidence, type EvidenceService } from './evidence.ts';
import type { Writing } from './writing.ts';
import { NO_TEXT, writtenOf, type Written } from './written.ts';

/** Tokens of the pack that a document of standard depth rests on. */
const COMPOSE_STANDARD_TOKENS = 8000;

/** The same of exhaustive depth. */
const COMPOSE_EXHAUSTIVE_TOKENS = 32_000;

/** Records of each layer but events that an exhaustive document rests on at most. */
const COMPOSE_EXHAUSTIVE_RECORDS = 200;

/** Events that it rests on at most. */
const COMPOSE_EXHAUSTIVE_EVENTS = 1000;

/** Tokens of a brief document, about. */
const COMPOSE_BRIEF_LENGTH = 600;

/** Tokens of a document of standard length, about. */
const COMPOSE_STANDARD_LENGTH = 1500;

/** Tokens of a deep document, about. */
const COMPOSE_DEEP_LENGTH = 4000;

/** What the service needs. */
export interface ComposeParts {
  readonly evidence: EvidenceService;
  readonly writing: Writing;
  readonly clock: Clock;
}

const LENGTHS = { brief: COMPOSE_BRIEF_LENGTH, standard: COMPOSE_STANDARD_LENGTH, deep: COMPOSE_DEEP_LENGTH };
const BUDGETS = {
  standard: { max_tokens: COMPOSE_STANDARD_TOKENS },
  exhaustive: {
    max_tokens: COMPOSE_EXHAUSTIVE_TOKENS,
    per_layer_limits: {
      events: COMPOSE_EXHAUSTIVE_EVENTS,
      facts: COMPOSE_EXHAUSTIVE_RECORDS,
      beliefs: COMPOSE_EXHAUSTIVE_RECORDS,
      episodes: COMPOSE_EXHAUSTIVE_RECORDS,
      understanding: COMPOSE_EXHAUSTIVE_RECORDS,
    },
  },
};

/** Writes documents from memory alone. */
export class ComposeService {
  private readonly parts: ComposeParts;

  constructor(parts: ComposeParts) {
    this.parts = parts;
  }

  /**
   * A document. Throws `INVALID_BODY`, `UNPARSEABLE_TEMPORAL`, `POLICY_DENIED`, `NOT_FOUND`, `ANSWER_UNAVAILABLE`,
   * `ANSWER_PROVIDER_ERROR`.
   */
  async compose(call: Call, body: unknown): Promise<ComposeResponse> {
    const request = parseInput(composeRequest, body, 'INVALID_BODY');
    const { scope, use_pack_id } = request;
    const wish = { recall: recallOf(request), use_pack_id, prefix: 'S', asksModel: true } as const;
    const evidence = await this.parts.evidence.of(call, wish);
    const outline = request.structure ?? [];
    const { document, written } =
      evidence.sources.length === 0
        ? { document: documentOf(sectionsOf('', outline), noEvidence(evidence)), written: NO_TEXT }
        : await this.write({ call, scope }, request, evidence);
    const block = shownSources(evidence.sources);
    const telling = { model: request.model, context: request.include_context, block, prefix: 'S' } as const;
    return { pack_id: evidence.pack.pack_id, document, ...writtenOf(evidence, written, telling) };
  }

  private async write(
    by: { readonly call: Call; readonly scope: string },
    request: ComposeRequest,
    { sources }: Evidence,
  ): Promise<{ document: string; written: Written }> {
    const { writing, clock } = this.parts;
    const outline = request.structure ?? [];
    const length = LENGTHS[request.length ?? 'standard'];
    const began = performance.now();
    const { value, model } = await writing.say(
      by,
      composeQuestion({
        brief: request.brief,
        writtenAt: toRfc3339(clock.now()),
        outline,
        tokens: Math.min(length, request.max_tokens ?? length),
        instructions: request.instructions,
        memory: sources.map(({ text }) => text),
        maxOutputTokens: writing.tokensOf(request.max_tokens, Math.ceil(length * 1.5)),
      }),
    );
    const llm_ms = roundedMs(performance.now() - began);
    const shown = request.citations !== false;
    const filter = new CitationFilter({ known: sources.length, prefix: 'S', shown });
    // In the order of the document, as citations come in it; headings are the caller's own, and cite nothing.
    const sections = sectionsOf(value.text, outline).map(({ heading, text }) => ({
      heading,
      text: filter.push(`${text}\n`) + filter.end(),
    }));
    const { marked, used, dropped } = filter;
    const cited = { marked, used, sources, prefix: 'S' } as const;
    const { citations, verification } = await writing.citations(by, cited);
    return {
      document: documentOf(sections).trimEnd(),
      written: { citations, verification, dropped, llm_model: model, llm_ms, truncated: value.cut },
    };
  }
}

/** The recall that a document rests on. */
function recallOf({ scope, view, brief, time, depth = 'standard', filters }: ComposeRequest) {
  return {
    scope,
    view,
    query: brief,
    temporal: time === undefined ? undefined : { natural: time },
    filters,
    budgets: BUDGETS[depth],
  };
}
