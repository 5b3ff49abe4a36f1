import type { Database } from '../../graph/driver.ts';
import { VectorIndexes } from '../../graph/embedding/vector-index.ts';
import { EmbeddingModelStore, type PinnedModel } from '../../graph/embedding/model.ts';
import { SHARD_COUNT } from '../capture/scope-key.ts';
import { StartupError } from '../errors.ts';
import { EMBEDDING_MARK_EVENTS } from '../limits/models.ts';
import type { EmbeddingConfig } from '../models/embedding.ts';
import { LOCAL_MODEL } from '../models/embedding/local-model.ts';
import { WORDS_SERVE, type ModelArrival, type WordsBecause } from './model-arrival.ts';

/** The command that has vectors made by another model. */
const REINDEX = 'strata reindex embeddings';

type Model = Pick<PinnedModel, 'provider' | 'model' | 'dimensions'>;

/** The model that a configuration means; null for none. */
export function modelOf(config: EmbeddingConfig): Model | null {
  switch (config.provider) {
    case 'none':
      return null;
    case 'endpoint':
      return { provider: config.provider, model: config.model, dimensions: config.dimensions };
    case 'local':
      return { provider: config.provider, model: LOCAL_MODEL.name, dimensions: LOCAL_MODEL.dimensions };
  }
}

/** What a start comes to. */
export interface Adopted {
  /** The model whose vectors are made from the start on; null for none, or for one that is still to be fetched. */
  readonly pinned: PinnedModel | null;
  /** Why words serve although a model was chosen by itself; null where they do not, or where a model is on its way. */
  readonly words: string | null;
}

/** Whether words serve in place of a model that was chosen by itself. */
export interface EmbeddingWords {
  /** What to say of it; null where a model serves, or none was wanted. */
  because(): WordsBecause | null;
}

/** What is to be said of words that serve: for the sake of the vectors in the database, or of a model that is on its way or cannot be had. */
export function embeddingWords(
  { words }: Adopted,
  arrival: Pick<ModelArrival, 'there' | 'fault'> | null,
): EmbeddingWords {
  return {
    because() {
      if (words !== null) return { detail: WORDS_SERVE, fix: words };
      if (arrival === null || arrival.there) return null;
      return (
        arrival.fault ?? {
          detail: `${LOCAL_MODEL.name} is being fetched or started: events are found by their words until it is there.`,
        }
      );
    },
  };
}

/**
 * Agrees with the database on the model whose vectors it holds, as a start does. Throws `StartupError` when they are of another model
 * than that of a provider that is named; where it was chosen by itself, words serve. The local model that was chosen by itself is agreed
 * on when it is there: until then a store stays as it is.
 */
export async function adoptAtStart(
  database: Database,
  config: EmbeddingConfig,
  serverVersion: string,
): Promise<Adopted> {
  if (config.provider === 'none') return { pinned: null, words: null };
  if (config.auto !== true)
    return { pinned: await adoptEmbeddings(database, config, serverVersion), words: null };
  const before = await new EmbeddingModelStore(database, SHARD_COUNT).pinned();
  const wanted = modelOf(config);
  if (before !== null && wanted !== null && !isSame(before, wanted))
    return { pinned: null, words: unlike(before, wanted) };
  if (config.provider === 'local') return { pinned: null, words: null };
  try {
    return { pinned: await adoptEmbeddings(database, config, serverVersion), words: null };
  } catch (error) {
    // Another process pinned another model meanwhile.
    if (error instanceof StartupError) return { pinned: null, words: error.message };
    throw error;
  }
}

/**
 * Agrees with the database on the model whose vectors it holds, and has their indexes created. Throws `StartupError` when the vectors are
 * of another model: they cannot be compared with those of this one.
 */
export async function adoptEmbeddings(
  database: Database,
  config: EmbeddingConfig,
  serverVersion: string,
): Promise<PinnedModel> {
  const wanted = modelOf(config);
  if (wanted === null) throw new Error('no embedding model is configured');
  const pinned = await new EmbeddingModelStore(database, SHARD_COUNT).pin(wanted, false);
  if (!isSame(pinned, wanted)) throw new StartupError(unlike(pinned, wanted));
  await new VectorIndexes(database, serverVersion).ensure(pinned.dimensions);
  return pinned;
}

/** How far a re-index is. */
export interface PinProgress {
  readonly shards: number;
  readonly shardsDone: number;
  /** Events that were gone past. */
  readonly events: number;
}

/**
 * Pins the configured model whatever was pinned before, creates the indexes of vectors anew, drops all vectors and says that they are
 * due. One that was cut short is gone on with: by the next call, or by the service. Throws `StartupError` without a provider.
 */
export async function repinModel(
  database: Database,
  config: EmbeddingConfig,
  { version, signal, tell }: { version: string; signal: AbortSignal; tell: (progress: PinProgress) => void },
): Promise<{ pinned: PinnedModel; events: number }> {
  const wanted = modelOf(config);
  if (wanted === null)
    throw new StartupError(
      'No embedding model is configured: set STRATA_EMBEDDING_PROVIDER to local, or STRATA_EMBEDDING_URL.',
    );
  const store = new EmbeddingModelStore(database, SHARD_COUNT);
  const before = await store.pinned();
  const goesOn = before !== null && !before.ready && isSame(before, wanted);
  const pinned = goesOn ? before : await store.pin(wanted, true);
  const indexes = new VectorIndexes(database, version);
  if (!goesOn) await indexes.dropAll();
  await indexes.ensure(pinned.dimensions);
  const shards = await store.unmarked();
  let events = 0;
  for (const [shardsDone, { number }] of shards.entries()) {
    for (let more = true; more && !signal.aborted;) {
      tell({ shards: shards.length, shardsDone, events });
      const marked = await store.mark(number, EMBEDDING_MARK_EVENTS);
      events += marked;
      more = marked > 0;
    }
  }
  if (!signal.aborted) tell({ shards: shards.length, shardsDone: shards.length, events });
  return { pinned: (await store.settle(pinned.generation)) ?? pinned, events };
}

function unlike(pinned: Model, wanted: Model): string {
  return (
    `The vectors in this database are of ${named(pinned)}, and the settings say ${named(wanted)} (STRATA_EMBEDDING_PROVIDER, _MODEL, _DIMS). ` +
    `Set them back, or run \`${REINDEX}\` with the new ones: it has all vectors made again.`
  );
}

function isSame(a: Model, b: Model): boolean {
  return a.provider === b.provider && a.model === b.model && a.dimensions === b.dimensions;
}

function named({ provider, model, dimensions }: Model): string {
  return `${model} (${provider}, ${dimensions} numbers)`;
}
