import type { Base } from './base.ts';
import type { Database } from '../../graph/driver.ts';
import { Manifests } from '../../graph/erasure/manifest.ts';
import { ErasureStore } from '../../graph/erasure/record.ts';
import { ErasureSweep } from '../../graph/erasure/sweep.ts';
import { ForgetPlans } from '../../graph/forget/plan.ts';
import { ForgetPreviews } from '../../graph/forget/preview.ts';
import { ForgetSteps } from '../../graph/forget/step.ts';
import { EntityTraces } from '../../graph/forget/traces.ts';
import { ForgetReader } from '../../graph/forget/reader.ts';
import { SigningKeyStore } from '../../graph/token.ts';
import { ExportUses } from '../../graph/export-use.ts';
import { UsageStore } from '../../graph/usage.ts';
import type { Outbox } from '../lifecycle/outbox.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { ErasureFinisher } from '../services/erasure-finisher.ts';
import { ErasureProof } from '../services/erasure-proof.ts';
import { ErasureService } from '../services/erasure.ts';
import { ForgetPlanning } from '../services/forget-planning.ts';
import { ForgetRequests } from '../services/forget-request.ts';
import { ForgetRunner } from '../services/forget-runner.ts';
import { ForgetStart } from '../services/forget-start.ts';
import { ForgetService } from '../services/forget.ts';
import { readVerifyingKey } from '../tokens/key.ts';
import type { Audit } from './audit.ts';
import type { BlobRoom } from './blobs.ts';
import type { Gate } from './gate.ts';
import type { HoldWork } from './legal-holds.ts';
import type { Ledger } from './ledger.ts';

/** What carries forgets out. */
export interface ForgetWork {
  readonly plans: ForgetPlans;
  readonly steps: ForgetSteps;
  readonly forgets: ForgetRunner;
  readonly erasures: ErasureStore;
}

/** Builds what carries forgets out beside requests. */
export function createForgetWork(
  database: Database,
  parts: Base &
    Pick<Gate, 'keys'> &
    Pick<Audit, 'auditReader' | 'sealer'> &
    Pick<BlobRoom, 'removal'> & { readonly pipeline: Pipeline; readonly outbox: Outbox },
): ForgetWork {
  const { config, ids, clock, log, metrics, pipeline, outbox } = parts;
  const [plans, steps] = [new ForgetPlans(database), new ForgetSteps(database, parts.contentHash)];
  const [erasures, traces] = [new ErasureStore(database), new EntityTraces(database, clock)];
  const forgets = new ForgetRunner({
    plans,
    steps,
    traces,
    erasures: new ErasureFinisher({
      erasures,
      traces,
      reader: database,
      sweep: new ErasureSweep(database),
      usage: new UsageStore(database),
      exports: new ExportUses(database),
      audit: parts.auditReader,
      sealer: parts.sealer,
      keys: parts.keys,
      blobs: parts.removal,
      residue: { managed: config.database.kind === 'managed', frameDays: config.lifecycle.retentionDays },
      clock,
    }),
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
  return { plans, steps, forgets, erasures };
}

/** What the services are made of that forget and erase. */
type Parts = Pick<Gate, 'access' | 'feed' | 'gate'> &
  Pick<Ledger, 'head'> &
  Pick<Audit, 'changes'> &
  Base &
  ForgetWork &
  HoldWork & { readonly database: Database };

/** Builds the services that forget and erase: they plan alike. */
export function createForget(parts: Parts): {
  readonly forget: ForgetService;
  readonly erasure: ErasureService;
} {
  const { access, feed, gate, database, ids, clock, log, changes, config } = parts;
  const { plans, steps, forgets: runner, erasures } = parts;
  const requests = new ForgetRequests(access);
  const previews = new ForgetPreviews(database);
  const planning = createPlanning(parts, requests, previews);
  const { leaseWaitMs } = config.forget;
  const manifests = new Manifests(database);
  const starts = new ForgetStart({ plans, steps, manifests, runner, feed, clock, leaseWaitMs });
  const both = { access, previews, planning, starts, runner, ids, clock, changes };
  const keys = new SigningKeyStore(database);
  const proof = new ErasureProof({
    reader: database,
    sweep: new ErasureSweep(database),
    keyOf: async (kid) => {
      const text = await keys.publicKey(kid);
      return text === null ? null : readVerifyingKey(kid, text);
    },
    clock,
  });
  return {
    forget: new ForgetService({ ...both, requests, plans }),
    erasure: new ErasureService({
      ...both,
      gate,
      erasures,
      manifests,
      proof,
      reader: database,
      log,
    }),
  };
}

function createPlanning(parts: Parts, requests: ForgetRequests, previews: ForgetPreviews): ForgetPlanning {
  const { database, head, clock, settling, predicates, holds } = parts;
  return new ForgetPlanning({
    requests,
    reader: new ForgetReader(database, parts.keyedIds),
    previews,
    settling,
    predicates,
    holds,
    head,
    clock,
  });
}
