import { MAX_RETENTION_DAYS } from '../../schemas/scope-policy.ts';
import { integer } from './kinds.ts';
import { setting } from './setting.ts';

/** Settings of how long records are kept, and of the sweep that erases what is older. */
export const RETENTION_SETTINGS = {
  'retention.default_days': setting(integer({ min: 1, max: MAX_RETENTION_DAYS }), {
    env: 'STRATA_RETENTION_DEFAULT_DAYS',
    fallbackText: 'none: they are kept',
    unit: 'days',
    description:
      'How long events are kept of which neither their scope nor one above it says anything, from the instant at which they were recorded.',
  }),
  'retention.sweep_interval_seconds': setting(integer({ min: 0, max: 31_536_000 }), {
    env: 'STRATA_RETENTION_SWEEP_INTERVAL_SECONDS',
    fallback: 3600,
    unit: 's',
    description:
      'How often records that are kept long enough are looked for; 0: only when `POST /v1/admin/retention/sweep` asks for it.',
  }),
  'retention.max_events_per_tick': setting(integer({ min: 1, max: 1_000_000 }), {
    env: 'STRATA_RETENTION_MAX_EVENTS_PER_TICK',
    fallback: 10_000,
    unit: 'events',
    description:
      'Events of one tenant that one sweep erases at most; then the other tenants have their turn, and the next one goes on at once.',
  }),
  'retention.tick_budget_seconds': setting(integer({ min: 1, max: 3600 }), {
    env: 'STRATA_RETENTION_TICK_BUDGET_SECONDS',
    fallback: 60,
    unit: 's',
    description:
      'Time of one sweep of a tenant, after which no further erasure is begun; then the other tenants have their turn, and the next one goes on at once.',
  }),
} as const;
