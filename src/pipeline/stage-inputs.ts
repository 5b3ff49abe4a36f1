import type { EventReader } from '../../graph/event.ts';
import type { Intake, Stage } from '../../graph/shard.ts';
import type { PendingEvent } from '../../graph/pending-event.ts';
import type { ExtractedBatch, Extraction } from './extraction.ts';
import type { RecentEvent } from './recent-events.ts';
import { withEnvelopes, type EventWithEnvelope } from './stated-events.ts';
import { READS_ENVELOPE, STAGE_WORK } from './stage-effects.ts';

/** What one stage has to know of events before it is applied to them. */
export class StageInputs {
  private readonly stage: Stage;
  private readonly events: EventReader;
  private readonly batchBytes: number;
  private readonly extraction: Extraction | undefined;

  /** @param batchBytes bytes of envelopes in one transaction at most; one larger event goes alone */
  constructor(stage: Stage, events: EventReader, batchBytes: number, extraction?: Extraction) {
    this.stage = stage;
    this.events = events;
    this.batchBytes = batchBytes;
    this.extraction = extraction;
  }

  /** The longest head of a batch whose envelopes fit into one transaction; a stage that reads none takes all. */
  head(events: readonly PendingEvent[]): readonly PendingEvent[] {
    if (this.extraction) return this.extraction.head(events);
    let bytes = 0;
    const end = events.findIndex((event, i) => {
      if (READS_ENVELOPE.has(this.stage)) bytes += event.bytes;
      return bytes > this.batchBytes && i > 0;
    });
    return end < 0 ? events : events.slice(0, end);
  }

  /** What is to be done; events that the stage only passes over are left out. Null when the process stops before that is known. */
  async effects(intake: Intake, events: readonly PendingEvent[]): Promise<ExtractedBatch | null> {
    const due = events.filter(({ excluded, retry_id }) => !excluded || retry_id !== null);
    const batch = this.extraction ? await this.extraction.batch(due) : await this.plain(intake, due);
    if (batch === null) return null;
    const effects = batch.effects.filter(
      ({ event, frame, passage }) => frame !== null || passage !== null || event.retry_id !== null,
    );
    return { ...batch, effects };
  }

  /** Events with their envelopes. */
  async opened(events: readonly PendingEvent[]): Promise<readonly EventWithEnvelope[]> {
    return withEnvelopes(events, await this.envelopes(events));
  }

  private async plain(intake: Intake, events: readonly PendingEvent[]): Promise<ExtractedBatch> {
    const envelopes = READS_ENVELOPE.has(this.stage)
      ? await this.envelopes(events)
      : new Map<string, string>();
    return {
      effects: events.map((event) => STAGE_WORK[intake](event, envelopes.get(event.event_id) ?? '{}')),
    };
  }

  private async envelopes(events: readonly PendingEvent[]): Promise<ReadonlyMap<string, string>> {
    const known = new Map(
      events.flatMap((event) =>
        'envelope' in event ? [[event.event_id, (event as RecentEvent).envelope]] : [],
      ),
    );
    const missing = events.filter(({ event_id }) => !known.has(event_id)).map(({ event_id }) => event_id);
    if (missing.length === 0) return known;
    return new Map([...known, ...(await this.events.envelopes(missing))]);
  }
}
