import type { ModelRole } from '../../schemas/usage.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { Chat, type Cost, type OnRequest } from './chat.ts';
import { ModelFailure } from './failure.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { ModelEndpoint, OpenCallSite } from './call-site-config.ts';
import { SiteProbe, type ProbeFinding } from './probe.ts';
import { StructuredChat, type Question } from './structured.ts';
import { TextChat, type TextQuestion } from './text-chat.ts';
import type { TextEnd } from './text-stream.ts';

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

/** Who waits for an answer, and who is told what it cost. */
export interface Asking {
  readonly signal: AbortSignal;
  /** Told of every request. */
  readonly spent: (cost: Spent) => void;
}

/** What a lane needs. */
export interface ModelCallSiteParts {
  readonly lane: OpenCallSite;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** One endpoint of a chain. */
interface Link {
  readonly endpoint: ModelEndpoint;
  readonly chat: StructuredChat;
  readonly text: TextChat;
}

/**
 * One call site: asks the configured endpoint, and those of its chain one after the other when it fails. When none can be
 * reached the lane rests, longer each time, and fails at once meanwhile; what it was asked last finds out whether one is back.
 */
export class ModelCallSite {
  readonly role: ModelRole;
  private readonly parts: ModelCallSiteParts;
  private readonly chats: readonly Link[];
  private readonly rest: CircuitBreaker;
  private readonly site: SiteProbe;

  constructor(parts: ModelCallSiteParts) {
    const { endpoints, timeoutMs, maxOutputTokens, role } = parts.lane;
    this.parts = parts;
    this.role = role;
    this.rest = new CircuitBreaker({ ...parts, role });
    this.site = new SiteProbe({ role, endpoint: endpoints[0], log: parts.log });
    this.chats = endpoints.map((endpoint) => ({
      endpoint,
      chat: new StructuredChat(new Chat(endpoint, timeoutMs), { rung: endpoint.rung, maxOutputTokens }),
      text: new TextChat(endpoint, timeoutMs),
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

  /** Whether a question was ever answered. */
  get hasAnswered(): boolean {
    return this.rest.hasAnswered;
  }

  /** What was found where it is to be asked first; null until that was looked for. */
  get finding(): ProbeFinding | null {
    return this.site.finding;
  }

  /** Looks whether the endpoint that is asked first is there, and notes it. Never throws. */
  async probe(signal: AbortSignal): Promise<void> {
    await this.site.look(signal);
  }

  /** Milliseconds that the lane rests from now on; 0 when it may be asked. */
  get restMs(): number {
    return this.rest.restMs;
  }

  /** Tokens of an answer at most; null leaves it to the model. */
  get maxOutputTokens(): number | null {
    return this.parts.lane.maxOutputTokens;
  }

  /**
   * The first good answer of the chain. Throws `ModelFailure`, of kind `outage` also when so many calls failed in a row that the
   * question is not to blame; the reason of `signal` when that fires.
   */
  async ask<T>(question: Question<T>, asking: Asking): Promise<Answered<T>> {
    return this.first(asking, ({ chat }, onRequest) => chat.ask(question, asking.signal, onRequest));
  }

  /** The first good text of the chain. Throws as {@link ModelCallSite.ask} does. */
  async say(question: TextQuestion, asking: Asking): Promise<Answered<TextEnd & { readonly text: string }>> {
    return this.first(asking, ({ text }, onRequest) => text.say(question, asking.signal, onRequest));
  }

  /**
   * The same while it is written: what fails before its first piece is asked of the next of the chain, what fails later has failed.
   * Throws as {@link ModelCallSite.ask} does; ends the request when nobody listens any more.
   */
  async *tell(question: TextQuestion, { signal, spent }: Asking): AsyncGenerator<string, Answered<TextEnd>> {
    this.rest.throwIfResting();
    const failures: ModelFailure[] = [];
    for (const { endpoint, text } of this.chats) {
      const pieces = text.tell(question, signal, this.noting(endpoint, spent));
      let isBegun = false;
      try {
        let next = await pieces.next();
        for (; next.done !== true; next = await pieces.next()) {
          isBegun = true;
          yield next.value;
        }
        this.rest.recovered();
        return { value: next.value, model: endpoint.model };
      } catch (error) {
        failures.push(this.failure(error, endpoint));
        if (isBegun) break;
      } finally {
        await pieces.return({ cut: false });
      }
    }
    throw this.rest.failed(failures);
  }

  private async first<T>(
    { spent }: Asking,
    work: (link: Link, onRequest: OnRequest) => Promise<T>,
  ): Promise<Answered<T>> {
    this.rest.throwIfResting();
    const failures: ModelFailure[] = [];
    for (const link of this.chats) {
      const { endpoint } = link;
      try {
        const value = await work(link, this.noting(endpoint, spent));
        this.rest.recovered();
        return { value, model: endpoint.model };
      } catch (error) {
        failures.push(this.failure(error, endpoint));
      }
    }
    throw this.rest.failed(failures);
  }

  /** A failure of an endpoint, noted; what is none is thrown. */
  private failure(error: unknown, { model }: ModelEndpoint): ModelFailure {
    if (!(error instanceof ModelFailure)) throw error;
    const { kind, message: reason } = error;
    this.parts.log.debug('a model did not answer', { role: this.role, model, kind, reason });
    return error;
  }

  private noting({ model }: ModelEndpoint, spent: Asking['spent']): OnRequest {
    return ({ ok, cost, ms }) => {
      this.measure(ok, ms, cost);
      spent({ role: this.role, model, ok, ...cost });
    };
  }

  private measure(ok: boolean, ms: number, { inputTokens, outputTokens }: Cost): void {
    const { metrics } = this.parts;
    metrics.observe('strata_model_request_seconds', ms / 1000, this.role);
    if (!ok) metrics.count('strata_model_failures_total', this.role);
    metrics.count('strata_model_input_tokens_total', this.role, inputTokens);
    metrics.count('strata_model_output_tokens_total', this.role, outputTokens);
  }
}
