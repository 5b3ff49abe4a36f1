import type {
  ExtractionAnswer,
  ExtractionInput,
  NewExtraction,
  NewStageRetry,
} from '../../graph/extraction.ts';
import type { Clock } from '../clock.ts';
import { sayingKey, type Checked, type ExtractedStatement } from '../derive/extraction.ts';
import { CALL_SITE_LONGEST_PAUSE_MS } from '../limits/models.ts';
import { PROMPT_VERSION } from '../models/extraction.ts';
import type { ModelFailure } from '../models/failure.ts';
import type { EventAnswer } from './extraction-calls.ts';
import { confidenceFloor } from './extraction-input.ts';

/** Tries to extract from an event whose answers are unusable, before it is given up; sending it again queues it. */
export const EXTRACTION_TRIES = 6;

/** The longest pause before an event that is held is tried again, milliseconds. */
const EXTRACTION_LONGEST_RETRY_MS = 3_600_000;

/** Statements that are kept of one event; a text that says more is read in parts. */
export const MAX_EXTRACTED_STATEMENTS = 500;

/** A good answer as it is kept, and the frame that tells of it. */
export function answered(
  input: ExtractionInput,
  answer: Extract<EventAnswer, { ok: true }>,
): { extraction: NewExtraction; frame: string; entities: readonly string[] } {
  const kept = keptOf(answer.checked, confidenceFloor(input));
  const extractor = `${answer.model}/${PROMPT_VERSION}`;
  const entities = entitiesOf(kept.statements);
  return {
    entities,
    frame: frameOf(kept.statements, entities, extractor),
    extraction: {
      event_id: input.event_id,
      model: answer.model,
      prompt_version: PROMPT_VERSION,
      extractor,
      answer: kept,
    },
  };
}

/** An event without a usable answer: when it is tried again, twice as long after each try, or that it is given up. */
export function heldBack(
  input: ExtractionInput,
  failure: ModelFailure,
  { retryMs, clock }: { readonly retryMs: number; readonly clock: Clock },
): { hold: NewStageRetry; pauseMs: number } {
  const attempts = input.attempts + 1;
  const away = failure.kind === 'outage';
  const unusable = input.unusable + (away ? 0 : 1);
  const failed = failure.kind === 'answer' && unusable >= EXTRACTION_TRIES;
  const longest = away ? CALL_SITE_LONGEST_PAUSE_MS : EXTRACTION_LONGEST_RETRY_MS;
  const pauseMs = Math.min(retryMs * 2 ** Math.min(attempts - 1, 30), longest);
  const hold: NewStageRetry = {
    event_id: input.event_id,
    state: failed ? 'failed' : 'held',
    reason: `extraction failed ${attempts} times: ${failure.message}`,
    attempts,
    unusable,
    retry_at: failed ? null : clock.now() + Math.max(pauseMs, failure.retryAfterMs ?? 0),
  };
  return { hold, pauseMs };
}

/** The statements that are kept of an answer, each once, and why the others are not. */
function keptOf(checked: readonly Checked[], floor: number): ExtractionAnswer {
  const statements = new Map<string, ExtractedStatement>();
  const left_out: string[] = [];
  for (const one of checked) {
    if (!one.usable) {
      left_out.push(one.reason);
      continue;
    }
    const key = sayingKey(one.statement);
    if ((one.statement.triple.confidence ?? 1) < floor)
      left_out.push('below the confidence that the event asks for');
    else if (statements.has(key)) left_out.push('says the same of the same once more');
    else if (statements.size >= MAX_EXTRACTED_STATEMENTS) left_out.push('one too many');
    else statements.set(key, one.statement);
  }
  return { statements: [...statements.values()], left_out };
}

/** What the frame says was derived: the entities; facts are told of by the frame of consolidation, which makes them. */
function frameOf(
  statements: readonly ExtractedStatement[],
  entities: readonly string[],
  extractor: string,
): string {
  return JSON.stringify({
    derived: statements.length === 0 ? {} : { entities },
    statements: statements.length,
    extractor,
    beliefs_to_revise: 0,
  });
}

function entitiesOf(statements: readonly ExtractedStatement[]): string[] {
  const named = statements.flatMap(({ triple: { subject, object } }) =>
    [subject, object].flatMap((term) => (term.type === 'entity' ? [term.id] : [])),
  );
  return [...new Set(named)];
}
