import { IN_NO_EPISODE } from '../visible.ts';

/** Whether an event `e` is out of all episodes for good: it was redacted, or its part in them forgotten. */
export const LEAVES = `(e.redacted_at IS NOT NULL OR ${IN_NO_EPISODE})`;

/** Whether the episodes of a scope, whose reference `ref` is given as it is written in Cypher, are still to be replayed. */
export const isPostponed = (ref: string): string =>
  `EXISTS { MATCH (p:EpisodeProgress {scope_ref: ${ref}}) WHERE p.postponed_shard IS NOT NULL }`;
