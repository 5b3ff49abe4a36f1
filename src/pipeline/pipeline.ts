import {
  EMBEDDING_LONGEST_PAUSE_MS,
  EMBEDDING_POLL_MS,
  ENRICHMENT_POLL_MS,
  EXTRACTION_DUE_EVENTS,
  EXTRACTION_DUE_POLL_MS,
  SYNTHESIS_POLL_MS,
  DEFERRAL_POLL_MS,
  EPISODE_SWEEP_MS,
  STAGE_POLLS_PER_FULL_LOOK,
  STAGE_LONGEST_PAUSE_MS,
} from './intervals.ts';
import type { PinnedModel } from '../../graph/embedding/model.ts';
import type { CaptureInput, CaptureResult } from '../../graph/capture.ts';
import { STAGES, type LeasedShard, type Stage } from '../../graph/shard.ts';
import { errorText } from '../errors.ts';
import { STAGE_FIRST_PAUSE_MS, STAGE_BACKLOG_EVENTS } from '../limits.ts';
import { Wakeup } from '../wakeup.ts';
import { Backpressure } from './backpressure.ts';
import type { Embedding } from './embedding.ts';
import type { Enrichment } from './enrichment.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import type { PipelineParts } from './pipeline-parts.ts';
import { RecentEvents } from './recent-events.ts';
import { stagesBefore, type StageLag } from './stage-lag.ts';
import { StageOffsets } from './stage-offsets.ts';
import { StageRunner, type StageAdvance } from './stage-runner.ts';
import { WriteScheduler } from './write-scheduler.ts';

interface StageState {
  readonly runner: StageRunner;
  /** Shards to look at. */
  readonly dirty: Set<number>;
  /** Shards being worked on. */
  busy: readonly number[];
  readonly wakeup: Wakeup;
}

/** The workers of one process: a loop per stage, one that keeps the leases, one that looks for work of others. */
export class Pipeline {
  private readonly parts: PipelineParts;
  private readonly leases: LeaseKeeper;
  private readonly recent: RecentEvents;
  private readonly pace = new Backpressure(() => this.backlog());
  private readonly turns = new WriteScheduler(this.pace);
  private readonly places = new StageOffsets();
  private readonly stages: ReadonlyMap<Stage, StageState>;
  private readonly pauses = new Set<Wakeup>();
  private loops: Promise<unknown> = Promise.resolve();
  private readonly ending = new AbortController();
  private readonly failing = new Set<string>();
  private readonly look = new Wakeup();
  private readonly jobs = new Wakeup();
  private readonly synthesisLook = new Wakeup();
  private readonly linkLook = new Wakeup();
  private readonly deferralLook = new Wakeup();
  private readonly embeddingLook = new Wakeup();
  private readonly enrichment: Enrichment | undefined;
  /** What makes vectors; undefined without a model, and until it is there. */
  embedding: Embedding | undefined;
  private polls = 0;
  private lookedUpTo = 0;

  constructor(parts: PipelineParts) {
    this.parts = parts;
    this.leases = new LeaseKeeper(parts.leases, parts.shardCount);
    this.recent = new RecentEvents(parts.recent);
    const runner = (stage: Stage): StageRunner =>
      new StageRunner(stage, {
        ...parts,
        leases: this.leases,
        recent: this.recent,
        turns: this.turns,
        pace: this.pace,
        places: this.places,
        pause: (milliseconds) => this.pause(milliseconds),
        onProgress: this.progressed.bind(this),
      });
    this.enrichment = parts.enrichment?.({
      take: (work) => this.turns.take(work),
      onQueued: () => {
        this.queued();
      },
      onSynthesis: () => {
        this.synthesisAsked();
      },
    });
    this.stages = new Map(
      STAGES.map((stage) => [
        stage,
        { runner: runner(stage), dirty: new Set(), busy: [], wakeup: new Wakeup() },
      ]),
    );
  }

  /** Whether the loops do their work; false while they cannot reach the database. */
  get healthy(): boolean {
    return !this.ended() && this.failing.size === 0;
  }

  /** Shards whose lease this process holds. */
  get heldShards(): number {
    return this.leases.shards.length;
  }

  /** How far a stage is behind the head of the log in the shards held here; asks no database. */
  lag(stage: Stage): StageLag {
    const head = this.parts.settledHead();
    const numbers = new Set(
      stagesBefore(stage, this.parts.extraction !== undefined).flatMap((name) => {
        const state = this.stages.get(name);
        return state ? [...state.dirty, ...state.busy] : [];
      }),
    );
    const places = [...numbers].flatMap((number) => {
      const shard = this.leases.get(number);
      return shard ? [this.places.of(stage, shard)] : [];
    });
    const place = Math.min(head, ...places);
    return { events: head - place, place, shards: places.filter((at) => at < head).length };
  }

  /** Events of the newest captures of this process that wait for it and not for a model, counted as far as it matters. */
  private backlog(): number {
    return this.recent.count(({ shard, wal_offset }) => {
      const marks = this.leases.get(shard)?.watermarks;
      if (marks === undefined || wal_offset <= marks.consolidated) return false;
      return wal_offset > marks.indexed || wal_offset <= marks.extracted;
    }, STAGE_BACKLOG_EVENTS);
  }

  /** Whether a stage does its work; false while it cannot. */
  works(stage: Stage): boolean {
    return !this.ended() && !this.failing.has(stage);
  }

  /** Says that this worker lives: the first write of the process, which proves that the database takes any. Never throws. */
  async begin(): Promise<void> {
    try {
      await this.leases.begin();
    } catch (error) {
      this.failed('leases', error);
    }
  }

  /** Starts the loops. */
  start(): void {
    const { pollMs } = this.parts;
    this.loops = Promise.all([
      this.loop('leases', this.parts.renewMs, () => this.keepLeases()),
      this.loop('poll', pollMs, () => this.lookForWork(), this.look),
      this.loop('extraction', Math.min(pollMs, EXTRACTION_DUE_POLL_MS), () => this.extractDue()),
      this.loop('episodes', EPISODE_SWEEP_MS, () => this.sealEpisodes()),
      this.loop('rebuild', pollMs, () => this.rebuild(), this.jobs),
      this.loop('syntheses', SYNTHESIS_POLL_MS, () => this.advance(this.parts.syntheses), this.synthesisLook),
      this.loop('links', SYNTHESIS_POLL_MS, () => this.advance(this.parts.links), this.linkLook),
      this.loop(
        'deferrals',
        Math.min(pollMs, DEFERRAL_POLL_MS),
        () => this.endDeferrals(),
        this.deferralLook,
      ),
      ...STAGES.map((stage) => this.stageLoop(stage)),
      this.loop('enrichment', ENRICHMENT_POLL_MS, () => this.rounds(this.enrichment)),
    ]);
    if (this.parts.pinned) this.beginEmbedding(this.parts.pinned);
  }

  /** Begins to make vectors by a model that was agreed on; does nothing where that has begun, and behind the stop. */
  beginEmbedding(pinned: PinnedModel): void {
    const { embedding } = this.parts;
    if (embedding === undefined || this.embedding !== undefined || this.ended()) return;
    this.embedding = embedding({ take: (work) => this.turns.take(work, 'intake') }, pinned);
    this.loops = Promise.all([
      this.loops,
      this.loop(
        'embeddings',
        EMBEDDING_POLL_MS,
        () => this.rounds(this.embedding),
        this.embeddingLook,
        EMBEDDING_LONGEST_PAUSE_MS,
      ),
    ]);
  }

  /** Says that a stage has events to repeat: they are looked for at once instead of with the next poll. */
  queued(): void {
    this.look.raise();
  }

  /** Says that there is a job: it is taken up at once instead of with the next poll. */
  asked(): void {
    this.jobs.raise();
  }

  /** Says that a synthesis was asked for: it begins at once instead of with the next look. */
  synthesisAsked(): void {
    this.synthesisLook.raise();
  }

  /** Says that entities were linked, or are not any more: what was derived follows at once instead of with the next look. */
  linked(): void {
    this.linkLook.raise();
  }

  /** Says that the waiting of a scope may be over: it is looked at at once instead of with the next look. */
  deferralsEnded(): void {
    this.deferralLook.raise();
  }

  /** Says which events were redacted, so that nothing of them stays in memory. */
  redacted(ids: readonly string[]): void {
    this.recent.redact(ids);
  }

  /** Says what a commit of this process wrote. */
  captured(inputs: readonly CaptureInput[], results: readonly CaptureResult[]): void {
    this.recent.add(inputs, results);
    this.pace.captured(inputs.length);
    const numbers = [...new Set(inputs.map(({ record }) => record.shard))];
    if (this.parts.extraction) this.markDirty('extracted', numbers);
    this.markDirty('indexed', numbers);
  }

  /** Ends the loops after what they are doing now, and gives the leases back. */
  async stop(): Promise<void> {
    this.ending.abort();
    this.parts.extraction?.stop();
    this.enrichment?.stop();
    this.embedding?.stop();
    this.turns.end();
    for (const { wakeup } of this.stages.values()) wakeup.raise();
    for (const pause of this.pauses) pause.raise();
    await this.loops;
    try {
      await this.parts.rebuilder.stop();
      await this.leases.stop();
    } catch (error) {
      this.parts.log.warn('leases could not be given back; they end by themselves', {
        error: errorText(error),
      });
    }
  }

  private ended(): boolean {
    return this.ending.signal.aborted;
  }

  private progressed(advance: StageAdvance): void {
    const { stage, moved } = advance;
    this.parts.progress.note(stage, moved);
    this.parts.onAdvance?.(advance);
    if (stage !== 'consolidated') this.markDirty('consolidated', [...moved.keys()]);
    if (stage === 'indexed' && this.parts.extraction === undefined)
      this.markDirty('extracted', [...moved.keys()]);
    if (stage === 'indexed') this.embeddingLook.raise();
  }

  private markDirty(stage: Stage, numbers: readonly number[]): void {
    const state = this.stages.get(stage);
    if (!state) return;
    for (const number of numbers) if (this.leases.get(number)) state.dirty.add(number);
    if (state.dirty.size > 0) state.wakeup.raise();
  }

  private async keepLeases(): Promise<void> {
    const claimed = await this.leases.round();
    for (const stage of STAGES) this.markDirty(stage, claimed);
  }

  private async lookForWork(): Promise<void> {
    await this.parts.refreshHead();
    const head = this.parts.settledHead();
    this.polls += 1;
    if (head > this.lookedUpTo || this.polls % STAGE_POLLS_PER_FULL_LOOK === 0) {
      this.lookedUpTo = head;
      const all = this.leases.shards.map(({ number }) => number);
      for (const stage of STAGES) this.markDirty(stage, all);
    }
    // A model may take long: what is to be extracted again has a loop of its own.
    for (const [stage, { runner }] of this.stages) if (stage !== 'extracted') await runner.repeat();
  }

  /** Extracts again from what was held for a while, or what somebody asked to be tried again. */
  private async extractDue(): Promise<void> {
    const shards = this.leases.shards.map(({ number }) => number);
    if (shards.length === 0 || this.parts.extraction?.resting === true) return;
    await this.parts.extractions.releaseDue(shards, this.parts.clock.now(), EXTRACTION_DUE_EVENTS);
    await this.stages.get('extracted')?.runner.repeat();
  }

  /** A failure is left to the next time: nobody waits for it, and whether the database is there the other loops tell. */
  private async sealEpisodes(): Promise<void> {
    try {
      while (!this.ended() && (await this.turns.take(() => this.parts.episodes.round(this.leases.shards))));
    } catch (error) {
      this.parts.log.warn('idle episodes are sealed later', { error: errorText(error) });
    }
  }

  private async rebuild(): Promise<void> {
    while (!this.ended() && (await this.turns.take(() => this.parts.rebuilder.round())));
  }

  /** Consolidates what waited in scopes that are due, or that somebody asked for. */
  private async endDeferrals(): Promise<void> {
    const { deferralWatch, deferrals, clock } = this.parts;
    const held = (): number[] => this.leases.shards.map(({ number }) => number);
    if (held().length === 0) return;
    while (!this.ended() && (await deferralWatch.round(held())));
    const consolidated = this.stages.get('consolidated');
    if (consolidated === undefined) return;
    while (!this.ended() && (await consolidated.runner.release(deferrals, clock.now())));
  }

  private async rounds(of: Pick<Enrichment | Embedding, 'round'> | undefined): Promise<void> {
    while (!this.ended() && (await of?.round(this.leases.shards)) === true);
  }

  /** Does what entries of the log ask for, part by part, until nothing of it can be done now. */
  private async advance<Due>(work: {
    due(shards: readonly LeasedShard[]): Promise<readonly Due[]>;
    part(due: Due): Promise<boolean>;
  }): Promise<void> {
    for (let more = true; more;) {
      more = false;
      for (const due of await work.due(this.leases.shards)) {
        if (this.ended()) return;
        more = (await this.turns.take(() => work.part(due))) || more;
      }
    }
  }

  private async stageLoop(stage: Stage): Promise<void> {
    const state = this.stages.get(stage);
    if (!state) return;
    let pause = 0;
    while (!this.ended()) {
      await state.wakeup.wait();
      while (state.dirty.size > 0 && !this.ended()) {
        const started = performance.now();
        const numbers = [...state.dirty];
        state.dirty.clear();
        state.busy = numbers;
        try {
          const more = await state.runner.batch(numbers);
          pause = 0;
          this.failing.delete(stage);
          state.busy = [];
          const early = this.parts.gatherMs - (performance.now() - started);
          if (more) this.markDirty(stage, numbers);
          else if (early > 0) await this.pause(early);
        } catch (error) {
          this.failed(stage, error);
          this.markDirty(stage, numbers);
          pause = Math.min(Math.max(STAGE_FIRST_PAUSE_MS, pause * 2), STAGE_LONGEST_PAUSE_MS);
          await this.pause(pause);
        }
        state.busy = [];
      }
    }
  }

  private async loop(
    name: string,
    everyMs: number,
    work: () => Promise<void>,
    wakeup = new Wakeup(),
    longestMs = everyMs,
  ): Promise<void> {
    let pauseMs = everyMs;
    while (!this.ended()) {
      try {
        await work();
        pauseMs = everyMs;
        this.failing.delete(name);
      } catch (error) {
        pauseMs = Math.min(pauseMs * 2, longestMs);
        this.failed(name, error);
      }
      // What fails and has a longer pause is not woken: what would wake it goes on meanwhile.
      if (!this.ended()) await this.pause(pauseMs, pauseMs > everyMs ? undefined : wakeup);
    }
  }

  private failed(loop: string, error: unknown): void {
    this.failing.add(loop);
    this.parts.log.warn('derivation pauses', { loop, error: errorText(error) });
  }

  private async pause(milliseconds: number, pause = new Wakeup()): Promise<void> {
    if (this.ended()) return;
    this.pauses.add(pause);
    await pause.wait(milliseconds);
    this.pauses.delete(pause);
  }
}
