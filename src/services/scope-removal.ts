import type { ScopePruner, ScopeReader } from '../../graph/scope.ts';
import type { EntityTraces } from '../../graph/forget/traces.ts';
import type { ScopeChanges, ScopeStore, StoredScope } from '../../graph/scope-record.ts';
import type { ScopeRedactor, UnderWay } from '../../graph/scope-removal.ts';
import { deleteScopeQuery, type PruneScopesResponse } from '../../schemas/scope-record.ts';
import { governingRoster } from '../access/rules.ts';
import { levelRefs, scopeRef } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import type { ChangeAudit } from '../commit/change-audit.ts';
import { errorText, StrataError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import type { JobHandle } from '../jobs/job.ts';
import type { JobRunner } from '../jobs/runner.ts';
import { MAX_UNFINISHED_DELETIONS, SCOPE_WALK_ROWS, WAIT_RETRY_POLL_MS } from '../limits.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { Wakeup } from '../wakeup.ts';
import type { AccessFeed } from './access-feed.ts';
import type { AccessService, Call } from './access.ts';
import { underLegalHold, type HeldScope, type LegalHolds } from './legal-holds.ts';
import { policyChangeOf, statesOtherRetention } from './policy-change.ts';
import { parseQuery } from './query-input.ts';
import type { RecordGate } from './record-gate.ts';
import { ScopeRedaction } from './scope-redaction.ts';
import type { ScopeDirectory, ScopeName } from './scope-directory.ts';
import { foundAt, policiesOf, scopeNotFound, withoutOwn, type ScopeFound } from './scope-view.ts';

/** How often a process looks for deletions that were cut short, milliseconds. */
const DELETION_SWEEP_EVERY_MS = 60_000;

/** A deletion waits so long for what was derived from its events to be taken out, milliseconds; it is taken out in any case. */
const DELETION_TAKE_OUT_MS = 60_000;

/** What the removal needs. */
export interface ScopeRemovalParts {
  readonly access: AccessService;
  readonly gate: RecordGate;
  readonly directory: ScopeDirectory;
  readonly feed: AccessFeed;
  readonly store: ScopeStore;
  readonly scopes: ScopeReader;
  readonly redactor: ScopeRedactor;
  readonly pruner: ScopePruner;
  readonly traces: Pick<EntityTraces, 'ofScopes'>;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly changes: ChangeAudit;
  readonly holds: Pick<LegalHolds, 'ofScope'>;
  /** Milliseconds for which a deletion that captures or legal holds come between is tried again. */
  readonly leaseWaitMs: number;
  /** Told of the newest frame of each removal that wrote one, once it is committed. */
  readonly onFrames: (newestFrame: number) => void;
  /** Told of each batch once it is committed. */
  readonly onRedacted: (ids: readonly string[], newestFrame: number) => void;
}

type Records = 'forget' | 'keep' | undefined;

/** What legal holds keep in a scope, and the offset of its newest event when that was asked. */
interface Held extends HeldScope {
  readonly newest: number;
}

/**
 * Ends scopes. Events are redacted in small transactions behind a mark on the scope, up to the offset that the log had when it
 * was set; the mark itself keeps captures out until the scope is gone, so that nothing that was acknowledged goes with it
 * unasked. Whoever finds the mark goes on: the next deletion, and each process when it starts
 * and every minute; several may do so at once. An event that the database refuses to redact is passed over, and the scope stays
 * marked for it.
 */
export class ScopeRemoval {
  private readonly parts: ScopeRemovalParts;
  private readonly ending = new AbortController();
  private readonly redaction: ScopeRedaction;
  private job: JobHandle | undefined;

  constructor(parts: ScopeRemovalParts) {
    this.parts = parts;
    this.redaction = new ScopeRedaction({ ...parts, ending: this.ending.signal });
  }

  /** Looks for deletions that were cut short, now and every minute. */
  start(jobs: JobRunner): void {
    this.job = jobs.start({
      name: 'scope_removal',
      everyMs: DELETION_SWEEP_EVERY_MS,
      run: async ({ did }) => {
        did(await this.finishAll());
        return 'idle';
      },
      failure: { message: 'deletions of scopes cannot be looked for' },
    });
  }

  /** Ends after the batch that it is at; the rest is done by others. */
  async stop(): Promise<void> {
    this.ending.abort();
    await this.job?.stop();
  }

  /** Deletes a scope; resolves when all of it is done. Throws as `ScopeService.delete` does. */
  async delete(call: Call, query: unknown): Promise<void> {
    const { path, records } = parseQuery(deleteScopeQuery, query);
    const { access, gate } = this.parts;
    const { place, there } = await gate.scope(call, path);
    const manages = access.requireSeenAt(call, 'scope.manage', place);
    // Asked of what is hidden too, so that a token without it is refused in the same way wherever it knocks.
    const forgets = records !== 'forget' || access.requireSeenAt(call, 'forget.cascade.redact_events', place);
    if (!manages || !forgets || !there) throw scopeNotFound();
    const name = { tenant: call.principal.tenant, path };
    const ref = scopeRef(name.tenant, path);
    if ((await this.parts.redactor.newest(ref)) === 0) await this.parts.traces.ofScopes([ref]);
    const done = await this.begun(call, name, records);
    if (!done) await this.finish(name);
    await this.parts.feed.refresh();
  }

  /** Removes the empty scopes that the caller may manage. Throws `POLICY_DENIED`. */
  async prune(call: Call): Promise<PruneScopesResponse> {
    const { access, directory, scopes, pruner, traces, clock, changes } = this.parts;
    const { principal, signal } = call;
    await access.authorize(call, 'scope.manage', null);
    const row = changes.of(call);
    // One row tells of all; it comes with what is removed first.
    let batches = row.batches();
    let pruned = 0;
    for (let after: string | null = ''; after !== null && !signal.aborted;) {
      const walked = await scopes.walkEmpty(principal.tenant, after, SCOPE_WALK_ROWS);
      const paths = walked?.paths ?? [];
      const places = await directory.places(paths.map((path) => ({ tenant: principal.tenant, path })));
      const refs = places
        .filter((place) => access.decideAt(principal, 'scope.manage', place).outcome === 'allowed')
        .map(({ path }) => scopeRef(principal.tenant, path));
      if (refs.length > 0) {
        // Of a scope that is written to meanwhile they named nothing either.
        await traces.ofScopes(refs);
        const done = await pruner.prune(refs, clock.now(), batches);
        row.committed(done.newestAudit);
        batches = [];
        pruned += done.pruned;
      }
      after = walked?.last ?? null;
    }
    return { pruned };
  }

  /** Decides and marks, by the legal holds as they are then; true when nothing is left to be done. */
  private async begun(call: Call, name: ScopeName, records: Records): Promise<boolean> {
    const { clock, leaseWaitMs } = this.parts;
    const end = clock.now() + leaseWaitMs;
    for (;;) {
      const done = await this.begin(call, name, { records, held: await this.held(call, name, records) });
      if (done !== null) return done;
      if (clock.now() >= end || call.signal.aborted)
        throw new StrataError(
          'DESTRUCTIVE_OPERATION_IN_PROGRESS',
          'captures or legal holds came while it was found out what is held; the scope is not deleted',
        );
    }
  }

  /** What legal holds keep of what would be redacted; null where nothing would be. */
  private async held({ signal }: Call, { tenant, path }: ScopeName, records: Records): Promise<Held | null> {
    if (records !== 'forget') return null;
    const { redactor, holds, clock } = this.parts;
    const newest = await redactor.newest(scopeRef(tenant, path));
    return { newest, ...(await holds.ofScope({ tenant, scope: path, now: clock.now() }, signal)) };
  }

  /** Decides and marks, in one transaction; true when nothing is left to be done, null where it has to be asked again what is held. */
  private async begin(
    call: Call,
    { tenant, path }: ScopeName,
    { records, held }: { readonly records: Records; readonly held: Held | null },
  ): Promise<boolean | null> {
    const refs = levelRefs(tenant, path);
    const row = this.parts.changes.of(call);
    let removing = false;
    const { outcome, newestAudit, newestFrame } = await this.parts.store.changing(async (changes) => {
      const tell = (status?: number): Promise<void> =>
        changes.tell(row.batches(status === undefined ? {} : { status }), this.parts.clock.now());
      const found = foundAt(path, await changes.read(refs));
      // The answer to an earlier try was lost.
      if (found.own === null && removing) {
        await tell();
        return true;
      }
      this.parts.access.requireAt(call, 'scope.manage', found.place);
      if (found.own === null) throw scopeNotFound();
      if (found.own.deleting_through !== null) {
        if (found.own.deleting_row === row.id) await tell(BEGUN);
        return false;
      }
      // What it states of retention goes with it, and what it kept may be erased.
      if (statesOtherRetention(policiesOf(found.own.policies), {}))
        this.parts.access.requireAt(call, 'forget.gdpr', found.place);
      await changes.removals.lockVocabularies(tenant, this.parts.clock.now());
      if (
        held !== null &&
        (await changes.removals.holdsVersion(tenant, this.parts.clock.now())) !== held.version
      )
        return null;
      if (records === 'forget') requireQuiet(await changes.removals.underWay(found.own.ref, row.id));
      const { head, some } = await this.recordsOf(changes, found, records);
      if (some && held !== null) {
        this.parts.access.requireAt(call, 'forget.cascade.redact_events', found.place);
        if (held.held.size > 0) throw underLegalHold(held, 'the scope is not deleted');
        if (held.covered && (await changes.removals.newest(found.own.ref)) !== held.newest) return null;
        const { actor } = call.principal;
        await changes.removals.mark(found.own.ref, { through: head, actor, row: row.id, entry: row.kept() });
        await tell(BEGUN);
        return false;
      }
      removing = true;
      if (!some) await changes.removals.forgetLinks(found.own.ref);
      await this.remove(changes, found.own, call.principal.actor);
      await tell();
      return true;
    });
    row.committed(newestAudit);
    if (newestFrame > 0) this.parts.onFrames(newestFrame);
    return outcome;
  }

  private async recordsOf(
    changes: ScopeChanges,
    { own, place }: ScopeFound,
    records: Records,
  ): Promise<{ head: number; some: boolean }> {
    if (own === null) throw new Error('a scope that is not there has no records');
    const governed = governingRoster(withoutOwn(place)) !== null;
    // What lies below must not lose its only roster; nobody would be told.
    const found = await changes.removals.records(own.ref, this.parts.clock.now());
    const left =
      own.members === null || governed ? null : await changes.removals.restsOn(own.tenant, own.path);
    if (left !== null) throw hasRecords(BELOW, 'below');
    if (found.some && records === undefined)
      throw hasRecords('say with records=forget or records=keep what becomes of its events', 'records');
    if (found.some && records === 'keep' && !governed)
      throw hasRecords('no roster of an ancestor would govern what is kept', 'ungoverned');
    return found;
  }

  /**
   * Redacts what a mark covers, and then takes the registration away. Throws `SCOPE_HAS_RECORDS` when meanwhile something was
   * written below that would lose its roster: the events are gone then, and the registration stays. Throws `DATABASE_UNAVAILABLE` when
   * some events could not be redacted: then the scope goes on being deleted.
   */
  private async finish(name: ScopeName): Promise<void> {
    await this.redaction.run(name);
    await this.takenOut(name);
    await this.parts.traces.ofScopes([scopeRef(name.tenant, name.path)]);
    const governs = await this.complete(name);
    if (governs) throw hasRecords(BELOW, 'below');
  }

  /**
   * Takes the registration away, and leaves the row of that by what was kept of the request; true when it has to stay, because
   * what was written below would be left without a roster.
   */
  private async complete({ tenant, path }: ScopeName): Promise<boolean> {
    const row = this.parts.changes.later();
    const { outcome, newestAudit, newestFrame } = await this.parts.store.changing(async (changes) => {
      const { removals } = changes;
      const now = this.parts.clock.now();
      const { own, place } = foundAt(path, await changes.read(levelRefs(tenant, path)));
      if (typeof own?.deleting_through !== 'number') return false;
      await removals.lockVocabularies(tenant, now);
      // Captures wait from here on: nothing comes below before the registration is gone.
      await removals.records(own.ref, now);
      await removals.forgetLinks(own.ref);
      const alone = own.members !== null && governingRoster(withoutOwn(place)) === null;
      const governs = alone && (await removals.restsOn(tenant, path)) !== null;
      await (governs
        ? removals.unmark(own.ref)
        : this.remove(changes, own, own.deleting_by ?? own.created_by));
      await changes.tell(row.batchesBy(own.deleting_entry, governs ? STAYED : GONE), now);
      return governs;
    });
    row.committed(newestAudit);
    if (newestFrame > 0) this.parts.onFrames(newestFrame);
    return outcome;
  }

  /** Takes a registration away with its vocabularies, and writes into the log that the scope states nothing any more. */
  private async remove(changes: ScopeChanges, own: StoredScope, actor: string): Promise<void> {
    const { ids, clock } = this.parts;
    const before = policiesOf(own.policies);
    const by = { actor, now: clock.now() };
    await changes.removals.remove(own.ref, by);
    await changes.removals.removeVocabularies(own, { ...by, entry: ids.entry() });
    const stated = { scope: own, before, after: {}, mayRead: () => false };
    const change = policyChangeOf(stated, { id: ids.entry(), actor });
    if (change !== null) await changes.log(change, clock.now());
    const again = statesOtherRetention(before, {});
    if (again || own.members !== null) await changes.changeRetention(own.tenant, { again });
  }

  /** Resolves when nothing is left of what was derived from the events, or after {@link DELETION_TAKE_OUT_MS}: then it goes soon. */
  private async takenOut({ tenant, path }: ScopeName): Promise<void> {
    const { redactor, clock } = this.parts;
    const ref = scopeRef(tenant, path);
    const end = clock.now() + DELETION_TAKE_OUT_MS;
    while (clock.now() < end && !this.ending.signal.aborted && (await redactor.queued(ref)) > 0)
      await new Wakeup().wait(WAIT_RETRY_POLL_MS);
  }

  /** Finishes deletions, each apart, and answers how many; one that fails is told, and left to the next time. */
  private async finishAll(): Promise<number> {
    const { redactor, log } = this.parts;
    let finished = 0;
    for (const name of await redactor.unfinished(MAX_UNFINISHED_DELETIONS)) {
      if (this.ending.signal.aborted) break;
      try {
        await this.finish(name);
        finished += 1;
        log.info('a deletion that was cut short is finished', { tenant: name.tenant });
      } catch (error) {
        // Those behind it do not wait for it.
        log.warn('the deletion of a scope cannot be finished', {
          tenant: name.tenant,
          error: errorText(error),
        });
      }
    }
    return finished;
  }
}

/** Statuses of the rows that tell of one deletion: of its beginning, and of its end, which a request may not live to see. */
const BEGUN = 202;
const GONE = 204;
const STAYED = 409;

const BELOW = 'what lies below it is governed by its roster alone';

function hasRecords(why: string, reason: 'below' | 'records' | 'ungoverned'): StrataError {
  return new StrataError('SCOPE_HAS_RECORDS', `the scope is not deleted: ${why}`, { details: { reason } });
}

/** Refuses while something goes on that would go on with events that are gone. */
function requireQuiet({ rebuilding, forgetting }: UnderWay): void {
  if (rebuilding)
    throw new StrataError('REDERIVE_IN_PROGRESS', 'the scope is being derived again; try again');
  if (forgetting)
    throw new StrataError(
      'DESTRUCTIVE_OPERATION_IN_PROGRESS',
      'something of the scope is being forgotten or erased; try again',
    );
}
