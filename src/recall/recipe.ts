/** What a hit was found by, as the contract names it, in the order in which an answer lists it. */
export const SIGNALS = ['keyword', 'vector', 'graph', 'recency'] as const;
export type Signal = (typeof SIGNALS)[number];

/**
 * The ranked lists that a search may have, each with the signal that it is evidence of. `turn`: full text of a record itself;
 * `window_1` and `window_3`: of a record with one, or three, neighbours on either side; `session`: of the session that it belongs
 * to; the vectors of a record and of its window of ±1; `walk`: reached from the entities that the query names; `recency`.
 */
export const CHANNEL_SIGNALS = {
  turn: 'keyword',
  window_1: 'keyword',
  window_3: 'keyword',
  session: 'keyword',
  turn_vector: 'vector',
  window_vector: 'vector',
  walk: 'graph',
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

const TURNS = 'LoCoMo, recall@10 of turns, 1,536 questions of categories 1 to 4';
const GRANULARITIES = `${TURNS}: turn, ±1, ±3 and session together 72.9, single turns 59.2. Starting value: the four share the weight 1 of text equally; weights set by hand brought up to 74.3`;
const VECTORS = `${TURNS}: text to vector of the turn to vector of the ±1 window as 1 : 0.5 : 0.5 gives 76.2, 76.4 with weights chosen leaving one conversation out`;

/** A query in words: every list. */
export const RELEVANCE: Recipe = {
  channels: {
    turn: { weight: 0.25, chosen_on: GRANULARITIES },
    window_1: { weight: 0.25, chosen_on: GRANULARITIES },
    window_3: { weight: 0.25, chosen_on: GRANULARITIES },
    session: { weight: 0.25, chosen_on: GRANULARITIES },
    turn_vector: { weight: 0.5, chosen_on: VECTORS },
    window_vector: { weight: 0.5, chosen_on: VECTORS },
    walk: {
      weight: 0.25,
      chosen_on: `Starting value, not measured: as one list of text. ${TURNS}: without it multi-hop questions reach 40 to 46 and open-domain ones 36 to 41`,
    },
    recency: {
      weight: 0.05,
      chosen_on:
        'Starting value, not measured: enough to put the newer of two hits first that are otherwise alike',
    },
  },
  speaker_boost: {
    weight: 0.2,
    chosen_on: `Starting value: the figures of the four lists of text (${TURNS}) include a boost, of which no size was kept`,
  },
  variant: {
    weight: 0.5,
    chosen_on:
      "Starting value, not measured: the caller's own words count twice as much as another formulation",
  },
};

/** No query, or one without a word: the newest comes first. */
export const NEWEST: Recipe = {
  channels: { recency: { weight: 1, chosen_on: 'The only list' } },
  speaker_boost: RELEVANCE.speaker_boost,
  variant: RELEVANCE.variant,
};
