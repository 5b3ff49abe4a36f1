/**
 * The visibility rule of `src/time/extent.ts` as a predicate: whether the row `x` of a bi-temporal record says something at the
 * instants `$valid` and `$recorded`. The only place where it stands in Cypher.
 */
export const VISIBLE_EXTENT = `x.valid_from <= $valid AND $valid < x.valid_to AND x.recorded_from <= $recorded AND $recorded < x.recorded_to`;

/** Whether the edge `d` by which an event supports a fact stands now: its recorded time has the open end of `schemas/time.ts`. */
export const SUPPORTS_NOW = `d.recorded_to = 253402300799999`;
