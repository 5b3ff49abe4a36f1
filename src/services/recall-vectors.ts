import type { PinnedModel } from '../../graph/embedding/model.ts';
import { NOTHING_NEAR, type NearestTurns, type VectorReader } from '../../graph/embedding/search.ts';
import type { RecallSearch } from '../../graph/recall.ts';
import { NO_SCOPE } from '../capture/scope-key.ts';
import { errorText } from '../errors.ts';
import type { Log } from '../log.ts';
import type { EmbedCall, Embedder } from '../models/embedding.ts';
import type { UsageLedger } from '../pipeline/usage-ledger.ts';
import { timeLimit } from '../time-limit.ts';
import type { ReadableSelection } from './scope-selection.ts';

/** Turns that each vector of a query brings from the index. */
const RECALL_NEAREST = 200;

/** Time for finding by vectors, that of the query and the search, milliseconds: beyond it events are found by their words alone, which take a tenth of it. */
export const RECALL_VECTORS_MS = 2_000;

/** What is nearest to each formulation of a query, or why a search goes without: null where no model is there yet. */
export type Nearest = { readonly found: readonly NearestTurns[] } | { readonly left_out: string | null };

/** Finds events whose vectors are near that of a query. */
export class RecallVectors {
  private readonly embedder: Pick<Embedder, 'embedQuery'>;
  private readonly reader: Pick<VectorReader, 'nearest'>;
  private readonly usage: Pick<UsageLedger, 'spent' | 'flush'>;
  private readonly log: Log;
  private readonly model: () => PinnedModel | null | undefined;

  constructor(parts: {
    embedder: Pick<Embedder, 'embedQuery'>;
    reader: Pick<VectorReader, 'nearest'>;
    usage: Pick<UsageLedger, 'spent' | 'flush'>;
    log: Log;
    /** The model whose vectors may be searched for; null while those of a former one are left, undefined while none is there. */
    model: () => PinnedModel | null | undefined;
  }) {
    this.embedder = parts.embedder;
    this.reader = parts.reader;
    this.usage = parts.usage;
    this.log = parts.log;
    this.model = parts.model;
  }

  /**
   * The turns nearest to each text that the caller may read and that lie inside; a blank text has none. Never throws: without vectors,
   * or where they take too long, there are words.
   */
  async nearest(
    texts: readonly string[],
    search: RecallSearch & { readonly selection: ReadableSelection },
  ): Promise<Nearest> {
    const model = this.model();
    if (model === undefined) return { left_out: null };
    if (model === null) return { left_out: 'those of a former model are still being dropped' };
    const limit = timeLimit(RECALL_VECTORS_MS);
    const { signal } = limit;
    try {
      return { found: await inTime(this.find(texts, search, { ...model, signal }), signal) };
    } catch (error) {
      this.log.warn('a recall goes by words alone', { error: errorText(error) });
      return {
        left_out: LATE.has((error as { name?: unknown }).name)
          ? 'they took too long'
          : 'they cannot be made or read now',
      };
    } finally {
      limit.end();
    }
  }

  private async find(
    texts: readonly string[],
    search: RecallSearch & { readonly selection: ReadableSelection },
    { generation, signal }: { readonly generation: number; readonly signal: AbortSignal },
  ): Promise<NearestTurns[]> {
    const vectors = await this.vectorsOf(texts, search, signal);
    return Promise.all(
      vectors.map(async (vector) =>
        vector === null
          ? NOTHING_NEAR
          : this.readable(
              await this.reader.nearest(vector, search, { generation, limit: RECALL_NEAREST }),
              search,
            ),
      ),
    );
  }

  private async vectorsOf(
    texts: readonly string[],
    { tenant, selection }: RecallSearch,
    signal: AbortSignal,
  ): Promise<(Float32Array | null)[]> {
    const scope_ref = selection.subtrees[0]?.ref ?? selection.scopes.at(-1) ?? NO_SCOPE;
    const call: EmbedCall = {
      signal,
      spent: (cost) => {
        this.usage.spent({ tenant, scope_ref }, cost);
      },
    };
    try {
      return await Promise.all(
        texts.map(async (text) => (text.trim() === '' ? null : this.embedder.embedQuery(text, call))),
      );
    } finally {
      void this.usage.flush();
    }
  }

  private async readable(
    { vector, window_vector }: NearestTurns,
    { selection: { check } }: { readonly selection: ReadableSelection },
  ): Promise<NearestTurns> {
    const mayRead =
      check === null ? () => true : await check([...vector, ...window_vector].map(({ scope }) => scope));
    const kept = (turns: NearestTurns['vector']): NearestTurns['vector'] =>
      turns.filter(({ scope, outside }) => !outside && mayRead(scope));
    return { vector: kept(vector), window_vector: kept(window_vector) };
  }
}

/** Names of the reasons of a signal that fired. */
const LATE: ReadonlySet<unknown> = new Set(['TimeoutError', 'AbortError']);

/** What some work answers; throws the reason of the signal once it fires. What comes later is nobody's. */
function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = new Promise<never>((_, refuse) => {
    signal.addEventListener(
      'abort',
      () => {
        refuse(signal.reason as Error);
      },
      { once: true },
    );
  });
  return Promise.race([work, late]);
}
