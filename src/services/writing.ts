import { roundedMs } from './rounded.ts';
import type { AnswerCitation, AnswerDiagnostics } from '../../schemas/answer.ts';
import { scopeRef } from '../capture/scope-key.ts';
import { StrataError } from '../errors.ts';
import { ModelFailure } from '../models/failure.ts';
import type { Answered, Asking, ModelCallSite, Spent } from '../models/call-site.ts';
import type { TextQuestion } from '../models/text-chat.ts';
import type { TextEnd } from '../models/text-stream.ts';
import { supportIn, verificationQuestion } from '../models/verification.ts';
import type { UsageLedger } from '../pipeline/usage-ledger.ts';
import { claimsOf, leastSupport } from '../recall/claim.ts';
import { markerOf, type MarkerPrefix, type Source } from '../recall/source.ts';
import type { Call } from './access.ts';

/** Sentences of a text whose citations are checked; what lies behind keeps the score of the match. */
const VERIFIED_CLAIMS = 100;

/** A call site that answers, or what is to be set so that there is one. */
export type AnswerCallSite =
  | { readonly on: true; readonly lane: ModelCallSite }
  | { readonly on: false; readonly fix: string };

/** What the service needs. */
export interface WritingParts {
  readonly answer: AnswerCallSite;
  /** Undefined where answers are not checked. */
  readonly verifier: ModelCallSite | undefined;
  readonly usage: Pick<UsageLedger, 'spent' | 'flush'>;
}

/** For whom a text is written. */
export interface Commission {
  readonly call: Call;
  readonly scope: string;
}

/** A text with its markers, and what they may stand for. */
export interface Cited {
  readonly marked: string;
  readonly prefix: MarkerPrefix;
  readonly sources: readonly Source[];
  /** Numbers of the sources that it cites, in its order. */
  readonly used: readonly number[];
}

/** How citations were checked. */
export type Verification = Pick<
  AnswerDiagnostics,
  'verifier_model' | 'verification' | 'verification_failure' | 'verifier_ms'
>;

/** Has models write, and check what they wrote. */
export class Writing {
  private readonly parts: WritingParts;

  constructor(parts: WritingParts) {
    this.parts = parts;
  }

  /** Throws `ANSWER_UNAVAILABLE` where no model is set up. */
  requireCallSite(): void {
    this.lane();
  }

  /**
   * Tokens of a text at most, where so many are asked for: no more than the deployment allows for an answer, or than its `usual` number,
   * which is also what it has where none is asked for.
   */
  tokensOf(asked: number | undefined, usual: number | null = null): number | null {
    const allowed = this.lane().maxOutputTokens;
    if (allowed === null) return asked ?? usual;
    return Math.min(asked ?? usual ?? allowed, Math.max(allowed, usual ?? 0));
  }

  /** The whole text. Throws `ANSWER_PROVIDER_ERROR`; the reason of the caller's signal when that fires. */
  async say(by: Commission, question: TextQuestion): Promise<Answered<TextEnd & { readonly text: string }>> {
    try {
      return await this.lane().say(question, this.asking(by));
    } catch (error) {
      throw providerError(error);
    } finally {
      void this.parts.usage.flush();
    }
  }

  /** The text as it is written. Throws as {@link Writing.say} does; the model is stopped when nobody listens any more. */
  async *tell(by: Commission, question: TextQuestion): AsyncGenerator<string, Answered<TextEnd>> {
    try {
      return yield* this.lane().tell(question, this.asking(by));
    } catch (error) {
      throw providerError(error);
    } finally {
      void this.parts.usage.flush();
    }
  }

  /**
   * What a text cites, and how well that supports it: as the verifier finds, and where it does not, as it matched. Never fails for what
   * the verifier does; throws the reason of the caller's signal when that fires.
   */
  async citations(
    by: Commission,
    cited: Cited,
  ): Promise<{ citations: AnswerCitation[]; verification: Verification }> {
    const { verification, support } = await this.verify(by, cited);
    const citations = cited.used.flatMap((number): AnswerCitation[] => {
      const source = cited.sources[number - 1];
      if (source === undefined) return [];
      const { layer, id, score } = source;
      const marker = markerOf(number, cited.prefix);
      return [{ marker, layer, id, support_strength: support.get(number) ?? score }];
    });
    return { citations, verification };
  }

  private async verify(
    by: Commission,
    { marked, sources, used }: Cited,
  ): Promise<{ verification: Verification; support: ReadonlyMap<number, number> }> {
    const { verifier, usage } = this.parts;
    const claims = claimsOf(marked, VERIFIED_CLAIMS);
    if (used.length === 0) return unverified('not_needed');
    if (verifier === undefined) return unverified('off');
    if (claims.length === 0) return unverified('failed', 'no sentence stands beside the markers');
    const began = performance.now();
    try {
      const { value, model } = await verifier.ask(verificationQuestion(claims, sources), this.asking(by));
      const verifier_ms = roundedMs(performance.now() - began);
      const support = leastSupport(supportIn(value, claims));
      const verification = used.every((number) => support.has(number)) ? 'verified' : 'partial';
      return {
        verification: { verifier_model: model, verification, verification_failure: null, verifier_ms },
        support,
      };
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      return unverified('failed', error.message, roundedMs(performance.now() - began));
    } finally {
      void usage.flush();
    }
  }

  private lane(): ModelCallSite {
    const { answer } = this.parts;
    if (answer.on) return answer.lane;
    throw new StrataError(
      'ANSWER_UNAVAILABLE',
      `no model that answers is set up. ${answer.fix} An answer with skip_answer_llm=true needs none: it brings the pack alone.`,
    );
  }

  private asking({ call, scope }: Commission): Asking {
    const { tenant } = call.principal;
    const place = { tenant, scope_ref: scopeRef(tenant, scope) };
    return {
      signal: call.signal,
      spent: (cost: Spent) => {
        this.parts.usage.spent(place, cost);
      },
    };
  }
}

/** How a text stands whose citations were not checked. */
export const NOT_VERIFIED: Verification = unverified('not_needed').verification;

function unverified(
  verification: 'off' | 'failed' | 'not_needed',
  failure: string | null = null,
  verifier_ms = 0,
): { verification: Verification; support: ReadonlyMap<number, number> } {
  return {
    verification: { verifier_model: null, verification, verification_failure: failure, verifier_ms },
    support: new Map(),
  };
}

/** What a caller is told of a model that did not answer; anything else as it is. */
function providerError(error: unknown): unknown {
  if (!(error instanceof ModelFailure)) return error;
  const { kind, message, retryAfterMs } = error;
  const retriable = kind === 'outage' || kind === 'late';
  return new StrataError('ANSWER_PROVIDER_ERROR', `the model that answers gave none: ${message}`, {
    retriable,
    cause: error,
    details: { reason: kind },
    ...(retriable && retryAfterMs !== null ? { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) } : {}),
  });
}
