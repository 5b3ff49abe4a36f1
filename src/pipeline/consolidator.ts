import { queueDecisions } from '../../graph/claim/decision.ts';
import type { NewStatement } from '../../graph/claim/new-statement.ts';
import { ClaimReader } from '../../graph/claim/read.ts';
import { closeEvents, openEvents } from '../../graph/consolidation.ts';
import type { Transaction, Writer } from '../../graph/driver.ts';
import { entityKey, linksWithin } from '../../graph/entity/link.ts';
import { drawLinksWithin } from '../../graph/entity/same-as.ts';
import { extractionsOf } from '../../graph/extraction.ts';
import { PolicyLogReader } from '../../graph/policy-log.ts';
import type { ShardStep } from '../../graph/shard-step.ts';
import { passWithin, type AppliedBatch } from '../../graph/stage.ts';
import type { ClaimChange, ScopeKey } from '../derive/claim/change.ts';
import { isInNoEpisode, statesNothing } from '../derive/claim/forgotten.ts';
import { EntityLinks } from '../derive/entity-links.ts';
import type { KeyedIds } from '../derive/keyed-ids.ts';
import { STATING_KINDS } from '../derive/statement.ts';
import { DEFAULT_REVISION_POLICY, type RevisionPolicy } from '../derive/belief/revise.ts';
import type { Wish } from '../forget/wish.ts';
import { CONSOLIDATION_INTERVAL_MS, MAX_CASCADE_ROUNDS } from '../limits.ts';
import { BeliefReviser, type BeliefRevised } from './belief-reviser.ts';
import { ConceptReviser } from './concept-reviser.ts';
import { ConceptPrefetch } from './concept-prefetch.ts';
import { both, Consolidation, type Consolidated, type Foresight } from './consolidation.ts';
import { consolidatedFrames } from './consolidated-frame.ts';
import { DeferralKeeper, rulesOf, type Due, type SplitEvents } from './deferral.ts';
import { DisputeKeeper } from './disputes.ts';
import { putIntoEpisodes } from './episode-batch.ts';
import { withoutForgotten } from './forgotten-statements.ts';
import { entitiesOf, idsByLinks, linkedStatements } from './linked-statements.ts';
import { resolvedStatements } from './resolutions.ts';
import { namedStatements } from './resolved-names.ts';
import type { EventWithEnvelope } from './stated-events.ts';

/** Events that are consolidated in one transaction, which holds their shards. */
export interface ConsolidationBatch {
  readonly events: readonly EventWithEnvelope[];
  readonly shards: readonly number[];
  /** Epoch milliseconds, for frames. */
  readonly now: number;
  /**
   * `first`: what the stage comes to, which leaves scopes that are being rebuilt to their rebuild. `rebuilt`: of a scope that is being
   * rebuilt, in the order of the log. `repeated`: derived again where it is.
   */
  readonly mode: 'first' | 'rebuilt' | 'repeated';
  /** Events up to this offset were consolidated before: they leave no frame. */
  readonly replayedThrough: number;
  /** Whether other shards are consolidated beside it; default false. */
  readonly beside?: boolean;
}

/** What a batch came to. */
export interface ConsolidatedBatch {
  /** Number of the newest frame; 0 where there is none. */
  readonly newestFrame: number;
  readonly stating: number;
  readonly excluded: number;
  readonly held: number;
  /** Where claims lie that were left without facts: their scopes have to be rebuilt. */
  readonly emptied: readonly ScopeKey[];
}

/** What became of a batch of the stage. */
export type AppliedConsolidation = AppliedBatch & Partial<Pick<ConsolidatedBatch, 'emptied'>>;

/** Consolidates batches of events: one transaction each, with what it derives, its watermarks and its frames. */
export class Consolidator {
  private readonly writer: Writer;
  private readonly worker: string;
  private readonly ids: KeyedIds;
  private readonly policies = new PolicyLogReader();
  private readonly beliefs: BeliefReviser;
  private readonly concepts = new ConceptReviser();
  private readonly deferrals: DeferralKeeper;

  /** @param intervalMs after which events of a periodic scope are consolidated */
  constructor(
    writer: Writer,
    worker: string,
    ids: KeyedIds,
    beliefs: RevisionPolicy = DEFAULT_REVISION_POLICY,
    intervalMs = CONSOLIDATION_INTERVAL_MS,
  ) {
    this.writer = writer;
    this.worker = worker;
    this.ids = ids;
    this.beliefs = new BeliefReviser(beliefs, ids);
    this.deferrals = new DeferralKeeper(this.policies, intervalMs);
  }

  /**
   * Does one batch; the steps whose lease is lost, and their events, are left out. `beside`: whether other shards are consolidated at
   * the same time; what may depend on them fails then. `onThought` is called when all is sent but the commit. Other errors are the
   * driver's own.
   */
  async apply(
    steps: readonly ShardStep[],
    events: readonly EventWithEnvelope[],
    now: number,
    beside = false,
    onThought: () => void = () => undefined,
  ): Promise<AppliedConsolidation> {
    return this.writer.transaction(async (transaction) => {
      const owned = await passWithin(transaction, steps, this.worker);
      const mine = events.filter(({ shard }) => owned.has(shard));
      const batch = {
        events: mine,
        shards: [...owned],
        now,
        mode: 'first',
        replayedThrough: -1,
        beside,
      } as const;
      if (mine.length === 0) return { owned, newestFrame: 0 };
      const { newestFrame, emptied } = await this.consolidate(transaction, batch);
      onThought();
      return { owned, newestFrame, emptied };
    });
  }

  /** Consolidates a batch within a transaction that holds its shards. */
  async consolidate(transaction: Transaction, batch: ConsolidationBatch): Promise<ConsolidatedBatch> {
    const due = await this.due(transaction, batch);
    const present = due.filter(({ state }) => !state.held);
    const split = await this.deferrals.split(transaction, present);
    const { ready } = split;
    const work = await this.workOf(transaction, due, split, batch.mode);
    const { worker, ids } = this;
    const prefetched = {
      beliefs: this.beliefs.prefetched(transaction),
      concepts: new ConceptPrefetch(transaction, ids),
    };
    const { now } = batch;
    const consolidation = new Consolidation(
      transaction,
      worker,
      batch.shards,
      { beside: batch.beside === true },
      foresightOf(prefetched),
    );
    const deleted = [...work.retracted, ...work.erased];
    const disputes = await DisputeKeeper.before(transaction, [...deleted, ...work.repeated]);
    const stated = await consolidation.run(work);
    drawLinksWithin(transaction, [...work.links]);
    const ended = await disputes.after({ statements: stated.writes.statements, changes: stated.changes });
    const lasting = ready.filter(({ state }) => !state.excluded);
    const apart = lasting.filter(({ state }) => isInNoEpisode(state.wishes));
    const fresh = lasting.filter((one) => !one.state.placed && !apart.includes(one));
    // Beside one another, so that the database writes the one while the other is thought out.
    const [{ done, revised, concepts }, episodes] = await Promise.all([
      this.understand(transaction, consolidation, stated, prefetched),
      putIntoEpisodes(transaction, fresh, [...deleted, ...idsOf(apart)]),
    ]);
    const live = lasting
      .map(({ event }) => event)
      .filter(({ event_id: id, wal_offset }) => wal_offset > batch.replayedThrough || split.ended.has(id))
      .map(({ event_id }) => event_id);
    const bereft = { claims: [...consolidation.bereft], handled: idsOf(ready) };
    queueDecisions(transaction, bereft, now);
    await this.deferrals.enter(transaction, split, now);
    const newestFrame = await closeEvents(transaction, {
      holds: liftedRetries(due, split),
      frames: consolidatedFrames(live, done, {
        revised,
        concepts,
        episodes,
        ended,
        ambiguous: work.ambiguous,
      }),
      now,
    });
    return {
      newestFrame,
      stating: new Set(work.statements.flatMap((one) => (one.retracted ? [] : [one.event_id]))).size,
      excluded: due.filter(({ state }) => state.excluded).length,
      held: due.length - ready.length,
      emptied: consolidation.emptied,
    };
  }

  private async due(transaction: Transaction, { events, mode }: ConsolidationBatch): Promise<Due[]> {
    const opened = new Map((await openEvents(transaction, events)).map((one) => [one.event_id, one]));
    return events.flatMap((event) => {
      const state = opened.get(event.event_id);
      const mine = state?.rebuilding === (mode === 'rebuilt');
      return state?.due === true && mine ? [{ event, state }] : [];
    });
  }

  private async workOf(
    transaction: Transaction,
    due: readonly Due[],
    { ready, deferred, rules: known }: SplitEvents,
    mode: ConsolidationBatch['mode'],
  ) {
    const left = ready.filter(({ state }) => !state.erased);
    const speaking = left.filter(({ state }) => !statesNothing(state.wishes));
    const extractions = await extractionsOf(transaction, idsOf(speaking));
    const stating = speaking
      .map((one) => ({ ...one, extraction: extractions.get(one.event.event_id) }))
      .filter(({ event, extraction }) => STATING_KINDS.has(event.content_kind) || extraction !== undefined);
    const said = stating.map(({ event }) => event);
    const unknown = said.filter(({ event_id }) => known?.has(event_id) !== true);
    const rules = await rulesOf(transaction, this.policies, unknown);
    const ruled = stating.map((one) => {
      const rule = known?.get(one.event.event_id) ?? rules.get(one.event.event_id);
      if (rule === undefined) throw new Error(`no rules were found for ${one.event.event_id}`);
      return { ...one, rules: rule };
    });
    const { statements, ambiguous } = await namedStatements(transaction, ruled);
    const links = new Set<string>();
    const stated = await this.linked(transaction, statements, speaking, links);
    const batch = { statements: stated, events: new Set(idsOf(ready)) };
    const resolved = await resolvedStatements(speaking, batch, new ClaimReader(transaction), (made) =>
      this.linked(transaction, made, speaking, links),
    );
    const repeats = mode === 'repeated' || due.some(({ event }) => event.retry_id !== null);
    const later = new Set(deferred.map(({ event }) => event.event_id));
    return {
      statements: [...stated, ...resolved],
      retracted: [
        ...due.flatMap(({ state }) => state.replaced),
        ...idsOf(due.filter(({ state }) => state.excluded && !state.erased)),
      ],
      erased: idsOf(due.filter(({ state }) => state.erased)),
      repeated: idsOf(due.filter((one) => isRepeated(one, mode) && !later.has(one.event.event_id))),
      reduced: idsOf(left.filter(isReduced)),
      again: repeats || (mode === 'first' && due.some(({ state }) => state.excluded)),
      inOrder: !repeats,
      ambiguous,
      links,
    };
  }

  /**
   * Statements without those that are forgotten, by what their entities go by; where nothing of a scope was linked, as they are. Adds the
   * ids of the links that it met.
   */
  private async linked(
    transaction: Transaction,
    statements: readonly NewStatement[],
    events: readonly Due[],
    met: Set<string>,
  ): Promise<readonly NewStatement[]> {
    const refs = new Set(events.flatMap(({ event, state }) => (state.linked ? [event.scope_ref] : [])));
    const keys = statements
      .filter(({ scope_ref }) => refs.has(scope_ref))
      .flatMap((one) => entitiesOf(one).map((entity) => entityKey(one.scope_ref, entity)));
    const found = await linksWithin(transaction, [...new Set(keys)]);
    for (const { id } of found) met.add(id);
    const links = new EntityLinks(found);
    const left = withoutForgotten(statements, wishesOf(events), (one) => idsByLinks(one, links));
    return found.length === 0 ? left : linkedStatements(left, links);
  }

  /**
   * Revises beliefs, and beside that thinks out what becomes of concepts: the database writes the one while the other is thought out.
   */
  private async understand(
    transaction: Transaction,
    consolidation: Consolidation,
    stated: Consolidated,
    prefetched: Prefetched,
  ) {
    const planned = this.concepts.plan(transaction, lastOf(stated.changes), prefetched.concepts);
    void Promise.allSettled([planned]);
    const { done, revised } = await this.believe(transaction, consolidation, stated, prefetched);
    const plan =
      done === stated
        ? await planned
        : await this.concepts.plan(transaction, lastOf(done.changes), prefetched.concepts);
    return { done, revised, concepts: await this.concepts.write(transaction, plan) };
  }

  /** Revises beliefs, and what was concluded from beliefs that begin or are gone only now, until nothing rests on such ones. */
  private async believe(
    transaction: Transaction,
    consolidation: Consolidation,
    stated: Consolidated,
    prefetched: Prefetched,
  ): Promise<{ done: Consolidated; revised: readonly BeliefRevised[] }> {
    let done = stated;
    const revised: BeliefRevised[] = [];
    for (let { changes } = stated, round = 0; ; round += 1) {
      if (round === MAX_CASCADE_ROUNDS) throw new Error('what was concluded rests on itself');
      const revisions = await this.beliefs.revise(transaction, changes, prefetched.beliefs);
      revised.push(...revisions.revised);
      const { newlyResolved, lost } = revisions;
      if (newlyResolved.length + lost.length === 0) return { done, revised };
      const more = await consolidation.newlyResolved(newlyResolved, lost);
      changes = more.changes;
      done = both(done, more);
    }
  }
}

/** What is read ahead of revising beliefs and concepts. */
interface Prefetched {
  readonly beliefs: ReturnType<BeliefReviser['prefetched']>;
  readonly concepts: ConceptPrefetch;
}

function foresightOf({ beliefs, concepts }: Prefetched): Foresight {
  return {
    changed: async (changes) => {
      const asked = concepts.ask(lastOf(changes));
      beliefs.ask(changes);
      await asked;
    },
    erased: (claims) => concepts.keep(claims),
  };
}

function idsOf(events: readonly Pick<Due, 'event'>[]): string[] {
  return events.map(({ event }) => event.event_id);
}

/** What is to be forgotten of events, by their ids. */
function wishesOf(events: readonly Due[]): ReadonlyMap<string, readonly Wish[]> {
  const wished = events.filter(({ state }) => state.wishes.length > 0);
  return new Map(wished.map(({ event, state }) => [event.event_id, state.wishes]));
}

/** What is lifted: the holds that are repeated, and what let events wait; not of those that wait on. */
function liftedRetries(due: readonly Due[], { deferred, ended }: SplitEvents): string[] {
  const later = new Set(deferred.map(({ event }) => event.event_id));
  const repeated = due.flatMap(({ event: { event_id, retry_id } }) =>
    retry_id === null || later.has(event_id) ? [] : [retry_id],
  );
  return [...new Set([...repeated, ...[...ended].map((id) => `${id}/consolidated`)])];
}

/** The changes of claims; of one that was told once more the last, which is all of it. */
function lastOf(changes: readonly ClaimChange[]): ClaimChange[] {
  return [...new Map(changes.map((change) => [change.claim, change])).values()];
}

/** Whether an event may state less than before though it was taken out: something of it is forgotten, or of what it decided between. */
function isReduced({ event, state }: Due): boolean {
  return state.wishes.length > 0 || (state.excluded && event.content_kind === 'conflict_resolution');
}

/** Whether an event may have stated something before. */
function isRepeated({ event, state }: Due, mode: ConsolidationBatch['mode']): boolean {
  const { erased, excluded, held } = state;
  return !erased && !excluded && (event.retry_id !== null || (mode === 'repeated' && !held));
}
