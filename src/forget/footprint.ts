/** One thing that an event states, as it is stored. What is stated of linked entities is stored once for each claim that it was about. */
export interface FootprintStatement {
  readonly id: string;
  /** The same of all that are one thing said: the stretches of a conclusion, and what links made of it. One of its ids. */
  readonly said: string;
  readonly event_id: string;
  readonly claim: string;
  readonly value: string;
  /** The fact that it carries now; null where it carries none. */
  readonly fact: string | null;
  /** The belief that it counts for, whether it asserts or denies; null where it counts for none. */
  readonly belief: string | null;
  /** The concepts that it may support, and as what it names their entities. */
  readonly concepts: readonly { readonly id: string; readonly role: 'subject' | 'object' }[];
  /** What it was concluded from; it falls with any of them. */
  readonly premises: readonly string[];
  /** The reasons that a declaration names; it is weighed otherwise without them. */
  readonly grounds: readonly string[];
  /** Whether it is a later stretch of a conclusion, which goes with the first. */
  readonly continues: boolean;
  /** Whether it lies in another scope: it may fall with what goes here, and nothing of it is forgotten by itself. */
  readonly elsewhere: boolean;
}

/** What the name of a premise stands for now. */
export type FootprintPremise =
  | { readonly type: 'event' }
  | { readonly type: 'fact' | 'belief'; readonly claim: string; readonly value: string };

/** An event of the footprint. */
export interface FootprintEvent {
  /** False where it was cancelled or replaced: its content is there still, and nothing of it counts. */
  readonly visible: boolean;
  /** The episode that it is in; null for none. */
  readonly episode: string | null;
}

/** An episode of the footprint. */
export interface FootprintEpisode {
  /** How many events it has. */
  readonly events: number;
  /** Episodes that it follows, and that follow it. */
  readonly beside: readonly string[];
  /** The event that it began with, and has its id by, where that is among those of the footprint; else null. */
  readonly first: string | null;
  /** Concepts that may cite it by what its events state, where its first event is known; else empty. */
  readonly cited_by: readonly string[];
}

/**
 * What was read of the graph around a selection: enough to tell what goes with it. Of every claim that a statement may go from, or that
 * rests on such a claim, all statements are here.
 */
export interface Footprint {
  readonly statements: readonly FootprintStatement[];
  /** Those that are selected, and those that selected records rest on. */
  readonly events: ReadonlyMap<string, FootprintEvent>;
  /** By the names that statements give their premises and grounds; what is not here stands for nothing. */
  readonly premises: ReadonlyMap<string, FootprintPremise>;
  /**
   * Concepts that are there, each with how often statements may support it; counted until that is more than the statements here do.
   */
  readonly concepts: ReadonlyMap<string, number>;
  readonly episodes: ReadonlyMap<string, FootprintEpisode>;
}
