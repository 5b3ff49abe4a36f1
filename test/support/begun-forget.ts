import type { Database } from '../../graph/driver.ts';
import type { NewErasure } from '../../graph/erasure/record.ts';
import { ForgetPlans, type ForgetPlan } from '../../graph/forget/plan.ts';
import { ForgetSteps } from '../../graph/forget/step.ts';
import { LegalHoldReader } from '../../graph/legal-hold/read.ts';
import { contentHasher } from '../../src/capture/content-hash.ts';
import { scopeRef } from '../../src/capture/scope-key.ts';
import { systemIds } from '../../src/ids.ts';

/** What is forgotten: events of a scope of the default tenant, each in a step of its own. */
export interface ForgetAsked {
  readonly scope: string;
  readonly events: readonly string[];
  /** Whether they are erased; default no. */
  readonly erases?: boolean;
  /** Whether that is all that the scope holds; default no. */
  readonly empties?: boolean;
  /** Whether what they say is suppressed; default no. */
  readonly suppresses?: boolean;
  /** When somebody was at it last, epoch milliseconds; default now. Long ago, the next process that starts goes on with it. */
  readonly at?: number;
}

const hash = contentHasher('a key that no service has');

/** Puts a forget with `redact_events` on record, or an erasure, as a process does that is gone before the first step. Throws what it meets instead. */
export async function beginForget(
  database: Database,
  { scope, events, erases = false, empties = false, suppresses = false, at = Date.now() }: ForgetAsked,
): Promise<ForgetPlan> {
  const place = { tenant: 'default', scope, scope_ref: scopeRef('default', scope), actor: 'user:local' };
  const id = systemIds.audit();
  const suppression_id = suppresses ? systemIds.suppression() : null;
  const erasure: NewErasure | null = erases
    ? {
        ...place,
        id: systemIds.erasure(),
        audit_id: id,
        gone: { events: events.length, episodes: 0, facts: events.length, beliefs: 0, understanding: 0 },
        events_total: events.length,
        events_held: 0,
        key: null,
        request_hash: null,
        named: [],
        note: null,
        suppression_id,
        started_at: at,
      }
    : null;
  const of = { erasure_id: erasure?.id ?? null, suppression_id };
  const plan: ForgetPlan = { ...place, ...of, id, cascade: 'redact_events', empties };
  const { version } = await new LegalHoldReader(database).inForce('default', [], at);
  const steps = events.map((event) => ({ redacted: [event], wishes: [] }));
  await new ForgetSteps(database, hash).keep(id, steps, at);
  const frame_data = JSON.stringify({ audit_id: id });
  const begun = await new ForgetPlans(database).begin(
    plan,
    {
      ...{ frame_data, answer: null, previewId: null, hasSteps: true },
      ...{ erasure, holdsVersion: version, accessVersion: null },
    },
    { batches: [], now: at },
  );
  if (begun.obstacle !== null) throw new Error(begun.obstacle);
  return plan;
}

/** Does the next step of a forget that was begun. */
export async function doStep(database: Database, plan: ForgetPlan): Promise<void> {
  const entry = { id: systemIds.entry(), now: Date.now() };
  if ((await new ForgetSteps(database, hash).next(plan, entry)) === null) throw new Error('no step is left');
}
