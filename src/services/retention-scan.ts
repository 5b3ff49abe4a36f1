import { createHash } from 'node:crypto';

import { daysOfEvent, type DerivedRetentionLayer, type KeptDays } from '../access/retention.ts';

const DAY_MS = 86_400_000;

/** One walk through the events of a scope: those that are old enough, and of which this walk decides. */
export interface RetentionScan {
  /** By which its progress is found again. */
  readonly key: string;
  /** What goes: events, or what was derived of them in a layer. */
  readonly layer: 'events' | DerivedRetentionLayer;
  /** Milliseconds from the recording of an event on. */
  readonly ageMs: number;
  /** Whether an event with these sources goes at that age. */
  readonly takes: (sources: readonly string[]) => boolean;
  /** Whether an event with these sources never goes. */
  readonly keeps: (sources: readonly string[]) => boolean;
}

/** The walks that the rules of a scope take: one for each time that events of it are kept, and one for each layer. */
export function scansOf(kept: KeptDays): RetentionScan[] {
  const ages = new Set([kept.events, ...kept.sources.values()].filter((days) => days !== null));
  const events = [...ages]
    .sort((a, b) => a - b)
    .map((days, i): RetentionScan => ({
      key: `events/${days}`,
      layer: 'events',
      ageMs: days * DAY_MS,
      takes: (sources) => daysOfEvent(kept, sources) === days,
      // Of several walks the last one comes by all that the others do.
      keeps: (sources) => i === ages.size - 1 && daysOfEvent(kept, sources) === null,
    }));
  const derived = [...kept.layers].map(([layer, days]): RetentionScan => ({
    key: `${layer}/${days}`,
    layer,
    ageMs: days * DAY_MS,
    takes: () => true,
    keeps: () => false,
  }));
  return [...events, ...derived];
}

/** The one walk of a sweep that is asked for with an age of its own. */
export function scanOlderThan(ageMs: number): RetentionScan {
  return { key: 'asked', layer: 'events', ageMs, takes: () => true, keeps: () => false };
}

/** How far one walk is. */
interface ScanProgress {
  /** Offset up to which everything was decided, but for what is held. */
  readonly through: number;
  /** The first event that was held; left out where none was. */
  readonly held?: number;
  /** Number of the pass. */
  readonly pass: number;
}

/** How far the walks through one scope are. It counts for the rules that it was kept for alone. */
export class RetentionProgress {
  private readonly rules: string;
  private readonly pass: number;
  private readonly since: number;
  private readonly scans: Map<string, ScanProgress>;

  /**
   * @param stored what {@link RetentionProgress.text} answered before; null for none
   * @param asked.since walks of which the last word is from an earlier pass begin from nothing
   */
  constructor(
    stored: string | null,
    asked: { readonly kept: KeptDays; readonly pass: number; readonly since: number },
  ) {
    this.rules = fingerprintOf(asked.kept);
    this.pass = asked.pass;
    this.since = asked.since;
    const found =
      stored === null ? null : (JSON.parse(stored) as { rules: string; scans: Record<string, ScanProgress> });
    this.scans = new Map(found?.rules === this.rules ? Object.entries(found.scans) : []);
  }

  /** The offset behind which a walk goes on: in another pass, what was held is asked about again. */
  behind(key: string): number {
    const found = this.scans.get(key);
    if (found === undefined || found.pass < this.since) return 0;
    return found.held !== undefined && found.pass !== this.pass ? found.held - 1 : found.through;
  }

  /** Notes how far a walk is, and the first event that was held on the way; null for none. */
  note(key: string, { through, held }: { readonly through: number; readonly held: number | null }): void {
    const before = this.scans.get(key);
    const first = before?.pass === this.pass ? (before.held ?? held) : held;
    this.scans.set(key, { through, pass: this.pass, ...(first === null ? {} : { held: first }) });
  }

  /** All of it, to be stored. */
  get text(): string {
    return JSON.stringify({ rules: this.rules, scans: Object.fromEntries(this.scans) });
  }
}

function fingerprintOf({ events, sources, layers }: KeptDays): string {
  const sorted = <T>(map: ReadonlyMap<string, T>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([events, sorted(sources), sorted(layers)]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
