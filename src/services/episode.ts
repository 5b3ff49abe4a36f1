import type { EpisodeFilter, EpisodeReader, ReadEpisode } from '../../graph/episode/read.ts';
import {
  episodeGetQuery,
  episodeListQuery,
  MAX_EPISODE_EVENTS,
  type EpisodeItem,
  type EpisodeListQuery,
  type EpisodePage,
} from '../../schemas/episode.ts';
import { OPEN_END, toEpochMs } from '../../schemas/time.ts';
import { toEpisodeItem } from '../derive/episode/item.ts';
import { StrataError } from '../errors.ts';
import { MAX_EPISODES_BY_ID_BYTES } from '../limits.ts';
import { knownAt, knownInstants, type NamedInstants } from '../time/as-of.ts';
import type { Call } from './access.ts';
import { parseQuery } from './query-input.ts';
import type { RecordGate } from './record-gate.ts';
import { episodeWalk } from './episode-listing.ts';
import { PageCursors, recordPage, type RecordWalk } from './record-page.ts';
import type { ReadableSelection, SelectionService } from './scope-selection.ts';

/** Bytes that an event of an episode takes in an answer, about: its id. */
const EPISODE_EVENT_BYTES = 64;

/** The same with what the event is in the causal chain and what it says, bytes. */
const EPISODE_LINK_BYTES = 512;

/** Events that an episode of a recall names: it is brought for what it says, and by its id all of them can be read. */
const SHORT_EPISODE_EVENTS = 50;

/** What the service needs. */
export interface EpisodeParts {
  readonly gate: RecordGate;
  readonly selection: SelectionService;
  readonly reader: EpisodeReader;
}

/** An episode of a walk, with about how many bytes it makes of an answer. */
type PagedEpisode = ReadEpisode & { readonly bytes: number };

/** The instants of a reading; a valid one that is null shows all that is known. */
type At = Pick<EpisodeFilter, 'recorded' | 'valid'>;

/** Tells what happened together. */
export class EpisodeService {
  private readonly parts: EpisodeParts;
  private readonly places = new PageCursors<EpisodeItem>('episodes');

  constructor(parts: EpisodeParts) {
    this.parts = parts;
  }

  /**
   * A page of episodes, newest first. A filter may end a page early: `has_more` and `next_cursor` then go on. Throws
   * `INVALID_QUERY`, `POLICY_DENIED`.
   */
  async list(call: Call, query: unknown): Promise<EpisodePage> {
    const parsed = parseQuery(episodeListQuery, query);
    const filter = filterOf(parsed);
    const cursor = cursorIn(parsed);
    const { view, selection } = await this.parts.selection.choose(call, parsed.scope, parsed.view);
    if (view === 'raw') return { items: [], episodes: [], has_more: false };
    const chain = parsed.with_causal_chain === true;
    const sparse = filter.from !== null || filter.to !== null || filter.valid !== null;
    const page = await recordPage(this.walk(selection, filter, chain), {
      listing: 'episodes',
      limit: parsed.limit,
      cursor,
      sparse,
    });
    const items = await this.items(page.records, filter, chain);
    this.places.note(
      page.records.flatMap(({ position }, i) => {
        const item = items[i];
        return item === undefined ? [] : [[item, position] as const];
      }),
    );
    const { withheld } = selection;
    return {
      items,
      episodes: items,
      has_more: page.next !== null,
      ...(page.next === null ? {} : { next_cursor: page.next }),
      ...(withheld === 0 ? {} : { withheld_scopes: withheld }),
    };
  }

  /** The cursor that continues a listing, of whatever scopes, behind an episode of a page. */
  cursorOf(episode: EpisodeItem): string {
    return this.places.cursorOf(episode);
  }

  /** One episode with its causal chain. Throws `NOT_FOUND`, `INVALID_QUERY`. */
  async get(call: Call, id: string, query: unknown): Promise<EpisodeItem> {
    const [episode] = await this.getMany(call, [id], query);
    if (episode) return episode;
    throw new StrataError('NOT_FOUND', 'episode not found');
  }

  /**
   * Episodes by id in the order of the ids, null where there is none that the caller may read, or none at the instants of the query:
   * two round trips, one more where rosters bind. Throws `INVALID_QUERY`.
   */
  async getMany(call: Call, ids: readonly string[], query: unknown): Promise<(EpisodeItem | null)[]> {
    const at = knownInstants(parseQuery(episodeGetQuery, query));
    const readable = await this.readable(call, ids, at);
    const bytes = readable.reduce((sum, episode) => sum + bytesOf(episode, true), 0);
    if (bytes > MAX_EPISODES_BY_ID_BYTES) {
      const reason = `the episodes are together larger than ${MAX_EPISODES_BY_ID_BYTES} bytes; ask for fewer at once`;
      const details = { reason: 'episode_bytes', limit: MAX_EPISODES_BY_ID_BYTES };
      throw new StrataError('INVALID_QUERY', reason, { details });
    }
    return inOrder(ids, await this.items(readable, at, true));
  }

  /** The same in short, for who has the instants: without causal chains, and with no more than the first few of their events. One round trip, one more where rosters bind. */
  async getShort(
    call: Call,
    ids: readonly string[],
    instants: NamedInstants,
  ): Promise<(EpisodeItem | null)[]> {
    const at = knownAt(instants);
    const { gate, reader } = this.parts;
    const readable = await gate.read(call, { kind: 'episode', ids }, async (admitted, tenant) => {
      const most = SHORT_EPISODE_EVENTS;
      const until = at.valid ?? OPEN_END;
      const found = await reader.shortByIds(admitted, tenant, at, { until, most: most + 1 });
      return found.map(({ episode, events }) => ({
        tenant: episode.tenant,
        scope: episode.scope,
        item: toEpisodeItem(episode, {
          contents: events.slice(0, most).map((event) => ({ event, role: 'follow_up', summary: '' })),
          cut: events.length > most,
          chain: false,
          valid: at.valid,
        }),
      }));
    });
    return inOrder(
      ids,
      readable.map(({ item }) => item),
    );
  }

  private async readable(call: Call, ids: readonly string[], at: At): Promise<ReadEpisode[]> {
    const { gate, reader } = this.parts;
    return gate.read(call, { kind: 'episode', ids }, async (admitted, tenant) =>
      (await reader.byIds(admitted, tenant, at)).values(),
    );
  }

  private walk(
    selection: ReadableSelection,
    filter: EpisodeFilter,
    chain: boolean,
  ): RecordWalk<PagedEpisode> {
    const walk = episodeWalk(this.parts.reader, selection, filter);
    return async (position, rows) =>
      (await walk(position, rows)).map((row) => ({
        ...row,
        record: row.record && { ...row.record, bytes: bytesOf(row.record, chain) },
      }));
  }

  private async items(episodes: readonly ReadEpisode[], at: At, chain: boolean): Promise<EpisodeItem[]> {
    const ids = episodes.map(({ id }) => id);
    return episodes.map(await this.contents(ids, at, { most: MAX_EPISODE_EVENTS, chain }));
  }

  /** Reads what is in episodes. Returns what makes items of these. */
  private async contents(
    ids: readonly string[],
    { recorded, valid }: At,
    { most, chain }: { readonly most: number; readonly chain: boolean },
  ): Promise<(episode: ReadEpisode) => EpisodeItem> {
    const instants = { recorded, until: valid ?? OPEN_END };
    const contents = await this.parts.reader.contents(ids, instants, { most: most + 1, chain });
    return (episode) => {
      const all = contents.get(episode.id) ?? [];
      return toEpisodeItem(episode, {
        contents: all.slice(0, most),
        cut: all.length > most,
        chain,
        valid,
      });
    };
  }
}

function inOrder(ids: readonly string[], items: readonly EpisodeItem[]): (EpisodeItem | null)[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  return ids.map((id) => byId.get(id) ?? null);
}

function bytesOf({ event_count }: ReadEpisode, chain: boolean): number {
  return Math.min(event_count, MAX_EPISODE_EVENTS) * (chain ? EPISODE_LINK_BYTES : EPISODE_EVENT_BYTES);
}

function filterOf(query: EpisodeListQuery): EpisodeFilter {
  const [from = '', to = ''] = query.overlapping?.split('..') ?? [];
  return {
    ...knownInstants(query),
    from: from === '' ? null : toEpochMs(from),
    to: to === '' ? null : toEpochMs(to),
  };
}

function cursorIn({ cursor, offset }: EpisodeListQuery): string | undefined {
  if (offset === undefined) return cursor;
  if (cursor === undefined) return String(offset);
  const reason = 'does not go together with cursor';
  throw new StrataError('INVALID_QUERY', `offset: ${reason}.`, { details: { field_path: 'offset', reason } });
}
