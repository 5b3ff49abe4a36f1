import type { ForgetLayer } from '../../schemas/forget.ts';

/** The same of each layer. */
export type ByLayer<T> = Readonly<Record<ForgetLayer, T>>;

/** What a function makes of each layer. */
export function byLayer<T>(make: (layer: ForgetLayer) => T): ByLayer<T> {
  return {
    events: make('events'),
    episodes: make('episodes'),
    facts: make('facts'),
    beliefs: make('beliefs'),
    understanding: make('understanding'),
  };
}
