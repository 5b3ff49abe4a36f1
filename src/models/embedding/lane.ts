import type { OnRequest } from '../chat.ts';
import type { EmbedCall, Embedder, EmbedderParts } from '../embedding.ts';
import { ModelFailure } from '../failure.ts';
import { LaneRest } from '../lane-rest.ts';

const ROLE = 'embedding';

/** What makes vectors, as the lane asks it. Fails with `ModelFailure`, or the reason of the signal. */
export interface VectorSource {
  readonly provider: Embedder['provider'];
  readonly model: string;
  readonly dimensions: number;
  /** Unit vectors, one for each text. */
  passages(texts: readonly string[], signal: AbortSignal, onRequest: OnRequest): Promise<Float32Array[]>;
  query(text: string, signal: AbortSignal, onRequest: OnRequest): Promise<Float32Array>;
  close(): Promise<void>;
}

/** The call site of embeddings: measures what is asked, and rests while the source cannot be reached. */
export class EmbeddingLane implements Embedder {
  readonly provider: Embedder['provider'];
  readonly model: string;
  readonly dimensions: number;
  private readonly source: VectorSource;
  private readonly parts: EmbedderParts;
  private readonly rest: LaneRest;

  constructor(source: VectorSource, parts: EmbedderParts) {
    this.provider = source.provider;
    this.model = source.model;
    this.dimensions = source.dimensions;
    this.source = source;
    this.parts = parts;
    this.rest = new LaneRest({ ...parts, role: ROLE });
  }

  get fault(): string | null {
    return this.rest.fault;
  }

  get restMs(): number {
    return this.rest.restMs;
  }

  async embedPassages(texts: readonly string[], call: EmbedCall): Promise<Float32Array[]> {
    refuseBlank(texts);
    if (texts.length === 0) return [];
    return this.ask(() => this.source.passages(texts, call.signal, this.measured(call)));
  }

  async embedQuery(text: string, call: EmbedCall): Promise<Float32Array> {
    refuseBlank([text]);
    return this.ask(() => this.source.query(text, call.signal, this.measured(call)));
  }

  async close(): Promise<void> {
    await this.source.close();
  }

  private async ask<T>(request: () => Promise<T>): Promise<T> {
    this.rest.throwIfResting();
    try {
      const vectors = await request();
      this.rest.recovered();
      return vectors;
    } catch (error) {
      throw error instanceof ModelFailure ? this.rest.failed([error]) : error;
    }
  }

  private measured({ spent }: EmbedCall): OnRequest {
    const { metrics } = this.parts;
    return ({ ok, cost, ms }) => {
      metrics.observe('strata_model_request_seconds', ms / 1000, ROLE);
      if (!ok) metrics.count('strata_model_failures_total', ROLE);
      metrics.count('strata_model_input_tokens_total', ROLE, cost.inputTokens);
      if (this.provider === 'endpoint') spent?.({ role: ROLE, model: this.model, ok, ...cost });
    };
  }
}

/** What endpoints refuse, and what no vector says anything of. */
function refuseBlank(texts: readonly string[]): void {
  if (texts.some((text) => text.trim() === ''))
    throw new RangeError('a text to embed holds more than blanks');
}
