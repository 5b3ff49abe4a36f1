import type { BeliefItem } from '../schemas/belief.ts';
import type { ConceptItem } from '../schemas/concept.ts';
import type { EpisodeItem } from '../schemas/episode.ts';
import type { EventItem } from '../schemas/event.ts';
import type { FactItem } from '../schemas/fact.ts';
import type { GraphqlContext, Loaders } from './context.ts';
import type { ReadingQuery } from './reading.ts';

/** A record of any layer. */
export type MemoryRecord = BeliefItem | ConceptItem | EpisodeItem | EventItem | FactItem;

/** The layers by the prefix of the ids of their records: the type of the schema, and the loader that reads them. */
const LAYERS: Readonly<Record<string, { readonly type: string; readonly loader: RecordLoader }>> = {
  evt: { type: 'Event', loader: 'event' },
  ep: { type: 'Episode', loader: 'episode' },
  fact: { type: 'Fact', loader: 'fact' },
  belief: { type: 'Belief', loader: 'belief' },
  concept: { type: 'Concept', loader: 'concept' },
};
type RecordLoader = Extract<keyof Loaders, 'event' | 'episode' | 'fact' | 'belief' | 'concept'>;

function layerOf(id: string): (typeof LAYERS)[string] | undefined {
  return LAYERS[id.slice(0, id.indexOf('_'))];
}

/** The type of the schema of a record, by its id. */
export function typeOfRecord({ id }: { readonly id: string }): string | undefined {
  return layerOf(id)?.type;
}

/** A record by its id at some instants; null where there is none that the caller may read. */
export async function recordAt(
  { loaders, readings }: GraphqlContext,
  id: string,
  query: ReadingQuery,
): Promise<MemoryRecord | null> {
  const layer = layerOf(id);
  if (layer === undefined) return null;
  return readings.note(await loaders[layer.loader].load({ id, query }), query);
}

/** Those of the records that are there, in the order of the ids. */
export async function recordsAt(
  context: GraphqlContext,
  ids: readonly string[],
  query: ReadingQuery,
): Promise<MemoryRecord[]> {
  const found = await Promise.all(ids.map((id) => recordAt(context, id, query)));
  return found.filter((record) => record !== null);
}
