import type { Integer } from 'neo4j-driver';

import type { Clock } from '../../src/clock.ts';
import type { Transactions, Writer } from '../driver.ts';
import { areLinksApplied, removeLinksOf } from '../entity/link-removal.ts';
import { hasEvents } from '../scope-events.ts';
import { int, statement } from '../statement.ts';
import { scopesNaming, stripTopics } from '../synthesis-topics.ts';
import { stripAmbiguity } from './ambiguity.ts';
import { stripFrames } from './frames.ts';
import type { ForgetPlan } from './plan.ts';
import { goneEntities } from './taken-entities.ts';

// What was captured by then is waited for, once: a scope that is written to all the time would never be done with.
const traceThrough = statement<{ id: string; now: Integer }, { through: number }>(
  'forget.trace_through',
  'constraints counter_name, forget_plan_id',
  `MATCH (wal:Counter {name: 'wal'})
   SET wal.touched = $now
   WITH wal
   MATCH (p:ForgetPlan {id: $id})
   SET p.traced_through = coalesce(p.traced_through, wal.value)
   RETURN p.traced_through AS through`,
);

/** What of a plan tells whose traces are to be removed. */
export type TracedPlan = Pick<ForgetPlan, 'id' | 'scope_ref' | 'empties'>;

/**
 * Removes what names entities of a scope and is neither stated by an event nor derived from one: what syntheses and enrichment are about,
 * links, what names of other events may stand for, and what frames of these say of facts.
 * Short transactions, before the one that ends a plan.
 */
export class EntityTraces {
  private readonly database: Writer & Transactions;
  private readonly clock: Clock;

  constructor(database: Writer & Transactions, clock: Clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * Removes what names the entities that a plan took and nothing states any more; of one that empties its scope, all, unless something was
   * captured into it since. False where it is to be called again, since links are still to be applied, events to be consolidated, or the scope is derived anew. `goesOn`
   * is called between two transactions, and may throw. May be repeated. Throws `DATABASE_UNAVAILABLE`.
   */
  async ofPlan(plan: TracedPlan, goesOn: () => void): Promise<boolean> {
    const { database } = this;
    const { scope_ref: ref } = plan;
    const isEmpty = plan.empties && !(await hasEvents(database, ref));
    if (isEmpty) await this.ofScopes([ref], goesOn);
    const gone = await goneEntities(database, plan);
    const strips = !isEmpty && gone.frames_from !== null;
    if (strips && !(await stripFrames(database, ref, gone.frames_from, goesOn))) return false;
    if (gone.ids.size === 0) return true;
    if (!(await areLinksApplied(database, ref, gone.ids))) return false;
    await stripTopics(database, ref, (topic) => gone.forms.has(topic), goesOn);
    if (gone.shared) await stripAmbiguity(database, ref, gone.ids, goesOn);
    const now = this.clock.now();
    const [traced] = await database.writeRepeatable(traceThrough, { id: plan.id, now: int(now) });
    // Another process ended it.
    if (traced === undefined) return true;
    return removeLinksOf(database, ref, gone, { through: traced.through, now, goesOn });
  }

  /** The same of everything in scopes that hold no event any more. */
  async ofScopes(refs: readonly string[], goesOn: () => void = () => undefined): Promise<void> {
    for (const ref of await scopesNaming(this.database, refs))
      await stripTopics(this.database, ref, () => true, goesOn);
  }
}
