import { createHash } from 'node:crypto';

/** What an event is within its episode, as far as the event itself says; its place may say more. */
export type StatedRole = 'decision' | 'outcome' | 'complication' | 'follow_up';

/** An event of a scope, as far as its episode depends on it. Instants are epoch milliseconds. */
export interface EpisodeEvent {
  readonly id: string;
  /** Its place in the log. */
  readonly position: number;
  /** Does not fall as positions rise. */
  readonly recorded_at: number;
  readonly observed_at: number;
  /** Keys of what relates it to other events of its scope: its session, where it names one, then its subject. */
  readonly threads: readonly string[];
  /** Ids of events that it says led to it. */
  readonly preceded_by: readonly string[];
  readonly role: StatedRole;
  /** The beginning of its text. */
  readonly quote: string;
}

/** An entry of the log: what was open then and had no event recorded since `idle_before` is sealed. */
export interface SealEntry {
  /** It stands behind this place in the log, before the next one. */
  readonly after_offset: number;
  readonly recorded_at: number;
  /** Epoch milliseconds, exclusive. */
  readonly idle_before: number;
}

/** An event at an end of an episode: ends are told by when events were observed, then by the log. */
export interface EpisodeEnd {
  readonly event_id: string;
  readonly observed_at: number;
  readonly position: number;
  readonly quote: string;
}

/** What was known of an episode from a recorded instant on, until the next row of it. */
export interface EpisodeRow {
  readonly recorded_from: number;
  readonly started_at: number;
  /** When its last event was observed; null while it is open. */
  readonly ended_at: number | null;
  readonly name: string;
  /** What its first event says. */
  readonly opening: string;
  /** What its last event says, once it is sealed; null for an episode of one event. */
  readonly closing: string | null;
  /** 0 to 1: see {@link centralityOf}. */
  readonly centrality_score: number;
}

/** An episode after some of the log. */
export interface Episode {
  readonly id: string;
  /** Place and recorded instant of the event that opened it. */
  readonly position: number;
  readonly recorded_from: number;
  readonly first: EpisodeEnd;
  readonly last: EpisodeEnd;
  /** When its newest event was recorded. */
  readonly newest_at: number;
  /** Its events. */
  readonly count: number;
  /** Places of the events with which these became 2, 4, 8 and so on; null where that was not kept. */
  readonly doublings: readonly number[] | null;
  /** When it became known that it is over; null while it is open. */
  readonly sealed_at: number | null;
  /** The episode that it goes on from; null for none. */
  readonly follows: string | null;
  /** In recorded order, one per instant; of an episode that was stored before, those that are new. */
  readonly rows: readonly EpisodeRow[];
}

/** The stretch of an episode in which one session or subject takes part. */
export interface Thread {
  readonly key: string;
  readonly episode_id: string;
  /** Place of the event that opened the episode. */
  readonly position: number;
  /** When the first and the last of its own events were observed. */
  readonly first: number;
  readonly last: number;
}

const DIGITS = 32;

function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, DIGITS);
}

/** The id of the episode that an event opens. The reference of a scope names its tenant too. */
export function episodeIdOf(scopeRef: string, eventId: string): string {
  return `ep_${digest('episode', scopeRef, eventId)}`;
}

/** The key under which events of a scope with one session, or about one subject, are found; unique in the store. */
export function threadKeyOf(scopeRef: string, kind: 'session' | 'subject', name: string): string {
  return digest('thread', scopeRef, kind, name);
}

/**
 * How much runs through an episode, 0 to 1: k / (1 + k) with k = ⌊log₂ n⌋ for n events, so 0 for one, 0.5 for two, 0.75 for eight. It moves
 * only where n doubles, so that what it was at any instant costs few rows.
 */
export function centralityOf(events: number): number {
  const doubled = Math.floor(Math.log2(events));
  return doubled / (1 + doubled);
}

/** Orders events of an episode by when they were observed, then by the log. */
export function isBefore(
  a: Pick<EpisodeEnd, 'observed_at' | 'position'>,
  b: Pick<EpisodeEnd, 'observed_at' | 'position'>,
): boolean {
  return a.observed_at === b.observed_at ? a.position < b.position : a.observed_at < b.observed_at;
}

/** The summary of an episode: what its first event says and, once it is over, what its last one says. */
export function summaryOf({ opening, closing }: Pick<EpisodeRow, 'opening' | 'closing'>): string {
  return closing === null ? opening : `${opening} … ${closing}`;
}
