/**
 * The visibility rule of `src/time/extent.ts` as a predicate: whether the row `x` of a bi-temporal record says something at the
 * instants `$valid` and `$recorded`. The only place where it stands in Cypher.
 */
export const VISIBLE_EXTENT = `x.valid_from <= $valid AND $valid < x.valid_to AND x.recorded_from <= $recorded AND $recorded < x.recorded_to`;

/**
 * The same rule for an event `e`: what happened was true from when it was observed on, and known from when it was recorded on.
 * `$valid` is null for any.
 */
export const EVENT_AT = `e.recorded_at <= $recorded AND ($valid IS NULL OR e.observed_at <= $valid)`;

/** Whether an event `e` was cancelled or replaced, and so counts no more. */
export const TAKEN_OUT = `(EXISTS { (e)<-[:CANCELS]-() } OR EXISTS { (e)-[:SUPERSEDED_BY]->() })`;

/** Whether nothing that an event `e` states is derived from it, because that was forgotten. */
export const STATES_NOTHING = `EXISTS { (e)<-[w:FORGETS]-() WHERE w.layer = 'facts' AND w.ids IS NULL }`;

/** Whether an event `e` is in no episode, because its part in them was forgotten. */
export const IN_NO_EPISODE = `EXISTS { (e)<-[w:FORGETS]-() WHERE w.layer = 'episodes' }`;

/** That an event `later` is not there yet at the instants: {@link EVENT_AT} the other way round. */
export const NOT_YET = `(later.recorded_at > $recorded OR ($valid IS NOT NULL AND later.observed_at > $valid))`;
