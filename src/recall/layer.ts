/** The layers that a recall may draw on, in the order in which they are funded where nothing else is asked for. */
export const LAYERS = ['facts', 'beliefs', 'episodes', 'understanding', 'events'] as const;

/** A layer of a recall pack. */
export type Layer = (typeof LAYERS)[number];
