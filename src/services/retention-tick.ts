import { isDeepStrictEqual } from 'node:util';

import type { RetentionScopes, StatedScope, SweptEvent, SweptScope } from '../../graph/retention/scope.ts';
import type { RetentionSweeps, SweepFence, SweepLease } from '../../graph/retention/sweep.ts';
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
import type { Log } from '../log.ts';
import type { ExpiredOutcome, RetentionErasing, SweepAuthor } from './retention-erasing.ts';
import { RetentionProgress, scanOlderThan, scansOf, type RetentionScan } from './retention-scan.ts';
import { policiesOf } from './scope-view.ts';

/** What one sweep of a tenant is to do. */
export interface SweepTask {
  readonly tenant: string;
  readonly author: SweepAuthor;
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
  /** Throws where what was concluded in other scopes from events of a scope may not go too; null where it always may. */
  readonly authorizeElsewhere: ((path: string) => Promise<void>) | null;
}

/** What a tick works with. */
export interface TickParts {
  readonly scopes: RetentionScopes;
  readonly sweeps: Pick<RetentionSweeps, 'renew' | 'keepProgress'>;
  /** What the sweep holds; null of a dry run, which takes nothing. */
  readonly lease: SweepLease | null;
  readonly erasing: RetentionErasing;
  readonly log: Log;
  readonly now: () => number;
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
}

/** Which pass it is of, and up to where it looks. */
interface Reach {
  readonly pass: number;
  /** The pass since which walks count. */
  readonly since: number;
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
  /** What the scopes of a page and those above them state, by reference. */
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
    this.known.clear();
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
      progress: new RetentionProgress(stored, { kept, ...this.reach }),
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
      dry_run: this.parts.lease === null,
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
    const { scope, progress } = work;
    for (let after = progress.behind(scan.key); ;) {
      const { end } = this;
      if (end !== null) return end;
      const found = await this.find(scope.ref, scan, after);
      const { stopped, held } = found.events.length === 0 ? NOTHING_HELD : await this.take(work, scan, found);
      if (stopped !== null) return stopped;
      after = found.through;
      progress.note(scan.key, { through: after, held });
      if (!(await this.keep(work))) return 'lease_lost';
      if (found.ended) return null;
    }
  }

  /** Keeps how far the walks through a scope are; false where the lease is lost. */
  private async keep({ scope, progress, confined }: ScopeWork): Promise<boolean> {
    const { sweeps, lease } = this.parts;
    return confined || lease === null || sweeps.keepProgress(lease, scope.ref, progress.text);
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

  /** Takes away what was found. Throws where it failed, or goes on by itself. */
  private async take(work: ScopeWork, scan: RetentionScan, found: Found): Promise<Taken> {
    const { erasing, signal, lease } = this.parts;
    const { tenant, author, authorizeElsewhere: authorize } = this.task;
    const { layer } = scan;
    const scope = work.scope.path;
    const ids = found.events.map(({ id }) => id);
    const note = `Retention: ${layer} older than ${String(Math.round(scan.ageMs / 1000))} s.`;
    const authorizeElsewhere = authorize === null ? null : () => authorize(scope);
    const expired = { tenant, scope, ids, through: found.through, author, note, authorizeElsewhere };
    if (layer !== 'events') {
      const onRecord = (): void => {
        this.derived[layer] += ids.length;
      };
      if (lease !== null) {
        const mayBegin = (): Promise<SweepFence | SweepStop> => this.mayBegin(lease, work);
        return { stopped: await erasing.forget(layer, expired, { signal, mayBegin, onRecord }), held: null };
      }
      onRecord();
      return NOTHING_HELD;
    }
    let kept: ReadonlySet<string> = new Set();
    const onRecord = ({ held, erased, erasureId }: ExpiredOutcome): void => {
      kept = held;
      this.counts.expired += ids.length;
      this.counts.held += held.size;
      this.counts.erased += erased;
      if (erasureId !== null && this.erasures.length < RETENTION_ERRORS) this.erasures.push(erasureId);
    };
    let stopped: SweepStop | null = null;
    if (lease === null) onRecord({ held: await erasing.heldAmong(expired), erased: 0, erasureId: null });
    else {
      const mayBegin = (): Promise<SweepFence | SweepStop> => this.mayBegin(lease, work);
      stopped = await erasing.erase(expired, { signal, mayBegin, onRecord });
    }
    return { stopped, held: found.events.find(({ id }) => kept.has(id))?.offset ?? null };
  }

  /** What something may begin by now; why nothing may where the tenant is held no longer, or rules are not as the walks through the scope found them. */
  private async mayBegin(lease: SweepLease, { scope, kept }: ScopeWork): Promise<SweepFence | SweepStop> {
    const rules = await this.parts.sweeps.renew(lease);
    if (rules === null) return 'lease_lost';
    return (await this.stillHolds(scope.path, kept)) ? { ...lease, rules } : 'rules_changed';
  }

  private note(scope: string, error: unknown): void {
    const known = error instanceof StrataError;
    this.parts.log.warn('a scope could not be swept to its end', {
      tenant: this.task.tenant,
      scope,
      error_code: known ? error.code : 'INTERNAL',
      error: errorText(known ? (error.cause ?? error) : error),
    });
    if (this.errors.length >= RETENTION_ERRORS) return;
    const { error_code, message } = known ? { error_code: error.code, message: error.message } : FAULT;
    this.errors.push({ scope, error_code, message });
  }
}

/** What came of what was found: why nothing began, and the offset of the first event that is held; null for none. */
interface Taken {
  readonly stopped: SweepStop | null;
  readonly held: number | null;
}

const NOTHING_HELD: Taken = { stopped: null, held: null };

/** What a report says of what is no error of the contract: its text is in the log. */
const FAULT = {
  error_code: 'INTERNAL',
  message: 'the scope could not be swept to its end; the next pass tries again',
};

const NO_LEVEL: KnownLevel = { stated: {}, governed: false };

function levelOf({ policies, governed }: Pick<StatedScope, 'policies' | 'governed'>): KnownLevel {
  return { stated: policiesOf(policies).retention ?? {}, governed };
}
