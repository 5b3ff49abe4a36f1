import type { ModelRole } from '../../schemas/usage.ts';
import { LANE_FAILURES, LANE_FIRST_REST_MS, LANE_LONGEST_REST_MS } from '../limits/models.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { Chat, type Cost } from './chat.ts';
import { ModelFailure } from './failure.ts';
import type { ModelEndpoint, OpenLane } from './lane.ts';
import { StructuredChat, type Question } from './structured.ts';

/** One request as the ledger of usage takes it. */
export interface Spent extends Cost {
  readonly role: ModelRole;
  readonly model: string;
  readonly ok: boolean;
}

/** An answer, and the model that gave it. */
export interface Answered<T> {
  readonly value: T;
  readonly model: string;
}

/** What a lane needs. */
export interface ModelLaneParts {
  readonly lane: OpenLane;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * One call site: asks the configured endpoint, and those of its chain one after the other when it fails. When none can be
 * reached the lane rests, longer each time, and fails at once meanwhile; what it was asked last finds out whether one is back.
 */
export class ModelLane {
  readonly role: ModelRole;
  private readonly parts: ModelLaneParts;
  private readonly chats: readonly { endpoint: ModelEndpoint; chat: StructuredChat }[];
  private failures = 0;
  private rests = 0;
  private restsUntil = 0;
  private reason: string | null = null;

  constructor(parts: ModelLaneParts) {
    const { endpoints, timeoutMs, maxOutputTokens, role } = parts.lane;
    this.parts = parts;
    this.role = role;
    this.chats = endpoints.map((endpoint) => ({
      endpoint,
      chat: new StructuredChat(new Chat(endpoint, timeoutMs), { rung: endpoint.rung, maxOutputTokens }),
    }));
  }

  /** The model that is asked first. */
  get model(): string {
    return this.parts.lane.endpoints[0].model;
  }

  /** Why the lane does not work now; null while it does, as far as is known. */
  get fault(): string | null {
    return this.rests > 0 ? this.reason : null;
  }

  /** Milliseconds that the lane rests from now on; 0 when it may be asked. */
  get restMs(): number {
    return Math.max(0, this.restsUntil - this.parts.clock.now());
  }

  /**
   * The first good answer of the chain. Throws `ModelFailure`, of kind `outage` also when so many calls failed in a row that the
   * question is not to blame; the reason of `signal` when that fires. `spent` is told of every request.
   */
  async ask<T>(
    question: Question<T>,
    { signal, spent }: { signal: AbortSignal; spent: (cost: Spent) => void },
  ): Promise<Answered<T>> {
    if (this.restMs > 0)
      throw new ModelFailure('outage', `the model is not asked for now: ${this.reason ?? 'it failed'}`, {
        retryAfterMs: this.restMs,
      });
    const failures: ModelFailure[] = [];
    for (const { endpoint, chat } of this.chats) {
      try {
        const value = await chat.ask(question, signal, ({ ok, cost, ms }) => {
          this.measure(ok, ms, cost);
          spent({ role: this.role, model: endpoint.model, ok, ...cost });
        });
        this.recovered();
        return { value, model: endpoint.model };
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error;
        failures.push(error);
        this.parts.log.debug('a model did not answer', {
          role: this.role,
          model: endpoint.model,
          kind: error.kind,
          reason: error.message,
        });
      }
    }
    throw this.failed(failures);
  }

  private failed(failures: readonly ModelFailure[]): ModelFailure {
    this.failures += 1;
    const reason = failures.map(({ message }) => message).join('; then ');
    const kinds = new Set(failures.map(({ kind }) => kind));
    const away = kinds.size === 1 && kinds.has('outage');
    if (away || this.failures >= LANE_FAILURES) this.rest(failures, reason);
    const kind = this.rests > 0 ? 'outage' : kinds.has('answer') || kinds.has('rejected') ? 'answer' : 'late';
    return new ModelFailure(kind, reason, { cause: failures[0] });
  }

  private rest(failures: readonly ModelFailure[], reason: string): void {
    // Calls that were under way together fail together: they are one outage.
    if (this.restMs > 0) return;
    const asked = Math.max(0, ...failures.map(({ retryAfterMs }) => retryAfterMs ?? 0));
    const ms = Math.min(Math.max(LANE_FIRST_REST_MS * 2 ** this.rests, asked), LANE_LONGEST_REST_MS);
    this.rests += 1;
    this.reason = reason;
    this.restsUntil = this.parts.clock.now() + ms;
    this.parts.log.warn('a call site of models rests', { role: this.role, reason, rest_ms: ms });
  }

  private recovered(): void {
    if (this.rests > 0) this.parts.log.info('a call site of models works again', { role: this.role });
    this.failures = 0;
    this.rests = 0;
    this.restsUntil = 0;
    this.reason = null;
  }

  private measure(ok: boolean, ms: number, { inputTokens, outputTokens }: Cost): void {
    const { metrics } = this.parts;
    metrics.observe('strata_model_request_seconds', ms / 1000, this.role);
    if (!ok) metrics.count('strata_model_failures_total', this.role);
    metrics.count('strata_model_input_tokens_total', this.role, inputTokens);
    metrics.count('strata_model_output_tokens_total', this.role, outputTokens);
  }
}
