import { Random } from '../drill/random.ts';

/** Scopes that the load is spread over. */
export const SCOPES = Array.from(
  { length: 16 },
  (_, i) => `org:bench/project:p${String(i).padStart(2, '0')}`,
);

const WORDS =
  'roger houston we have the main bus undervolt now stand by and copy that your attitude looks good to us reading battery tank pressure quantity two three go ahead okay thrusters off cabin command module pilot burn time noun verb check entry angle'.split(
    ' ',
  );

/**
 * Events like those of a transcript: an actor, two labels, an instant, a key, and a text whose length is spread as there
 * (median 42 characters, one in ten above 190, few near 1000). About 420 bytes of JSON.
 */
export class Envelopes {
  private readonly random: Random;
  private readonly tag: string;
  private made = 0;

  /** `tag` makes the keys of this source its own. */
  constructor(tag: string, seed = 1) {
    this.tag = tag;
    this.random = new Random(seed);
  }

  /** The next event, in the scope given or in one of {@link SCOPES}. */
  next(scope = this.random.pick(SCOPES)): Record<string, unknown> {
    this.made += 1;
    const actor = `agent:a${this.random.below(39)}`;
    return {
      scope,
      observed_actor: { id: actor, type: 'agent', session: `${this.tag}-day-1` },
      modality: 'conversation',
      content: { kind: 'message', role: 'user', text: this.text() },
      context: {
        observed_at: new Date(1_000_000_000_000 + this.made * 1000).toISOString(),
        labels: ['air-to-ground', `speaker:${actor}`],
      },
      idempotency_key: `${this.tag}-${this.made}`,
    };
  }

  private text(): string {
    const share = this.random.below(1000) / 1000;
    const length =
      share < 0.5 ? 2 + share * 80 : share < 0.9 ? 42 + (share - 0.5) * 370 : 190 + (share - 0.9) * 6000;
    let text = '';
    while (text.length < length) text += `${this.random.pick(WORDS)} `;
    return text.trimEnd();
  }
}
