/** The layers that something can be forgotten in, in the order in which answers name them. */
export const LAYERS = ['events', 'episodes', 'facts', 'beliefs', 'understanding'] as const;

/** A layer by its name on the wire; `understanding` are concepts. */
export type Layer = (typeof LAYERS)[number];

/** The same of each layer. */
export type ByLayer<T> = Readonly<Record<Layer, T>>;

/** What a function makes of each layer. */
export function byLayer<T>(make: (layer: Layer) => T): ByLayer<T> {
  return {
    events: make('events'),
    episodes: make('episodes'),
    facts: make('facts'),
    beliefs: make('beliefs'),
    understanding: make('understanding'),
  };
}
