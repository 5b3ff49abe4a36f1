import type { Embedder, EmbedderParts, EmbeddingConfig } from './embedding.ts';
import { EndpointVectors } from './embedding/endpoint.ts';
import { EmbeddingCallSite } from './embedding/call-site.ts';
import { LocalVectors } from './embedding/local.ts';

/** What makes vectors as configured; undefined for none. Nothing is fetched or asked before the first call. */
export function createEmbedder(config: EmbeddingConfig, parts: EmbedderParts): Embedder | undefined {
  switch (config.provider) {
    case 'none':
      return undefined;
    case 'endpoint':
      return new EmbeddingCallSite(new EndpointVectors(config), parts);
    case 'local':
      return new EmbeddingCallSite(new LocalVectors(config, parts), parts);
  }
}
