import type { SoughtQuery } from './recall-turns.ts';
import type { RecallSearch } from '../../graph/recall.ts';
import { filterTree, type FilterNode } from '../../schemas/recall-filter.ts';
import {
  DEFAULT_MAX_TOKENS,
  LAYERS,
  type Layer,
  type RecallPack,
  type RecalledFact,
  recallRequest,
  type RecallRequest,
} from '../../schemas/recall.ts';
import type { View } from '../../schemas/scope.ts';
import type { TemporalPhrase } from '../../schemas/temporal-phrase.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import type { Clock } from '../clock.ts';
import type { AmbiguousName } from '../derive/known-names.ts';
import { StrataError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import {
  POST_FILTER_EVENTS,
  RECALL_EVENT_BYTES,
  RECALL_MOST_TURNS,
  RECALL_SOURCES,
} from '../limits/recall.ts';
import type { SoughtTerms } from '../capture/search-words.ts';
import { entriesIn } from '../recall/context-block.ts';
import { inBoth, stretchOfFilter } from '../recall/filter.ts';
import { isNever, isPast, windowOf, type RecallWindow } from '../recall/window.ts';
import { KNOWN_NOW } from '../time/as-of.ts';
import { parseInput } from '../validation.ts';
import type { Call } from './access.ts';
import { ambiguityOf } from './ambiguous-names.ts';
import type { Refused } from './event-post-filter.ts';
import type { RecallFrame } from './operations.ts';
import { needsPostFilter, type PostFilteredHits } from './recall-post-filter.ts';
import { diagnosticsOf, rounded, scopesOf, Trail } from './recall-diagnostics.ts';
import type { AskedInstants } from './recall-instants.ts';
import type { RankedLayers, ReadLayers, RecallLayers } from './recall-layers.ts';
import type { NewestEvents } from './recall-newest.ts';
import { packed, type Packed } from './recall-pack.ts';
import type { RecallPacks } from './recall-packs.ts';
import { formulationsOf, NO_TERMS, readQueries } from './recall-query.ts';
import { unquoted, type RecallSayings } from './recall-said.ts';
import type { RecallSearching, Searched } from './recall-search.ts';
import { NOTHING_STATED, type EntityFactLookup } from './recall-stated.ts';
import { isWeakPack } from './recall-weak.ts';
import type { ReadableSelection, SelectionService } from './scope-selection.ts';
import type { TenantVocabularies } from './tenant-vocabularies.ts';
import { foundFrame, type WrittenStream } from './written-frames.ts';

/** Events that a recall brings where no number is asked for. */
const RECALL_EVENTS = 200;

/** Tokens of the budget for each of the events that are read at first: of a short utterance, the head of whose line takes some 25. */
const RECALL_EVENT_TOKENS = 40;

/** What the service needs. */
export interface RecallParts {
  readonly selection: SelectionService;
  readonly searching: RecallSearching;
  readonly newest: NewestEvents;
  readonly asked: PostFilteredHits;
  readonly stated: EntityFactLookup;
  readonly layers: RecallLayers;
  readonly sayings: RecallSayings;
  readonly packs: RecallPacks;
  /** What terms are called in a tenant. */
  readonly vocabularies: Pick<TenantVocabularies, 'of'>;
  /** The time phrases of a tenant. */
  readonly phrases: (tenant: string) => Promise<readonly TemporalPhrase[]>;
  /** Whether words serve in place of a model that is on its way, or cannot be had. */
  readonly wordsOnly: () => boolean;
  readonly ids: Ids;
  readonly clock: Clock;
}

/** What one recall goes by. */
interface Recall {
  readonly call: Call;
  readonly request: RecallRequest;
  /** Its steps so far. */
  readonly trail: Trail;
  readonly view: View;
  readonly window: RecallWindow;
  readonly selection: ReadableSelection;
  readonly layers: ReadonlySet<Layer>;
  /** The query and its other formulations, each once. */
  readonly texts: readonly string[];
  /** Those of them that name what is asked about. */
  readonly naming: readonly string[];
  /** What is looked for of each of them. */
  readonly sought: readonly SoughtQuery[];
  /** The words of the query as the index has them; of the first variant that has some where the query has none. */
  readonly words: readonly SoughtTerms[];
  readonly now: number;
}

/** Brings back what bears on a question, from everything that the caller may read. */
export class RecallService {
  private readonly parts: RecallParts;

  constructor(parts: RecallParts) {
    this.parts = parts;
  }

  /** Throws `INVALID_BODY`, `UNPARSEABLE_TEMPORAL`, `POLICY_DENIED`. */
  async recall(call: Call, body: unknown): Promise<RecallPack> {
    return this.kept(await this.prepare(call, parseInput(recallRequest, body, 'INVALID_BODY')));
  }

  /** The pack, or where the body asks for one the stream of it. Throws as {@link recall} does, before a stream begins. */
  async respond(call: Call, body: unknown): Promise<RecallPack | WrittenStream<RecallFrame>> {
    const request = parseInput(recallRequest, body, 'INVALID_BODY');
    const recall = await this.prepare(call, request);
    return request.stream === true ? { frames: this.frames(recall) } : this.kept(recall);
  }

  /** What a request brings; it is not kept. Throws as {@link recall} does. */
  async pack(call: Call, request: RecallRequest): Promise<RecallPack> {
    return this.bring(await this.prepare(call, request));
  }

  private async *frames(recall: Recall): AsyncGenerator<RecallFrame> {
    const pack = await this.kept(recall);
    yield foundFrame(pack);
    for (const text of entriesIn(pack.context_block)) yield { event: 'delta', data: { text } };
    yield { event: 'citations', data: { citations: pack.provenance.citations } };
    yield { event: 'done', data: pack };
  }

  private async kept(recall: Recall): Promise<RecallPack> {
    const pack = await this.bring(recall);
    this.parts.packs.keep(recall.call, recall.request.scope, unquoted(pack));
    return pack;
  }

  private async bring(recall: Recall): Promise<RecallPack> {
    const { request, trail } = recall;
    const brought = isNever(recall.window) ? NOTHING : await this.find(recall);
    const { searched } = brought;
    const { chosen, left_out } = await this.fund(recall, brought);
    const facts = await this.saidOf(recall, brought, chosen);
    const weak =
      this.parts.wordsOnly() &&
      recall.sought.every(({ during }) => during.length === 0) &&
      (await isWeakPack(recall.words, brought.read.layers));
    const [total, funding] = [trail.elapsed, trail.took('funding')];
    const { window } = recall;
    const { valid, recorded, left_out: fault } = window;
    return {
      pack_id: this.parts.ids.pack(),
      context_block: chosen.block.text,
      layers: { ...chosen.layers, facts },
      provenance: { trail: trail.phases, citations: { ...chosen.block.citations } },
      diagnostics: {
        scopes_traversed: scopesOf(recall.selection),
        scopes_withheld: recall.selection.withheld,
        signals: [...searched.signals],
        time_ms: {
          recall: rounded(total - funding),
          render_context_block: rounded(funding),
          total,
        },
        tokens: chosen.tokens,
        evicted: chosen.evicted,
        ...(request.diagnostics === 'full'
          ? diagnosticsOf(knownOf(searched, window), chosen.layers.events)
          : {}),
      },
      warnings: [
        ...(fault === null ? [] : [`temporal.natural ${fault.reason}; it was left out`]),
        ...(searched.cut ? [CUT] : []),
        ...(left_out === 0 ? [] : [tooLarge(left_out)]),
        ...(searched.warnings ?? []),
        ...(weak ? [WORDS_ONLY] : []),
      ],
      ...ambiguityOf(brought.ambiguous),
      as_of: {
        valid: toRfc3339(valid ?? recall.now),
        recorded: recorded === null ? null : toRfc3339(recorded),
      },
    };
  }

  /** The facts that fit, with how they were said. */
  private async saidOf(recall: Recall, { read }: Found, { layers }: Packed): Promise<RecalledFact[]> {
    const { call, request, window } = recall;
    if (layers.facts.length === 0) return [];
    const events = read.layers.events.map(({ item }) => item);
    const question = { events, recorded: window.recorded, quotes: request.exclude_content !== true };
    return this.parts.sayings.tell(call, layers.facts, question);
  }

  /** Chooses what fits; while there are tokens for another event, what was not read at first is read too. */
  private async fund(recall: Recall, { searched, read }: Found): Promise<Funded> {
    const { call, request, words, trail } = recall;
    const left_out = searched.left_out + read.left_out;
    const choose = (found: RankedLayers): Promise<Packed> =>
      trail.step(
        'funding',
        () => packed(found, { ...request, words }),
        ({ tokens, evicted }) => ({ ...tokens, evicted }),
      );
    const chosen = await choose(read.layers);
    if (read.rest.length === 0) return { chosen, left_out };
    if (chosen.tokens.budget - chosen.tokens.used < RECALL_EVENT_TOKENS) {
      const evicted = { ...chosen.evicted, events: (chosen.evicted.events ?? 0) + read.rest.length };
      return { chosen: { ...chosen, evicted }, left_out };
    }
    const more = await trail.step(
      'expansion',
      () => this.parts.layers.readRest(call, read, { hits: searched.hits, ...askedInstants(recall) }),
      ({ events }) => ({ events: events.length }),
    );
    const without = left_out + more.left_out;
    if (more.events.length === 0) return { chosen, left_out: without };
    const all = { ...read.layers, events: [...read.layers.events, ...more.events] };
    return { chosen: await choose(all), left_out: without };
  }

  private async prepare(call: Call, request: RecallRequest): Promise<Recall> {
    const trail = new Trail();
    const now = this.parts.clock.now();
    const { tenant } = call.principal;
    const [{ view, selection }, { terms }, own] = await trail.step(
      'scopes',
      () =>
        Promise.all([
          this.parts.selection.choose(call, request.scope, request.view, { usual: 'holistic' }),
          request.query === undefined ? NO_TERMS : this.parts.vocabularies.of(tenant),
          request.temporal?.natural === undefined ? [] : this.parts.phrases(tenant),
        ]),
      ([{ view: chosen, selection: made }]) => ({
        view: chosen,
        scopes: made.scopes.length,
        subtrees: made.subtrees.length,
        withheld: made.withheld,
      }),
    );
    const window = trail.sync(
      'temporal',
      () => windowIn(request, { now, own }),
      ({ during }) => (during === null ? {} : { from: toRfc3339(during.from), to: toRfc3339(during.to) }),
    );
    const { texts, naming } = formulationsOf(request, terms, { tenant, now });
    const sought = readQueries(texts, request.temporal, { window, now });
    const words = sought.find((said) => said.words.length > 0)?.words ?? [];
    const layers = layersOf(request, view);
    return { call, request, trail, view, window, selection, layers, texts, naming, sought, words, now };
  }

  private async find(recall: Recall): Promise<Found> {
    const { call, request, trail, window, layers, words } = recall;
    const filter = request.filters === undefined ? null : filterTree(request.filters);
    const budgets = request.budgets ?? {};
    const events = budgets.per_layer_limits?.events ?? budgets.max_events ?? RECALL_EVENTS;
    const wanted = Math.max(events, RECALL_SOURCES);
    const timezone = request.temporal?.timezone ?? 'UTC';
    const asked = { filter, window, timezone };
    const sought = needsPostFilter(asked) ? Math.max(wanted, POST_FILTER_EVENTS) : wanted;
    const stated = words.length === 0 ? Promise.resolve(NOTHING_STATED) : this.parts.stated.of(recall);
    const search = searchOf(recall, filter);
    const searched = await trail.step(
      'retrieval',
      async () => {
        const brought =
          words.length === 0
            ? this.parts.newest.find(recall, search, sought)
            : this.parts.searching.search({
                ...search,
                selection: recall.selection,
                texts: recall.texts,
                sought: recall.sought,
                wanted: sought,
                recent: request.order === 'recency',
                stated: stated.then(({ events: said }) => said),
              });
        return this.parts.asked.among(call, await brought, asked, wanted);
      },
      ({ hits, signals }) => ({ candidates: hits.length, signals }),
    );
    const { facts, beliefs, ambiguous } = await stated;
    const read = await trail.step(
      'expansion',
      () =>
        this.parts.layers.read(call, {
          hits: searched.hits,
          stated: facts,
          believed: beliefs,
          words,
          layers,
          events,
          first: Math.ceil((budgets.max_tokens ?? DEFAULT_MAX_TOKENS) / RECALL_EVENT_TOKENS),
          timezone,
          filter,
          ...askedInstants(recall),
        }),
      ({ layers: found, rest }) => ({
        ...Object.fromEntries(LAYERS.map((layer) => [layer, found[layer].length])),
        ...(rest.length === 0 ? {} : { unread: rest.length }),
      }),
    );
    return {
      searched: { ...searched, unwanted: [...searched.refused, ...read.unwanted] },
      read,
      ambiguous,
    };
  }
}

/** What of the index a recall looks at. */
function searchOf({ call, selection, window, now }: Recall, filter: FilterNode | null): RecallSearch {
  return {
    tenant: call.principal.tenant,
    selection,
    filter,
    at: { valid: window.valid, recorded: window.recorded ?? KNOWN_NOW },
    past: isPast(window, now),
    observed: inBoth(window.during, filter && stretchOfFilter(filter, 'observed_at')),
    recorded: inBoth(window.recorded_during, filter && stretchOfFilter(filter, 'recorded_at')),
    refers: window.refers_during !== null,
  };
}

/** The stretch of time that is asked for. Throws `UNPARSEABLE_TEMPORAL`. */
function windowIn(
  { temporal }: RecallRequest,
  known: { readonly now: number; readonly own: readonly TemporalPhrase[] },
): RecallWindow {
  const window = windowOf(temporal, known);
  if (window.left_out === null || temporal?.natural_mode === 'lenient') return window;
  const { reason } = window.left_out;
  throw new StrataError('UNPARSEABLE_TEMPORAL', `temporal.natural ${reason}`, {
    details: { field_path: 'temporal.natural', reason },
  });
}

/** What was searched, as of a recorded instant without what lies outside: that may have been recorded later, and was not known then. */
function knownOf<S extends Searched>(searched: S, { recorded }: RecallWindow): S {
  return recorded === null ? searched : { ...searched, outside: [] };
}

/** What fits, and how many events that were found are left out for their size. */
interface Funded {
  readonly chosen: Packed;
  readonly left_out: number;
}

/** What was searched, and what was found in each layer. */
interface Found {
  readonly searched: Searched & { readonly unwanted: readonly Refused[]; readonly left_out: number };
  readonly read: ReadLayers;
  /** Names in the query that several entities of one scope have. */
  readonly ambiguous: readonly AmbiguousName[];
}

/** Told where a search ended at its bound. */
const CUT = `the search ended at ${RECALL_MOST_TURNS} events before it had found as many as are wanted; there may be more`;

/** Told of a pack in which what was meant may be missing, because only words were searched for. */
const WORDS_ONLY = 'words_only';

const tooLarge = (events: number): string =>
  `${events} events that were found are left out: those of one recall are at most ${RECALL_EVENT_BYTES / 1024 / 1024} MiB together; ask for fewer or narrower`;

const NOTHING: Found = {
  searched: { hits: [], lists: [], outside: [], signals: [], cut: false, unwanted: [], left_out: 0 },
  read: {
    layers: { events: [], facts: [], beliefs: [], episodes: [], understanding: [] },
    unwanted: [],
    left_out: 0,
    rest: [],
    bytes: 0,
  },
  ambiguous: [],
};

function askedInstants({ request, window, now }: Recall): AskedInstants {
  return { window, now, include_superseded: request.include_superseded === true };
}

/** The layers that are wanted: raw has events alone, structured facts alone. */
function layersOf({ include }: RecallRequest, view: View): Set<Layer> {
  const asked: readonly Layer[] = include ?? LAYERS;
  const only: Partial<Record<View, Layer>> = { raw: 'events', structured: 'facts' };
  const layer = only[view];
  return new Set(asked.filter((name) => layer === undefined || name === layer));
}
