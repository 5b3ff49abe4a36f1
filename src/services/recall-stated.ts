import { entityKey, type EntityLinkReader } from '../../graph/entity/link.ts';
import type { EntityKey } from '../../graph/fact/walk.ts';
import type { NamedEntityKey, StatedReader } from '../../graph/recall-stated.ts';
import type { FactItem } from '../../schemas/fact.ts';
import type { RecallRequest } from '../../schemas/recall.ts';
import type { View } from '../../schemas/scope.ts';
import type { SoughtTerms } from '../capture/search-words.ts';
import { EntityLinks } from '../derive/entity-links.ts';
import { normalisedName } from '../derive/entity.ts';
import { toFactItem } from '../derive/fact-item.ts';
import type { AmbiguousName } from '../derive/known-names.ts';
import { byScore, type ListHit } from '../recall/fusion.ts';
import { possibleNames } from '../recall/query-words.ts';
import { shareOfWords } from '../recall/word-share.ts';
import type { RecallWindow } from '../recall/window.ts';
import { KNOWN_NOW } from '../time/as-of.ts';
import type { Call } from './access.ts';
import type { AmbiguousNames } from './ambiguous-names.ts';
import type { FactHydrator } from './fact-hydrator.ts';
import { factText } from './recall-entry.ts';
import { shownInstant } from './recall-instants.ts';
import { recallTerms } from './recall-terms.ts';
import type { ReadableSelection } from './scope-selection.ts';

/** Entities that a query names, of which what is stated of them is read. */
const RECALL_ENTITIES = 4;

/** Scopes in which something is looked for under one name: those that are read for themselves go before those below them. */
const RECALL_ENTITY_PLACES = 64;

/** Entities of one name in the tenant that are looked at to find those below a scope: beyond them it is everybody's word. */
const RECALL_NAME_ROWS = 2_000;

/** Facts that are looked at for them, shared by the places of all: those that do not hold any more are passed over. */
const RECALL_STATED_ROWS = 4_000;

/** Facts about each of them. */
const RECALL_ENTITY_FACTS = 50;

/** Beliefs about all of them. */
const RECALL_ENTITY_BELIEFS = 100;

/** What is asked. */
export interface StatedQuestion {
  readonly call: Call;
  readonly request: RecallRequest;
  readonly view: View;
  readonly window: RecallWindow;
  readonly selection: ReadableSelection;
  /** The query, and it with other names in place of those that it has. */
  readonly naming: readonly string[];
  readonly words: readonly SoughtTerms[];
  readonly now: number;
}

/** What is stated of what a query names. */
export interface EntityFacts {
  readonly facts: readonly FactItem[];
  /** The events that state them. */
  readonly events: readonly ListHit[];
  /** Ids of beliefs about it, whatever became of them. */
  readonly beliefs: readonly string[];
  /** Names of it that several entities of one scope have. */
  readonly ambiguous: readonly AmbiguousName[];
}

/** Of a query that names nothing. */
export const NOTHING_STATED: EntityFacts = { facts: [], events: [], beliefs: [], ambiguous: [] };

/** What the look-up needs. */
export interface StatedParts {
  readonly reader: StatedReader;
  readonly links: Pick<EntityLinkReader, 'ofKeys'>;
  readonly facts: FactHydrator;
  readonly ambiguous: AmbiguousNames;
}

/** Finds what is stated of the entities that a query names: the bounded walk of a recall. */
export class EntityFactLookup {
  private readonly parts: StatedParts;

  constructor(parts: StatedParts) {
    this.parts = parts;
  }

  /**
   * Facts about at most four entities that the query names, the longest names first, the events that state them, best first by how
   * much of the query they say, and ids of beliefs about them. Two round trips (the second reads facts, beliefs and what has the same name
   * beside one another), one more where one of the entities was ever linked, or where facts are large.
   */
  async of(question: StatedQuestion): Promise<EntityFacts> {
    const { view, window, words, request, now } = question;
    if (view === 'raw') return NOTHING_STATED;
    const { valid, recorded, during } = window;
    const at = { valid: shownInstant({ window, now }), recorded: recorded ?? KNOWN_NOW };
    const any_time = request.include_superseded === true || (valid === null && during !== null);
    const named = longestOf(await this.named(question, at.recorded)).slice(0, RECALL_ENTITIES);
    const links = await this.linksOf(named);
    const entities = named.map(({ places }) => placesIn(places, links, at.recorded));
    const count = entities.reduce((sum, own) => sum + own.length, 0);
    const scan = Math.max(RECALL_ENTITY_FACTS, Math.floor(RECALL_STATED_ROWS / Math.max(1, count)));
    const most = RECALL_ENTITY_FACTS;
    const [found, beliefs, ambiguous] = await Promise.all([
      this.parts.reader.about(entities, { at, any_time }, { scan, most }),
      this.parts.reader.believed(entities.flat(), at.recorded, RECALL_ENTITY_BELIEFS),
      this.parts.ambiguous.asked(
        named.map(({ text, places }) => ({ name: normalisedName(text), found: places })),
        { links, recorded: at.recorded },
      ),
    ]);
    const whole = await this.parts.facts.hydrate(found);
    const facts = [...new Map(whole.map((fact) => [fact.id, toFactItem(fact)])).values()];
    return { facts, events: eventsOf(facts, words), beliefs, ambiguous: ambiguous.flat() };
  }

  /** What runs of words in the query are the names of, in scopes that may be read. */
  private async named({ call, naming, selection }: StatedQuestion, recorded: number): Promise<Named[]> {
    const { tenant } = call.principal;
    const { scopes, subtrees, check } = selection;
    const texts = new Map(naming.flatMap(possibleNames).map((text) => [normalisedName(text), text]));
    const near = [...subtrees.map(({ ref }) => ref), ...scopes].slice(0, RECALL_ENTITY_PLACES);
    const all = subtrees.length === 0 && scopes.length <= near.length;
    const bounds = { near, scan: all ? 0 : RECALL_NAME_ROWS, most: RECALL_ENTITY_PLACES, recorded };
    const found = await this.parts.reader.named([...texts.keys()], tenant, selection, bounds);
    const mayRead = check === null ? null : await check(found.map(({ scope }) => scope));
    const readable = found.filter(({ scope }) => mayRead === null || mayRead(scope));
    return [...texts].flatMap(([name, text]) => {
      const places = readable.filter((place) => place.name === name);
      return places.length === 0 ? [] : [{ text, places }];
    });
  }

  private async linksOf(named: readonly Named[]): Promise<EntityLinks> {
    const linked = named.flatMap(({ places }) => places).filter((place) => place.linked);
    const keys = linked.map(({ scope_ref, id }) => entityKey(scope_ref, id));
    return new EntityLinks(await this.parts.links.ofKeys(keys));
  }
}

/** Where entities are known, and what they go by there. */
function placesIn(places: readonly NamedEntityKey[], links: EntityLinks, recorded: number): EntityKey[] {
  return places.map(({ scope_ref: ref, id, linked }) => ({
    ref,
    id: linked ? links.canonicalAt(ref, id, recorded) : id,
  }));
}

/** A name that stands in a query, and where something goes by it. */
interface Named {
  readonly text: string;
  readonly places: readonly NamedEntityKey[];
}

/** The names, the longest first; one within a longer one does not count. */
function longestOf(named: readonly Named[]): Named[] {
  const longest = [...named].sort((a, b) => b.text.length - a.text.length);
  return longest.filter(
    ({ text }, i) => !longest.slice(0, i).some((longer) => ` ${longer.text} `.includes(` ${text} `)),
  );
}

/** The events that state facts which hold words of the query; what they share with it is what counts. */
function eventsOf(facts: readonly FactItem[], words: readonly SoughtTerms[]): ListHit[] {
  const scores = new Map<string, number>();
  for (const fact of facts) {
    const score = shareOfWords(words, recallTerms(factText(fact)));
    for (const id of score === 0 ? [] : fact.supports) scores.set(id, Math.max(scores.get(id) ?? 0, score));
  }
  return [...scores].map(([id, score]) => ({ id, score })).sort(byScore);
}
