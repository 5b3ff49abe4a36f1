import type { ModelRole } from '../../schemas/usage.ts';
import type { Clock } from '../clock.ts';
import { CALL_SITE_FAILURES, CALL_SITE_LONGEST_PAUSE_MS } from '../limits/models.ts';
import type { Log } from '../log.ts';
import { ModelFailure } from './failure.ts';

/** Rest of a lane whose endpoints could not be reached, milliseconds; doubled each time: events pass on without a call meanwhile. */
export const CALL_SITE_FIRST_PAUSE_MS = 1000;

/** Call sites that people and tenants share: what one of them asks must not keep others from asking. */
const SHARED: ReadonlySet<ModelRole> = new Set(['answer', 'verifier', 'embedding']);

/**
 * When a call site of models is not asked: when it cannot be reached it rests, longer each time, and fails at once meanwhile; what
 * it was asked last finds out whether it is back. At a shared call site a failure that may lie at the question counts for nothing.
 */
export class CircuitBreaker {
  private readonly role: ModelRole;
  private readonly clock: Clock;
  private readonly log: Log;
  private failures = 0;
  private rests = 0;
  private restsUntil = 0;
  private reason: string | null = null;
  /** Whether a question was ever answered. */
  hasAnswered = false;

  constructor({ role, clock, log }: { role: ModelRole; clock: Clock; log: Log }) {
    this.role = role;
    this.clock = clock;
    this.log = log;
  }

  /** Why the lane does not work now; null while it does, as far as is known. */
  get fault(): string | null {
    return this.rests > 0 ? this.reason : null;
  }

  /** Milliseconds that the lane rests from now on; 0 when it may be asked. */
  get restMs(): number {
    return Math.max(0, this.restsUntil - this.clock.now());
  }

  /** Throws a `ModelFailure` of kind `outage` while the lane rests. */
  throwIfResting(): void {
    if (this.restMs > 0)
      throw new ModelFailure('outage', `the model is not asked for now: ${this.reason ?? 'it failed'}`, {
        retryAfterMs: this.restMs,
      });
  }

  /** Takes down that all that was tried for one question failed; answers what to throw. */
  failed(failures: readonly ModelFailure[]): ModelFailure {
    const reason = failures.map(({ message }) => message).join('; then ');
    const kinds = new Set(failures.map(({ kind }) => kind));
    const ofOne = kinds.has('answer') || kinds.has('rejected') ? 'answer' : 'late';
    const options = { answered: failures.every(({ answered }) => answered), cause: failures[0] };
    if (SHARED.has(this.role) && failures.some(({ blame }) => blame === 'question'))
      return new ModelFailure(ofOne, reason, options);
    this.failures += 1;
    const away = kinds.size === 1 && kinds.has('outage');
    if (away || this.failures >= CALL_SITE_FAILURES) this.rest(failures, reason);
    const kind = this.rests > 0 ? 'outage' : ofOne;
    return new ModelFailure(kind, reason, options);
  }

  /** Takes down that what lies at no question failed: the lane rests, however it failed. */
  down(failure: ModelFailure): ModelFailure {
    this.failures = Math.max(this.failures, CALL_SITE_FAILURES);
    this.rest([failure], failure.message);
    const { message, answered } = failure;
    return new ModelFailure('outage', message, { answered, cause: failure });
  }

  /** Takes down that a question was answered. */
  recovered(): void {
    if (this.rests > 0) this.log.info('a call site of models works again', { role: this.role });
    this.failures = 0;
    this.rests = 0;
    this.restsUntil = 0;
    this.reason = null;
    this.hasAnswered = true;
  }

  private rest(failures: readonly ModelFailure[], reason: string): void {
    // Calls that were under way together fail together: they are one outage.
    if (this.restMs > 0) return;
    const asked = Math.max(0, ...failures.map(({ retryAfterMs }) => retryAfterMs ?? 0));
    const ms = Math.min(
      Math.max(CALL_SITE_FIRST_PAUSE_MS * 2 ** this.rests, asked),
      CALL_SITE_LONGEST_PAUSE_MS,
    );
    this.rests += 1;
    this.reason = reason;
    this.restsUntil = this.clock.now() + ms;
    this.log.warn('a call site of models rests', { role: this.role, reason, rest_ms: ms });
  }
}
