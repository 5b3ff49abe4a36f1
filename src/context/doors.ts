import type { Base } from './base.ts';
import type { Auditing } from '../services/auditing.ts';
import type { Authenticator } from '../services/authenticator.ts';
import { BodyBudget } from '../services/body-budget.ts';
import { KeyGuard } from '../services/key-guard.ts';
import { LoadShedder } from '../services/load-shedder.ts';
import { RateLimits } from '../services/rate-limit.ts';

/** What adapters ask before they call a service. */
export interface Doors {
  /** Recognises callers, and keeps who guesses from going on. */
  readonly authenticator: Authenticator;
  /** Counts what callers send. */
  readonly rates: RateLimits;
  /** Bounds the bytes of JSON bodies; adapters take room before they read one. */
  readonly bodies: BodyBudget;
  /** Refuses new work while the process is overloaded; it measures from {@link createDoors} on, until it is stopped. */
  readonly shedder: LoadShedder;
}

/** What the doors are built from. */
export interface DoorParts {
  readonly access: Authenticator;
  readonly auditing: Auditing;
  /** Whether no key is asked for, so that none is wrong. */
  readonly open: boolean;
}

/** Builds what stands before the services. */
export function createDoors(
  { access, auditing, open }: DoorParts,
  { config, metrics, clock }: Pick<Base, 'config' | 'metrics' | 'clock'>,
): Doors {
  const limit = open ? 0 : config.rateLimit.wrongKeys;
  const bodies = new BodyBudget();
  metrics.gauge('strata_body_bytes', () => bodies.bytes);
  const shedder = new LoadShedder({ maxDelayMs: config.http.maxEventLoopDelayMs, metrics });
  metrics.gauge('strata_event_loop_delay_seconds', () => shedder.delaySeconds);
  shedder.start();
  return {
    authenticator: new KeyGuard({ access, auditing, metrics, clock, limit }),
    rates: new RateLimits(config.rateLimit, metrics),
    bodies,
    shedder,
  };
}
