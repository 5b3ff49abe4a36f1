import type { StoredBeliefItem } from './belief/item.ts';
import type { StoredConcept } from './concept/item.ts';
import type { KnownEpisode } from './episode/item.ts';
import type { StoredFact } from './fact-item.ts';

/** An event as it is shown in short. Instants are epoch milliseconds. */
export interface ShortEvent {
  readonly id: string;
  readonly tenant: string;
  readonly scope: string;
  readonly wal_offset: number;
  readonly recorded_at: number;
  readonly observed_at: number;
  /** Id of the actor who performed it, and of the one who handed it in. */
  readonly observed_actor: string;
  readonly caller: string;
  /** What it says; empty where that is nothing, or too much to be read here. */
  readonly text: string;
}

/** A record of any layer as it was read at some instants. */
export type LayerRecord =
  | { readonly type: 'fact'; readonly record: StoredFact }
  | { readonly type: 'belief'; readonly record: StoredBeliefItem }
  | { readonly type: 'event'; readonly record: ShortEvent }
  | { readonly type: 'episode'; readonly record: KnownEpisode }
  | { readonly type: 'concept'; readonly record: StoredConcept };
