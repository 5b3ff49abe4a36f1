import { z } from 'zod';

const layer = (what: string, waits: string) =>
  z
    .strictObject({
      count: z.int().describe('Records that are stored, those too that are shown to nobody any more.'),
      lag: z.int().describe(`${waits}; counted up to 10000 in each of the 64 parts of the log.`),
    })
    .describe(what);

const DERIVES = 'Events that what derives of them still waits for';

/** How much each layer of the deployment holds, and how far it is. */
export const layerStats = z.strictObject({
  layers: z
    .strictObject({
      events: layer('Events.', 'Events that are acknowledged and not in the index of words yet'),
      episodes: layer('Episodes.', DERIVES),
      facts: layer('Facts, those too that others took the place of.', DERIVES),
      beliefs: layer('Beliefs.', DERIVES),
      understanding: layer('Concepts.', DERIVES),
    })
    .describe('The layers.'),
});
export type LayerStats = z.output<typeof layerStats>;
