import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { ModelFailure } from './failure.ts';
import type { Spent } from './call-site.ts';
import type { ProbeFinding } from './probe.ts';

/** What makes vectors of texts; `auto` is an endpoint where one is named, else local, and words where it cannot be had. */
export const EMBEDDING_PROVIDERS = ['auto', 'none', 'endpoint', 'local'] as const;

/** Who chose a provider. */
interface Chosen {
  /** That it was chosen by `auto`: where its model cannot be had words serve, and nothing is refused or held. Default false. */
  readonly auto?: true;
}

/** An OpenAI-compatible endpoint for embeddings. */
export interface EmbeddingEndpoint extends Chosen {
  readonly provider: 'endpoint';
  /** Base address of its routes. */
  readonly url: string;
  /** Sent as bearer; null sends none. */
  readonly apiKey: string | null;
  readonly model: string;
  /** Numbers of a vector. */
  readonly dimensions: number;
  /** Texts of one request at most. */
  readonly batchTexts: number;
  /** Milliseconds for one request. */
  readonly timeoutMs: number;
}

/** A model on this machine. */
export interface LocalModel extends Chosen {
  readonly provider: 'local';
  /** Absolute path of the cache that the model is fetched into. */
  readonly cacheDir: string;
  /** Java for Maven; undefined leaves it to Maven. */
  readonly javaHome: string | undefined;
}

/** Where vectors come from. */
export type EmbeddingConfig = { readonly provider: 'none' } | EmbeddingEndpoint | LocalModel;

/** Who asks for vectors. */
export interface EmbedCall {
  /** Ends the call; what others asked for goes on. */
  readonly signal: AbortSignal;
  /** Asks also while it rests, and what may lie at the texts makes nothing rest. Default false. */
  readonly trial?: boolean | undefined;
  /** Told of every request to an endpoint; never of the local model, which costs nothing. */
  readonly spent?: ((cost: Spent) => void) | undefined;
}

/**
 * Makes vectors of texts: of unit length, so that their scalar product is the cosine, and comparable among those of one model.
 * Passages and queries are told apart because models want them apart. Texts hold more than blanks; of long ones the beginning
 * counts. Calls throw `RangeError` on a blank text; `ModelFailure`, of kind `outage` when they may be tried again later, and then the texts
 * are not to blame unless it was `answered`; the reason of the signal when that fires.
 */
export interface Embedder {
  readonly provider: 'endpoint' | 'local';
  readonly model: string;
  /** Where it is asked; undefined for what is on this machine. */
  readonly url: string | undefined;
  /** Numbers of every vector. */
  readonly dimensions: number;
  /** Why it does not work now; null while it does, as far as is known. */
  readonly fault: string | null;
  /** Whether it ever made a vector. */
  readonly hasAnswered: boolean;
  /** What was found where it is to be asked; null until that was looked for, and of the local model. */
  readonly finding: ProbeFinding | null;
  /** Milliseconds that it is not to be asked from now on; it fails at once meanwhile. */
  readonly restMs: number;
  /** One vector for each text, in their order; all or none. */
  embedPassages(texts: readonly string[], call: EmbedCall): Promise<Float32Array[]>;
  /**
   * Asks for the vector of a text that every model takes, also while it rests; null when it is taken. Where it is not, no text is to
   * blame for what else is refused, and the embedder rests.
   */
  embedHarmless(call: EmbedCall): Promise<ModelFailure | null>;
  /** The vector of what is searched for. */
  embedQuery(text: string, call: EmbedCall): Promise<Float32Array>;
  /** Looks whether its endpoint is there, and notes it; of the local model there is nothing to look for. Never throws. */
  probe(signal: AbortSignal): Promise<void>;
  /** Ends what is under way, which fails, and frees what is held. May be repeated; nothing may be asked afterwards. */
  close(): Promise<void>;
}

/** What an embedder is built with. */
export interface EmbedderParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}
