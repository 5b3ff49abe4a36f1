import { StartupError } from '../errors.ts';
import type { EmbeddingConfig } from '../models/embedding.ts';
import { DEFAULT_EMBEDDING } from './embedding-settings.ts';
import { isLoopback } from './resolve.ts';
import { settingOf, type SettingValues } from './settings.ts';

/** Where the local model is kept, and the Java to fetch it with. */
export interface LocalFolders {
  /** Absolute. */
  readonly cacheDir: string;
  /** Absolute; undefined leaves it to Maven. */
  readonly javaHome: string | undefined;
}

const URL_NAME = settingOf('embedding.url').env;
const KEY_NAME = settingOf('embedding.api_key').env;
const DIMS_NAME = settingOf('embedding.dims').env;

/**
 * Embeddings as the settings say.
 *
 * @throws StartupError when an endpoint is meant and its address, its key or the length of its vectors is missing.
 */
export function embeddingConfig(values: SettingValues, places: LocalFolders): EmbeddingConfig {
  const url = values['embedding.url'];
  const named = values['embedding.provider'];
  const auto = named === 'auto' ? { auto: true as const } : {};
  const provider = named !== 'auto' ? named : url === undefined ? 'local' : 'endpoint';
  if (provider === 'none') return { provider };
  if (provider === 'local') return { provider, ...auto, ...places };
  if (url === undefined)
    throw new StartupError(
      `embedding.provider is endpoint, and no endpoint is named: set ${URL_NAME}, or ${settingOf('embedding.provider').env} to local or none`,
    );
  const apiKey = values['embedding.api_key'] ?? null;
  if (apiKey === null && !isLoopback(hostOf(url)))
    throw new StartupError(
      `embeddings are asked for at ${url}, which is not on this machine, without a key: set ${KEY_NAME} (any text where the endpoint asks for none)`,
    );
  const model = values['embedding.model'] ?? DEFAULT_EMBEDDING.model;
  const dimensions = values['embedding.dims'];
  if (dimensions === undefined && model !== DEFAULT_EMBEDDING.model)
    throw new StartupError(
      `embedding.model is ${model}: set ${DIMS_NAME} to how many numbers its vectors have`,
    );
  return {
    provider,
    ...auto,
    url: url.replace(/(?<!\/)\/+$/, ''),
    apiKey,
    model,
    dimensions: dimensions ?? DEFAULT_EMBEDDING.dimensions,
    batchTexts: values['embedding.batch'],
    timeoutMs: values['llm.timeout_ms'],
  };
}

/** The host of a URL, an IPv6 address without its brackets. */
function hostOf(url: string): string {
  if (!URL.canParse(url)) throw new StartupError(`${URL_NAME} is no URL`);
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}
