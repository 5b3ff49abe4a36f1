import { readableTurns, type FoundTurns } from './recall-turns.ts';
import type { FoundTurn, RecallReader, RecallSearch } from '../../graph/recall.ts';
import type { EventItem } from '../../schemas/event.ts';
import type { RecallRequest } from '../../schemas/recall.ts';
import { FIRST_INSTANT, OPEN_END, toEpochMs } from '../../schemas/time.ts';
import { RECALL_MOST_TURNS, RECALL_WIDEN } from '../limits/recall.ts';
import { fuse } from '../recall/fusion.ts';
import { NEWEST } from '../recall/recipe.ts';
import type { RecallWindow } from '../recall/window.ts';
import type { EventService } from './event.ts';
import { passesFilter } from './event-post-filter.ts';
import { type Searched } from './recall-search.ts';
import type { ReadableSelection } from './scope-selection.ts';

/** Pages of the newest events that a recall without words looks through before it asks the index: as many events as are wanted at most. */
const RECALL_NEWEST_PAGES = 10;

/** Events of such a page. */
const RECALL_NEWEST_PAGE = 100;

/** What is asked. */
export interface NewestQuestion {
  readonly request: RecallRequest;
  readonly window: RecallWindow;
  readonly selection: ReadableSelection;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A list of events by when they were observed. */
type Dated = Map<string, number>;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Finds the newest events where a recall asks for no words. */
export class NewestEvents {
  private readonly events: Pick<EventService, 'listIn'>;
  private readonly reader: Pick<RecallReader, 'turns'>;

  constructor(events: Pick<EventService, 'listIn'>, reader: Pick<RecallReader, 'turns'>) {
    this.events = events;
    this.reader = reader;
  }

  /**
   * The newest events that are asked for. The log is walked from its end, a round trip for each hundred; where some hundreds hold too
   * few, the index is asked for the others, which knows of those with words.
   */
  async find(question: NewestQuestion, search: RecallSearch, wanted: number): Promise<Searched> {
    const { found, ended } = await this.walk(question, search, wanted);
    const further = ended || found.size >= wanted ? NONE : await this.indexed(question, search, wanted);
    for (const { id, observed_at: at } of further.kept) found.set(id, at);
    const newest = [...found].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score);
    const lists = [{ recency: newest.slice(0, wanted) }];
    const { outside, cut } = further;
    return { hits: fuse(NEWEST, lists), lists, outside, signals: ['recency'], cut };
  }

  /** What is asked for among the newest some hundreds, and whether these are all. */
  private async walk(
    { request, window, selection }: NewestQuestion,
    { filter }: RecallSearch,
    wanted: number,
  ): Promise<{ found: Dated; ended: boolean }> {
    const asked = { window, filter, timezone: request.temporal?.timezone ?? 'UTC' };
    const found: Dated = new Map();
    let cursor: string | undefined;
    for (let page = 0; page < RECALL_NEWEST_PAGES && found.size < wanted; page += 1) {
      const part = { limit: RECALL_NEWEST_PAGE, cursor };
      const { items, next_cursor: next } = await this.events.listIn(selection, window, part);
      for (const event of items.filter((one: EventItem) => passesFilter(one, asked)))
        found.set(event.id, toEpochMs(event.context.observed_at));
      if (next === undefined) return { found, ended: true };
      cursor = next;
    }
    return { found, ended: false };
  }

  /** What the index knows of; where that is too much to be looked at, of the newest days that hold enough. */
  private async indexed(
    { selection, now }: NewestQuestion,
    search: RecallSearch,
    wanted: number,
  ): Promise<FoundTurns> {
    const whole = search.observed ?? ALWAYS;
    const { rows, ...all } = await this.turns(selection, { ...search, observed: whole });
    if (rows < RECALL_MOST_TURNS) return { ...all, cut: false };
    const kept = new Map<string, FoundTurn>();
    for (let days = 1; ; days *= RECALL_WIDEN) {
      const from = Math.max(whole.from, Math.min(whole.to, now) - days * DAY_MS);
      const part = await this.turns(selection, { ...search, observed: { from, to: whole.to } });
      for (const turn of part.kept) kept.set(turn.id, turn);
      const cut = part.rows >= RECALL_MOST_TURNS;
      if (cut || kept.size >= wanted || from <= whole.from)
        return { kept: [...kept.values()], outside: part.outside, cut };
    }
  }

  private async turns(
    selection: ReadableSelection,
    search: RecallSearch,
  ): Promise<Omit<FoundTurns, 'cut'> & { rows: number }> {
    const rows = await this.reader.turns([], search, RECALL_MOST_TURNS);
    return { ...(await readableTurns(selection, rows)), rows: rows.length };
  }
}

const ALWAYS = { from: FIRST_INSTANT, to: OPEN_END };
const NONE: FoundTurns = { kept: [], outside: [], cut: false };
