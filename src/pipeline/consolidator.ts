import { ClaimReader } from '../../graph/claim.ts';
import { closeEvents, openEvents, type OpenedEvent } from '../../graph/consolidation.ts';
import type { Transaction, Writer } from '../../graph/driver.ts';
import { EpisodeLoader } from '../../graph/episode.ts';
import { writeEpisodes, type EpisodeWrites } from '../../graph/episode-writer.ts';
import { extractionsOf } from '../../graph/extraction.ts';
import { PolicyLogReader } from '../../graph/policy-log.ts';
import { passWithin, type AppliedBatch, type ShardStep } from '../../graph/stage.ts';
import type { Envelope } from '../../schemas/event.ts';
import type { ClaimChange } from '../derive/claim-change.ts';
import { DEFAULT_REVISION_POLICY, type RevisionPolicy } from '../derive/belief.ts';
import { EPISODE_IDLE_MS, MAX_CASCADE_ROUNDS } from '../limits.ts';
import { BeliefReviser, type BeliefRevised } from './belief-reviser.ts';
import { ConceptReviser } from './concept-reviser.ts';
import { both, Consolidation, type Consolidated } from './consolidation.ts';
import { consolidatedFrames } from './consolidated-frame.ts';
import { DisputeKeeper } from './disputes.ts';
import { episodeEventOf } from './episode-input.ts';
import { consolidateEpisodes } from './episodes.ts';
import { resolvedStatements } from './resolutions.ts';
import { statementsOf, STATING_KINDS, type EventWithEnvelope } from './stated-events.ts';

/** Consolidates batches of events: one transaction each, with what it derives, its watermarks and its frames. */
export class Consolidator {
  private readonly writer: Writer;
  private readonly worker: string;
  private readonly policies = new PolicyLogReader();
  private readonly beliefs: BeliefReviser;
  private readonly concepts = new ConceptReviser();

  constructor(writer: Writer, worker: string, beliefs: RevisionPolicy = DEFAULT_REVISION_POLICY) {
    this.writer = writer;
    this.worker = worker;
    this.beliefs = new BeliefReviser(beliefs);
  }

  /** Does one batch; the steps whose lease is lost, and their events, are left out. Errors are the driver's own. */
  async apply(
    steps: readonly ShardStep[],
    events: readonly EventWithEnvelope[],
    now: number,
  ): Promise<AppliedBatch> {
    return this.writer.transaction(async (transaction) => {
      const owned = await passWithin(transaction, 'consolidated', steps, this.worker);
      const mine = events.filter(({ shard }) => owned.has(shard));
      const newestFrame = mine.length === 0 ? 0 : await this.consolidate(transaction, mine, { owned, now });
      return { owned, newestFrame };
    });
  }

  private async consolidate(
    transaction: Transaction,
    events: readonly EventWithEnvelope[],
    { owned, now }: { owned: ReadonlySet<number>; now: number },
  ): Promise<number> {
    const opened = new Map((await openEvents(transaction, events)).map((one) => [one.event_id, one]));
    const due = events.flatMap((event) => {
      const state = opened.get(event.event_id);
      return state?.due === true ? [{ event, state }] : [];
    });
    const ready = due.filter(({ state }) => !state.held);
    const left = ready.filter(({ state }) => !state.erased);
    const extractions = await extractionsOf(
      transaction,
      left.map(({ event }) => event.event_id),
    );
    const stating = left
      .map((one) => ({ ...one, extraction: extractions.get(one.event.event_id) }))
      .filter(({ event, extraction }) => STATING_KINDS.has(event.content_kind) || extraction !== undefined);
    const rules = await this.policies.policiesAt(
      transaction,
      stating.map(({ event: { tenant, scope, wal_offset: position } }) => ({ tenant, scope, position })),
    );
    const plain = stating.flatMap((one, i) => {
      const rule = rules[i];
      if (rule === undefined) throw new Error(`no rules were found for ${one.event.event_id}`);
      return statementsOf(one, rule);
    });
    const resolved = await resolvedStatements(left, plain, new ClaimReader(transaction));
    const work = {
      statements: [...plain, ...resolved],
      withdrawn: [
        ...due.flatMap(({ state }) => state.replaced),
        ...due.filter(({ state }) => state.excluded && !state.erased).map(({ event }) => event.event_id),
      ],
      erased: due.filter(mustGo).map(({ event }) => event.event_id),
      again: due.some(({ event }) => event.hold_id !== null),
    };
    const consolidation = new Consolidation(transaction, this.worker, [...owned]);
    const disputes = await DisputeKeeper.before(transaction, [...work.withdrawn, ...work.erased]);
    const stated = await consolidation.run(work);
    const ended = await disputes.after({ statements: stated.writes.statements, changes: stated.changes });
    const { done, revised } = await this.believe(transaction, consolidation, stated);
    const concepts = await this.concepts.revise(transaction, aboutFacts(done.changes));
    const lasting = ready.filter(({ state }) => !state.excluded);
    const episodes = await putIntoEpisodes(transaction, lasting, [...work.withdrawn, ...work.erased]);
    const live = lasting.map(({ event }) => event.event_id);
    return closeEvents(transaction, {
      holds: due.flatMap(({ event }) => (event.hold_id === null ? [] : [event.hold_id])),
      frames: consolidatedFrames(live, done, { revised, concepts, episodes, ended }),
      now,
    });
  }

  /** Revises beliefs, and what was concluded from beliefs that begin only now, until nothing rests on what begins. */
  private async believe(
    transaction: Transaction,
    consolidation: Consolidation,
    stated: Consolidated,
  ): Promise<{ done: Consolidated; revised: readonly BeliefRevised[] }> {
    let done = stated;
    const revised: BeliefRevised[] = [];
    for (let { changes } = stated, round = 0; ; round += 1) {
      if (round === MAX_CASCADE_ROUNDS) throw new Error('what was concluded rests on itself');
      const revisions = await this.beliefs.revise(transaction, changes);
      revised.push(...revisions.revised);
      if (revisions.woken.length === 0) return { done, revised };
      const more = await consolidation.woken(revisions.woken);
      changes = more.changes;
      done = both(done, more);
    }
  }
}

/** The changes of claims that make facts; of a claim that was told once more the last, which is all of it. */
function aboutFacts(changes: readonly ClaimChange[]): ClaimChange[] {
  const last = new Map(changes.map((change) => [change.claim, change]));
  return [...last.values()].filter(({ declared }) => declared !== true);
}

function putIntoEpisodes(
  transaction: Transaction,
  events: readonly { event: EventWithEnvelope; state: OpenedEvent }[],
  withdrawn: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const inputs = events.flatMap(({ event, state }) => {
    const { event_id: id, wal_offset: position, tenant, scope, scope_ref } = event;
    const { recorded_at, observed_at, subject } = state;
    const envelope = JSON.parse(event.envelope) as Envelope;
    const input = episodeEventOf({ id, position, recorded_at, observed_at, scope_ref, subject, envelope });
    return input === null ? [] : [{ place: { tenant, scope, scope_ref }, event: input }];
  });
  const store = {
    loader: new EpisodeLoader(transaction),
    write: (writes: readonly EpisodeWrites[]) => writeEpisodes(transaction, writes),
  };
  return consolidateEpisodes(store, { events: inputs, withdrawn }, EPISODE_IDLE_MS);
}

/** Of an event that is repeated, what it stated before goes first. */
function mustGo({ event, state }: { event: EventWithEnvelope; state: OpenedEvent }): boolean {
  return state.erased || (event.hold_id !== null && !state.excluded);
}
