import {
  EMBEDDING_LONGEST_PAUSE_MS,
  EMBEDDING_POLL_MS,
  ENRICHMENT_POLL_MS,
  EXTRACTION_DUE_EVENTS,
  EXTRACTION_DUE_POLL_MS,
  SYNTHESIS_POLL_MS,
  DEFERRAL_POLL_MS,
  EPISODE_REPLAY_POLL_MS,
  EPISODE_SWEEP_MS,
  STAGE_POLLS_PER_FULL_LOOK,
  STAGE_LONGEST_PAUSE_MS,
} from './intervals.ts';
import type { PinnedModel } from '../../graph/embedding/model.ts';
import type { CaptureInput, CaptureResult } from '../../graph/capture.ts';
import { STAGES, type LeasedShard, type Stage } from '../../graph/shard.ts';
import { errorText } from '../errors.ts';
import type { Job, JobHandle, RunOutcome } from '../jobs/job.ts';
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
}

/** Name of the job that does the work of a stage. */
const jobOf = (stage: Stage): string => `stage_${stage}`;

/** What the log says of a job that fails. */
const PAUSES = { message: 'derivation pauses' };

/** The workers of one process: a job for each stage, one that keeps the leases, one that looks for work of others, and those beside. */
export class Pipeline {
  private readonly parts: PipelineParts;
  private readonly leases: LeaseKeeper;
  private readonly recent: RecentEvents;
  private readonly pace = new Backpressure(() => this.backlog());
  private readonly turns = new WriteScheduler(this.pace);
  private readonly places = new StageOffsets();
  private readonly stages: ReadonlyMap<Stage, StageState>;
  private readonly pauses = new Set<Wakeup>();
  private readonly jobs = new Map<string, JobHandle>();
  private readonly ending = new AbortController();
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
      STAGES.map((stage) => [stage, { runner: runner(stage), dirty: new Set(), busy: [] }]),
    );
  }

  /** Whether its jobs do their work; false while they cannot reach the database. Nobody waits for the end of idle episodes. */
  get healthy(): boolean {
    return (
      !this.ended() &&
      ![...this.jobs.values()].some(({ name, failing }) => failing && name !== 'episode_seals')
    );
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
    return !this.ended() && this.jobs.get(jobOf(stage))?.failing !== true;
  }

  /** Says that this worker lives: the first write of the process, which proves that the database takes any. Never throws. */
  async begin(): Promise<void> {
    try {
      await this.leases.begin();
    } catch (error) {
      this.parts.log.warn('derivation pauses', { error: errorText(error) });
    }
  }

  /** Starts its jobs. */
  start(): void {
    const { pollMs } = this.parts;
    this.run('leases', this.parts.renewMs, () => this.keepLeases());
    this.run('stage_poll', pollMs, () => this.lookForWork());
    this.run('due_extractions', Math.min(pollMs, EXTRACTION_DUE_POLL_MS), () => this.extractDue());
    this.run('episode_seals', EPISODE_SWEEP_MS, () => this.sealEpisodes(), {
      failure: { message: 'idle episodes are sealed later' },
    });
    this.run('episode_replays', EPISODE_REPLAY_POLL_MS, () => this.replayEpisodes(), {
      failure: { message: 'episodes of a scope cannot be told anew' },
      backoff: { firstMs: 2 * EPISODE_REPLAY_POLL_MS, longestMs: EPISODE_SWEEP_MS },
    });
    this.run('rebuilds', pollMs, () => this.rebuild());
    this.run('syntheses', SYNTHESIS_POLL_MS, () => this.advance(this.parts.syntheses));
    this.run('entity_links', SYNTHESIS_POLL_MS, () => this.advance(this.parts.links));
    this.run('deferrals', Math.min(pollMs, DEFERRAL_POLL_MS), () => this.endDeferrals());
    for (const [stage, state] of this.stages) this.runStage(stage, state);
    this.run('enrichment', ENRICHMENT_POLL_MS, () => this.round(this.enrichment));
    if (this.parts.pinned) this.beginEmbedding(this.parts.pinned);
  }

  /** Begins to make vectors by a model that was agreed on; does nothing where that has begun, and behind the stop. */
  beginEmbedding(pinned: PinnedModel): void {
    const { embedding } = this.parts;
    if (embedding === undefined || this.embedding !== undefined || this.ended()) return;
    this.embedding = embedding({ take: (work) => this.turns.take(work, 'intake') }, pinned);
    // While it fails it is not woken: what would wake it goes on meanwhile.
    const backoff = { firstMs: 2 * EMBEDDING_POLL_MS, longestMs: EMBEDDING_LONGEST_PAUSE_MS };
    this.run('embeddings', EMBEDDING_POLL_MS, () => this.round(this.embedding), { backoff });
  }

  /** Says that a stage has events to repeat: they are looked for at once instead of with the next poll. */
  queued(): void {
    this.wake('stage_poll');
  }

  /** Says that there is a job: it is taken up at once instead of with the next poll. */
  asked(): void {
    this.wake('rebuilds');
  }

  /** Says that a synthesis was asked for: it begins at once instead of with the next look. */
  synthesisAsked(): void {
    this.wake('syntheses');
  }

  /** Says that entities were linked, or are not any more: what was derived follows at once instead of with the next look. */
  linked(): void {
    this.wake('entity_links');
  }

  /** Says that the waiting of a scope may be over: it is looked at at once instead of with the next look. */
  deferralsEnded(): void {
    this.wake('deferrals');
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

  /** Ends its jobs after what they are doing now, and gives the leases back. */
  async stop(): Promise<void> {
    this.ending.abort();
    this.parts.extraction?.stop();
    this.enrichment?.stop();
    this.embedding?.stop();
    this.turns.end();
    for (const pause of this.pauses) pause.raise();
    await Promise.all([...this.jobs.values()].map((job) => job.stop()));
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
    if (stage === 'indexed') this.wake('embeddings');
  }

  private markDirty(stage: Stage, numbers: readonly number[]): void {
    const state = this.stages.get(stage);
    if (!state) return;
    for (const number of numbers) if (this.leases.get(number)) state.dirty.add(number);
    if (state.dirty.size > 0) this.wake(jobOf(stage));
  }

  private async keepLeases(): Promise<RunOutcome> {
    const claimed = await this.leases.round();
    for (const stage of STAGES) this.markDirty(stage, claimed);
    return 'idle';
  }

  private async lookForWork(): Promise<RunOutcome> {
    await this.parts.refreshHead();
    const head = this.parts.settledHead();
    this.polls += 1;
    if (head > this.lookedUpTo || this.polls % STAGE_POLLS_PER_FULL_LOOK === 0) {
      this.lookedUpTo = head;
      const all = this.leases.shards.map(({ number }) => number);
      for (const stage of STAGES) this.markDirty(stage, all);
    }
    // A model may take long: what is to be extracted again has a job of its own.
    let more = false;
    for (const [stage, { runner }] of this.stages)
      if (stage !== 'extracted' && (await runner.repeat())) more = true;
    return more ? 'more' : 'idle';
  }

  /** Extracts again from what was held for a while, or what somebody asked to be tried again. */
  private async extractDue(): Promise<RunOutcome> {
    const shards = this.leases.shards.map(({ number }) => number);
    if (shards.length === 0 || this.parts.extraction?.resting === true) return 'idle';
    await this.parts.extractions.releaseDue(shards, this.parts.clock.now(), EXTRACTION_DUE_EVENTS);
    await this.stages.get('extracted')?.runner.repeat();
    return 'idle';
  }

  private async sealEpisodes(): Promise<RunOutcome> {
    return (await this.turns.take(() => this.parts.episodes.round(this.leases.shards))) ? 'more' : 'idle';
  }

  private async replayEpisodes(): Promise<RunOutcome> {
    return (await this.turns.take(() => this.parts.replays.round(this.leases.shards))) ? 'more' : 'idle';
  }

  private async rebuild(): Promise<RunOutcome> {
    return (await this.turns.take(() => this.parts.rebuilder.round())) ? 'more' : 'idle';
  }

  /** Consolidates what waited in scopes that are due, or that somebody asked for. */
  private async endDeferrals(): Promise<RunOutcome> {
    const { deferralWatch, deferrals, clock } = this.parts;
    const held = this.leases.shards.map(({ number }) => number);
    if (held.length === 0) return 'idle';
    if (await deferralWatch.round(held)) return 'more';
    const released = await this.stages.get('consolidated')?.runner.release(deferrals, clock.now());
    return released === true ? 'more' : 'idle';
  }

  private async round(of: Pick<Enrichment | Embedding, 'round'> | undefined): Promise<RunOutcome> {
    return (await of?.round(this.leases.shards)) === true ? 'more' : 'idle';
  }

  /** Does what entries of the log ask for, part by part, until nothing of it can be done now. */
  private async advance<Due>(work: {
    due(shards: readonly LeasedShard[]): Promise<readonly Due[]>;
    part(due: Due): Promise<boolean>;
  }): Promise<RunOutcome> {
    let more = false;
    for (const due of await work.due(this.leases.shards)) {
      if (this.ended()) return 'over';
      more = (await this.turns.take(() => work.part(due))) || more;
    }
    return more ? 'more' : 'idle';
  }

  /** A lone event is not kept waiting; what comes behind it is gathered. */
  private runStage(stage: Stage, state: StageState): void {
    this.keep(
      this.parts.jobs.start({
        name: jobOf(stage),
        leastRestMs: (tookMs) => Math.max(this.parts.gatherMs - tookMs, 0),
        backoff: { firstMs: STAGE_FIRST_PAUSE_MS, longestMs: STAGE_LONGEST_PAUSE_MS },
        run: () => this.advanceStage(stage, state),
        failure: PAUSES,
      }),
    );
  }

  private async advanceStage(stage: Stage, state: StageState): Promise<RunOutcome> {
    if (state.dirty.size === 0) return 'idle';
    const numbers = [...state.dirty];
    state.dirty.clear();
    state.busy = numbers;
    try {
      const more = await state.runner.batch(numbers);
      if (more) this.markDirty(stage, numbers);
      return more ? 'more' : 'idle';
    } catch (error) {
      this.markDirty(stage, numbers);
      throw error;
    } finally {
      state.busy = [];
    }
  }

  private run(
    name: string,
    everyMs: number,
    run: () => Promise<RunOutcome>,
    more: Partial<Pick<Job, 'backoff' | 'failure'>> = {},
  ): void {
    this.keep(this.parts.jobs.start({ name, everyMs, run, failure: PAUSES, ...more }));
  }

  private keep(job: JobHandle): void {
    this.jobs.set(job.name, job);
  }

  private wake(name: string): void {
    this.jobs.get(name)?.wake();
  }

  private async pause(milliseconds: number): Promise<void> {
    if (this.ended()) return;
    const pause = new Wakeup();
    this.pauses.add(pause);
    await pause.wait(milliseconds);
    this.pauses.delete(pause);
  }
}
