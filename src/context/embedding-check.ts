import type { AdminReady } from '../../schemas/health.ts';
import type { Embedder } from '../models/embedding.ts';
import { foundCheck } from './call-site-check.ts';
import type { WordsBecause } from './model-arrival.ts';

type Check = AdminReady['checks'][string];

/** What is known of the embedding of a process. */
export interface EmbeddingState {
  /** Why nothing is embedded although the model answers; null while it is. */
  readonly fault: string | null;
  readonly lag: { readonly due: number };
  /** Null while vectors of a former model are left. */
  readonly searchable: object | null;
}

/** What makes vectors, as far as it was asked or probed. */
type EmbedderState = Pick<Embedder, 'provider' | 'model' | 'url' | 'fault' | 'hasAnswered' | 'finding'>;

const MENDS: Readonly<Record<Embedder['provider'], string>> = {
  endpoint:
    'Events are held and embedded when it answers again; check STRATA_EMBEDDING_URL, _API_KEY, _MODEL and _DIMS.',
  local:
    'Events are held and embedded when it runs; it needs Maven (mvn), npm and the network until it is fetched, and its folder in STRATA_CACHE_DIR unchanged.',
};

/**
 * How embeddings are, for the readiness: what makes vectors, and what is still to be made, either undefined for none; and why words serve
 * in place of a model that was chosen by itself.
 */
export function embeddingCheck(
  embedder: EmbedderState | undefined,
  state: EmbeddingState | undefined,
  words: WordsBecause | null = null,
): Check {
  if (words !== null) return { ok: true, status: 'off', ...words };
  if (embedder === undefined)
    return {
      ok: true,
      status: 'off',
      detail: 'No embeddings: events are found by their words.',
      fix: 'Set STRATA_EMBEDDING_PROVIDER to auto or local, or STRATA_EMBEDDING_URL (with STRATA_EMBEDDING_API_KEY unless it is on this machine).',
    };
  const { provider, model, url, fault } = embedder;
  const due = state?.lag.due ?? 0;
  const waiting = due === 0 ? '' : ` ${due} passages of this process wait for their vectors.`;
  const fix = MENDS[provider];
  if (fault !== null)
    return { ok: false, status: 'down', detail: `${model} makes no vectors: ${fault}.${waiting}`, fix };
  if (state !== undefined && state.fault !== null)
    return {
      ok: false,
      status: 'down',
      detail: `Nothing is embedded: ${state.fault}.`,
      fix: 'Set STRATA_EMBEDDING_PROVIDER, _MODEL and _DIMS to those that were pinned, and start again.',
    };
  const former =
    state?.searchable === null
      ? ' Vectors of a former model are being dropped; events are found by their words until then.'
      : '';
  const asks = `Asks ${model} (${provider})${url === undefined ? '' : ` at ${url}`}`;
  const check = foundCheck({ asks, model, fix }, embedder);
  return { ...check, detail: `${check.detail ?? asks}${waiting}${former}` };
}
