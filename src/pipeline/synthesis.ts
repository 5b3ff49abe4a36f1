import type { Transaction, Writer } from '../../graph/driver.ts';
import { failureCode } from '../../graph/errors.ts';
import type { LeasedShard } from '../../graph/shard.ts';
import { pendingSyntheses, SynthesisStore, type PendingSynthesis } from '../../graph/synthesis.ts';
import type { Clock } from '../clock.ts';
import type { KeyedIds } from '../derive/keyed-ids.ts';
import { errorText } from '../errors.ts';
import type { Log } from '../log.ts';
import type { ConceptReviser } from './concept-reviser.ts';
import { Suspicion } from './suspicion.ts';

/** What carries syntheses out. */
export interface SynthesisRunnerParts {
  readonly writer: Writer;
  /** Id of the worker that holds the leases. */
  readonly worker: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly concepts: Pick<ConceptReviser, 'tell'>;
  readonly keyedIds: KeyedIds;
  /** Concepts of one transaction. */
  readonly batch: number;
  /** Told of the newest frame of each transaction that wrote one. */
  readonly onFrame: (newestFrame: number) => void;
}

/** A synthesis that is to be carried out, and the shard that it lies in. */
export interface DueSynthesis {
  readonly id: string;
  readonly shard: LeasedShard;
}

interface Part {
  readonly concept_id: string;
  readonly entity_id: string;
}

/**
 * Carries out what was asked for by syntheses: they stand in the log, so that whatever replays a concept takes them into account.
 * Goes on where it, or another process, stopped.
 */
export class SynthesisRunner {
  private readonly parts: SynthesisRunnerParts;
  private readonly suspicion = new Suspicion();

  constructor(parts: SynthesisRunnerParts) {
    this.parts = parts;
  }

  /** The first synthesis of each of the shards that has one to be carried out; all are held by the worker. */
  async due(shards: readonly LeasedShard[]): Promise<DueSynthesis[]> {
    if (shards.length === 0) return [];
    const held = new Map(shards.map((shard) => [shard.number, shard]));
    const found = await pendingSyntheses(this.parts.writer, [...held.keys()]);
    return found.flatMap(({ id, shard: number }) => {
      const shard = held.get(number);
      return shard === undefined ? [] : [{ id, shard }];
    });
  }

  /** Does a part of a synthesis; `false` when nothing of it can be done now. */
  async part({ id, shard }: DueSynthesis): Promise<boolean> {
    const { writer, onFrame } = this.parts;
    try {
      const newestFrame = await writer.transaction((transaction) => this.advance(transaction, shard, id));
      this.suspicion.cleared(id);
      if (newestFrame !== null) onFrame(newestFrame);
      return newestFrame !== null;
    } catch (error) {
      await this.failed(shard, id, error);
      return true;
    }
  }

  /** One transaction; null when there is nothing to be done now. */
  private async advance(transaction: Transaction, shard: LeasedShard, id: string): Promise<number | null> {
    const store = new SynthesisStore(transaction);
    const synthesis = await store.begin(shard, this.parts.worker, id);
    if (synthesis === null) return null;
    const { clock, batch, concepts, keyedIds } = this.parts;
    const found = await partOf(store, synthesis, { batch, keyedIds });
    const { tenant, scope, scope_ref, recorded_at: since } = synthesis;
    const replayed = await concepts.tell(
      transaction,
      found.map((part) => ({ ...part, scope_ref, since })),
      new Map([[scope_ref, { tenant, scope, scope_ref }]]),
    );
    const own = replayed.flatMap(({ versions }) => versions.filter(({ caused_by }) => caused_by === id));
    const over = found.length < batch;
    const step = {
      id,
      cursor: found.at(-1)?.concept_id ?? synthesis.cursor,
      concepts: synthesis.concepts + found.length,
      versions: synthesis.versions + own.length,
    };
    const frame = over ? 'synthesis_complete' : 'synthesis_progress';
    const topics = topicsOf(synthesis, keyedIds);
    return store.advance({ ...step, topics, over, failed: false, frame, data: dataOf(step) }, clock.now());
  }

  /** A synthesis that fails by itself is tried again, and given up after some tries; throws what it is not to blame for. */
  private async failed(shard: LeasedShard, id: string, error: unknown): Promise<void> {
    const { writer, worker, clock, log, onFrame, keyedIds } = this.parts;
    const probe = (): Promise<unknown> =>
      writer.transaction((transaction) => new SynthesisStore(transaction).begin(shard, worker, id));
    const verdict = await this.suspicion.judge({ key: id, size: 1, error }, probe);
    if (verdict.is === 'waits') throw error;
    log.warn('a synthesis fails', { job_id: id, error: errorText(error) });
    if (verdict.is !== 'given up') return;
    const newestFrame = await writer.transaction(async (transaction) => {
      const store = new SynthesisStore(transaction);
      const synthesis = await store.begin(shard, worker, id);
      if (synthesis === null) return 0;
      const { cursor, concepts, versions } = synthesis;
      const step = { id, cursor, concepts, versions };
      const data = dataOf(
        step,
        `its concepts could not be derived (${failureCode(error)}); the log of the service says why`,
      );
      const topics = topicsOf(synthesis, keyedIds);
      return store.advance(
        { ...step, topics, over: true, failed: true, frame: 'synthesis_failed', data },
        clock.now(),
      );
    });
    this.suspicion.cleared(id);
    onFrame(newestFrame);
  }
}

/** The next concepts that a synthesis is about, in the order of their ids. */
async function partOf(
  store: SynthesisStore,
  synthesis: PendingSynthesis,
  { batch, keyedIds }: Pick<SynthesisRunnerParts, 'batch' | 'keyedIds'>,
): Promise<Part[]> {
  const { scope_ref, topics, cursor } = synthesis;
  if (topics === null) return store.concepts(scope_ref, cursor, batch);
  return topicsOf(synthesis, keyedIds)
    .filter(({ concept_id }) => concept_id > cursor)
    .sort((a, b) => (a.concept_id < b.concept_id ? -1 : 1))
    .slice(0, batch);
}

/** What a synthesis names, each with its concept; nothing where it is about everything. */
function topicsOf({ scope_ref, topics }: PendingSynthesis, keyedIds: KeyedIds): Part[] {
  return (topics ?? []).map((entity_id) => ({
    entity_id,
    concept_id: keyedIds.concept(scope_ref, entity_id),
  }));
}

/** The data of a frame, as JSON text. */
function dataOf(
  { id, concepts, versions }: Pick<PendingSynthesis, 'id' | 'concepts' | 'versions'>,
  reason?: string,
): string {
  return JSON.stringify({ job_id: id, concepts, versions, ...(reason === undefined ? {} : { reason }) });
}
