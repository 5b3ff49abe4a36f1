import type { Base } from './base.ts';
import type { Database } from '../../graph/driver.ts';
import { ForgetPlans } from '../../graph/forget/plan.ts';
import { ForgetPreviews } from '../../graph/forget/preview.ts';
import { ForgetSteps } from '../../graph/forget/step.ts';
import { ForgetReader } from '../../graph/forget/reader.ts';
import type { Outbox } from '../lifecycle/outbox.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { ForgetRunner } from '../services/forget-runner.ts';
import { ForgetService } from '../services/forget.ts';
import type { Audit } from './audit.ts';
import type { Gate } from './gate.ts';
import type { HoldWork } from './legal-holds.ts';
import type { Ledger } from './ledger.ts';

/** What carries forgets out. */
export interface ForgetWork {
  readonly plans: ForgetPlans;
  readonly steps: ForgetSteps;
  readonly forgets: ForgetRunner;
}

/** Builds what carries forgets out beside requests. */
export function createForgetWork(
  database: Database,
  parts: Base & { readonly pipeline: Pipeline; readonly outbox: Outbox },
): ForgetWork {
  const { ids, clock, log, metrics, pipeline, outbox } = parts;
  const [plans, steps] = [new ForgetPlans(database), new ForgetSteps(database, parts.contentHash)];
  const forgets = new ForgetRunner({
    plans,
    steps,
    ids,
    clock,
    log,
    metrics,
    onStep: (redacted, newestFrame) => {
      pipeline.redacted(redacted);
      if (newestFrame > 0) outbox.acknowledged(newestFrame);
      pipeline.queued();
    },
  });
  return { plans, steps, forgets };
}

/** Builds the service that forgets. */
export function createForget(
  parts: Pick<Gate, 'access'> &
    Pick<Ledger, 'head'> &
    Pick<Audit, 'changes'> &
    Base &
    ForgetWork &
    HoldWork & { readonly database: Database },
): ForgetService {
  const { access, database, head, ids, clock, changes, config } = parts;
  const { plans, steps, forgets, holds, settling, predicates } = parts;
  return new ForgetService({
    access,
    reader: new ForgetReader(database, parts.keyedIds),
    previews: new ForgetPreviews(database),
    plans,
    steps,
    runner: forgets,
    holds,
    settling,
    predicates,
    head,
    ids,
    clock,
    changes,
    leaseWaitMs: config.forget.leaseWaitMs,
  });
}
