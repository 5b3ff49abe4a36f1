import type { ListHit, QueryLists } from '../../src/recall/fusion.ts';
import type { Channel, Recipe } from '../../src/recall/recipe.ts';

const mean = (pairs: readonly (readonly [weight: number, value: number])[]): number =>
  pairs.reduce((sum, [weight, value]) => sum + weight * value, 0) /
  pairs.reduce((sum, [weight]) => sum + weight, 0);

/** The part of a record in a list, told from the list alone: 0 where it is not in it. */
function part(list: readonly ListHit[], id: string): number {
  const scores = list.map(({ score }) => score);
  const own = list.filter((hit) => hit.id === id).map(({ score }) => score);
  if (own.length === 0) return 0;
  // Of a record that is there twice only the better score is in the list.
  const kept = [...new Set(list.map((hit) => hit.id))].map((one) =>
    Math.max(...list.filter((hit) => hit.id === one).map(({ score }) => score)),
  );
  const [least, most] = [Math.min(...kept), Math.max(...scores)];
  return least === most ? 1 : 0.05 + 0.95 * ((Math.max(...own) - least) / (most - least));
}

/** The score of every record, each reckoned by itself from the definition. */
export function scoresOf(
  recipe: Recipe,
  queries: readonly QueryLists[],
  named: ReadonlySet<string>,
): Map<string, number> {
  const ids = new Set(
    queries.flatMap((lists) => Object.values(lists).flatMap((list) => list.map(({ id }) => id))),
  );
  const heard = [...named].some((id) => ids.has(id));
  const scoreIn = (lists: QueryLists, id: string): number =>
    mean(
      Object.entries(lists)
        .filter(([, list]) => list.length > 0)
        .map(([channel, list]) => [recipe.channels[channel as Channel]!.weight, part(list, id)] as const),
    );
  const found = queries
    .map((lists, i) => [i === 0 ? 1 : recipe.variant.weight, lists] as const)
    .filter(([, lists]) => Object.values(lists).some((list) => list.length > 0));
  return new Map(
    [...ids].map((id) => {
      const plain = mean(found.map(([weight, lists]) => [weight, scoreIn(lists, id)] as const));
      return [id, heard && !named.has(id) ? plain / (1 + recipe.speaker_boost.weight) : plain];
    }),
  );
}
