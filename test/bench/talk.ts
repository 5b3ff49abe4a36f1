import { Random } from '../drill/random.ts';

const WORDS = 30_000;
const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu bra cle dri fro glu'.split(
  ' ',
);

/** A word of its own for each number. */
function wordOf(number: number): string {
  let word = '';
  for (let rest = number + 1; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length] ?? '';
  return `${word}n`;
}

/**
 * Talk whose words are spread as in language: the r-th commonest of 30,000 words comes in proportion to 1 / r (Zipf). Turns have 4 to
 * 40 words, sessions 40 turns.
 */
export class Talk {
  /** When the first turn is observed, and how far apart turns are: epoch milliseconds. */
  static readonly BEGAN = 1_000_000_000_000;
  static readonly STEP_MS = 10_000;
  private readonly random: Random;
  private made = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  /** The next turn, as an envelope for a scope. */
  next(scope: string): Record<string, unknown> {
    this.made += 1;
    const words = Array.from({ length: 4 + this.random.below(37) }, () => this.word(1));
    return {
      scope,
      observed_actor: { id: `user:u${this.random.below(4)}`, session: `s${Math.floor(this.made / 40)}` },
      modality: 'conversation',
      content: { kind: 'message', role: 'user', text: words.join(' ') },
      context: { observed_at: new Date(Talk.BEGAN + this.made * Talk.STEP_MS).toISOString() },
    };
  }

  /** Queries of 3 to 6 words, none of them among the fifty commonest. */
  queries(count: number): string[] {
    return Array.from({ length: count }, () =>
      Array.from({ length: 3 + this.random.below(4) }, () => this.word(50)).join(' '),
    );
  }

  /** A word by its rank: e^u with u even between the logarithms of the first and the last rank is spread as 1 / r. */
  private word(first: number): string {
    const from = Math.log(first);
    const rank = Math.exp(from + this.random.next() * (Math.log(WORDS) - from));
    return wordOf(Math.floor(rank) - 1);
  }
}
