import { grouped } from '../derive/grouped.ts';

/**
 * Shares events out to at most so many lanes, none of them empty: those of a shard go to the same one, all in the order in which they
 * came, and the lanes have about equally many.
 */
export function partition<E extends { readonly shard: number }>(
  events: readonly E[],
  most: number,
): readonly (readonly E[])[] {
  const shards = [...grouped(events, ({ shard }) => shard)];
  const sizes = new Array<number>(Math.min(most, shards.length)).fill(0);
  const laneOf = new Map<number, number>();
  for (const [shard, { length }] of shards.sort(([, a], [, b]) => b.length - a.length)) {
    const shortest = sizes.indexOf(Math.min(...sizes));
    sizes[shortest] = (sizes[shortest] ?? 0) + length;
    laneOf.set(shard, shortest);
  }
  return sizes.map((_, lane) => events.filter(({ shard }) => laneOf.get(shard) === lane));
}
