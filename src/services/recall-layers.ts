import type { DerivedReader } from '../../graph/derived.ts';
import type { BeliefItem } from '../../schemas/belief.ts';
import type { ConceptItem } from '../../schemas/concept.ts';
import type { EpisodeItem } from '../../schemas/episode.ts';
import type { EventItem } from '../../schemas/event.ts';
import type { FactItem } from '../../schemas/fact.ts';
import type { FilterNode } from '../../schemas/recall-filter.ts';
import type { Layer, Signal } from '../../schemas/recall.ts';
import { tenantOfReads } from '../access/principal.ts';
import { scopeRef } from '../capture/scope-key.ts';
import type { SoughtTerms } from '../capture/search-words.ts';
import type { KeyedIds } from '../derive/keyed-ids.ts';
import { byLayer } from '../derive/provenance.ts';
import { RECALL_EVENT_BYTES, RECALL_SOURCES } from '../limits/recall.ts';
import { KNOWN_NOW } from '../time/as-of.ts';
import type { Call } from './access.ts';
import { passesFilter, refusedOf, type Refused } from './event-post-filter.ts';
import type { BeliefService } from './belief.ts';
import type { ConceptService } from './concept.ts';
import type { FactService } from './fact.ts';
import type { EpisodeService } from './episode.ts';
import type { EventService, SomeEvents } from './event.ts';
import { beliefText, factText } from './recall-entry.ts';
import {
  beliefInstants,
  holds,
  instantOf,
  shownInstant,
  wantsEnded,
  type AskedInstants,
} from './recall-instants.ts';
import { ranking, type Ranked, type Sources } from './recall-ranking.ts';
import { endsOf, holdsAt, statements, withEnds } from './recall-superseded.ts';

/** Ids of one derived layer that are read for one recall. */
const RECALL_CANDIDATES = 300;

/** Events that are looked at to know whether a filter wants what is stated of named entities: five for each of 200 facts. */
const RECALL_SUPPORTS = 1_000;

/** What was found in each layer, best first. */
export interface RankedLayers {
  readonly events: readonly Ranked<EventItem>[];
  readonly facts: readonly Ranked<FactItem>[];
  readonly beliefs: readonly Ranked<BeliefItem>[];
  readonly episodes: readonly Ranked<EpisodeItem>[];
  readonly understanding: readonly Ranked<ConceptItem>[];
}

/** What was read. */
export interface ReadLayers {
  readonly layers: RankedLayers;
  /** Events that the index brought and a filter left out. */
  readonly unwanted: readonly Refused[];
  /** Events that were found and not read, because all together are too large. */
  readonly left_out: number;
  /** Events that were found and not read yet, best first: most budgets are spent on those before them. */
  readonly rest: readonly string[];
  /** Bytes of the events that were read. */
  readonly bytes: number;
}

/** The readings of each layer. */
export interface LayerReadings {
  readonly event: Pick<EventService, 'getSome'>;
  readonly fact: Pick<FactService, 'readMany'>;
  readonly belief: Pick<BeliefService, 'readMany'>;
  readonly episode: Pick<EpisodeService, 'getShort'>;
  readonly concept: Pick<ConceptService, 'readMany'>;
}

/** What the layers are made of. */
export interface LayerQuestion extends AskedInstants {
  /** Events that were found, best first. */
  readonly hits: readonly {
    readonly id: string;
    readonly score: number;
    readonly matched_by: readonly Signal[];
    readonly said_tokens?: number | null;
  }[];
  /** Facts about entities that the query names. */
  readonly stated: readonly FactItem[];
  /** Ids of beliefs about them. */
  readonly believed: readonly string[];
  /** The words of the query as the index has them. */
  readonly words: readonly SoughtTerms[];
  readonly layers: ReadonlySet<Layer>;
  /** Events that are wanted at most. */
  readonly events: number;
  /** Events that are read at first; all that are wanted where some of them may turn out not to be asked for. */
  readonly first: number;
  readonly timezone: string;
  readonly filter: FilterNode | null;
}

/** Reads what a recall brings, layer by layer, and looks again at what the index said of it. */
export class RecallLayers {
  private readonly readings: LayerReadings;
  private readonly derived: Pick<DerivedReader, 'idsOf'>;
  private readonly ids: KeyedIds;

  constructor(readings: LayerReadings, derived: Pick<DerivedReader, 'idsOf'>, ids: KeyedIds) {
    this.readings = readings;
    this.derived = derived;
    this.ids = ids;
  }

  /**
   * The records of each layer that is asked for: the events, and what was derived from the best of them or is stated of what the query
   * names. One round trip for the events, and a few for the rest. Also tells which events a filter left out.
   */
  async read(call: Call, question: LayerQuestion): Promise<ReadLayers> {
    const { layers, hits, events: most } = question;
    const derived = [...layers].some((layer) => layer !== 'events');
    const wanted = Math.max(layers.has('events') ? most : 0, derived ? RECALL_SOURCES : 0);
    const all = hits.slice(0, wanted).map(({ id }) => id);
    const first = isCertain(question) ? Math.max(question.first, RECALL_SOURCES) : all.length;
    const ids = all.slice(0, first);
    const places = new Set(ids);
    const {
      events: read,
      bytes,
      left_out,
    } = await this.events(call, ids, question, {
      beside: supportsOf(question),
      bytes: RECALL_EVENT_BYTES,
    });
    const asked = read.filter((event) => passesFilter(event, question));
    const events = asked.filter(({ id }) => places.has(id));
    const sources = sourcesOf(events, question);
    const stated = statedBy(asked, question);
    const stating = this.stating(call, { ...question, stated }, sources, events);
    const reading = stating.then((read) => this.facts(read, { ...question, stated }, sources));
    const [ends, facts, beliefs, episodes, understanding] = await Promise.all([
      stating.then((read) => endsOf(read, instantOf(question))),
      reading,
      this.beliefs(call, question, sources),
      this.episodes(call, question, sources),
      reading.then((found) => this.concepts(call, question, found)),
    ]);
    const ranked = layers.has('events') ? rankedEvents(events.slice(0, most), question) : [];
    return {
      layers: {
        events: withEnds(ranked, ends, wantsEnded(question)),
        facts,
        beliefs,
        episodes: calledByEnded(episodes, asked, ends),
        understanding,
      },
      unwanted: refusedOf(
        read.filter(({ id }) => places.has(id)),
        question,
      ),
      left_out,
      rest: all.slice(first),
      bytes,
    };
  }

  /**
   * The events that were not read at first, with how many of them are not, because all together are too large. One round trip, one more
   * where some are statements.
   */
  async readRest(
    call: Call,
    { rest, bytes, left_out }: Pick<ReadLayers, 'rest' | 'bytes' | 'left_out'>,
    question: AskedInstants & Pick<LayerQuestion, 'hits'>,
  ): Promise<{ readonly events: Ranked<EventItem>[]; readonly left_out: number }> {
    if (left_out > 0) return { events: [], left_out: rest.length };
    const bounds = { beside: [], bytes: RECALL_EVENT_BYTES - bytes };
    const read = await this.events(call, rest, question, bounds);
    const ends = endsOf(await this.factsOf(call, statedIn(read.events), question), instantOf(question));
    const events = withEnds(rankedEvents(read.events, question), ends, wantsEnded(question));
    return { events, left_out: read.left_out };
  }

  /** Events with what derives from them, and some beside them without: one round trip, two beside one another where there are some beside. */
  private async events(
    call: Call,
    ids: readonly string[],
    { window }: Pick<LayerQuestion, 'window'>,
    { beside, bytes }: { readonly beside: readonly string[]; readonly bytes: number },
  ): Promise<SomeEvents> {
    // What is read for some of the events only is read by itself: to read it for all would cost more than the round trip.
    if (beside.length === 0) return this.readings.event.getSome(call, ids, window, { bytes, derived: true });
    const [read, derives] = await Promise.all([
      this.readings.event.getSome(call, [...new Set([...ids, ...beside])], window, { bytes }),
      this.derived.idsOf(ids, tenantOfReads(call.principal), window.recorded ?? KNOWN_NOW),
    ]);
    const events = read.events.map((event) => ({
      ...event,
      derives: [...(derives.get(event.id) ?? [])].sort(),
    }));
    return { ...read, events };
  }

  /** The facts that events state, whenever they hold: of the best ones where facts are shown, of each statement that is shown itself. */
  private async stating(
    call: Call,
    question: LayerQuestion,
    { ids: { facts: ids } }: Sources,
    events: readonly EventItem[],
  ): Promise<FactItem[]> {
    const { layers } = question;
    const shown = layers.has('facts') || layers.has('understanding');
    const stated = layers.has('events') ? statedIn(events) : [];
    return this.factsOf(call, [...new Set([...(shown ? ids : []), ...stated])], question);
  }

  /** Facts as they were known, whenever they hold. No round trip for none. */
  private async factsOf(call: Call, ids: readonly string[], question: AskedInstants): Promise<FactItem[]> {
    if (ids.length === 0) return [];
    const known = { valid: null, recorded: question.window.recorded };
    const read = await this.readings.fact.readMany(call, ids, known, shownInstant(question));
    return read.filter((fact) => fact !== null);
  }

  private facts(read: readonly FactItem[], question: LayerQuestion, sources: Sources): Ranked<FactItem>[] {
    if (!question.layers.has('facts') && !question.layers.has('understanding')) return [];
    const at = instantOf(question);
    const best = new Set(sources.ids.facts);
    const led = read.filter(({ id }) => best.has(id));
    const wanted = wantsEnded(question) ? led : led.filter((fact) => holdsAt(fact, at));
    const found = new Map(wanted.map((fact) => [fact.id, fact] as const));
    const named = new Set(question.stated.map(({ id }) => id));
    for (const fact of question.stated) found.set(fact.id, found.get(fact.id) ?? fact);
    const holding = [...found.values()].filter((fact) => holds(fact, question.window));
    return ranking(holding, factText, named, question, sources);
  }

  private async beliefs(
    call: Call,
    question: LayerQuestion,
    sources: Sources,
  ): Promise<Ranked<BeliefItem>[]> {
    const ids = [...new Set([...sources.ids.beliefs, ...question.believed])];
    if (!question.layers.has('beliefs') || ids.length === 0) return [];
    const read = await this.readings.belief.readMany(call, ids, beliefInstants(question));
    const found = read.filter((belief) => belief !== null).filter((belief) => holds(belief, question.window));
    const competing = question.include_superseded ? found : found.filter(({ stance }) => competes(stance));
    return ranking(competing, beliefText, new Set(question.believed), question, sources);
  }

  private async episodes(
    call: Call,
    question: LayerQuestion,
    sources: Sources,
  ): Promise<Ranked<EpisodeItem>[]> {
    const ids = sources.ids.episodes;
    if (!question.layers.has('episodes') || ids.length === 0) return [];
    const read = await this.readings.episode.getShort(call, ids, question.window);
    const found = read.filter((episode) => episode !== null).filter((one) => holds(one, question.window));
    return ranking(found, ({ name, summary }) => `${name} ${summary}`, NOBODY, question, sources);
  }

  private async concepts(
    call: Call,
    question: LayerQuestion,
    facts: readonly Ranked<FactItem>[],
  ): Promise<Ranked<ConceptItem>[]> {
    if (!question.layers.has('understanding')) return [];
    const scores = new Map<string, number>();
    for (const { item, score } of facts)
      for (const id of conceptsOf(item, call.principal.tenant, this.ids))
        scores.set(id, Math.max(scores.get(id) ?? 0, score));
    const ids = [...scores.keys()].slice(0, RECALL_CANDIDATES);
    if (ids.length === 0) return [];
    const read = await this.readings.concept.readMany(call, ids, question.window);
    const found = read.filter((concept) => concept !== null).filter(({ stance }) => stance !== 'deprecated');
    const sources = { scores, matched: new Map<string, readonly Signal[]>(), ids: NO_IDS };
    return ranking(found, ({ name, summary }) => `${name} ${summary}`, new Set(ids), question, sources);
  }
}

const NOBODY: ReadonlySet<string> = new Set();
const NO_IDS = { facts: [], beliefs: [], episodes: [] };

/** What was derived from the best events, the best first. */
function sourcesOf(events: readonly EventItem[], { hits }: LayerQuestion): Sources {
  const ranks = new Map(hits.map((hit) => [hit.id, hit]));
  const scores = new Map<string, number>();
  const matched = new Map<string, readonly Signal[]>();
  for (const { id, derives } of events.slice(0, RECALL_SOURCES)) {
    const hit = ranks.get(id);
    for (const made of hit === undefined ? [] : derives) {
      if (scores.has(made)) continue;
      scores.set(made, hit?.score ?? 0);
      matched.set(made, hit?.matched_by ?? []);
    }
  }
  const { facts, beliefs, episodes } = byLayer([...scores.keys()]);
  const some = (ids: readonly string[]): string[] => ids.slice(0, RECALL_CANDIDATES);
  return { scores, matched, ids: { facts: some(facts), beliefs: some(beliefs), episodes: some(episodes) } };
}

/** The ids of the facts that structured statements among events state. */
function statedIn(events: readonly EventItem[]): readonly string[] {
  return byLayer(statements(events).flatMap(({ derives }) => derives)).facts;
}

/** Episodes with the end of what their first event states, by which they are called, where that one is among the events. */
function calledByEnded(
  episodes: readonly Ranked<EpisodeItem>[],
  events: readonly EventItem[],
  ends: ReadonlyMap<string, string>,
): Ranked<EpisodeItem>[] {
  const stating = new Set(statements(events).map(({ id }) => id));
  return episodes.map((one) => {
    const [first = ''] = one.item.events;
    const ended = stating.has(first) ? ends.get(first) : undefined;
    return ended === undefined ? one : { ...one, ended };
  });
}

/** Events with how well they fit. */
function rankedEvents(
  events: readonly EventItem[],
  { hits }: Pick<LayerQuestion, 'hits'>,
): Ranked<EventItem>[] {
  const ranks = new Map(hits.map((hit) => [hit.id, hit]));
  return events.map((item) => {
    const { score = 0, matched_by = [], said_tokens = null } = ranks.get(item.id) ?? {};
    return { item, score, matched_by, said_tokens };
  });
}

function conceptsOf({ scope, subject, object }: FactItem, tenant: string, ids: KeyedIds): string[] {
  const entities = [subject.id, ...(object.type === 'entity' ? [object.id] : [])];
  return entities.map((id) => ids.concept(scopeRef(tenant, scope), id));
}

/** Values that were displaced do not compete with those that hold. */
function competes(stance: BeliefItem['stance']): boolean {
  return stance === 'supported' || stance === 'uncertain';
}

/** Whether it is asked for events of some kind, and not only for a time. */
function narrows({ filter, window }: Pick<LayerQuestion, 'filter' | 'window'>): boolean {
  return filter !== null || window.refers_during !== null;
}

/** Whether every event that was found is asked for: those that state something may have come after the instants. */
function isCertain({ filter, window, stated }: Pick<LayerQuestion, 'filter' | 'window' | 'stated'>): boolean {
  const { during, recorded_during, refers_during, valid, recorded } = window;
  const anyTime = during === null && recorded_during === null && refers_during === null;
  return filter === null && anyTime && ((valid === null && recorded === null) || stated.length === 0);
}

/** The events that have to be looked at to know whether what is stated is asked for: some of those that state each fact. */
function supportsOf(question: LayerQuestion): string[] {
  if (!narrows(question)) return [];
  const each = Math.ceil(RECALL_SUPPORTS / Math.max(1, question.stated.length));
  return question.stated.flatMap(({ supports }) => supports.slice(0, each));
}

/** What is stated, where only some events count: what one of these states. */
function statedBy(asked: readonly EventItem[], question: LayerQuestion): readonly FactItem[] {
  if (!narrows(question)) return question.stated;
  const ids = new Set(asked.map(({ id }) => id));
  return question.stated.filter(({ supports }) => supports.some((id) => ids.has(id)));
}
