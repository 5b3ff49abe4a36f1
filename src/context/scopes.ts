import type { Base } from './base.ts';
import { createHash } from 'node:crypto';

import type { Database } from '../../graph/driver.ts';
import { ScopePruner } from '../../graph/scope.ts';
import { ScopeStore } from '../../graph/scope-record.ts';
import { EntityTraces } from '../../graph/forget/traces.ts';
import { ScopeRedactor } from '../../graph/scope-removal.ts';
import type { Outbox } from '../lifecycle/outbox.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { PolicyService } from '../services/policy.ts';
import { RetentionService } from '../services/retention.ts';
import { ScopeChanging } from '../services/scope-changing.ts';
import { ScopeListing } from '../services/scope-listing.ts';
import { ScopeRemoval } from '../services/scope-removal.ts';
import { ScopeTypes } from '../services/scope-types.ts';
import { ScopeService } from '../services/scope.ts';
import { CursorSeal } from '../services/sealed-cursor.ts';
import type { Audit } from './audit.ts';
import type { BlobRoom } from './blobs.ts';
import { createForgetWork, type ForgetWork } from './forget.ts';
import type { Gate } from './gate.ts';
import type { Ledger } from './ledger.ts';
import { createHoldWork, type HoldWork } from './legal-holds.ts';
import { createRetentionWork, createSweeping, type RetentionWork } from './retention.ts';

/** What scopes are kept with. */
export interface ScopeWork extends ForgetWork, HoldWork, RetentionWork {
  readonly scopeTypes: ScopeTypes;
  readonly deletions: ScopeRemoval;
  readonly store: ScopeStore;
  readonly changing: ScopeChanging;
  readonly seal: CursorSeal;
}

interface Parts extends Gate, Base, Audit, Pick<Ledger, 'derivation' | 'head'>, Pick<BlobRoom, 'removal'> {
  readonly pipeline: Pipeline;
  readonly outbox: Outbox;
}

/** Builds what works on scopes beside requests. */
export function createScopeWork(database: Database, parts: Parts, operatorKey: string | null): ScopeWork {
  const { access, gate, directory, feed, scopes, ids, clock, log, metrics, changes, pipeline, outbox } =
    parts;
  const store = new ScopeStore(database);
  const holdWork = createHoldWork(database, parts);
  const forgetWork = createForgetWork(database, parts);
  const deletions = new ScopeRemoval({
    access,
    gate,
    directory,
    feed,
    store,
    scopes,
    redactor: new ScopeRedactor(database),
    pruner: new ScopePruner(database),
    traces: new EntityTraces(database, clock),
    ids,
    clock,
    log,
    metrics,
    changes,
    holds: holdWork.holds,
    leaseWaitMs: parts.config.forget.leaseWaitMs,
    onFrames: (newestFrame) => {
      outbox.acknowledged(newestFrame);
    },
    onRedacted: (events, newestFrame) => {
      pipeline.redacted(events);
      outbox.acknowledged(newestFrame);
      pipeline.queued();
    },
  });
  const secret = createHash('sha256')
    .update(`strata cursors\n${operatorKey ?? ''}`)
    .digest('hex');
  return {
    ...forgetWork,
    ...holdWork,
    ...createRetentionWork(database, { ...parts, ...forgetWork, ...holdWork }),
    deletions,
    store,
    changing: new ScopeChanging({
      access,
      feed,
      store,
      ids,
      clock,
      changes,
      onFrames: (newestFrame) => {
        outbox.acknowledged(newestFrame);
        // Policies may have changed, and with them what waits to be consolidated.
        pipeline.deferralsEnded();
      },
    }),
    scopeTypes: new ScopeTypes(scopes, parts.config.allowedScopeTypes),
    seal: new CursorSeal(secret),
  };
}

/** Builds the services of scopes, of policy and of retention. */
export function createScopes(parts: Parts & ScopeWork): {
  scope: ScopeService;
  policy: PolicyService;
  retention: RetentionService;
} {
  const { access, gate, directory, scopes, seal, store, changing, deletions, clock, config } = parts;
  const { defaultDays } = config.retention;
  const types = parts.scopeTypes;
  return {
    scope: new ScopeService({
      access,
      gate,
      directory,
      store,
      removal: deletions,
      changing,
      clock,
      types,
      listing: new ScopeListing({ access, directory, scopes, seal }),
      retentionDays: defaultDays,
    }),
    retention: new RetentionService({
      access,
      gate,
      store,
      changing,
      types,
      clock,
      sweeping: createSweeping(parts),
      deploymentDays: defaultDays,
    }),
    policy: new PolicyService({
      access,
      directory,
      allowedScopeTypes: config.allowedScopeTypes,
      auditRetentionDays: config.audit.retentionDays,
      rateLimits: config.rateLimit,
    }),
  };
}
