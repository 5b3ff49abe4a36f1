import type { PolicyTier } from '../../schemas/policy.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import type { Call } from '../access/call.ts';
import type { AuditEntry } from '../audit/batch.ts';
import type { Decided, RequestOrigin } from '../access/request-record.ts';

/** The instant of a row, and how long the request has taken until then. */
export interface Moment {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly elapsedMs: number;
}

/** The row of a request that was allowed what it did; null where the call, or the scope that it was about, is to leave none. */
export function allowEntry(call: Call, moment: Moment): AuditEntry | null {
  const { request } = call;
  if (request?.leavesRow !== true) return null;
  const { allowed, origin } = request;
  const decided = allowed ?? { capability: origin.capability, scope: null, decidedBy: null };
  return entryOf(call, moment, 'allow', decided, origin);
}

/** The row of a request that was refused; null where the call is to leave none. */
export function denyEntry(call: Call, moment: Moment, refusal: Partial<Decided>): AuditEntry | null {
  const { request } = call;
  if (request === undefined) return null;
  const { capability = request.origin.capability, scope = null, decidedBy = null } = refusal;
  return entryOf(call, moment, 'deny', { capability, scope, decidedBy }, request.origin);
}

/** Characters of an address in a row: a proxy may hand on anything. */
const LONGEST_ADDRESS = 64;

/** The row of a bearer that is neither a key nor a token known here. */
export function strangerEntry(
  { address, endpoint, requestId }: { address: string; endpoint: string; requestId: string },
  tenant: string,
  { now, elapsedMs }: Moment,
): AuditEntry {
  return {
    ts: toRfc3339(now),
    actor: null,
    token_jti: null,
    tenant_id: tenant,
    scope: null,
    endpoint,
    capability: null,
    decision: 'deny',
    decided_by_tier: null,
    request_sha256: null,
    request_id: requestId,
    remote: address.slice(0, LONGEST_ADDRESS),
    elapsed_ms: elapsedMs,
  };
}

/** Actor of rows of what the service does by itself. */
export const SERVICE_ACTOR = 'system:strata';

/** The row of what a job did by itself; `requestId` is of its own. */
export function jobEntry(
  {
    job,
    tenant,
    capability,
    requestId,
  }: { job: string; tenant: string; capability: string; requestId: string },
  { now, elapsedMs }: Moment,
): AuditEntry {
  return {
    ts: toRfc3339(now),
    actor: SERVICE_ACTOR,
    token_jti: null,
    tenant_id: tenant,
    scope: null,
    endpoint: `job ${job}`,
    capability,
    decision: 'allow',
    decided_by_tier: 'deployment',
    request_sha256: null,
    request_id: requestId,
    remote: null,
    elapsed_ms: elapsedMs,
  };
}

function entryOf(
  { principal, requestId }: Call,
  { now, elapsedMs }: Moment,
  decision: AuditEntry['decision'],
  decided: { capability: string | null; scope: string | null; decidedBy: PolicyTier | null },
  { endpoint, bodySha256 }: RequestOrigin,
): AuditEntry {
  return {
    ts: toRfc3339(now),
    actor: principal.actor,
    token_jti: principal.jti,
    tenant_id: principal.tenant,
    scope: decided.scope,
    endpoint,
    capability: decided.capability,
    decision,
    decided_by_tier: decided.decidedBy,
    request_sha256: bodySha256(),
    request_id: requestId,
    remote: null,
    elapsed_ms: elapsedMs,
  };
}
