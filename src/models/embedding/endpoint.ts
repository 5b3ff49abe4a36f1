import type OpenAI from 'openai';
import { z } from 'zod';

import { EMBEDDING_ANSWER_BYTES, EMBEDDING_TEXT_CHARACTERS } from '../../limits/models.ts';
import { joinSignals, timeLimit } from '../../time-limit.ts';
import { readTokens, type Cost, type OnRequest } from '../chat.ts';
import { openAiClient, patiently, valueOf } from '../client.ts';
import type { EmbeddingEndpoint } from '../embedding.ts';
import { failureOf, isTimeout, ModelFailure, statedFailure } from '../failure.ts';
import type { VectorSource } from './call-site.ts';
import { unitVector } from './unit-vector.ts';

/** Bytes of one number in the answer of an endpoint, at most: sign, 17 digits, exponent, comma, and a line of its own. */
const EMBEDDING_NUMBER_BYTES = 40;

/** What is looked at of an answer; numbers are looked at where the vector is made of them, because there are many. */
const answer = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.unknown()) })),
  usage: z.object({ prompt_tokens: readTokens }).nullish().catch(null),
});

/** Models that are asked for a length of vectors; others are known to refuse the wish. */
const SHORTENED = 'text-embedding-3-';

/** Vectors of an OpenAI-compatible endpoint. Requests are bounded in texts, bytes and time, and repeated while it is away for a moment. */
export class EndpointVectors implements VectorSource {
  readonly provider = 'endpoint';
  readonly model: string;
  readonly dimensions: number;
  readonly endpoint: EmbeddingEndpoint;
  private readonly client: OpenAI;
  private readonly closed = new AbortController();

  constructor(config: EmbeddingEndpoint) {
    this.endpoint = config;
    this.model = config.model;
    this.dimensions = config.dimensions;
    const { url, apiKey, timeoutMs, batchTexts, dimensions } = config;
    const maxBytes = EMBEDDING_ANSWER_BYTES + batchTexts * dimensions * EMBEDDING_NUMBER_BYTES;
    this.client = openAiClient({ url, apiKey, timeoutMs, maxBytes });
  }

  async passages(
    texts: readonly string[],
    signal: AbortSignal,
    onRequest: OnRequest,
  ): Promise<Float32Array[]> {
    const either = joinSignals(signal, this.closed.signal);
    const vectors: Float32Array[] = [];
    try {
      for (let start = 0; start < texts.length; start += this.endpoint.batchTexts) {
        const batch = texts
          .slice(start, start + this.endpoint.batchTexts)
          .map((text) => text.slice(0, EMBEDDING_TEXT_CHARACTERS).toWellFormed());
        vectors.push(...(await patiently(either.signal, () => this.once(batch, either.signal, onRequest))));
      }
      return vectors;
    } finally {
      either.end();
    }
  }

  async query(text: string, signal: AbortSignal, onRequest: OnRequest): Promise<Float32Array> {
    const [vector] = await this.passages([text], signal, onRequest);
    if (vector === undefined) throw new Error('a text has no vector');
    return vector;
  }

  close(): Promise<void> {
    this.closed.abort(new ModelFailure('outage', 'embeddings are not asked for any more: the service stops'));
    return Promise.resolve();
  }

  private async once(texts: string[], signal: AbortSignal, onRequest: OnRequest): Promise<Float32Array[]> {
    const began = performance.now();
    const limit = timeLimit(this.endpoint.timeoutMs, signal);
    let cost: Cost = { inputTokens: 0, outputTokens: 0 };
    try {
      const body = await this.client.embeddings.create(
        {
          model: this.model,
          input: texts,
          encoding_format: 'float',
          ...(this.model.startsWith(SHORTENED) ? { dimensions: this.dimensions } : {}),
        },
        // The package watches the time until the headers; a body that never ends is cut off by this.
        { signal: limit.signal },
      );
      const value = valueOf(body);
      const read = answer.safeParse(value);
      if (!read.success)
        throw statedFailure(value) ?? new ModelFailure('answer', 'the endpoint answered no embeddings');
      cost = { inputTokens: read.data.usage?.prompt_tokens ?? 0, outputTokens: 0 };
      const vectors = this.vectorsOf(read.data.data, texts.length);
      onRequest({ ok: true, cost, ms: performance.now() - began });
      return vectors;
    } catch (error) {
      // Who goes is no failure of the endpoint; who waited in vain is.
      if (!signal.aborted || isTimeout(signal.reason))
        onRequest({ ok: false, cost, ms: performance.now() - began });
      throw failureOf(error, { late: limit.isOver, timeoutMs: this.endpoint.timeoutMs });
    } finally {
      limit.end();
    }
  }

  /** The vectors in the order of the texts, whatever the order of the answer. */
  private vectorsOf(data: z.infer<typeof answer>['data'], count: number): Float32Array[] {
    const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]));
    if (data.length !== count || byIndex.size !== count)
      throw new ModelFailure('answer', `the endpoint answered ${data.length} vectors for ${count} texts`);
    return Array.from({ length: count }, (_, index) => {
      const numbers = byIndex.get(index);
      if (numbers === undefined)
        throw new ModelFailure('answer', 'the endpoint answered vectors of other texts');
      if (numbers.length !== this.dimensions) throw this.wrongLength(numbers.length);
      const vector = unitVector(numbers);
      if (vector === null)
        throw new ModelFailure('answer', 'the endpoint answered a vector without a direction, or no numbers');
      return vector;
    });
  }

  /** No text is to blame for it: nothing is asked until the setting is mended. */
  private wrongLength(found: number): ModelFailure {
    return new ModelFailure(
      'outage',
      `${this.model} answers vectors of ${found} numbers, and STRATA_EMBEDDING_DIMS is ${this.dimensions}: set it to ${found}, or name another model`,
    );
  }
}
