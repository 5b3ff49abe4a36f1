import type { Integer } from 'neo4j-driver';

import type { Instants } from '../../src/time/bitemporal-range.ts';
import type { LogOffsets } from '../log-offset.ts';
import { int, type Params } from '../statement.ts';

// How facts are found that hold at an instant, though many more were ever known. A fact is over by the place in the log of what ended it
// for good: it is true at no instant at or after that one, as known from then on. Between its own place and that one lies its life. Lives
// are told in classes, each sixteen times as long as the one before, and the class is a column of the indexes that are walked. A fact of
// class k that is not over at some place of the log lies less than 16^(k+1) places in front of it, so a walk of the class begins there.

/** Class of facts that are not over, as far as is known. */
export const LASTING = 8;

const GROWTH = 16;

/** Facts of a class behind a place of the log. */
interface Life extends Params {
  readonly class: Integer;
  readonly after: Integer;
}

/** What {@link LIVES} takes. */
export interface LifeParams extends Params {
  /** All classes, that of lasting facts first. */
  readonly lives: readonly Life[];
  /** Whatever was recorded by then has counted at the instants that are asked for; before everything, where nothing is passed over. */
  readonly known: Integer;
}

/** Yields `lives`: what of each class is walked. Where the whole log was recorded by `$known`, only what lasts. */
export const LIVES = `MATCH (w:Counter {name: 'wal'})
   WITH CASE WHEN w.recorded_at <= $known THEN $lives[..1] ELSE $lives END AS lives`;

/** That the fact `f` may not be over: what a walk asks for one of {@link LIVES}. */
export const LIVES_ON = 'f.life_class = life.class AND f.position > life.after';

const SHORTER = Array.from(
  { length: LASTING - 1 },
  (_, k) => `WHEN over_at - f.position < ${GROWTH ** (k + 1)} THEN ${k}`,
).join(' ');

/** The class of the fact `f` that is over by the place `over_at`; that of lasting ones where that is null. */
export const LIFE_CLASS = `CASE WHEN over_at IS NULL THEN ${LASTING} ${SHORTER} ELSE ${LASTING - 1} END`;

/** What a walk at a pair of instants has to look at; with `any_time` at everything. */
export async function livesAt(
  log: LogOffsets,
  { valid, recorded }: Instants,
  any_time: boolean,
): Promise<LifeParams> {
  if (any_time) return { lives: livesAfter(null), known: int(-1) };
  const known = Math.min(valid, recorded);
  return { lives: livesAfter(await log.through(known)), known: int(known) };
}

function livesAfter(place: number | null): Life[] {
  const after = (k: number): number =>
    place === null || k >= LASTING - 1 ? -1 : Math.max(place - GROWTH ** (k + 1), -1);
  return [LASTING, ...Array.from({ length: LASTING }, (_, k) => k)].map((k) => ({
    class: int(k),
    after: int(after(k)),
  }));
}
