import { INGEST_BATCH_BYTES, INGEST_LINE_BYTES } from '../../limits.ts';
import { ItemReader, type Item, type Refusal } from './item.ts';
import { readLines } from './lines.ts';
import type { IngestDisplay, IngestState } from './progress.ts';
import type { SendOutcome } from './answer.ts';
import type { BulkSender } from './sender.ts';

/** What an ingest works with. */
export interface IngestParts {
  readonly input: AsyncIterable<unknown>;
  readonly sender: Pick<BulkSender, 'send'>;
  readonly display: IngestDisplay;
  /** Envelopes sent at once, 1 to 1000. */
  readonly batchEvents: number;
}

/**
 * An ingest under way: reads lines, sends them in batches, counts. One batch is held in memory at a time. Refused lines
 * are told in their order, whoever refuses them.
 */
export class Ingest {
  private readonly parts: IngestParts;
  private batch: Item[] = [];
  private batchBytes = 0;
  /** Lines refused here, told with those that the service refuses of the batch they stand in. */
  private held: Refusal[] = [];
  private unsettledBatches = 0;
  private counted: IngestState = { readBytes: 0, captured: 0, replayed: 0, refused: 0 };

  constructor(parts: IngestParts) {
    this.parts = parts;
  }

  /** What has been counted so far; after a failure too. */
  get state(): IngestState {
    return this.counted;
  }

  /** Batches of which some event did not reach the stage that was waited for. */
  get unsettled(): number {
    return this.unsettledBatches;
  }

  /** Takes the input to its end. Throws what the sender throws. */
  async run(): Promise<void> {
    const reader = new ItemReader();
    try {
      for await (const line of readLines(this.parts.input, INGEST_LINE_BYTES)) {
        const reading = reader.read(line);
        if (reading.kind === 'refused') await this.hold(reading.refusal);
        if (reading.kind === 'item') await this.add(reading.item);
        this.count({ readBytes: line.readBytes });
      }
      await this.flush();
    } finally {
      this.tellRefusals([]);
    }
  }

  private async hold(refusal: Refusal): Promise<void> {
    this.held.push(refusal);
    if (this.batch.length === 0) this.tellRefusals([]);
    else if (this.held.length >= this.parts.batchEvents) await this.flush();
  }

  private async add(item: Item): Promise<void> {
    const full =
      this.batch.length >= this.parts.batchEvents || this.batchBytes + item.bytes > INGEST_BATCH_BYTES;
    if (full) await this.flush();
    this.batch.push(item);
    this.batchBytes += item.bytes;
  }

  private async flush(): Promise<void> {
    if (this.batch.length === 0) return;
    const items = this.batch;
    this.batch = [];
    this.batchBytes = 0;
    this.settle(items, await this.parts.sender.send(items));
  }

  private settle(items: readonly Item[], outcome: SendOutcome): void {
    this.count({
      captured: this.counted.captured + outcome.captured,
      replayed: this.counted.replayed + outcome.replayed,
    });
    this.tellRefusals(outcome.refusals);
    if (outcome.unsettled === null) return;
    this.unsettledBatches += 1;
    const range = `lines ${items[0]?.number ?? 0} to ${items.at(-1)?.number ?? 0}`;
    this.parts.display.tell(`${range}: captured, but ${outcome.unsettled}`);
  }

  private tellRefusals(ofService: readonly Refusal[]): void {
    const refusals = [...this.held, ...ofService].sort((a, b) => a.number - b.number);
    this.held = [];
    refusals.forEach((refusal) => {
      this.refuse(refusal);
    });
  }

  private refuse({ number, code, message }: Refusal): void {
    this.count({ refused: this.counted.refused + 1 });
    this.parts.display.tell(`line ${number}: ${code}: ${message}`);
  }

  private count(change: Partial<IngestState>): void {
    this.counted = { ...this.counted, ...change };
    this.parts.display.show(this.counted);
  }
}
