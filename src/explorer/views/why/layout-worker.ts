import { placed, type LayoutTask } from './place.ts';

/** Lays a drawing out beside the page, which stays free meanwhile: one task for one worker. */
self.addEventListener('message', ({ data }: MessageEvent<LayoutTask>) => {
  self.postMessage(placed(data));
});
