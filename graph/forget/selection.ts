import type { ForgetLayer } from '../../schemas/forget.ts';
import { normalisedName } from '../../src/derive/entity.ts';
import type { KeyedIds } from '../../src/derive/keyed-ids.ts';
import { byLayer, type ByLayer } from '../../src/forget/layers.ts';
import {
  conditionsOfEvents,
  eventMeets,
  isEmptySelector,
  meetsNothing,
  recordMeets,
  type Conditions,
  type EventTraits,
  type Selector,
} from '../../src/forget/selector.ts';
import type { Reader } from '../driver.ts';
import { EventWalk } from './event.ts';
import { namedText } from './names.ts';
import { eventsOf } from './rests.ts';
import { RecordWalk, type DerivedLayer, type RecordSpan, type WalkedRecord } from './walk.ts';

const NOTHING = byLayer<readonly string[]>(() => []);

/**
 * The records of a scope that a selector matches, in some layers, up to an offset of the log. It reads in bounded pages. Events that were
 * cancelled or replaced are among them, redacted ones are not. Throws `INVALID_BODY` as {@link namedText} does.
 */
export async function selectRecords(
  reader: Reader,
  ids: KeyedIds,
  span: RecordSpan,
  { layers, selector }: { readonly layers: readonly ForgetLayer[]; readonly selector: Selector },
): Promise<ByLayer<readonly string[]>> {
  if (meetsNothing(selector)) return NOTHING;
  const conditions = await conditionsOf(reader, span.ref, selector);
  const selection = new Selection(reader, ids, span, conditions);
  const selected: Partial<Record<ForgetLayer, readonly string[]>> = {};
  for (const layer of new Set(layers)) selected[layer] = await selection.of(layer);
  return { ...NOTHING, ...selected };
}

async function conditionsOf(reader: Reader, ref: string, selector: Selector): Promise<Conditions> {
  const { about_subject: subject, about_entity: entity, ...others } = selector;
  const named = (field: 'about_subject' | 'about_entity', text: string) =>
    namedText(reader, ref, { field, text });
  return {
    ...others,
    ...(subject === undefined ? {} : { about_subject: await named('about_subject', subject) }),
    ...(entity === undefined ? {} : { about_entity: await named('about_entity', entity) }),
  };
}

/** One selection: what it has read of events serves all layers. */
class Selection {
  private readonly reader: Reader;
  private readonly ids: KeyedIds;
  private readonly ref: string;
  private readonly conditions: Conditions;
  private readonly records: RecordWalk;
  private readonly events: EventWalk;
  private readonly known = new Map<string, EventTraits>();

  constructor(reader: Reader, ids: KeyedIds, span: RecordSpan, conditions: Conditions) {
    this.reader = reader;
    this.ids = ids;
    this.ref = span.ref;
    this.conditions = conditions;
    this.records = new RecordWalk(reader, span);
    this.events = new EventWalk(reader, span, conditions);
  }

  /** The ids of the records of a layer that meet all conditions. */
  async of(layer: ForgetLayer): Promise<readonly string[]> {
    if (layer === 'events') return this.ofEvents();
    const found = await this.candidates(layer);
    const own = found.filter((record) => recordMeets(layer, traitsOf(record), this.ownConditions));
    return (await this.withEvents(layer, own)).map(({ id }) => id);
  }

  /** What was looked up by ids has been asked for by them, a fact by the id of a statement that joined it too. */
  private get ownConditions(): Conditions {
    const { memory_ids: _found, ...others } = this.conditions;
    return others;
  }

  private async ofEvents(): Promise<string[]> {
    if (isEmptySelector(this.conditions)) return this.events.ids();
    const { memory_ids } = this.conditions;
    const found = memory_ids === undefined ? await this.events.all() : await this.events.byIds(memory_ids);
    for (const event of found) this.known.set(event.id, event);
    return found.filter((event) => eventMeets(event, this.conditions)).map(({ id }) => id);
  }

  /** All records of a layer that may meet the conditions. */
  private candidates(layer: DerivedLayer): Promise<WalkedRecord[]> {
    const { memory_ids, about_subject, about_entity } = this.conditions;
    if (memory_ids !== undefined) return this.records.byId(layer, memory_ids);
    const named = about_subject ?? about_entity;
    if (named === undefined || layer === 'episodes') return this.records.all(layer);
    const entities = new Set([...named.ids, named.own_id]);
    if (layer !== 'understanding') return this.records.about(layer, entities, named === about_entity);
    return this.records.byId(
      layer,
      [...entities].map((entity) => this.ids.concept(this.ref, entity)),
    );
  }

  /** Those of the records of which every event that they rest on meets what the layer has no property for. */
  private async withEvents(
    layer: DerivedLayer,
    records: readonly WalkedRecord[],
  ): Promise<readonly WalkedRecord[]> {
    const asked = conditionsOfEvents(layer, this.conditions);
    if (Object.values(asked).every((value) => value === undefined)) return records;
    const events = await eventsOf(this.reader, layer, records);
    await this.learn([...events.values()].flat());
    const meets = (id: string): boolean => {
      const event = this.known.get(id);
      return event !== undefined && eventMeets(event, asked);
    };
    return records.filter(({ id }) => {
      const of = events.get(id) ?? [];
      return of.length > 0 && of.every(meets);
    });
  }

  private async learn(ids: readonly string[]): Promise<void> {
    const found = await this.events.byIds(ids.filter((id) => !this.known.has(id)));
    for (const event of found) this.known.set(event.id, event);
  }
}

function traitsOf({ subject_name, ...record }: WalkedRecord) {
  return { ...record, subject_normal: subject_name === null ? null : normalisedName(subject_name) };
}
