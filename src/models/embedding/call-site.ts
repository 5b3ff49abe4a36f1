import { errorText } from '../../errors.ts';
import { CALL_SITE_FAILURES } from '../../limits/models.ts';
import type { OnRequest } from '../chat.ts';
import type { EmbedCall, Embedder, EmbedderParts } from '../embedding.ts';
import { isTimeout, ModelFailure } from '../failure.ts';
import { CircuitBreaker } from '../circuit-breaker.ts';
import { SiteProbe, type ProbedEndpoint, type ProbeFinding } from '../probe.ts';

const ROLE = 'embedding';

/** A text that every model takes. */
const HARMLESS = 'This is a sentence.';

/** What makes vectors, as the lane asks it. Fails with `ModelFailure`, or the reason of the signal. */
export interface VectorSource {
  readonly provider: Embedder['provider'];
  readonly model: string;
  readonly dimensions: number;
  /** What is asked over the network; undefined for what is on this machine. */
  readonly endpoint?: ProbedEndpoint;
  /** Unit vectors, one for each text. */
  passages(texts: readonly string[], signal: AbortSignal, onRequest: OnRequest): Promise<Float32Array[]>;
  query(text: string, signal: AbortSignal, onRequest: OnRequest): Promise<Float32Array>;
  close(): Promise<void>;
}

/** The call site of embeddings: measures what is asked, and rests while the source cannot be reached. */
export class EmbeddingCallSite implements Embedder {
  readonly provider: Embedder['provider'];
  readonly model: string;
  readonly url: string | undefined;
  readonly dimensions: number;
  private readonly source: VectorSource;
  private readonly parts: EmbedderParts;
  private readonly rest: CircuitBreaker;
  /** Of queries alone, which are waited for much shorter than passages. */
  private readonly queryRest: CircuitBreaker;
  private readonly site: SiteProbe | undefined;
  /** Queries in a row that were answered with something else than a vector. */
  private oddAnswers = 0;
  /** When a query was last waited for in vain, by `performance.now`. */
  private lateAt = Number.NEGATIVE_INFINITY;

  constructor(source: VectorSource, parts: EmbedderParts) {
    this.provider = source.provider;
    this.model = source.model;
    this.url = source.endpoint?.url;
    this.dimensions = source.dimensions;
    this.source = source;
    this.parts = parts;
    this.rest = new CircuitBreaker({ ...parts, role: ROLE });
    this.queryRest = new CircuitBreaker({ ...parts, role: ROLE });
    const { endpoint } = source;
    this.site = endpoint && new SiteProbe({ role: ROLE, endpoint, log: parts.log });
  }

  get fault(): string | null {
    return this.rest.fault ?? this.queryRest.fault;
  }

  get hasAnswered(): boolean {
    return this.rest.hasAnswered;
  }

  get finding(): ProbeFinding | null {
    return this.site?.finding ?? null;
  }

  get restMs(): number {
    return this.rest.restMs;
  }

  async embedPassages(texts: readonly string[], call: EmbedCall): Promise<Float32Array[]> {
    refuseBlank(texts);
    if (texts.length === 0) return [];
    if (call.trial !== true) this.rest.throwIfResting();
    return this.ask(
      () => this.source.passages(texts, call.signal, this.measured(call)),
      (failure) => (call.trial === true && failure.answered ? failure : this.rest.failed([failure])),
    );
  }

  async embedHarmless(call: EmbedCall): Promise<ModelFailure | null> {
    try {
      await this.ask(
        () => this.source.passages([HARMLESS], call.signal, this.measured(call)),
        (failure) => this.rest.down(failure),
      );
      return null;
    } catch (error) {
      if (error instanceof ModelFailure) return error;
      throw error;
    }
  }

  async embedQuery(text: string, call: EmbedCall): Promise<Float32Array> {
    refuseBlank([text]);
    this.rest.throwIfResting();
    this.queryRest.throwIfResting();
    const began = performance.now();
    try {
      return await this.ask(
        () => this.source.query(text, call.signal, this.measured(call)),
        (failure) => (failure.answered ? this.oddlyAnswered(failure, call) : this.rest.failed([failure])),
      );
    } catch (error) {
      if (call.signal.aborted && isTimeout(error)) this.waitedInVain(began);
      throw error;
    }
  }

  async probe(signal: AbortSignal): Promise<void> {
    await this.site?.look(signal);
  }

  async close(): Promise<void> {
    await this.source.close();
  }

  private async ask<T>(
    request: () => Promise<T>,
    failed: (failure: ModelFailure) => ModelFailure,
  ): Promise<T> {
    try {
      const vectors = await request();
      this.rest.recovered();
      this.queryRest.recovered();
      this.oddAnswers = 0;
      return vectors;
    } catch (error) {
      throw error instanceof ModelFailure ? failed(error) : error;
    }
  }

  /**
   * Takes down that nobody waits any longer for a query that began then; those that were under way together count as one. The local model
   * may still be on its way, and tells by itself when it hangs.
   */
  private waitedInVain(began: number): void {
    if (this.provider === 'local' || began < this.lateAt) return;
    this.lateAt = performance.now();
    const ms = Math.round(this.lateAt - began);
    this.queryRest.failed([new ModelFailure('late', `no answer to a query within ${ms} ms`)]);
  }

  /** A query may be to blame for what was answered: after some in a row a harmless text finds out, and the query does not wait for that. */
  private oddlyAnswered(failure: ModelFailure, { spent }: EmbedCall): ModelFailure {
    this.oddAnswers += 1;
    if (this.oddAnswers < CALL_SITE_FAILURES) return failure;
    this.oddAnswers = 0;
    this.embedHarmless({ signal: new AbortController().signal, spent }).catch((error: unknown) => {
      this.parts.log.error('a harmless text was not embedded', { error: errorText(error) });
    });
    return failure;
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
