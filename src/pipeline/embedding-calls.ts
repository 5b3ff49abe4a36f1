import { EMBEDDING_TEXT_CHARACTERS } from '../limits/models.ts';
import type { Log } from '../log.ts';
import type { Embedder } from '../models/embedding.ts';
import { ModelFailure } from '../models/failure.ts';
import type { Spent } from '../models/call-site.ts';
import type { TextToEmbed } from './embedding-texts.ts';
import type { UsageLedger, UsageKey } from './usage-ledger.ts';

/** Characters of a text that every endpoint has room for: it is not cut to fewer where it is refused. Where each is a token it still fits 512. */
const EMBEDDING_SHORTEST_CHARACTERS = 500;

/** Tries for a text that is refused while others are taken, before it is given up. */
export const EMBEDDING_TRIES = 3;

/** Calls in a row that are answered before a call that was halved is doubled again: some thousand texts. */
const EMBEDDING_CALLS_TO_GROW = 100;

/** Texts whose tries are counted at once; beyond it counting begins anew. */
const MAX_EMBEDDING_SUSPECTS = 1000;

/** What a text came to: its vector, or why the model does not take it. */
export type TextOutcome = { readonly vector: Float32Array } | { readonly refused: string };

type Outcomes = (TextOutcome | undefined)[];

/** A text, and its place among those that are asked for together. */
interface Asked {
  readonly place: number;
  readonly text: TextToEmbed;
}

/** One time of asking. */
interface Round {
  readonly outcomes: Outcomes;
  readonly signal: AbortSignal;
  /** Whether texts may be to blame for what looks like an outage: a harmless one was taken behind it. */
  readonly trial: boolean;
  /** Requests that came to nothing. */
  refused: number;
}

/** What is asked of an embedder here. */
type Asking = Pick<Embedder, 'embedPassages' | 'embedHarmless' | 'restMs' | 'fault'>;

/** Asks for the vectors of texts, and finds out which text is to blame when they are refused together. */
export class EmbeddingCalls {
  private readonly embedder: Asking;
  private readonly usage: UsageLedger;
  private readonly log: Log;
  /** Texts of one call at most. */
  private readonly batchTexts: number;
  /** Texts of one call now: fewer where the endpoint takes the halves of what it refuses. */
  private size: number;
  /** Calls of that size in a row that were answered. */
  private goodCalls = 0;
  /** Whether the endpoint answered texts as if it was away. */
  private doubtful = false;
  /** How often texts were refused by themselves. */
  private readonly suspects = new Map<string, number>();

  constructor(parts: { embedder: Asking; usage: UsageLedger; log: Log; batchTexts: number }) {
    this.embedder = parts.embedder;
    this.usage = parts.usage;
    this.log = parts.log;
    this.batchTexts = parts.batchTexts;
    this.size = parts.batchTexts;
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
    const trial = this.doubtful || this.embedder.fault !== null;
    const round: Round = { outcomes, signal, trial, refused: 0 };
    try {
      if (trial && asked.length > 0 && !(await this.takesHarmless(asked, round))) return outcomes;
      this.doubtful = false;
      for (let start = 0; start < asked.length;) {
        const part = asked.slice(start, start + this.size);
        start += part.length;
        if (!(await this.part(part, round))) break;
      }
    } finally {
      await this.usage.flush();
    }
    return outcomes;
  }

  /** Asks for some of the texts together, and for halves of them where they are refused; `false` when nothing may be asked for now. */
  private async part(part: readonly Asked[], round: Round): Promise<boolean> {
    const answer = await this.vectors(
      part.map(({ text }) => text),
      round,
    );
    if (!(answer instanceof ModelFailure)) {
      for (const [i, vector] of answer.entries()) round.outcomes[part[i]?.place ?? 0] = { vector };
      if (part.length === this.size) this.grow();
      return true;
    }
    if (this.isAway(answer, round) || !(await this.takesHarmless(part, round))) return false;
    const [first] = part;
    if (part.length === 1 && first) return this.single(first, answer, round);
    const { refused } = round;
    const middle = Math.ceil(part.length / 2);
    for (const half of [part.slice(0, middle), part.slice(middle)])
      if (!(await this.part(half, round))) return false;
    // No text was to blame: they were too many.
    if (round.refused === refused) this.size = middle;
    return true;
  }

  /** A call as large as may be was answered: after many of them a larger one is tried. */
  private grow(): void {
    this.goodCalls += 1;
    if (this.goodCalls < EMBEDDING_CALLS_TO_GROW) return;
    this.goodCalls = 0;
    this.size = Math.min(this.size * 2, this.batchTexts);
  }

  /** Whether nothing may be asked for behind a failure. */
  private isAway({ kind, answered }: ModelFailure, { trial }: Round): boolean {
    if (kind !== 'outage' || (trial && answered)) return false;
    this.doubtful = answered;
    return true;
  }

  /**
   * What a text came to that was refused by itself while a harmless one was taken: it may be too long, so its beginning is asked for. What
   * looks like an outage may pass, and a text is cut for it only before it would be given up.
   */
  private async single({ place, text }: Asked, failure: ModelFailure, round: Round): Promise<boolean> {
    const passes = failure.kind === 'outage' || failure.kind === 'late';
    const tries = (this.suspects.get(text.text) ?? 0) + 1;
    const last = tries >= EMBEDDING_TRIES;
    if (!passes || last) {
      const shorter = await this.shortened(text, round);
      if (shorter === 'away') return false;
      if (shorter !== null) {
        this.suspects.delete(text.text);
        round.outcomes[place] = { vector: shorter };
        return true;
      }
    }
    this.noteRefused(text, failure, tries);
    if (last) round.outcomes[place] = { refused: failure.message };
    return true;
  }

  /** The vector of the longest beginning of a text that is taken, by halves; null when even the shortest is refused. */
  private async shortened(text: TextToEmbed, round: Round): Promise<Float32Array | 'away' | null> {
    const words = text.text.trimStart();
    let characters = Math.min(words.length, EMBEDDING_TEXT_CHARACTERS);
    while (characters > EMBEDDING_SHORTEST_CHARACTERS) {
      characters = Math.max(Math.floor(characters / 2), EMBEDDING_SHORTEST_CHARACTERS);
      const answer = await this.vectors([{ ...text, text: words.slice(0, characters) }], round);
      if (!(answer instanceof ModelFailure)) {
        const { event_id } = text.passage;
        this.log.info('a text is embedded by its beginning', { event_id, characters });
        return answer[0] ?? null;
      }
      if (this.isAway(answer, round)) return 'away';
    }
    return null;
  }

  /** Whether a harmless text is taken: else no text is to blame, and the embedder rests. */
  private async takesHarmless(asked: readonly Asked[], { signal }: Round): Promise<boolean> {
    const spent = this.spentOn(asked.map(({ text }) => text));
    return (await this.embedder.embedHarmless({ signal, spent })) === null;
  }

  private async vectors(texts: readonly TextToEmbed[], round: Round): Promise<Float32Array[] | ModelFailure> {
    const { signal, trial } = round;
    try {
      return await this.embedder.embedPassages(
        texts.map(({ text }) => text),
        { signal, trial, spent: this.spentOn(texts) },
      );
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      round.refused += 1;
      this.goodCalls = 0;
      return error;
    }
  }

  private spentOn(texts: readonly TextToEmbed[]): (cost: Spent) => void {
    const parts = sharesOf(texts);
    return (cost) => {
      this.usage.shared(parts, cost);
    };
  }

  private noteRefused({ text, passage }: TextToEmbed, failure: ModelFailure, tries: number): void {
    if (this.suspects.size >= MAX_EMBEDDING_SUSPECTS) this.suspects.clear();
    const givenUp = tries >= EMBEDDING_TRIES;
    if (givenUp) this.suspects.delete(text);
    else this.suspects.set(text, tries);
    this.log.warn(givenUp ? 'a text is not embedded' : 'a text was refused by the embedding model', {
      event_id: passage.event_id,
      tries,
      reason: failure.message,
    });
  }
}

/** Which scopes texts are of, with their characters. */
function sharesOf(texts: readonly TextToEmbed[]): (UsageKey & { part: number })[] {
  const shares = new Map<string, UsageKey & { part: number }>();
  for (const {
    text,
    passage: { tenant, scope_ref },
  } of texts) {
    const before = shares.get(scope_ref);
    shares.set(scope_ref, { tenant, scope_ref, part: (before?.part ?? 0) + text.length });
  }
  return [...shares.values()];
}
