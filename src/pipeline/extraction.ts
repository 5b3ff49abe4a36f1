import {
  writeExtractions,
  type ExtractionInput,
  type ExtractionStore,
  type NewExtraction,
  type NewStageRetry,
} from '../../graph/extraction.ts';
import type { PendingEvent } from '../../graph/pending-event.ts';
import type { StageAddition } from '../../graph/stage.ts';
import type { StageEffect } from '../../graph/stage-effect.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { ModelFailure } from '../models/failure.ts';
import type { EventAnswer, ExtractionCalls } from './extraction-calls.ts';
import { answered, heldBack } from './extraction-outcome.ts';

/** Answers that are kept in memory until they are written: some batches' worth; beyond it they are asked for again. */
const MAX_UNSETTLED_EXTRACTIONS = 2000;

/** What extraction needs. */
export interface ExtractionParts {
  readonly calls: ExtractionCalls;
  readonly store: ExtractionStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Events that one batch of the stage asks about at most. */
  readonly mostEvents: number;
  /** Milliseconds until an event that is held is tried again for the first time. */
  readonly retryMs: number;
  /** Whether the model is not asked for now, because it could not be reached. */
  readonly resting: () => boolean;
}

/** What the stage does to a batch. */
export interface ExtractedBatch {
  readonly effects: readonly StageEffect[];
  /** Keeps answers and holds; undefined when there are none. */
  readonly within?: StageAddition;
}

/** What becomes of an event. */
type Outcome =
  /** Nothing was asked, or what was answered is stored already. */
  | { readonly is: 'passed'; readonly frame: string | null }
  | { readonly is: 'answered'; readonly frame: string; readonly extraction: NewExtraction }
  | { readonly is: 'held'; readonly hold: NewStageRetry };

/**
 * Extracts from the text of events by a model. It is asked before the transaction of the stage; its answer is kept by that
 * transaction, and until then in memory, so that a batch that is applied once more asks nothing again. An event without a usable answer is held
 * and tried again; those behind it go on.
 */
export class Extraction {
  private readonly parts: ExtractionParts;
  private readonly ending = new AbortController();
  private readonly outcomes = new Map<string, Outcome>();

  constructor(parts: ExtractionParts) {
    this.parts = parts;
  }

  /** Whether the model is not asked for now: what is due again can wait. */
  get resting(): boolean {
    return this.parts.resting();
  }

  /** The longest head of a batch about which not too much is asked at once. */
  head<E extends PendingEvent>(events: readonly E[]): readonly E[] {
    let asked = 0;
    const end = events.findIndex((event) => asksAbout(event) && (asked += 1) > this.parts.mostEvents);
    return end < 0 ? events : events.slice(0, end);
  }

  /**
   * Asks what is to be asked about events, and keeps the answers until {@link settled}. Answers what becomes of each, by id; null when
   * the process stops before that is known.
   */
  async prepare(events: readonly PendingEvent[]): Promise<ReadonlyMap<string, Outcome> | null> {
    const asked = events.filter(asksAbout).map(({ event_id }) => event_id);
    const known = new Map(
      asked.flatMap((id) => {
        const outcome = this.outcomes.get(id);
        return outcome === undefined ? [] : [[id, outcome] as const];
      }),
    );
    const open = asked.filter((id) => !known.has(id));
    if (open.length === 0) return known;
    if (this.stopped()) return null;
    const inputs = await this.parts.store.inputs(open);
    try {
      const unanswered = inputs.filter(({ answered }) => !answered);
      const answers = await this.parts.calls.ask(unanswered, this.ending.signal);
      for (const input of inputs) {
        const outcome = this.outcomeOf(input, answers.get(input.event_id));
        known.set(input.event_id, outcome);
        this.keep(input.event_id, outcome);
      }
      return known;
    } catch (error) {
      if (this.stopped()) return null;
      throw error;
    }
  }

  /** What is never settled, as when a shard is lost at the wrong moment, does not add up. */
  private keep(id: string, outcome: Outcome): void {
    if (this.outcomes.size >= MAX_UNSETTLED_EXTRACTIONS) this.outcomes.clear();
    this.outcomes.set(id, outcome);
  }

  /** What the stage does to events; null when the process stops before that is known. */
  async batch(events: readonly PendingEvent[]): Promise<ExtractedBatch | null> {
    const outcomes = await this.prepare(events);
    if (outcomes === null) return null;
    const extractions: NewExtraction[] = [];
    const holds: NewStageRetry[] = [];
    const effects = events.flatMap((event): StageEffect[] => {
      const outcome = outcomes.get(event.event_id);
      if (outcome?.is === 'held') {
        holds.push(outcome.hold);
        return [];
      }
      if (outcome?.is === 'answered') extractions.push(outcome.extraction);
      return [{ event, frame: outcome === undefined ? plainFrame(event) : outcome.frame, passage: null }];
    });
    if (extractions.length === 0 && holds.length === 0) return { effects };
    const writes = { extractions, holds };
    const now = this.parts.clock.now();
    return {
      effects,
      within: (transaction, owned) => writeExtractions(transaction, writes, { owned, now }),
    };
  }

  /** Says that events are done or held, so that they are asked about anew when they come again. */
  settled(events: readonly PendingEvent[]): void {
    for (const { event_id } of events) this.outcomes.delete(event_id);
  }

  /** Ends the calls that are under way; what they asked is asked again after the next start. */
  stop(): void {
    this.ending.abort();
  }

  private stopped(): boolean {
    return this.ending.signal.aborted;
  }

  private outcomeOf(input: ExtractionInput, answer: EventAnswer | undefined): Outcome {
    if (input.answered) return { is: 'passed', frame: null };
    if (answer === undefined) return { is: 'passed', frame: null };
    if (!answer.ok) return { is: 'held', hold: this.holdOf(input, answer.failure) };
    const { extraction, frame } = answered(input, answer);
    return { is: 'answered', frame, extraction };
  }

  private holdOf(input: ExtractionInput, failure: ModelFailure): NewStageRetry {
    const { hold, pauseMs } = heldBack(input, failure, this.parts);
    const { attempts, state } = hold;
    const failed = state === 'failed';
    this.parts.metrics.count('strata_extraction_held_total', failure.kind);
    this.parts.log.warn(failed ? 'extraction gave an event up' : 'extraction holds an event', {
      event_id: input.event_id,
      attempts,
      reason: failure.message,
      ...(failed ? {} : { retry_ms: pauseMs }),
    });
    return hold;
  }
}

/** Structured statements need no model, and what is gone is not looked at. */
function asksAbout({ content_kind, excluded }: PendingEvent): boolean {
  return content_kind !== 'triple' && content_kind !== 'json' && !excluded;
}

/** The frame of an event about which nothing is asked: a triple is extracted by being there. */
function plainFrame(event: PendingEvent): string | null {
  return event.content_kind === 'triple' ? JSON.stringify({ derived: {}, beliefs_to_revise: 0 }) : null;
}
