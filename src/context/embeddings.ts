import type { Database } from '../../graph/driver.ts';
import { VectorIndexes } from '../../graph/embedding-index.ts';
import { EmbeddingModelStore, type PinnedModel } from '../../graph/embedding-model.ts';
import { SHARD_COUNT } from '../capture/scope-key.ts';
import { StartupError } from '../errors.ts';
import type { EmbeddingConfig } from '../models/embedding.ts';
import { LOCAL_MODEL } from '../models/embedding/local-model.ts';

/** The command that has vectors made by another model. */
const REINDEX = 'strata reindex embeddings';

/** The model that a configuration means; null for none. */
export function modelOf(
  config: EmbeddingConfig,
): Pick<PinnedModel, 'provider' | 'model' | 'dimensions'> | null {
  switch (config.provider) {
    case 'none':
      return null;
    case 'endpoint':
      return { provider: config.provider, model: config.model, dimensions: config.dimensions };
    case 'local':
      return { provider: config.provider, model: LOCAL_MODEL.name, dimensions: LOCAL_MODEL.dimensions };
  }
}

/**
 * Agrees with the database on the model whose vectors it holds, and has their indexes created; null without a provider, whatever there
 * is in the database. Throws `StartupError` when the vectors are of another model: they cannot be compared with those of this one.
 */
export async function adoptEmbeddings(
  database: Database,
  config: EmbeddingConfig,
  serverVersion: string,
): Promise<PinnedModel | null> {
  const wanted = modelOf(config);
  if (wanted === null) return null;
  const pinned = await new EmbeddingModelStore(database, SHARD_COUNT).pin(wanted, false);
  if (
    pinned.provider !== wanted.provider ||
    pinned.model !== wanted.model ||
    pinned.dimensions !== wanted.dimensions
  )
    throw new StartupError(
      `The vectors in this database are of ${named(pinned)}, and the settings say ${named(wanted)} (STRATA_EMBEDDING_PROVIDER, _MODEL, _DIMS). ` +
        `Set them back, or run \`${REINDEX}\` with the new ones: it has all vectors made again.`,
    );
  await new VectorIndexes(database, serverVersion).ensure(pinned.dimensions);
  return pinned;
}

function named({
  provider,
  model,
  dimensions,
}: Pick<PinnedModel, 'provider' | 'model' | 'dimensions'>): string {
  return `${model} (${provider}, ${dimensions} numbers)`;
}
