import type { EventReader } from '../../graph/event.ts';
import type { PendingEvent } from '../../graph/pending-event.ts';
import type { RebuildStep, ScopeState } from '../../graph/rebuild.ts';
import type { RebuildReader, RebuiltScope } from '../../graph/rebuild-read.ts';
import type { Portion } from './portions.ts';
import { withEnvelopes, type EventWithEnvelope } from './stated-events.ts';

/** What the reading needs. */
export interface RebuildBatchParts {
  readonly reader: RebuildReader;
  readonly events: EventReader;
  /** Bytes of envelopes in one transaction at most; one larger event goes alone. */
  readonly batchBytes: number;
}

/** Events that a rebuild derives together. */
export interface RebuildBatch {
  readonly events: readonly EventWithEnvelope[];
  /** Whether none lies behind them, up to where the stage was. */
  readonly isLast: boolean;
}

/** Reads what a rebuild derives next. */
export class RebuildBatches {
  private readonly parts: RebuildBatchParts;

  constructor(parts: RebuildBatchParts) {
    this.parts = parts;
  }

  /** The next events of a scope, as the stage was when `state` was read. Those of one that is given up are not opened: that may be what fails. */
  async behind(at: RebuiltScope, state: ScopeState, { size, givenUp }: Portion): Promise<RebuildBatch> {
    const { reader } = this.parts;
    const found = await reader.next(at.scope_ref, state.cursor, state.consolidated, size);
    const events = givenUp === null ? await this.opened(found) : withEnvelopes(found, new Map());
    return { events, isLast: found.length < size && events.length === found.length };
  }

  /**
   * A batch that was read at `state` with what the stage left to the rebuild until `now`, as far as that fits: with the shard held nothing
   * more comes, so that a rebuild ends though captures keep coming.
   */
  async withRest(
    step: RebuildStep,
    batch: RebuildBatch,
    {
      at,
      state,
      now,
      portion: { size, givenUp },
    }: {
      readonly at: RebuiltScope;
      readonly state: ScopeState;
      readonly now: ScopeState;
      readonly portion: Portion;
    },
  ): Promise<RebuildBatch> {
    if (!batch.isLast || now.consolidated === state.consolidated) return batch;
    if (givenUp !== null) return { ...batch, isLast: false };
    const { events } = batch;
    const after = events.at(-1)?.wal_offset ?? now.cursor;
    const room = size - events.length;
    const found = await step.next(at.scope_ref, after, now.consolidated, room);
    const rest = await this.opened(found, events);
    return {
      events: [...events, ...rest],
      isLast: found.length < room && rest.length === found.length,
    };
  }

  /** The longest head of events whose envelopes fit into one transaction with those of `before`. */
  async opened(
    found: readonly PendingEvent[],
    before: readonly PendingEvent[] = [],
  ): Promise<EventWithEnvelope[]> {
    let bytes = before.reduce((sum, event) => sum + event.bytes, 0);
    const isFirst = (i: number): boolean => before.length + i === 0;
    const end = found.findIndex((event, i) => (bytes += event.bytes) > this.parts.batchBytes && !isFirst(i));
    const head = end < 0 ? found : found.slice(0, end);
    if (head.length === 0) return [];
    const envelopes = await this.parts.events.envelopes(head.map(({ event_id }) => event_id));
    return withEnvelopes(head, envelopes);
  }
}
