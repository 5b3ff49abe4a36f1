import type { Layer, RecallPack } from '../../schemas/recall.ts';

/** A frame of what is sent while it is made. `done` holds the body that an answer in one piece has. */
export type WrittenFrame<Whole, Cited> =
  | {
      readonly event: 'recall';
      readonly data: { readonly pack_id: string; readonly counts: Readonly<Record<Layer, number>> };
    }
  | { readonly event: 'delta'; readonly data: { readonly text: string } }
  | { readonly event: 'citations'; readonly data: Cited }
  | { readonly event: 'done'; readonly data: Whole };

/** What is sent while it is made. Who stops listening (`return`) ends the making. */
export interface WrittenStream<Frame> {
  readonly frames: AsyncGenerator<Frame>;
}

/** The first frame: what was found. */
export function foundFrame({ pack_id, layers }: RecallPack): WrittenFrame<never, never> {
  const counts = {
    events: layers.events.length,
    episodes: layers.episodes.length,
    facts: layers.facts.length,
    beliefs: layers.beliefs.length,
    understanding: layers.understanding.length,
  };
  return { event: 'recall', data: { pack_id, counts } };
}
