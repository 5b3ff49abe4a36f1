import { ModelFailure } from '../failure.ts';

/** Texts that wait for the local model, beside a single call that waits for nobody: some twenty seconds' worth. */
export const EMBEDDING_WAITING_TEXTS = 1024;

/** Queries that wait for the local model: half a second's worth; beyond it they fail, and events are found by their words. */
export const EMBEDDING_WAITING_QUERIES = 64;

/** A vector that was made; `ms` is how long it took, `tokens` how much of the text counted. */
export type OnVector = (made: { readonly ms: number; readonly tokens: number }) => void;

/** Texts that somebody waits for the vectors of. */
export interface Job {
  readonly texts: readonly string[];
  /** Vectors of the first texts, as far as they are made. */
  readonly vectors: Float32Array[];
  readonly onVector: OnVector;
  /** Tells that all vectors are there. */
  done(): void;
  fail(error: unknown): void;
}

/** Jobs that wait: queries, behind which a person waits, before passages; of the same sort in the order in which they came. Bounded. */
export class LocalQueue {
  private readonly queries: Job[] = [];
  private readonly passages: Job[] = [];

  /** The job whose next text is due. */
  get first(): Job | undefined {
    return this.queries[0] ?? this.passages[0];
  }

  /** Takes a job. Throws `ModelFailure` when too much waits already. */
  add(job: Job, urgent: boolean): void {
    const texts = this.passages.reduce((sum, { texts }) => sum + texts.length, job.texts.length);
    const full = urgent ? this.queries.length >= EMBEDDING_WAITING_QUERIES : texts > EMBEDDING_WAITING_TEXTS;
    if (full && this.first !== undefined)
      throw new ModelFailure('late', 'too many texts wait for the local embedding model', {
        passing: true,
        blame: 'question',
      });
    (urgent ? this.queries : this.passages).push(job);
  }

  /** Whether a job still waits. */
  has(job: Job): boolean {
    return this.queries.includes(job) || this.passages.includes(job);
  }

  /** Takes a job out, wherever it stands. */
  remove(job: Job): void {
    for (const list of [this.queries, this.passages]) {
      const at = list.indexOf(job);
      if (at >= 0) list.splice(at, 1);
    }
  }

  /** Takes all jobs out, and fails them. */
  failAll(error: unknown): void {
    for (const job of [...this.queries.splice(0), ...this.passages.splice(0)]) job.fail(error);
  }
}
