import type { EpisodeRemovals } from '../../graph/episode/removal.ts';
import { episodeWithout, isUntouched, removalSpan, type Surroundings } from '../derive/episode/removal.ts';
import { MAX_LOOKED_AT_THREADS } from '../derive/episode/book.ts';
import { EPISODE_REMOVAL_EVENTS, EPISODE_REMOVAL_ROWS } from '../limits.ts';

/** Events that are taken out of episodes one by one in a batch; of more, their scopes are replayed. */
const EPISODE_REMOVALS = 16;

/** Where events are taken out of episodes one by one. */
export type RemovalStore = Pick<EpisodeRemovals, 'around' | 'within' | 'counted' | 'takeOut'>;

/**
 * Takes events out of their episodes by what lies around them, as far as that shows that nothing else depends on them. Of a scope in
 * which it does not, the others are left too, since the scope has to be replayed. So are all of a batch of many, for which that is less work.
 */
export async function takeOutOfEpisodes(
  store: RemovalStore,
  ids: readonly string[],
  window: number,
): Promise<void> {
  if (ids.length > EPISODE_REMOVALS) return;
  const left = new Set<string>();
  for (const id of ids) {
    const found = await store.around(id);
    if (found === null || left.has(found.scope_ref)) continue;
    const { scope_ref, surroundings } = found;
    const isOut = surroundings !== null && (await takeOut(store, scope_ref, surroundings, window));
    if (!isOut) left.add(scope_ref);
  }
}

/** Takes one event out; `false`, with nothing changed, where it is not known what depends on it. */
async function takeOut(
  store: RemovalStore,
  scopeRef: string,
  surroundings: Surroundings,
  window: number,
): Promise<boolean> {
  const span = removalSpan(surroundings, window);
  if (span === null) return false;
  const { event, episode } = surroundings;
  const [within, counted] = await Promise.all([
    store.within(scopeRef, event, span, window),
    store.counted(scopeRef, episode, event.position),
  ]);
  const bounds = { events: EPISODE_REMOVAL_EVENTS, threads: MAX_LOOKED_AT_THREADS };
  if (!isUntouched(span, within, bounds)) return false;
  if (counted.rows.length >= EPISODE_REMOVAL_ROWS) return false;
  const reduced = episodeWithout(surroundings, counted.rows, counted.doublings);
  if (reduced === null) return false;
  store.takeOut(event.id, reduced);
  return true;
}
