import {
  writeEnrichment,
  type EnrichmentStore,
  type EnrichmentWrites,
  type OpenEnrichment,
} from '../../graph/enrichment.ts';
import {
  writeExtractions,
  type ExtractionInput,
  type ExtractionStore,
  type NewExtraction,
  type NewStageRetry,
} from '../../graph/extraction.ts';
import type { LeasedShard } from '../../graph/shard.ts';
import type { ShardStep } from '../../graph/shard-step.ts';
import type { PendingEvent } from '../../graph/pending-event.ts';
import type { StageStore } from '../../graph/stage.ts';
import type { StageEffect } from '../../graph/stage-effect.ts';
import type { SynthesisWriter } from '../../graph/synthesis.ts';
import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import { MAX_ENRICHED_TOPICS } from '../limits/models.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { EventAnswer, ExtractionCalls } from './extraction-calls.ts';
import { answered, heldBack } from './extraction-outcome.ts';
import { reasonOf, Suspicion } from './suspicion.ts';

/** Events of a shard that enrichment looks at together: none is asked about then, so it is a short transaction. */
const ENRICHMENT_PAGE_EVENTS = 500;

/** Events of a scope that enrichment reads to find those that nobody has extracted from: a few calls' worth. */
const ENRICHMENT_WINDOW_EVENTS = 64;

/** Who asks for the syntheses that follow enrichment. */
export const ENRICHMENT_ACTOR = 'system:enrichment';

/** What enrichment needs. */
export interface EnrichmentParts {
  readonly calls: ExtractionCalls;
  readonly store: EnrichmentStore;
  readonly extractions: ExtractionStore;
  readonly stages: Pick<StageStore, 'apply'>;
  readonly syntheses: Pick<SynthesisWriter, 'enterEnriched'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Milliseconds after which an event that nobody extracted from is enriched. */
  readonly delayMs: number;
  /** Milliseconds between two looks for such events. */
  readonly drainMs: number;
  /** Events of one scope that are asked about at once. */
  readonly batchEvents: number;
  /** Scopes that are asked about at once. */
  readonly scopes: number;
  /** Milliseconds until an event without a usable answer is tried again for the first time. */
  readonly retryMs: number;
  /** Whether the model is not asked for now, because it could not be reached. */
  readonly resting: () => boolean;
  /** Takes the turn of a stage for what writes. */
  readonly take: <T>(work: () => Promise<T>) => Promise<T>;
  /** Told of the newest frame of each transaction that wrote one. */
  readonly onFrames: (newestFrame: number) => void;
  /** Told that events are to be consolidated again. */
  readonly onQueued: () => void;
  /** Told that a synthesis stands in the log. */
  readonly onSynthesis: () => void;
}

/** What becomes of a batch. */
interface Batch {
  readonly events: readonly PendingEvent[];
  readonly scopes: readonly Portion[];
  /** Of the events, those that were tried before. */
  readonly again: readonly PendingEvent[];
}

/** What the model came to. */
interface Outcomes {
  readonly extractions: readonly NewExtraction[];
  readonly holds: readonly NewStageRetry[];
  readonly effects: readonly StageEffect[];
  /** Entities by the event that names them. */
  readonly named: ReadonlyMap<string, readonly string[]>;
}

/** What of an open scope is done next, and where it is then. */
interface Portion {
  readonly scope: OpenEnrichment;
  readonly events: readonly PendingEvent[];
  readonly after: number;
}

/**
 * Extracts, by a model of its own, from events that nobody has extracted from, some time after they were written: those that came
 * while extraction was off. Each shard is looked through once, by whoever holds it; the scopes that have such events are served in
 * turn, a call's worth each. Answers are kept as those of extraction are, and their events are consolidated again. When a scope is
 * through, its concepts of what was named are brought up to date by an entry in the log.
 */
export class Enrichment {
  private readonly parts: EnrichmentParts;
  private readonly ending = new AbortController();
  private readonly suspicion = new Suspicion();
  /** What the model answered that is not written yet: a write that fails has no answer paid for again. */
  private unwritten: ReadonlyMap<string, EventAnswer> = new Map();
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: EnrichmentParts) {
    this.parts = parts;
  }

  /** Does the next batch in the shards that the worker holds; `false` when there is nothing to do for now. */
  async round(shards: readonly LeasedShard[]): Promise<boolean> {
    const { store, clock, batchEvents, scopes: most, resting } = this.parts;
    if (shards.length === 0 || this.stopped() || resting()) return false;
    await this.look(shards);
    const numbers = shards.map(({ number }) => number);
    const again = await store.due(numbers, clock.now(), batchEvents);
    const open = await store.open(numbers, most, ENRICHMENT_WINDOW_EVENTS);
    const scopes = open.filter(({ events }) => events.length > 0).map((one) => portion(one, batchEvents));
    await this.close(
      open.filter(({ events }) => events.length === 0),
      shards,
    );
    if (again.length > 0 || scopes.length > 0)
      await this.enrich(
        { again, scopes, events: [...again, ...scopes.flatMap((one) => one.events)] },
        shards,
      );
    return again.length > 0 || open.length > 0;
  }

  /** Ends the calls that are under way; what they asked is asked again after the next start. */
  stop(): void {
    this.ending.abort();
  }

  private stopped(): boolean {
    return this.ending.signal.aborted;
  }

  /** Looks through what became old enough, once in a while. */
  private async look(shards: readonly LeasedShard[]): Promise<void> {
    const { store, clock, drainMs, delayMs, take } = this.parts;
    const now = clock.now();
    if (now - this.lookedAt < drainMs) return;
    this.lookedAt = now;
    const before = now - delayMs;
    const found = new Set(
      await store.unseen(
        shards.map(({ number }) => number),
        before,
      ),
    );
    for (const shard of shards.filter(({ number }) => found.has(number)))
      for (let more = true; more && !this.stopped();)
        more =
          (await take(() => store.see(shard, before, ENRICHMENT_PAGE_EVENTS))) === ENRICHMENT_PAGE_EVENTS;
  }

  private async enrich(batch: Batch, shards: readonly LeasedShard[]): Promise<void> {
    const { extractions: store, onQueued } = this.parts;
    const open = batch.events.filter(({ excluded }) => !excluded).map(({ event_id }) => event_id);
    const inputs = await store.inputs(open);
    const unanswered = inputs.filter((input) => !input.answered);
    const answers = await this.ask(unanswered);
    if (answers === null) return;
    const outcomes = this.outcomes(batch.events, unanswered, answers);
    await this.write(batch, outcomes, shards);
    this.unwritten = new Map();
    onQueued();
  }

  /** Keeps what the model came to: together, or in parts where the database refuses it; an event that it refuses by itself is given up. */
  private async write(batch: Batch, outcomes: Outcomes, shards: readonly LeasedShard[]): Promise<void> {
    const { take, stages, clock } = this.parts;
    if (batch.events.length === 0) return this.writePart(batch, outcomes, shards);
    await this.suspicion.through(batch.events, {
      keyOf: ({ event_id }) => event_id,
      work: (events) => this.writePart(partOf(batch, events), only(outcomes, events), shards),
      probe: () => take(() => stages.apply('extracted', stepsOf(batch, shards), [], clock.now())),
      giveUp: (event, { attempts, error }) => {
        const holds = [this.refused(event, { attempts, reason: reasonOf('enrichment', attempts, error) })];
        return this.writePart(partOf(batch, [event]), { ...NOTHING, holds }, shards);
      },
      onRetry: () => Promise.resolve(),
    });
  }

  private refused(
    { event_id }: PendingEvent,
    { attempts, reason }: { attempts: number; reason: string },
  ): NewStageRetry {
    this.parts.metrics.count('strata_enrichment_events_total', 'given_up');
    this.parts.log.error('enrichment gave an event up', { event_id, attempts, reason });
    return { event_id, state: 'failed', reason, attempts, unusable: 0, retry_at: null };
  }

  private async writePart(part: Batch, outcomes: Outcomes, shards: readonly LeasedShard[]): Promise<void> {
    const { take, stages, clock, metrics, onFrames } = this.parts;
    const { extractions, effects } = outcomes;
    const now = clock.now();
    const { newestFrame } = await take(() =>
      stages.apply('extracted', stepsOf(part, shards), effects, now, async (transaction, owned) => {
        await writeExtractions(transaction, { extractions, holds: [] }, { owned, now });
        await writeEnrichment(transaction, writesOf(part, outcomes, new Set(owned)), now);
      }),
    );
    metrics.count('strata_enrichment_events_total', 'extracted', extractions.length);
    onFrames(newestFrame);
  }

  /** The answers for events; null when the process stops before there are any. */
  private async ask(inputs: readonly ExtractionInput[]): Promise<ReadonlyMap<string, EventAnswer> | null> {
    const known = this.unwritten;
    const open = inputs.filter(({ event_id }) => !known.has(event_id));
    try {
      const byEvent = await this.parts.calls.ask(open, this.ending.signal);
      this.unwritten = new Map(
        inputs.flatMap(({ event_id }) => {
          const answer = byEvent.get(event_id) ?? known.get(event_id);
          return answer === undefined ? [] : [[event_id, answer] as const];
        }),
      );
      return this.unwritten;
    } catch (error) {
      if (this.stopped()) return null;
      throw error;
    }
  }

  private outcomes(
    events: readonly PendingEvent[],
    inputs: readonly ExtractionInput[],
    answers: ReadonlyMap<string, EventAnswer>,
  ): Outcomes {
    const extractions: NewExtraction[] = [];
    const holds: NewStageRetry[] = [];
    const effects: StageEffect[] = [];
    const named = new Map<string, readonly string[]>();
    const eventOf = new Map(events.map((event) => [event.event_id, event]));
    for (const input of inputs) {
      const answer = answers.get(input.event_id);
      const event = eventOf.get(input.event_id);
      if (answer === undefined || event === undefined) continue;
      if (!answer.ok) {
        holds.push(this.holdOf(input, answer.failure));
        continue;
      }
      const { extraction, frame, entities } = answered(input, answer);
      extractions.push(extraction);
      effects.push({ event, frame, passage: null });
      named.set(input.event_id, entities);
    }
    return { extractions, holds, effects, named };
  }

  private holdOf(
    input: ExtractionInput,
    failure: Extract<EventAnswer, { ok: false }>['failure'],
  ): NewStageRetry {
    const { hold, pauseMs } = heldBack(input, failure, this.parts);
    const failed = hold.state === 'failed';
    this.parts.metrics.count('strata_enrichment_events_total', failed ? 'given_up' : 'held');
    this.parts.log.warn(failed ? 'enrichment gave an event up' : 'enrichment holds an event', {
      event_id: input.event_id,
      attempts: hold.attempts,
      reason: failure.message,
      ...(failed ? {} : { retry_ms: pauseMs }),
    });
    return hold;
  }

  /** Has the concepts of scopes that are through brought up to date, then closes them. */
  private async close(open: readonly OpenEnrichment[], shards: readonly LeasedShard[]): Promise<void> {
    const { store, syntheses, clock, ids, take, onSynthesis } = this.parts;
    for (const { scope_ref, shard: number, named, place } of open) {
      const shard = shards.find((one) => one.number === number);
      if (shard === undefined) continue;
      if (named && place !== null) {
        const entry = { id: ids.synthesis(), ...place, scope_ref, shard: number, force: false };
        const by = { ...entry, actor: ENRICHMENT_ACTOR };
        if (await syntheses.enterEnriched(by, MAX_ENRICHED_TOPICS, clock.now())) onSynthesis();
      }
      await take(() => store.close(shard, [scope_ref]));
    }
  }
}

/** The first events of a scope that nobody has extracted from, as many as are asked about at once. */
function portion(scope: OpenEnrichment, most: number): Portion {
  const wanted = scope.events.filter(({ unextracted }) => unextracted);
  const events = wanted.slice(0, most);
  const last = wanted.length > most ? events.at(-1) : scope.events.at(-1);
  return { scope, events, after: last?.wal_offset ?? 0 };
}

/** Nothing that a model came to. */
const NOTHING: Outcomes = { extractions: [], holds: [], effects: [], named: new Map() };

/**
 * Some events of a batch, in its order, with their scopes: a scope is where it is behind the last of them, and only with its last event where
 * the whole batch leaves it. Scopes of which nothing is asked about come with the first event of the batch.
 */
function partOf({ events: all, scopes, again }: Batch, events: readonly PendingEvent[]): Batch {
  const mine = new Set(events.map(({ event_id }) => event_id));
  const first = mine.has(all[0]?.event_id ?? '');
  return {
    events,
    again: again.filter(({ event_id }) => mine.has(event_id)),
    scopes: scopes.flatMap((one): Portion[] => {
      const own = one.events.filter(({ event_id }) => mine.has(event_id));
      const last = own.at(-1);
      if (last === undefined) return one.events.length === 0 && first ? [one] : [];
      const after = last === one.events.at(-1) ? one.after : last.wal_offset;
      return [{ scope: one.scope, events: own, after }];
    }),
  };
}

/** What the model came to about some events. */
function only({ extractions, holds, effects, named }: Outcomes, events: readonly PendingEvent[]): Outcomes {
  const mine = new Set(events.map(({ event_id }) => event_id));
  return {
    extractions: extractions.filter(({ event_id }) => mine.has(event_id)),
    holds: holds.filter(({ event_id }) => mine.has(event_id)),
    effects: effects.filter(({ event }) => mine.has(event.event_id)),
    named,
  };
}

/** What is kept of a batch, as far as its shards are still held: the rest is left to whoever holds them now. */
function writesOf(
  { scopes, events, again }: Batch,
  { extractions, holds, named }: Outcomes,
  owned: ReadonlySet<number>,
): EnrichmentWrites {
  const mine = new Set(events.filter(({ shard }) => owned.has(shard)).map(({ event_id }) => event_id));
  const held = new Set(holds.map(({ event_id }) => event_id));
  return {
    scopes: scopes
      .filter(({ scope: { shard } }) => owned.has(shard))
      .map(({ scope: { scope_ref }, after, events: of }) => ({
        scope_ref,
        after,
        named: of.map(({ event_id }) => ({ event_id, entities: named.get(event_id) ?? [] })),
      })),
    holds: holds.filter(({ event_id }) => mine.has(event_id)),
    done: again.map(({ event_id }) => event_id).filter((id) => mine.has(id) && !held.has(id)),
    stating: extractions
      .filter(({ event_id, answer }) => mine.has(event_id) && answer.statements.length > 0)
      .map(({ event_id }) => event_id),
  };
}

/** The shards of a batch that are held, without moving a watermark. */
function stepsOf({ events, scopes }: Batch, shards: readonly LeasedShard[]): ShardStep[] {
  const wanted = new Set([
    ...events.map(({ shard }) => shard),
    ...scopes.map(({ scope: { shard } }) => shard),
  ]);
  return shards.filter(({ number }) => wanted.has(number)).map((shard) => ({ shard, from: null, to: null }));
}
