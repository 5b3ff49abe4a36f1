import type { Integer } from 'neo4j-driver';

import { normalisedName } from '../../src/derive/entity.ts';
import { asksOfStatements, type Conditions, type EventTraits } from '../../src/forget/selector.ts';
import { FORGET_ID_PAGE } from '../../src/limits/forget.ts';
import type { Reader } from '../driver.ts';
import { int, statement, type Params } from '../statement.ts';
import { readPages, walkPages } from './pages.ts';
import type { RecordSpan } from './walk.ts';

/** What statements of events are compared with; null for what is not asked. */
interface StatedParams extends Params {
  stated: boolean;
  subjects: readonly string[] | null;
  subject_id: string;
  subject_normal: string;
  entities: readonly string[] | null;
  entity_id: string;
  entity_normal: string;
  predicates: readonly string[] | null;
}

interface FoundEvent extends Omit<EventTraits, 'subject_normal' | 'states'> {
  readonly position: number;
  readonly states: readonly (readonly [subject: boolean, entity: boolean, predicate: boolean])[];
}

// What was retracted is looked at too: of an event that was cancelled the content is still there.
const EVENT = `RETURN e.id AS id, e.wal_offset AS position, e.subject AS subject, e.labels AS labels, e.observed_at.epochMillis AS observed_at,
     e.recorded_at.epochMillis AS recorded_at, COLLECT {
       MATCH (e)<-[:STATED_IN]-(s:Statement) WHERE $stated
       RETURN DISTINCT [
         coalesce(s.subject_id IN $subjects, false) OR (s.subject_id = $subject_id AND s.subject_normal = $subject_normal),
         coalesce(s.subject_id IN $entities, false) OR coalesce(s.object_id IN $entities, false)
           OR (s.subject_id = $entity_id AND s.subject_normal = $entity_normal),
         coalesce(s.predicate IN $predicates, false)]
     } AS states`;

interface WalkParams extends Params {
  ref: string;
  after: Integer;
  through: Integer;
  page: Integer;
}

/** A page of the events of a scope, in the order of the log. */
const WALK = `MATCH (e:Event) USING INDEX SEEK e:Event(scope_ref, wal_offset)
   WHERE e.scope_ref = $ref AND e.wal_offset > $after AND e.wal_offset <= $through
   WITH e ORDER BY e.scope_ref, e.wal_offset LIMIT $page`;

const inScope = statement<StatedParams & WalkParams, FoundEvent>(
  'forget.events',
  'index event_scope, walked in order',
  `${WALK}
   ${EVENT}`,
);

interface EventIds {
  readonly ids: readonly string[];
  /** Offset of the last of them; null where there is none. */
  readonly last: number | null;
}

const idsInScope = statement<WalkParams, EventIds>(
  'forget.event_ids',
  'index event_scope, walked in order',
  `${WALK}
   RETURN collect(e.id) AS ids, max(0 + e.wal_offset) AS last`,
);

// What was redacted is in no scope any more.
const byIds = statement<StatedParams & { ref: string; through: Integer; ids: readonly string[] }, FoundEvent>(
  'forget.events_by_id',
  'constraint event_id',
  `UNWIND $ids AS id
   MATCH (e:Event {id: id}) WHERE e.scope_ref = $ref AND e.wal_offset <= $through
   ${EVENT}`,
);

/** Reads the events of a scope as far as conditions ask of them, in bounded pages. Redacted ones are left out. */
export class EventWalk {
  private readonly reader: Reader;
  private readonly span: RecordSpan;
  private readonly stated: StatedParams;

  constructor(reader: Reader, span: RecordSpan, conditions: Conditions) {
    this.reader = reader;
    this.span = span;
    this.stated = statedParams(conditions);
  }

  /** All events. */
  async all(): Promise<EventTraits[]> {
    const { ref, through } = this.span;
    const params = { ...this.stated, ref, through: int(through) };
    const found = await walkPages((after, rows) =>
      this.reader.read(inScope, { ...params, after: int(after), page: int(rows) }),
    );
    return found.map(traitsOf);
  }

  /** The ids of all events, where nothing more is asked of them. */
  async ids(): Promise<string[]> {
    const { ref, through } = this.span;
    const found: string[][] = [];
    for (let after: number | null = -1; after !== null;) {
      const params: WalkParams = {
        ref,
        after: int(after),
        through: int(through),
        page: int(FORGET_ID_PAGE),
      };
      const [page]: EventIds[] = await this.reader.read(idsInScope, params);
      found.push([...(page?.ids ?? [])]);
      after = page?.last ?? null;
    }
    return found.flat();
  }

  /** Those of the ids that are events here. */
  async byIds(ids: Iterable<string>): Promise<EventTraits[]> {
    const { ref, through } = this.span;
    const params = { ...this.stated, ref, through: int(through) };
    const found = await readPages(ids, (page) => this.reader.read(byIds, { ...params, ids: page }));
    return found.map(traitsOf);
  }
}

function statedParams(conditions: Conditions): StatedParams {
  const { about_subject: subject, about_entity: entity, predicates } = conditions;
  return {
    stated: asksOfStatements(conditions),
    subjects: subject === undefined ? null : [...subject.ids],
    subject_id: subject?.own_id ?? '',
    subject_normal: subject?.normal ?? '',
    entities: entity === undefined ? null : [...entity.ids],
    entity_id: entity?.own_id ?? '',
    entity_normal: entity?.normal ?? '',
    predicates: predicates ?? null,
  };
}

function traitsOf({ states, position: _place, ...event }: FoundEvent): EventTraits {
  return {
    ...event,
    subject_normal: normalisedName(event.subject),
    states: states.map(([about_subject, about_entity, predicates]) => ({
      about_subject,
      about_entity,
      predicates,
    })),
  };
}
