import { SIGNALS, type Signal } from '../../schemas/recall.ts';

export { SIGNALS, type Signal };

/**
 * The ranked lists that a search may have, each with the signal that it is evidence of. `bm25`: words of a record, of the turns
 * around it and of its session; `vector` and `window_vector`: vectors of a record and of its window of ±1; `fact`: reached from the
 * entities that the query names, by what is stated of them; `recency`: the newer the better.
 */
export const CHANNEL_SIGNALS = {
  bm25: 'keyword',
  vector: 'vector',
  window_vector: 'vector',
  fact: 'graph',
  recency: 'recency',
} as const satisfies Record<string, Signal>;
export type Channel = keyof typeof CHANNEL_SIGNALS;

/** Every channel, in the order in which sums are taken: the order of addition is part of the result. */
export const CHANNELS = Object.keys(CHANNEL_SIGNALS) as readonly Channel[];

/** A number that a recipe goes by, and what it was chosen on. */
export interface Weight {
  /** Above 0; only how weights compare matters. */
  readonly weight: number;
  readonly chosen_on: string;
}

/** How the lists of a search become one. */
export interface Recipe {
  /** Lists that are fused. A list that is missing, or empty, in a search takes no part in it. */
  readonly channels: Partial<Record<Channel, Weight>>;
  /** By what share of itself the score of a hit grows where its speaker is named in the query. */
  readonly speaker_boost: Weight;
  /** What each further formulation of the query weighs beside the query itself, which weighs 1. */
  readonly variant: Weight;
}

/** The texts that a record is searched by: its own, with one and with three neighbours on either side, and of its session. */
export type TextField = 'text' | 'window_1' | 'window_3' | 'session_text';

const TURNS = 'LoCoMo, recall@10 of turns, 1,536 questions of categories 1 to 4';
const FIRST_THREE =
  'LoCoMo, recall@10 of turns, the questions of categories 1 to 4 of the first three conversations of the file, in a bare script';
const GRANULARITIES = `${FIRST_THREE}: all alike 80.0, the best of 144 choices; 0.7 : 1 : 0.5 : 1 gives 78.4. On all ten conversations 76.5 and 76.3`;
const VECTORS = `${TURNS}: text to vector of the turn to vector of the ±1 window as 1 : 0.5 : 0.5 gives 76.2, 76.4 with weights chosen leaving one conversation out`;

/** What the BM25 of each text counts in the list of words. They are added as they are: one query of the index ranks by the sum. */
export const TEXT_WEIGHTS: Readonly<Record<TextField, Weight>> = {
  text: { weight: 1, chosen_on: GRANULARITIES },
  window_1: { weight: 1, chosen_on: GRANULARITIES },
  window_3: { weight: 1, chosen_on: GRANULARITIES },
  session_text: { weight: 1, chosen_on: GRANULARITIES },
};

/** A query in words: every list. */
export const RELEVANCE: Recipe = {
  channels: {
    bm25: { weight: 1, chosen_on: VECTORS },
    vector: { weight: 0.5, chosen_on: VECTORS },
    window_vector: { weight: 0.5, chosen_on: VECTORS },
    fact: {
      weight: 0.25,
      chosen_on: `Starting value, not measured: as one text of four. ${TURNS}: without it multi-hop questions reach 40 to 46 and open-domain ones 36 to 41`,
    },
  },
  speaker_boost: {
    weight: 0.5,
    chosen_on: `${FIRST_THREE}: 79.4 with 0.4, 80.0 with 0.5, 79.9 with 0.6 and 0.7; adversarial questions lose with it: 86.6, 83.0, 81.2, 79.5`,
  },
  variant: {
    weight: 0.5,
    chosen_on:
      "Starting value, not measured: the caller's own words count twice as much as another formulation",
  },
};

/** The same where the newer is wanted first. */
export const RECENT: Recipe = {
  ...RELEVANCE,
  channels: {
    ...RELEVANCE.channels,
    recency: {
      weight: 0.5,
      chosen_on:
        'Starting value, not measured: the newest of what matches half as well goes before the oldest',
    },
  },
};

/** No query, or one without a word: the newest comes first. */
export const NEWEST: Recipe = {
  channels: { recency: { weight: 1, chosen_on: 'The only list' } },
  speaker_boost: RELEVANCE.speaker_boost,
  variant: RELEVANCE.variant,
};

/** How well a derived record fits, of what leads to it (0 to 1 each). */
export const DERIVED_WEIGHTS = {
  /** The score of the best event that it derives from. */
  source: {
    weight: 0.5,
    chosen_on:
      'Starting value, not measured: what was said in a good place, and what it says itself, count alike',
  },
  /** The share of the words of the query that it holds itself. */
  words: {
    weight: 0.5,
    chosen_on: 'Starting value, not measured: as above',
  },
} as const satisfies Record<string, Weight>;
