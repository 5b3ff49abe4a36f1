import type { EmbeddingModelStore, PinnedModel } from '../../graph/embedding/model.ts';
import type { DuePassage, EmbeddingLag, EmbeddingStore, NewVectors } from '../../graph/embedding/work.ts';
import type { LeasedShard } from '../../graph/shard.ts';
import type { Clock } from '../clock.ts';
import { MAX_COUNTED_LAG } from '../limits.ts';
import { EMBEDDING_BATCH_BYTES, EMBEDDING_MARK_EVENTS } from '../limits/models.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { EmbeddingCalls, TextOutcome } from './embedding-calls.ts';
import { reasonOf, Suspicion } from './suspicion.ts';
import { textsToEmbed, type TextToEmbed, type VectorName } from './embedding-texts.ts';

/** Passages whose vectors are made together: two requests' worth, written in one transaction that others wait for. */
const EMBEDDING_BATCH_PASSAGES = 64;

/** How often they are counted for the metrics, milliseconds. */
export const EMBEDDING_COUNT_MS = 5000;

/** What embedding needs. */
export interface EmbeddingParts {
  readonly calls: EmbeddingCalls;
  readonly store: Pick<EmbeddingStore, 'due' | 'envelopes' | 'write' | 'lag'>;
  readonly models: Pick<EmbeddingModelStore, 'pinned' | 'unmarked' | 'mark' | 'settle'>;
  /** The model of the store, which is that of the calls. */
  readonly pinned: PinnedModel;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Takes the turn of a stage for what writes. */
  readonly take: <T>(work: () => Promise<T>) => Promise<T>;
}

/** What a look for due passages came to: some were written, none are due, or those that are have to wait. */
type Look = 'written' | 'none' | 'waits';

const NONE_DUE: EmbeddingLag = { due: 0, oldest: null };

/**
 * Makes the vectors of passages, beside requests. Stages say of a passage that its vectors are due when its text or its narrow window is
 * new; they are due until they are written, and written only where the window is what was embedded. So nothing is lost by an
 * outage, a crash, or a change meanwhile, and at rest every vector is that of the present texts.
 */
export class Embedding {
  private readonly parts: EmbeddingParts;
  private readonly ending = new AbortController();
  private readonly suspicion = new Suspicion();
  private model: PinnedModel;
  private replaced = false;
  private counted: EmbeddingLag = NONE_DUE;
  private countedAt = Number.NEGATIVE_INFINITY;
  /** What texts came to that is not written yet: a write that fails has no text paid for again. */
  private unwritten: ReadonlyMap<string, TextOutcome> = new Map();

  constructor(parts: EmbeddingParts) {
    this.parts = parts;
    this.model = parts.pinned;
  }

  /** What was due in the held shards when it was counted last. */
  get lag(): EmbeddingLag {
    return this.counted;
  }

  /** The model whose vectors may be searched for, as far as is known; null while vectors of a former one are left, or another was pinned. */
  get searchable(): PinnedModel | null {
    return this.model.ready && !this.replaced ? this.model : null;
  }

  /** Why nothing is embedded now although the model answers; null while it is. */
  get fault(): string | null {
    return this.replaced
      ? 'another model was pinned while this process ran, and it has to be started with that one'
      : null;
  }

  /** Makes the vectors of the next passages in the shards that the worker holds; `false` when there is nothing to do for now. */
  async round(shards: readonly LeasedShard[]): Promise<boolean> {
    if (this.stopped() || !(await this.isCurrent())) return false;
    await this.prepare();
    const numbers = shards.map(({ number }) => number);
    const look = await this.look(shards, numbers);
    await this.count(numbers, look === 'none');
    return look === 'written';
  }

  /** Ends the calls that are under way; what they asked is asked again after the next start. */
  stop(): void {
    this.ending.abort();
  }

  private stopped(): boolean {
    return this.ending.signal.aborted;
  }

  /** Whether the model of the store is still that of this process; it may have been pinned anew. */
  private async isCurrent(): Promise<boolean> {
    const { models, log } = this.parts;
    const now = await models.pinned();
    const same =
      now?.provider === this.model.provider &&
      now.model === this.model.model &&
      now.dimensions === this.model.dimensions;
    if (same) this.model = now;
    else if (!this.replaced)
      log.error('another embedding model was pinned: this process embeds nothing any more', {
        model: this.model.model,
        pinned: now?.model ?? null,
      });
    this.replaced = !same;
    return same;
  }

  /** Says of everything that was indexed before the model was pinned that its vectors are due. */
  private async prepare(): Promise<void> {
    if (this.model.ready) return;
    const { models, take } = this.parts;
    for (const { number } of await models.unmarked())
      for (let more = true; more && !this.stopped();)
        more = (await take(() => models.mark(number, EMBEDDING_MARK_EVENTS))) > 0;
    this.model = (await models.settle(this.model.generation)) ?? this.model;
  }

  private async look(shards: readonly LeasedShard[], numbers: readonly number[]): Promise<Look> {
    const { store, calls } = this.parts;
    if (numbers.length === 0) return 'none';
    if (calls.resting) return 'waits';
    const due = fitting(await store.due(numbers, EMBEDDING_BATCH_PASSAGES));
    if (due.length > 0) return (await this.embed(shards, due)) ? 'written' : 'waits';
    this.unwritten = new Map();
    return 'none';
  }

  private async embed(shards: readonly LeasedShard[], due: readonly DuePassage[]): Promise<boolean> {
    const { store, metrics } = this.parts;
    const envelopes = await store.envelopes([...new Set(due.flatMap(({ window }) => window))]);
    const texts = textsToEmbed(due, envelopes);
    const outcomes = await this.ask(texts);
    if (outcomes === null) return false;
    const vectors = vectorsOf(due, texts, outcomes);
    if (vectors.length === 0) return false;
    const written = await this.write(shards, vectors);
    this.unwritten = new Map();
    metrics.count('strata_embedding_passages_total', 'stale', vectors.length - written.length);
    for (const { fault } of written)
      metrics.count('strata_embedding_passages_total', fault === null ? 'embedded' : 'refused');
    return written.length > 0;
  }

  /** Writes vectors; of a passage that the database does not take them of by itself, why it has none. Answers what was written. */
  private async write(
    shards: readonly LeasedShard[],
    vectors: readonly NewVectors[],
  ): Promise<readonly NewVectors[]> {
    const { store, clock, log, take } = this.parts;
    const { generation } = this.model;
    const written: NewVectors[] = [];
    const wanted = new Set(vectors.map(({ passage: { shard } }) => shard));
    const held = shards.filter(({ number }) => wanted.has(number));
    const work = async (part: readonly NewVectors[]): Promise<void> => {
      const done = await take(() => store.write(held, part, { generation, now: clock.now() }));
      written.push(...part.filter(({ passage }) => done.has(passage.event_id)));
    };
    await this.suspicion.through(vectors, {
      keyOf: ({ passage }) => passage.event_id,
      work,
      probe: () => take(() => store.write(held, [], { generation, now: clock.now() })),
      giveUp: async ({ passage }, { attempts, error }) => {
        const fault = reasonOf('embedding', attempts, error);
        log.error('vectors of a passage cannot be written', { event_id: passage.event_id, reason: fault });
        await work([{ passage, vector: null, windowVector: null, fault }]);
      },
      onRetry: () => Promise.resolve(),
    });
    return written;
  }

  /** What texts came to; null when the process stops before that is known. */
  private async ask(texts: readonly TextToEmbed[]): Promise<readonly (TextOutcome | undefined)[] | null> {
    const known = texts.map(({ text }) => this.unwritten.get(text));
    const open = texts.filter((_, i) => known[i] === undefined);
    try {
      const embedded = await this.parts.calls.ask(open, this.ending.signal);
      const came = new Map(open.map((text, i) => [text, embedded[i]]));
      const outcomes = texts.map((text, i) => known[i] ?? came.get(text));
      this.unwritten = new Map(
        texts.flatMap(({ text }, i) => {
          const outcome = outcomes[i];
          return outcome === undefined ? [] : [[text, outcome] as const];
        }),
      );
      return outcomes;
    } catch (error) {
      if (this.stopped()) return null;
      throw error;
    }
  }

  /** Counts what is due, once in a while. */
  private async count(numbers: readonly number[], idle: boolean): Promise<void> {
    const { store, clock } = this.parts;
    const now = clock.now();
    // What has come down to nothing is told at once.
    if (now - this.countedAt <= EMBEDDING_COUNT_MS && !(idle && this.counted.due > 0)) return;
    this.countedAt = now;
    this.counted = numbers.length === 0 ? NONE_DUE : await store.lag(numbers, MAX_COUNTED_LAG);
  }
}

/** The first passages, as many as may be read together: one at least. */
function fitting(due: readonly DuePassage[]): DuePassage[] {
  let bytes = 0;
  return due.filter((passage, i) => {
    bytes += passage.bytes;
    return i === 0 || bytes <= EMBEDDING_BATCH_BYTES;
  });
}

/** What is written of passages: of each whose texts all came to something. */
function vectorsOf(
  due: readonly DuePassage[],
  texts: readonly TextToEmbed[],
  outcomes: readonly (TextOutcome | undefined)[],
): NewVectors[] {
  const known = new Map<DuePassage, Partial<Record<VectorName, TextOutcome>> | null>();
  for (const [i, { passage, names }] of texts.entries()) {
    const outcome = outcomes[i];
    const before = known.get(passage);
    if (outcome === undefined || before === null) known.set(passage, null);
    else known.set(passage, { ...before, ...Object.fromEntries(names.map((name) => [name, outcome])) });
  }
  return due.flatMap((passage): NewVectors[] => {
    const all = known.get(passage) ?? (passage.own && !passage.threaded ? {} : null);
    if (all === null) return [];
    const found = Object.values(all);
    const refused = found.find((outcome) => 'refused' in outcome);
    return [
      {
        passage,
        vector: vectorIn(all.vector),
        windowVector: vectorIn(all.windowVector),
        fault: refused?.refused ?? null,
      },
    ];
  });
}

function vectorIn(outcome: TextOutcome | undefined): Float32Array | null {
  return outcome !== undefined && 'vector' in outcome ? outcome.vector : null;
}
