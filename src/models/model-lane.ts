import type { ModelRole } from '../../schemas/usage.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { Chat, type Cost } from './chat.ts';
import { ModelFailure } from './failure.ts';
import { LaneRest } from './lane-rest.ts';
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
  private readonly rest: LaneRest;

  constructor(parts: ModelLaneParts) {
    const { endpoints, timeoutMs, maxOutputTokens, role } = parts.lane;
    this.parts = parts;
    this.role = role;
    this.rest = new LaneRest({ ...parts, role });
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
    return this.rest.fault;
  }

  /** Milliseconds that the lane rests from now on; 0 when it may be asked. */
  get restMs(): number {
    return this.rest.restMs;
  }

  /**
   * The first good answer of the chain. Throws `ModelFailure`, of kind `outage` also when so many calls failed in a row that the
   * question is not to blame; the reason of `signal` when that fires. `spent` is told of every request.
   */
  async ask<T>(
    question: Question<T>,
    { signal, spent }: { signal: AbortSignal; spent: (cost: Spent) => void },
  ): Promise<Answered<T>> {
    this.rest.throwIfResting();
    const failures: ModelFailure[] = [];
    for (const { endpoint, chat } of this.chats) {
      try {
        const value = await chat.ask(question, signal, ({ ok, cost, ms }) => {
          this.measure(ok, ms, cost);
          spent({ role: this.role, model: endpoint.model, ok, ...cost });
        });
        this.rest.recovered();
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
    throw this.rest.failed(failures);
  }

  private measure(ok: boolean, ms: number, { inputTokens, outputTokens }: Cost): void {
    const { metrics } = this.parts;
    metrics.observe('strata_model_request_seconds', ms / 1000, this.role);
    if (!ok) metrics.count('strata_model_failures_total', this.role);
    metrics.count('strata_model_input_tokens_total', this.role, inputTokens);
    metrics.count('strata_model_output_tokens_total', this.role, outputTokens);
  }
}
