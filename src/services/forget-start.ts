import type { FinishedBatch } from '../../graph/audit.ts';
import type { Manifests } from '../../graph/erasure/manifest.ts';
import type { NewErasure } from '../../graph/erasure/record.ts';
import type { ForgetObstacle, ForgetPlan, ForgetPlans } from '../../graph/forget/plan.ts';
import type { ForgetSteps } from '../../graph/forget/step.ts';
import type { SweepFence } from '../../graph/retention/sweep.ts';
import type { Clock } from '../clock.ts';
import type { ChangeRow } from '../commit/change-audit.ts';
import { StrataError } from '../errors.ts';
import { stepsOf } from '../forget/steps.ts';
import { WAIT_RETRY_POLL_MS } from '../limits.ts';
import { ERASURE_MANIFEST_TTL_MS } from '../limits/erasure.ts';
import { FORGET_STEP_EVENTS } from '../limits/forget.ts';
import { Wakeup } from '../wakeup.ts';
import type { AccessFeed } from './access-feed.ts';
import type { Call } from './access.ts';
import { manifestOf } from './erasure-view.ts';
import { hindered } from './forget-obstacle.ts';
import type { Planned } from './forget-planning.ts';
import type { ForgetRunner } from './forget-runner.ts';

/** What the start needs. */
export interface ForgetStartParts {
  readonly plans: ForgetPlans;
  readonly steps: ForgetSteps;
  readonly manifests: Manifests;
  readonly runner: Pick<ForgetRunner, 'isEnding'>;
  readonly feed: Pick<AccessFeed, 'refresh' | 'version'>;
  readonly clock: Clock;
  /** Milliseconds that another forget of the same scope is waited for. */
  readonly leaseWaitMs: number;
}

/** What of a plan is asked while it is put on record. */
export type StartedPlan = Pick<Planned, 'closure' | 'held' | 'previewId'>;

/** A forget or an erasure that may be put on record. */
export interface ReadyForget<P extends StartedPlan = Planned> {
  readonly plan: ForgetPlan;
  readonly planned: P;
  /** What the last frame of a forget says, as JSON. */
  readonly frame_data: string;
  /** What the caller is answered when it is over, as JSON; left out where it is answered otherwise. */
  readonly answer?: string;
  /** The erasure; null where it forgets. */
  readonly erasure: NewErasure | null;
  /** The sweep that it is of, and the rules that it goes by; left out where somebody asked for it. */
  readonly fence?: SweepFence;
}

/** The row of the audit log that tells of one. */
export type StartedRow = Pick<ChangeRow, 'id' | 'committed'> & { batches(): FinishedBatch[] };

/** Decides again whether the caller may carry a plan out; throws where he may not. */
export type Authorization<P extends StartedPlan> = (made: ReadyForget<P>) => Promise<void>;

/** Times that it is decided for one plan, while rosters, policies or tokens change meanwhile. */
const DECISIONS = 5;

/** Puts forgets and erasures on record. */
export class ForgetStart {
  private readonly parts: ForgetStartParts;

  constructor(parts: ForgetStartParts) {
    this.parts = parts;
  }

  /**
   * Puts on record what `make` answers, which is made anew when another forget, legal holds or rules of retention came between; what else it answers is handed
   * on, and nothing is put on record. What `authorize` decides is by the rules at the instant of the record; without it nobody asked. Throws what both throw, `SERVER_SHUTTING_DOWN`, and as {@link hindered} says; then nothing of it is left.
   */
  async begin<T extends object = never, P extends StartedPlan = Planned>(
    { signal }: Pick<Call, 'signal'>,
    row: StartedRow,
    make: () => Promise<ReadyForget<P> | T>,
    authorize?: Authorization<P>,
  ): Promise<ReadyForget<P> | T> {
    const { clock, leaseWaitMs, runner } = this.parts;
    const end = clock.now() + leaseWaitMs;
    for (;;) {
      if (runner.isEnding)
        throw new StrataError(
          'SERVER_SHUTTING_DOWN',
          'the server is stopping; this request forgot or erased nothing',
        );
      const made = await make();
      if (!('planned' in made)) return made;
      const obstacle = await this.keep(made, row, authorize);
      if (obstacle === null) return made;
      const isOver = signal.aborted || (obstacle === 'forgetting' && clock.now() >= end);
      if (isOver || !MADE_ANEW.has(obstacle))
        throw hindered(obstacle, made.erasure === null ? 'forgotten' : 'erased');
      if (obstacle === 'forgetting') await new Wakeup().wait(WAIT_RETRY_POLL_MS);
    }
  }

  /** Keeps what is to be done, and then the plan; answers what it would meet, and then nothing is kept. */
  private async keep<P extends StartedPlan>(
    made: ReadyForget<P>,
    row: StartedRow,
    authorize: Authorization<P> | undefined,
  ): Promise<ForgetObstacle | null> {
    const { plans, steps, manifests, clock } = this.parts;
    const { plan, planned, frame_data, answer = null, erasure, fence } = made;
    const { tenant, scope } = plan;
    const { closure, held, previewId } = planned;
    const now = clock.now();
    const all = stepsOf(closure, FORGET_STEP_EVENTS);
    const discard = async (): Promise<void> => {
      await steps.discard(plan.id);
      if (erasure !== null) await manifests.discard(erasure.id);
    };
    if (erasure !== null)
      await manifests.keep(
        { id: erasure.id, tenant, scope, expires_at: now + ERASURE_MANIFEST_TTL_MS },
        manifestOf(closure, [...held.held].sort()),
      );
    await steps.keep(plan.id, all, now);
    for (let decision = 1; ; decision += 1) {
      const accessVersion = await this.decided(made, authorize, discard);
      const { obstacle, newestAudit } = await plans.begin(
        plan,
        {
          ...{ frame_data, answer, previewId, hasSteps: all.length > 0, erasure, holdsVersion: held.version },
          ...{ accessVersion, ...(fence === undefined ? {} : { fence }) },
        },
        { batches: row.batches(), now },
      );
      if (obstacle === 'rights changed' && decision < DECISIONS) continue;
      if (obstacle === null) row.committed(newestAudit);
      else await discard();
      return obstacle;
    }
  }

  /** The version of access by which the caller may carry a plan out; null where nobody asked. Throws where he may not, and then nothing is kept. */
  private async decided<P extends StartedPlan>(
    made: ReadyForget<P>,
    authorize: Authorization<P> | undefined,
    discard: () => Promise<void>,
  ): Promise<number | null> {
    const { feed } = this.parts;
    if (authorize === undefined) return null;
    try {
      await feed.refresh();
      const { version } = feed;
      await authorize(made);
      return version;
    } catch (error) {
      await discard();
      throw error;
    }
  }
}

/** What another forget leaves is found out anew, and so is what was found out by other holds or rules, or before another request with the same key. */
const MADE_ANEW: ReadonlySet<ForgetObstacle> = new Set([
  'forgetting',
  'holds changed',
  'rules changed',
  'key taken',
]);
