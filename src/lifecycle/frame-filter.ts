import type { FrameRange } from '../../graph/lifecycle.ts';
import type { LifecycleStreamQuery } from '../../schemas/lifecycle.ts';
import { scopeOfFilter } from '../../schemas/scope.ts';
import type { ScopeWithRules } from '../access/rules.ts';
import { scopeRef } from '../capture/scope-key.ts';
import type { Frame } from './frame.ts';

/** What a list or a stream of frames is confined to. */
export interface FrameFilter {
  /** The narrowest walk that meets every matching frame. */
  readonly range: FrameRange;
  /** The path that the filter names, with or without what is below it; null when it names none. */
  readonly scope: string | null;
  /** Whether a frame is wanted, whatever walk it was met on. */
  readonly matches: (frame: Frame) => boolean;
}

/** What of a query confines frames. */
export type FrameQuery = Omit<LifecycleStreamQuery, 'since_lifecycle_id'>;

/** The filter of a query in one tenant; `readable` says whether the caller may read in a place. */
export function frameFilter(
  tenant: string,
  query: FrameQuery,
  readable: (place: ScopeWithRules) => boolean,
): FrameFilter {
  const { event_id, batch_id, job_id } = query;
  const named = query.scope === undefined ? null : scopeOfFilter(query.scope);
  const names = query.events === undefined ? null : new Set<string>(query.events);
  const below = named?.subtree === true ? `${named.path}/` : null;
  const inScope = (scope: string): boolean =>
    named === null || scope === named.path || (below !== null && scope.startsWith(below));
  return {
    range: {
      tenant,
      event_id,
      batch_id,
      job_id,
      scope_ref: named?.subtree === false ? scopeRef(tenant, named.path) : undefined,
    },
    scope: named?.path ?? null,
    matches: ({ stored: frame, place }) =>
      frame.tenant === tenant &&
      inScope(frame.scope) &&
      (names?.has(frame.type) ?? true) &&
      (event_id === undefined || frame.event_id === event_id) &&
      (batch_id === undefined || frame.batch_id === batch_id) &&
      (job_id === undefined || frame.job_id === job_id) &&
      (query.actor === undefined || frame.actor === query.actor) &&
      readable(place),
  };
}
