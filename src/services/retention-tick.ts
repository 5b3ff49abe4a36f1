import { isDeepStrictEqual } from 'node:util';

import type { RetentionScopes, StatedScope, SweptEvent, SweptScope } from '../../graph/retention/scope.ts';
import {
  keptDays,
  levelsInForce,
  SOURCE_PREFIX,
  type KeptDays,
  type Retention,
} from '../access/retention.ts';
import { levelRefs, scopeRef } from '../capture/scope-key.ts';
import { levelPaths } from '../../schemas/scope.ts';
import type { RetentionSweepReport, SweepStop } from '../../schemas/retention.ts';
import { toRfc3339 } from '../../schemas/time.ts';
import { errorText, StrataError } from '../errors.ts';
import { RETENTION_ERRORS, RETENTION_PLAN_EVENTS, RETENTION_SCAN_PAGE } from '../limits/retention.ts';
import type { ExpiredOutcome, RetentionErasing, SweepAuthor } from './retention-erasing.ts';
import { RetentionProgress, scanOlderThan, scansOf, type RetentionScan } from './retention-scan.ts';
import { policiesOf } from './scope-view.ts';

/** What one sweep of a tenant is to do. */
export interface SweepTask {
  readonly tenant: string;
  readonly author: SweepAuthor;
  readonly dryRun: boolean;
  /** The scope that it is confined to, with those below it; null for the whole tenant. */
  readonly scope: string | null;
  /** Milliseconds in place of all rules; null for these. */
  readonly olderThanMs: number | null;
  readonly maxEvents: number;
  readonly budgetMs: number;
  /** Days that events are kept of which no scope says anything; null for ever. */
  readonly deploymentDays: number | null;
  /** Says in which of some scopes anything may be erased; null for all. */
  readonly admits: ((paths: readonly string[]) => Promise<(path: string) => boolean>) | null;
}

/** What a tick works with. */
export interface TickParts {
  readonly scopes: RetentionScopes;
  readonly erasing: RetentionErasing;
  readonly now: () => number;
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
}

/** The age of what goes, and up to where it is looked for. */
interface Reach {
  readonly pass: number;
  /** Newest offset of the log that is looked at. */
  readonly through: number;
}

/** Some events of one walk. */
interface Found {
  readonly events: readonly SweptEvent[];
  /** Offset up to which the walk has decided. */
  readonly through: number;
  /** Whether no event behind it is old enough. */
  readonly ended: boolean;
}

/** What a scope states of retention. */
interface KnownLevel {
  readonly stated: Retention;
  readonly governed: boolean;
}

/** One scope, and where the walks through it are. */
interface ScopeWork {
  readonly scope: SweptScope;
  /** What its walks go by. */
  readonly kept: KeptDays;
  readonly progress: RetentionProgress;
  /** Whether how far it is, is neither read nor kept. */
  readonly confined: boolean;
}

/** Goes through scopes within the bounds of one sweep, and counts what comes of it. */
export class RetentionTick {
  private readonly parts: TickParts;
  private readonly task: SweepTask;
  private readonly reach: Reach;
  private readonly began: number;
  private readonly counts = { scanned: 0, expired: 0, erased: 0, kept_forever: 0, held: 0 };
  private readonly derived = { facts: 0, beliefs: 0, episodes: 0, understanding: 0 };
  private readonly errors: RetentionSweepReport['errors'] = [];
  private readonly erasures: string[] = [];
  /** What scopes state, by reference, as far as it was read. */
  private readonly known = new Map<string, KnownLevel>();

  constructor(parts: TickParts, task: SweepTask, reach: Reach) {
    this.parts = parts;
    this.task = task;
    this.reach = reach;
    this.began = parts.now();
  }

  /** Why nothing may be begun any more; null while something may. */
  get end(): SweepStop | null {
    const { signal, now, erasing } = this.parts;
    if (signal.aborted || erasing.isEnding) return 'shutdown';
    if (this.room === 0) return 'max_events';
    return now() - this.began >= this.task.budgetMs ? 'tick_budget' : null;
  }

  /** Reads what bears on some scopes, before {@link RetentionTick.through} goes through each of them. */
  async learn(scopes: readonly SweptScope[]): Promise<void> {
    const { tenant } = this.task;
    for (const scope of scopes) this.known.set(scope.ref, levelOf(scope));
    const above = scopes.flatMap(({ path }) => levelRefs(tenant, path)).filter((ref) => !this.known.has(ref));
    await this.learnAnew([...new Set(above)]);
  }

  private async learnAnew(refs: readonly string[]): Promise<void> {
    for (const ref of refs) this.known.set(ref, NO_LEVEL);
    for (const found of await this.parts.scopes.stated(refs)) this.known.set(found.ref, levelOf(found));
  }

  /** Whether rules are as they were when the walks through a scope began; what is erased cannot be brought back. */
  private async stillHolds(path: string, kept: KeptDays): Promise<boolean> {
    if (this.task.olderThanMs !== null) return true;
    await this.learnAnew(levelRefs(this.task.tenant, path));
    return isDeepStrictEqual(this.kept(path), kept);
  }

  /** Goes through one scope; answers why it was not gone through to its end, null where it was, or where something failed there. */
  async through(scope: SweptScope): Promise<SweepStop | null> {
    if (scope.deleting) return null;
    const { olderThanMs, scope: asked } = this.task;
    const kept = this.kept(scope.path);
    const scans = olderThanMs === null ? scansOf(kept) : [scanOlderThan(olderThanMs)];
    const confined = asked !== null;
    const stored = confined ? null : scope.progress;
    const work = {
      scope,
      kept,
      progress: new RetentionProgress(stored, { kept, pass: this.reach.pass }),
      confined,
    };
    try {
      for (const scan of scans) {
        const stopped = await this.walk(work, scan);
        if (stopped !== null) return stopped;
      }
      return null;
    } catch (error) {
      if (this.end === 'shutdown') return 'shutdown';
      this.note(scope.path, error);
      return null;
    }
  }

  /** What it came to. */
  report({
    cursorBefore,
    cursorAfter,
    stopped,
  }: {
    readonly cursorBefore: number;
    readonly cursorAfter: number;
    readonly stopped: SweepStop;
  }): RetentionSweepReport {
    const { held, ...counts } = this.counts;
    return {
      dry_run: this.task.dryRun,
      scope: this.task.scope,
      started_at: toRfc3339(this.began),
      ...counts,
      held: { legal_hold: held },
      derived: { ...this.derived },
      cursor_before: cursorBefore,
      cursor_after: cursorAfter,
      watermark: this.reach.through,
      stopped,
      erasures: [...this.erasures],
      errors: [...this.errors],
      elapsed_ms: Math.max(0, Math.round(this.parts.now() - this.began)),
    };
  }

  /** Events that may still be taken. */
  private get room(): number {
    const { expired, held } = this.counts;
    const derived = Object.values(this.derived).reduce((sum, events) => sum + events, 0);
    return Math.max(0, this.task.maxEvents - (expired - held) - derived);
  }

  private kept(path: string): KeptDays {
    const { tenant, deploymentDays } = this.task;
    const levels = levelPaths(path).map((level) => this.known.get(scopeRef(tenant, level)) ?? NO_LEVEL);
    const inForce = levelsInForce(levels.reverse());
    return keptDays(
      inForce.map(({ stated }) => stated),
      deploymentDays,
    );
  }

  /** Goes on with one walk through a scope, some events at a time. */
  private async walk(work: ScopeWork, scan: RetentionScan): Promise<SweepStop | null> {
    const { scope, progress, confined } = work;
    for (let after = progress.behind(scan.key); ;) {
      const { end } = this;
      if (end !== null) return end;
      const found = await this.find(scope.ref, scan, after);
      if (found.events.length > 0 && !(await this.stillHolds(scope.path, work.kept))) return 'rules_changed';
      const held = found.events.length === 0 ? null : await this.take(work, scan, found);
      after = found.through;
      progress.note(scan.key, { through: after, held });
      if (!confined && !this.task.dryRun) await this.parts.scopes.keepProgress(scope.ref, progress.text);
      if (found.ended) return null;
    }
  }

  /** The next events of a walk that go, as many as one erasure takes and there is room for. */
  private async find(ref: string, scan: RetentionScan, behind: number): Promise<Found> {
    const { scopes, now } = this.parts;
    const [most, before] = [Math.min(this.room, RETENTION_PLAN_EVENTS), now() - scan.ageMs];
    const events: SweptEvent[] = [];
    let after = behind;
    for (;;) {
      const span = { after, through: this.reach.through };
      const page = await scopes.events(ref, span, { page: RETENTION_SCAN_PAGE, source: SOURCE_PREFIX });
      for (const event of page) {
        if (event.recorded_at > before) return { events, through: after, ended: true };
        after = event.offset;
        this.counts.scanned += 1;
        if (scan.takes(event.sources)) events.push(event);
        else if (scan.keeps(event.sources)) this.counts.kept_forever += 1;
        if (events.length === most) return { events, through: after, ended: false };
      }
      if (page.length < RETENTION_SCAN_PAGE) return { events, through: after, ended: true };
      if (this.end !== null) return { events, through: after, ended: false };
    }
  }

  /** Takes away what was found; answers the offset of the first event that is held, null for none. Throws where it failed, or goes on by itself. */
  private async take({ scope }: ScopeWork, scan: RetentionScan, found: Found): Promise<number | null> {
    const { erasing, signal } = this.parts;
    const { tenant, author, dryRun } = this.task;
    const { layer } = scan;
    const ids = found.events.map(({ id }) => id);
    const note = `Retention: ${layer} older than ${String(Math.round(scan.ageMs / 1000))} s.`;
    const expired = { tenant, scope: scope.path, ids, through: found.through, author, note };
    if (layer !== 'events') {
      const onRecord = (): void => {
        this.derived[layer] += ids.length;
      };
      if (dryRun) onRecord();
      else await erasing.forget(layer, expired, { signal, onRecord });
      return null;
    }
    let kept: ReadonlySet<string> = new Set();
    const onRecord = ({ held, erased, erasureId }: ExpiredOutcome): void => {
      kept = held;
      this.counts.expired += ids.length;
      this.counts.held += held.size;
      this.counts.erased += erased;
      if (erasureId !== null && this.erasures.length < RETENTION_ERRORS) this.erasures.push(erasureId);
    };
    if (dryRun) onRecord({ held: await erasing.heldAmong(expired), erased: 0, erasureId: null });
    else await erasing.erase(expired, { signal, onRecord });
    return found.events.find(({ id }) => kept.has(id))?.offset ?? null;
  }

  private note(scope: string, error: unknown): void {
    if (this.errors.length >= RETENTION_ERRORS) return;
    const known = error instanceof StrataError;
    this.errors.push({ scope, error_code: known ? error.code : 'INTERNAL', message: errorText(error) });
  }
}

const NO_LEVEL: KnownLevel = { stated: {}, governed: false };

function levelOf({ policies, governed }: Pick<StatedScope, 'policies' | 'governed'>): KnownLevel {
  return { stated: policiesOf(policies).retention ?? {}, governed };
}
