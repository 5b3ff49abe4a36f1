import { roundedMs } from './rounded.ts';
import { answerRequest, type AnswerRequest, type AnswerResponse } from '../../schemas/answer.ts';
import type { Clock } from '../clock.ts';
import { StrataError } from '../errors.ts';
import { answerQuestion } from '../models/answer.ts';
import type { Answered } from '../models/call-site.ts';
import type { TextQuestion } from '../models/text-chat.ts';
import type { TextEnd } from '../models/text-stream.ts';
import { CitationFilter } from '../recall/citation-filter.ts';
import { NOTHING_KNOWN } from '../recall/section.ts';
import { Clocks, localRfc3339 } from '../time/clocks.ts';
import { parseInput } from '../validation.ts';
import type { Call } from './access.ts';
import { noEvidence, type Evidence, type EvidenceService } from './evidence.ts';
import type { AnswerFrame } from './answer-operations.ts';
import type { Writing } from './writing.ts';
import { foundFrame, type WrittenStream } from './written-frames.ts';
import { NO_TEXT, writtenOf, type Written } from './written.ts';

/** What the service needs. */
export interface AnswerParts {
  readonly evidence: EvidenceService;
  readonly writing: Writing;
  readonly clock: Clock;
}

/** A question whose evidence is at hand. */
interface Asked {
  readonly call: Call;
  readonly request: AnswerRequest;
  readonly evidence: Evidence;
}

/** Answers questions from memory alone. */
export class AnswerService {
  private readonly parts: AnswerParts;

  constructor(parts: AnswerParts) {
    this.parts = parts;
  }

  /**
   * The whole answer. Throws `INVALID_BODY`, `EVAL_OVERRIDE_DISABLED`, `UNPARSEABLE_TEMPORAL`, `POLICY_DENIED`, `NOT_FOUND`,
   * `ANSWER_UNAVAILABLE`, `ANSWER_PROVIDER_ERROR`.
   */
  async answer(call: Call, body: unknown): Promise<AnswerResponse> {
    return this.whole(await this.ask(call, requestOf(body)));
  }

  /** The answer, or where the body asks for one the stream of it. Throws as {@link AnswerService.answer} does, a stream also later. */
  async respond(call: Call, body: unknown): Promise<AnswerResponse | WrittenStream<AnswerFrame>> {
    const request = requestOf(body);
    const asked = await this.ask(call, request);
    return request.stream === true ? { frames: this.frames(asked) } : this.whole(asked);
  }

  private async ask(call: Call, request: AnswerRequest): Promise<Asked> {
    const asksModel = request.skip_answer_llm !== true;
    const { use_pack_id } = request;
    const recall = recallOf(request);
    const evidence = await this.parts.evidence.of(call, { recall, use_pack_id, prefix: '', asksModel });
    return { call, request, evidence };
  }

  private async whole(asked: Asked): Promise<AnswerResponse> {
    const { request, evidence } = asked;
    if (request.skip_answer_llm === true) return skipped(asked);
    if (evidence.sources.length === 0) return unknown(asked);
    const filter = filterOf(asked);
    const began = performance.now();
    const said = await this.parts.writing.say(this.by(asked), this.question(asked));
    const text = filter.push(said.value.text) + filter.end();
    // Of a text of false markers alone nothing is left.
    const answer = text.trim() === '' ? NOTHING_KNOWN : text;
    return this.finished(asked, filter, { answer, said, began });
  }

  private async *frames(asked: Asked): AsyncGenerator<AnswerFrame> {
    const { request, evidence } = asked;
    yield foundFrame(evidence.pack);
    if (request.skip_answer_llm === true || evidence.sources.length === 0) {
      const body = request.skip_answer_llm === true ? skipped(asked) : unknown(asked);
      if (body.answer !== '') yield { event: 'delta', data: { text: body.answer } };
      yield* endOf(body);
      return;
    }
    const filter = filterOf(asked);
    const began = performance.now();
    const pieces = this.parts.writing.tell(this.by(asked), this.question(asked));
    let answer = '';
    try {
      let next = await pieces.next();
      for (; next.done !== true; next = await pieces.next()) {
        const text = filter.push(next.value);
        answer += text;
        if (text !== '') yield { event: 'delta', data: { text } };
      }
      const last = filter.end();
      const rest = (answer + last).trim() === '' ? NOTHING_KNOWN : last;
      answer += rest;
      if (rest !== '') yield { event: 'delta', data: { text: rest } };
      yield* endOf(await this.finished(asked, filter, { answer, said: next.value, began }));
    } finally {
      // Whoever stops listening stops the model.
      await pieces.return({ value: { cut: false }, model: '' });
    }
  }

  private async finished(
    asked: Asked,
    filter: CitationFilter,
    { answer, said, began }: { answer: string; said: Answered<TextEnd>; began: number },
  ): Promise<AnswerResponse> {
    const llm_ms = roundedMs(performance.now() - began);
    const { sources } = asked.evidence;
    const { marked, used, dropped } = filter;
    const cited = { marked, used, sources, prefix: '' as const };
    const { citations, verification } = await this.parts.writing.citations(this.by(asked), cited);
    return responseOf(asked, answer, {
      citations,
      verification,
      dropped,
      llm_model: said.model,
      llm_ms,
      truncated: said.value.cut,
    });
  }

  private question({ request, evidence }: Asked): TextQuestion {
    return answerQuestion({
      question: request.question,
      askedAt: request.question_date ?? nowIn(request.temporal?.timezone, this.parts.clock.now()),
      kind: request.question_type,
      instructions: request.answer_instructions,
      memory: evidence.sources.map(({ text }) => text),
      maxOutputTokens: this.parts.writing.tokensOf(request.answer_max_tokens),
    });
  }

  private by({ call, request }: Asked): { call: Call; scope: string } {
    return { call, scope: request.scope };
  }
}

/** When a question is asked, by the clocks of a time zone, else UTC. */
function nowIn(timezone: string | undefined, now: number): string {
  return localRfc3339(now, new Clocks(timezone).offsetAt(now));
}

/** The body of a question. A wrong type of `facet_plan_override` is told in plain text, as the contract has it. */
function requestOf(body: unknown): AnswerRequest {
  const request = parsedRequest(body);
  if (request.facet_plan_override !== undefined)
    throw new StrataError(
      'EVAL_OVERRIDE_DISABLED',
      'facet_plan_override is for evaluations, and this server takes none; leave it out',
      { details: { field_path: 'facet_plan_override' } },
    );
  return request;
}

function parsedRequest(body: unknown): AnswerRequest {
  try {
    return parseInput(answerRequest, body, 'INVALID_BODY');
  } catch (error) {
    if (!(error instanceof StrataError) || error.details?.field_path !== 'facet_plan_override') throw error;
    throw new StrataError('INVALID_BODY', error.message, { details: error.details, plainText: true });
  }
}

/** The recall that an answer rests on; always with markers, because it is cited by them. */
function recallOf({ question, question_date: date, ...request }: AnswerRequest) {
  const { scope, view, include, temporal, filters, budgets, diagnostics } = request;
  const { include_superseded, language, scripts } = request;
  const reference =
    date === undefined || temporal?.reference_date !== undefined ? {} : { reference_date: date };
  return {
    scope,
    view,
    query: question,
    include,
    temporal: temporal && { ...temporal, ...reference },
    filters,
    budgets,
    diagnostics,
    include_superseded,
    language,
    scripts,
  };
}

function filterOf({ request, evidence }: Asked): CitationFilter {
  const shown = request.cite_sources !== false && request.citation_mode !== 'none';
  return new CitationFilter({ known: evidence.sources.length, prefix: '', shown });
}

function skipped(asked: Asked): AnswerResponse {
  return { ...responseOf(asked, '', NO_TEXT), pack: asked.evidence.pack };
}

/** What is said where nothing was found: no model is asked, since it could only make something up. */
function unknown(asked: Asked): AnswerResponse {
  return responseOf(asked, noEvidence(asked.evidence), NO_TEXT);
}

function responseOf({ request, evidence }: Asked, answer: string, written: Written): AnswerResponse {
  const { pack } = evidence;
  const { answer_model: model, include_context: context } = request;
  const asked = { model, context, block: pack.context_block, prefix: '' } as const;
  return { pack_id: pack.pack_id, answer, ...writtenOf(evidence, written, asked) };
}

function* endOf(body: AnswerResponse): Generator<AnswerFrame> {
  const { citations, diagnostics } = body;
  const { dropped_citations } = diagnostics;
  yield { event: 'citations', data: { citations, dropped_citations } };
  yield { event: 'done', data: body };
}
