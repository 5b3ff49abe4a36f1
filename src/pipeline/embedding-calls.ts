import { EMBEDDING_TRIES, MAX_EMBEDDING_SUSPECTS } from '../limits/models.ts';
import type { Log } from '../log.ts';
import type { Embedder } from '../models/embedding.ts';
import { ModelFailure } from '../models/failure.ts';
import type { TextToEmbed } from './embedding-texts.ts';
import type { UsageLedger, UsagePlace } from './usage-ledger.ts';

/** What a text came to: its vector, or why the model does not take it. */
export type TextOutcome = { readonly vector: Float32Array } | { readonly refused: string };

type Outcomes = (TextOutcome | undefined)[];

/** A text, and its place among those that are asked for together. */
interface Asked {
  readonly place: number;
  readonly text: TextToEmbed;
}

/** A text that every model takes: where it is not taken, others are not to blame for being refused. */
const HARMLESS = 'This is a sentence.';

/** Asks for the vectors of texts, and finds out which text is to blame when they are refused together. */
export class EmbeddingCalls {
  private readonly embedder: Pick<Embedder, 'embedPassages' | 'restMs'>;
  private readonly usage: UsageLedger;
  private readonly log: Log;
  /** Texts of one call. */
  private readonly batchTexts: number;
  /** How often texts were refused by themselves. */
  private readonly suspects = new Map<string, number>();

  constructor(parts: {
    embedder: Pick<Embedder, 'embedPassages' | 'restMs'>;
    usage: UsageLedger;
    log: Log;
    batchTexts: number;
  }) {
    this.embedder = parts.embedder;
    this.usage = parts.usage;
    this.log = parts.log;
    this.batchTexts = parts.batchTexts;
  }

  /** Whether the model is not asked for now, because it could not be reached. */
  get resting(): boolean {
    return this.embedder.restMs > 0;
  }

  /**
   * What each text came to, in their order; undefined for those that wait: behind an outage, or to be tried again. Throws the reason of
   * the signal.
   */
  async ask(texts: readonly TextToEmbed[], signal: AbortSignal): Promise<Outcomes> {
    const outcomes: Outcomes = texts.map(() => undefined);
    const asked = texts.map((text, place) => ({ place, text }));
    try {
      for (let start = 0; start < asked.length; start += this.batchTexts)
        if (!(await this.part(asked.slice(start, start + this.batchTexts), outcomes, signal))) break;
    } finally {
      await this.usage.flush();
    }
    return outcomes;
  }

  /** Asks for some of the texts together, and one by one where they are refused; `false` when nothing may be asked for now. */
  private async part(part: readonly Asked[], outcomes: Outcomes, signal: AbortSignal): Promise<boolean> {
    const answer = await this.vectors(
      part.map(({ text }) => text),
      signal,
    );
    if (!(answer instanceof ModelFailure)) {
      for (const [i, vector] of answer.entries()) outcomes[part[i]?.place ?? 0] = { vector };
      return true;
    }
    if (answer.kind === 'outage') return false;
    if (part.length > 1) {
      for (const one of part) if (!(await this.part([one], outcomes, signal))) return false;
      return true;
    }
    for (const { place, text } of part) {
      const control = await this.vectors([{ ...text, text: HARMLESS }], signal);
      if (control instanceof ModelFailure) return false;
      if (this.isGivenUp(text, answer)) outcomes[place] = { refused: answer.message };
    }
    return true;
  }

  private async vectors(
    texts: readonly TextToEmbed[],
    signal: AbortSignal,
  ): Promise<Float32Array[] | ModelFailure> {
    const parts = sharesOf(texts);
    try {
      return await this.embedder.embedPassages(
        texts.map(({ text }) => text),
        {
          signal,
          spent: (cost) => {
            this.usage.shared(parts, cost);
          },
        },
      );
    } catch (error) {
      if (error instanceof ModelFailure) return error;
      throw error;
    }
  }

  /** Whether a text that was refused while another was taken has had its tries. */
  private isGivenUp({ text, passage }: TextToEmbed, failure: ModelFailure): boolean {
    const tries = (this.suspects.get(text) ?? 0) + 1;
    if (this.suspects.size >= MAX_EMBEDDING_SUSPECTS) this.suspects.clear();
    if (tries < EMBEDDING_TRIES) this.suspects.set(text, tries);
    else this.suspects.delete(text);
    const givenUp = tries >= EMBEDDING_TRIES;
    this.log.warn(givenUp ? 'a text is not embedded' : 'a text was refused by the embedding model', {
      event_id: passage.event_id,
      tries,
      reason: failure.message,
    });
    return givenUp;
  }
}

/** Which scopes texts are of, with their characters. */
function sharesOf(texts: readonly TextToEmbed[]): (UsagePlace & { part: number })[] {
  const shares = new Map<string, UsagePlace & { part: number }>();
  for (const {
    text,
    passage: { tenant, scope_ref },
  } of texts) {
    const before = shares.get(scope_ref);
    shares.set(scope_ref, { tenant, scope_ref, part: (before?.part ?? 0) + text.length });
  }
  return [...shares.values()];
}
