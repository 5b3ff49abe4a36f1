import { failureOf } from '../../graph/errors.ts';
import type { EventReader } from '../../graph/event.ts';
import type { Stage } from '../../graph/shard.ts';
import type { PendingEvent, ShardStep, StageEffect, StageStore } from '../../graph/stage.ts';
import type { Clock } from '../clock.ts';
import { errorText } from '../errors.ts';
import type { Log } from '../log.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import { READS_ENVELOPE, STAGE_WORK } from './stage-effects.ts';

/** What a runner of one stage needs. */
export interface StageRunnerParts {
  readonly store: StageStore;
  readonly events: EventReader;
  readonly leases: LeaseKeeper;
  readonly clock: Clock;
  readonly log: Log;
  /** Events in one transaction at most. */
  readonly batchEvents: number;
  /** Bytes of envelopes in one transaction at most; one larger event goes alone. */
  readonly batchBytes: number;
  /** Tries for an event that fails by itself before it is given up. */
  readonly tries: number;
  /** Up to which offset the log can be read without a hole. */
  readonly settledHead: () => number;
  /** Called after each transaction with the shards that moved and how far. */
  readonly onProgress: (stage: Stage, moved: ReadonlyMap<number, number>) => void;
}

/** Does one stage of the shards that this worker holds, batch by batch. */
export class StageRunner {
  private readonly stage: Stage;
  private readonly parts: StageRunnerParts;

  constructor(stage: Stage, parts: StageRunnerParts) {
    this.stage = stage;
    this.parts = parts;
  }

  /** Does at most one batch of the given shards; answers whether more may be waiting. */
  async batch(numbers: readonly number[]): Promise<boolean> {
    const spans = numbers.flatMap((number) => this.span(number));
    if (spans.length === 0) return false;
    const found = await this.parts.store.pending(spans, this.parts.batchEvents);
    const events = this.withinBytes(found);
    await this.process(events, 1);
    return found.length === this.parts.batchEvents || events.length < found.length;
  }

  /** Repeats the stage for held events that somebody asked to try again. */
  async repeat(): Promise<void> {
    const numbers = this.parts.leases.shards.map(({ number }) => number);
    if (numbers.length === 0) return;
    const events = await this.parts.store.queued(numbers, this.stage, this.parts.batchEvents);
    for (const event of events) {
      if (event.excluded) continue;
      await this.process([event], 1);
    }
  }

  private span(number: number): { number: number; from: number; to: number }[] {
    const shard = this.parts.leases.get(number);
    if (!shard) return [];
    const { extracted, indexed } = shard.watermarks;
    const to = this.stage === 'consolidated' ? Math.min(extracted, indexed) : this.parts.settledHead();
    const from = shard.watermarks[this.stage];
    return from < to ? [{ number, from, to }] : [];
  }

  /** Applies a batch; when the database refuses it for what is in it, in halves, until the offender stands alone. */
  private async process(events: readonly PendingEvent[], attempt: number): Promise<void> {
    if (events.length === 0) return;
    const steps = this.steps(events);
    const present = new Set(steps.map(({ shard }) => shard.number));
    try {
      const effects = await this.effects(events.filter((event) => present.has(event.shard)));
      const owned = await this.parts.store.apply(this.stage, steps, effects, this.parts.clock.now());
      this.settle(steps, owned);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === 'unavailable' || failure === 'transient') throw error;
      if (events.length > 1) {
        const middle = Math.ceil(events.length / 2);
        await this.process(events.slice(0, middle), 1);
        await this.process(events.slice(middle), 1);
      } else if (attempt < this.parts.tries) {
        await this.process(events, attempt + 1);
      } else {
        await this.giveUp(events, steps, error);
      }
    }
  }

  /** The longest head of a batch whose envelopes fit into one transaction; a stage that reads none takes all. */
  private withinBytes(events: readonly PendingEvent[]): readonly PendingEvent[] {
    if (!READS_ENVELOPE.has(this.stage)) return events;
    let bytes = 0;
    const end = events.findIndex((event, i) => (bytes += event.bytes) > this.parts.batchBytes && i > 0);
    return end < 0 ? events : events.slice(0, end);
  }

  private async effects(events: readonly PendingEvent[]): Promise<StageEffect[]> {
    const due = events.filter(
      (event) => !event.excluded && !(this.stage === 'consolidated' && event.held && event.hold_id === null),
    );
    const envelopes = READS_ENVELOPE.has(this.stage)
      ? await this.parts.events.envelopes(due.map(({ event_id }) => event_id))
      : new Map<string, string>();
    return due.map((event) => STAGE_WORK[this.stage](event, envelopes.get(event.event_id) ?? '{}'));
  }

  /** How far the batch moves each shard; a repeated event moves nothing. */
  private steps(events: readonly PendingEvent[]): ShardStep[] {
    const last = new Map<number, number>();
    for (const event of events) if (event.hold_id === null) last.set(event.shard, event.wal_offset);
    for (const event of events) if (!last.has(event.shard)) last.set(event.shard, -1);
    return [...last].flatMap(([number, to]) => {
      const shard = this.parts.leases.get(number);
      if (!shard) return [];
      const from = shard.watermarks[this.stage];
      return [{ shard, from, to: Math.max(from, to) }];
    });
  }

  private async giveUp(
    events: readonly PendingEvent[],
    steps: readonly ShardStep[],
    error: unknown,
  ): Promise<void> {
    const [event] = events;
    const [step] = steps;
    if (!event || !step) return;
    const attempts = this.parts.tries;
    const reason = `${this.stage} failed ${attempts} times: ${errorCode(error)}`;
    this.parts.log.error('a stage gave an event up', {
      stage: this.stage,
      event_id: event.event_id,
      error: errorText(error),
    });
    const kept = await this.parts.store.park(this.stage, step, event, {
      reason,
      attempts,
      now: this.parts.clock.now(),
    });
    this.settle(steps, new Set(kept ? [step.shard.number] : []));
  }

  private settle(steps: readonly ShardStep[], owned: ReadonlySet<number>): void {
    const moved = new Map<number, number>();
    for (const { shard, to } of steps) {
      if (owned.has(shard.number)) {
        this.parts.leases.advanced(shard.number, shard.epoch, this.stage, to);
        moved.set(shard.number, to);
      } else {
        this.parts.leases.lost(shard.number);
      }
    }
    this.parts.onProgress(this.stage, moved);
  }
}

function errorCode(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? code : 'unexpected failure';
}
