/** The layers in which something of an event can be forgotten. */
export type WishLayer = 'facts' | 'beliefs' | 'understanding' | 'episodes';

/** That something of an event is never derived from it again. */
export interface Wish {
  readonly event_id: string;
  readonly layer: WishLayer;
  /**
   * What of it. `facts`, `beliefs`: ids of statements. `understanding`: these with `/subject` or `/object` behind them, for the entity whose
   * concept the statement does not support. Null: all that the event comes to in the layer, now or ever; in `episodes` always.
   */
  readonly ids: readonly string[] | null;
}
