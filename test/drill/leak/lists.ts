import type { World } from './world.ts';

/** The ids of a world, layer by layer, as they are listed; what is gone is asked for by them too. */
export type Listed = Readonly<
  Record<'events' | 'facts' | 'beliefs' | 'concepts' | 'episodes' | 'entities' | 'conflicts', readonly any[]>
>;

/** Where each layer is listed: of facts those too that are true no longer. */
export const LISTS: Readonly<Record<keyof Listed, string>> = {
  events: '/v1/events?',
  facts: '/v1/facts?include_superseded=1&',
  beliefs: '/v1/beliefs?',
  concepts: '/v1/understanding?',
  episodes: '/v1/episodes?',
  entities: '/v1/entities?',
  conflicts: '/v1/conflicts?',
};

/** A list of one world, on one page. */
export function listPath(list: string, { scope }: Pick<World, 'scope'>): string {
  return `${list}scope=${encodeURIComponent(scope)}&limit=200`;
}

/** Everything that the lists of a world show. */
export async function listed(world: World): Promise<Listed> {
  const all: Record<string, readonly any[]> = {};
  for (const [layer, list] of Object.entries(LISTS)) {
    const { items } = await world.sent('GET', listPath(list, world));
    all[layer] = items as any[];
  }
  return all as unknown as Listed;
}
