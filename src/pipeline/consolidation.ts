import type { NewStatement } from '../../graph/claim/new-statement.ts';
import type { NamedBelief } from '../../graph/belief/writes.ts';
import {
  ClaimReader,
  type ChangingParts,
  type Dependent,
  type FoundPremise,
  type StatementOfEvent,
  type StoredClaim,
} from '../../graph/claim/read.ts';
import { requires_full_replay, type ClaimWrites } from '../../graph/claim/row.ts';
import { ClaimWriter } from '../../graph/claim/write.ts';
import { reassignWithin, resolvePremises } from '../../graph/claim/reassign.ts';
import type { Transaction } from '../../graph/driver.ts';
import type { ClaimChange, ScopeKey } from '../derive/claim/change.ts';
import type { Facts } from '../derive/claim/conclusion.ts';
import { consolidated, type ClaimInput } from '../derive/claim/consolidate.ts';
import { grouped } from '../derive/grouped.ts';
import { MAX_BULK_ITEMS, MAX_CASCADE_ROUNDS } from '../limits.ts';
import { windowBounds, windowOf } from './claim-window.ts';
import { isTooLong, LongClaim } from './long-claim.ts';
import {
  changeOf,
  factsFrom,
  inputOf,
  merged,
  movedOf,
  NOTHING,
  placeOf,
  writesOf,
} from './stored-claims.ts';

/** Statements of the end of a claim that are read to go on with it; a longer history is not. Most claims have fewer and are read whole. */
export const CLAIM_END = 40;

/** What is to be consolidated, in one transaction that holds the shards of the events. */
export interface ConsolidationWork {
  /** What is stated now, in the order of the log. */
  readonly statements: readonly NewStatement[];
  /** Events that were taken out: nothing that they state counts any more, but their ids still tell what they stood for. */
  readonly retracted: readonly string[];
  /** Events of which nothing may stay. */
  readonly erased: readonly string[];
  /** Events that are repeated: what they state is replayed, and what they stated before and do not any more goes. */
  readonly repeated: readonly string[];
  /** Events of which, though they were taken out, nothing stays of what they stated before and do not any more. */
  readonly reduced: readonly string[];
  /** True when some of the statements may be stored already: those stay as they are. */
  readonly again: boolean;
  /** True when nothing that is stored lies behind any of the statements. */
  readonly inOrder: boolean;
}

/** What one consolidation came to. */
export interface Consolidated {
  readonly changes: readonly ClaimChange[];
  readonly writes: ClaimWrites;
}

/** What two consolidations of one transaction came to together. */
export function both(first: Consolidated, second: Consolidated): Consolidated {
  return {
    changes: [...first.changes, ...second.changes],
    writes: merged([first.writes, second.writes]),
  };
}

/** How a consolidation goes about it. */
export interface ConsolidationMode {
  /** Whether the same process consolidates other shards at the same time: then it fails where a premise is not to be seen. Default false. */
  readonly beside?: boolean;
}

/** Who reads ahead, before anything is written. */
export interface Foresight {
  /** Told of changes; they are written once it resolves, so that what is read next is asked for before. */
  changed(changes: readonly ClaimChange[]): Promise<void>;
  /** Told of claims of which statements are erased once it resolves, with all edges to them. */
  erased(claims: readonly string[]): Promise<void>;
}

const NOBODY: Foresight = { changed: () => Promise.resolve(), erased: () => Promise.resolve() };

/** Claims that are derived together. */
interface Round {
  readonly claims: ReadonlySet<string>;
  /** Those of them that are told from their beginning. */
  readonly changed: ReadonlySet<string>;
  readonly statements: readonly NewStatement[];
  /** Whether the statements come in the order of the log, so that the ends of claims may be enough to go on with them. */
  readonly inOrder: boolean;
}

/** That what was concluded rests on itself, or on more steps than are gone; its code is the reason that the event is parked with. */
class EndlessCascade extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.name = 'EndlessCascade';
    this.code = code;
  }
}

/** That a name of a premise stands for nothing that can be seen while another transaction may be writing what it stands for. */
class UnseenPremise extends Error {
  readonly code = 'a premise is not there yet';

  constructor() {
    super('a premise is not there yet');
    this.name = 'UnseenPremise';
  }
}

/**
 * Brings claims up to what their events say, and then, round after round, whatever rests on what has changed. What rests on itself
 * would never come to rest: it fails, at the latest after {@link MAX_CASCADE_ROUNDS} rounds. A capture that would close such a circle is
 * refused; only what was captured at the same time comes so far.
 */
export class Consolidation {
  private readonly transaction: Transaction;
  private readonly reader: ClaimReader;
  private readonly writer: ClaimWriter;
  private readonly worker: string;
  private readonly locked: Set<number>;
  private readonly mode: ConsolidationMode;
  private readonly foresight: Foresight;
  private readonly changes = new Map<string, ClaimChange>();
  private readonly writes: ClaimWrites[] = [];
  /** Claims of events that are erased. */
  private readonly erasing = new Set<string>();
  /** Claims of which statements are gone, for good. */
  readonly bereft = new Set<string>();
  /** Where claims lie of which nothing is told though something is left of them: their scopes have to be rebuilt. */
  readonly emptied: ScopeKey[] = [];

  /** @param foresight default nobody */
  constructor(
    transaction: Transaction,
    worker: string,
    shards: readonly number[],
    mode: ConsolidationMode = {},
    foresight: Foresight = NOBODY,
  ) {
    this.transaction = transaction;
    this.reader = new ClaimReader(transaction);
    this.writer = new ClaimWriter(transaction);
    this.worker = worker;
    this.locked = new Set(shards);
    this.mode = mode;
    this.foresight = foresight;
  }

  /** Does the work; the caller holds the shards of its events. */
  async run(work: ConsolidationWork): Promise<Consolidated> {
    const taken = new Set([...(await this.takeOut(work)), ...(await this.repeat(work))]);
    const statements = work.again ? await this.missing(work.statements) : work.statements;
    const live = statements.filter(({ retracted }) => !retracted);
    const retractedStatements = statements.filter(({ retracted }) => retracted);
    if (retractedStatements.length > 0) this.writer.write({ ...NOTHING, statements: retractedStatements });
    const claims = new Set([...taken, ...live.map(({ claim }) => claim)]);
    const stood = work.statements.flatMap(({ retracted, claim }) => (retracted ? [claim] : []));
    const moved = new Set([...claims, ...stood, ...work.retracted, ...work.erased]);
    // Asked for before anything is written, so that nobody waits for the writing; only where something of the claims itself rests on
    // premises does that change the answer.
    const dependents = this.reader.dependents([...moved], live);
    void Promise.allSettled([dependents]);
    const rests = await this.settle({ claims, changed: taken, statements: live, inOrder: work.inOrder });
    await this.cascade(moved, rests ? undefined : dependents);
    return this.done();
  }

  /**
   * Replays what rests on these claims, whose names only now stand for something, and on beliefs that are gone (`lost`); answers what that
   * came to.
   */
  async newlyResolved(claims: readonly string[], lost: readonly NamedBelief[] = []): Promise<Consolidated> {
    this.changes.clear();
    this.writes.length = 0;
    const moved = new Set([...claims, ...lost.map(({ claim }) => claim)]);
    await this.cascade(moved, this.reader.dependents([...moved], lost));
    return this.done();
  }

  private done(): Consolidated {
    return { changes: [...this.changes.values()], writes: merged(this.writes) };
  }

  private async cascade(claims: ReadonlySet<string>, known?: Promise<readonly Dependent[]>): Promise<void> {
    let moved = claims;
    const met = new Set<string>();
    for (let round = 0; moved.size > 0; round += 1) {
      if (round === MAX_CASCADE_ROUNDS)
        throw new EndlessCascade(`more than ${MAX_CASCADE_ROUNDS} conclusions rest on one another`);
      const asked = round === 0 ? known : undefined;
      const dependents = await (asked ?? this.reader.dependents([...moved]));
      for (const { claim } of dependents) met.add(claim);
      // A way without a circle is no longer than there are claims on it.
      if (dependents.length > 0 && round >= met.size)
        throw new EndlessCascade('a conclusion rests on itself');
      await this.lock(dependents.map(({ shard }) => shard));
      moved = new Set(dependents.map(({ claim }) => claim));
      await this.settle({ claims: moved, changed: moved, statements: [], inOrder: false });
    }
  }

  private async missing(statements: readonly NewStatement[]): Promise<readonly NewStatement[]> {
    const there = await this.reader.there(statements.map(({ id }) => id));
    reassignWithin(
      this.transaction,
      statements
        .filter((one) => isOtherwise(there.get(one.id), one))
        .map((one) => ({ ...one, requires_full_replay: requires_full_replay(one) })),
    );
    return statements.filter(({ id }) => !there.has(id));
  }

  /**
   * Takes out what repeated events do not state any more; answers the claims that they were about before. What was decided follows from the
   * statements that the decision names: it goes, and is written anew. Later stretches stay with what they are of.
   */
  private async repeat({ repeated, reduced, statements }: ConsolidationWork): Promise<string[]> {
    const found = await this.reader.ofEvents([...new Set([...repeated, ...reduced])], reduced);
    const stated = new Set(statements.map(({ id }) => id));
    const gone = found.filter(({ id, continuation_of }) => !stated.has(continuation_of ?? id));
    this.bereave(gone);
    await this.erase([...gone, ...found.filter(({ id, kind }) => kind === 'settled' && stated.has(id))]);
    return found.map(({ claim }) => claim);
  }

  /** Takes the statements of events out; answers the claims that they were about. */
  private async takeOut({ retracted, erased }: ConsolidationWork): Promise<Set<string>> {
    const found = await this.reader.ofEvents([...retracted, ...erased], erased);
    const deleted = new Set(erased);
    for (const { event_id, claim } of found) if (deleted.has(event_id)) this.erasing.add(claim);
    const gone = found.filter(({ event_id }) => deleted.has(event_id));
    this.bereave(gone);
    this.writer.withdraw(
      found.flatMap(({ id, event_id }) => (deleted.has(event_id) ? [] : [id])),
      false,
    );
    await this.erase(gone);
    return new Set(found.map(({ claim }) => claim));
  }

  private bereave(gone: readonly StatementOfEvent[]): void {
    for (const { claim, continuation_of } of gone) if (continuation_of === null) this.bereft.add(claim);
  }

  private async erase(statements: readonly StatementOfEvent[]): Promise<void> {
    if (statements.length === 0) return;
    await this.foresight.erased([...new Set(statements.map(({ claim }) => claim))]);
    this.writer.withdraw(
      statements.map(({ id }) => id),
      true,
    );
  }

  /** Derives claims and writes what has changed of them; answers whether any of it rests on premises. */
  private async settle(round: Round): Promise<boolean> {
    const { claims, changed, statements } = round;
    if (claims.size === 0) return false;
    const freshOf = grouped(statements, ({ claim }) => claim);
    const stored = await this.load(round, freshOf);
    const premises = await this.premises(stored, statements);
    const factsOf = await this.factsOf(premises);
    const replayedClaims: string[] = [];
    const changes: ClaimChange[] = [];
    const writes = stored.map((one) => {
      const fresh = freshOf.get(one.claim) ?? [];
      const input = this.bounded(
        inputOf(one, { fresh, premises, changed: changed.has(one.claim) }),
        placeOf(one, fresh),
      );
      const output = consolidated(input, factsOf);
      const change = changeOf(one, output, { before: input.before, fresh });
      changes.push(change);
      this.changes.set(one.claim, change);
      if (output.replayed) replayedClaims.push(one.claim);
      return writesOf(one, output, input.before, fresh);
    });
    await this.foresight.changed(changes);
    const all = merged(writes);
    this.writer.clear(replayedClaims, all.statements);
    this.writer.write(all);
    this.writes.push(...writes);
    // What is named may be stated in the same round: it was not there yet when its name was looked up, and what rests on it comes next.
    const now = new Map(all.statements.map(({ id, claim }) => [id, claim]));
    resolvePremises(
      this.transaction,
      [...premises].map(([id, { event, claim, moved }]) => ({
        id,
        claim: event ? id : (claim ?? now.get(id) ?? ''),
        assignments: claimsOfAssignments(moved).filter((assignment) => assignment !== claim),
      })),
    );
    return premises.size > 0;
  }

  /**
   * A claim as it is told: all of it, unless it is too long. Then its scope has to be rebuilt; of one of which something is erased, which
   * has to be gone at once, nothing is told until that is done. Throws {@link LongClaim}.
   */
  private bounded(input: ClaimInput, place: ScopeKey): ClaimInput {
    if (!isTooLong(input)) return input;
    if (!this.erasing.has(input.claim)) throw new LongClaim(place);
    this.emptied.push(place);
    return { ...input, stated: [], fresh: [], changed: true };
  }

  /** Claims as far as they have to be known: of one that is only gone on with, its end. */
  private async load(
    { claims, changed, inOrder }: Round,
    freshOf: ReadonlyMap<string, readonly NewStatement[]>,
  ): Promise<StoredClaim[]> {
    const found: StoredClaim[] = [];
    let goingOn = inOrder ? [...claims].filter((claim) => !changed.has(claim)) : [];
    const all = new Set([...claims].filter((claim) => !goingOn.includes(claim)));
    for (const most of [CLAIM_END, CLAIM_END + MAX_BULK_ITEMS]) {
      const more: string[] = [];
      for (const end of await this.reader.ends(goingOn, most)) {
        const window = windowOf(end, freshOf.get(end.claim) ?? []);
        if (window === 'more') more.push(end.claim);
        else if (window === 'all') all.add(end.claim);
        else found.push(window);
      }
      goingOn = more;
    }
    const appended = found.filter((one) => one.appended !== undefined);
    const revised = await this.reader.retroactivelyRevised(
      appended.map((one) => windowBounds(one, freshOf.get(one.claim) ?? [])),
    );
    const kept = found.filter(({ claim }) => !revised.has(claim));
    return [...kept, ...(await this.reader.load([...all, ...goingOn, ...revised]))];
  }

  /** What the names of premises stand for; whatever they lie in is held from here on. */
  private async premises(
    stored: readonly StoredClaim[],
    fresh: readonly NewStatement[],
  ): Promise<ReadonlyMap<string, FoundPremise>> {
    const all = [...stored.flatMap(({ statements }) => statements), ...fresh];
    const concluded = all.filter(({ premises }) => premises.length > 0);
    const ids = new Set(concluded.flatMap(({ premises }) => premises));
    const tenants = new Set(concluded.map(({ tenant }) => tenant));
    const find = (): Promise<FoundPremise[]> => this.reader.premises([...ids], [...tenants]);
    const found = await find();
    const locked = await this.lock(found.flatMap(({ shard }) => (shard === null ? [] : [shard])));
    // What was found before the lock may have changed since.
    const now = locked ? await find() : found;
    if (this.mode.beside && now.some(({ claim, event }) => claim === null && !event))
      throw new UnseenPremise();
    const stated = new Map(fresh.map((one) => [one.id, one]));
    return new Map(now.map((premise) => [premise.id, statedNow(premise, stated.get(premise.id))]));
  }

  private async factsOf(premises: ReadonlyMap<string, FoundPremise>): Promise<(claim: string) => Facts> {
    const claims = new Set(
      [...premises.values()].flatMap(({ claim, moved }) =>
        claim === null ? [] : [claim, ...claimsOfAssignments(moved)],
      ),
    );
    const rows = await this.reader.rows([...claims]);
    const facts = new Map([...rows].map(([claim, of]) => [claim, factsFrom(of)]));
    return (claim) => facts.get(claim) ?? new Map();
  }

  /** Holds further shards; true when there were any. */
  private async lock(shards: readonly number[]): Promise<boolean> {
    const further = [...new Set(shards)].filter((shard) => !this.locked.has(shard));
    await this.reader.lock(further, this.worker);
    for (const shard of further) this.locked.add(shard);
    return further.length > 0;
  }
}

/** Whether a stored statement says other things of links, or of how far it counts, than it does now. */
function isOtherwise(stored: ChangingParts | undefined, now: NewStatement): boolean {
  if (stored === undefined) return false;
  const moved = now.moved === undefined ? null : JSON.stringify(now.moved);
  return (
    stored.moved !== moved ||
    stored.max_layer !== (now.max_layer ?? null) ||
    stored.not_about !== (now.not_about ?? null)
  );
}

/** A premise that is not stored yet as what states it in the same round: a value of the claim that names it has to be known as such. */
function statedNow(premise: FoundPremise, stated: NewStatement | undefined): FoundPremise {
  if (stated === undefined || premise.claim !== null || premise.event) return premise;
  const { claim, value, shard, moved } = stated;
  return { ...premise, claim, value, shard, moved: moved === undefined ? null : JSON.stringify(moved) };
}

/** The claims that what a premise stands for was about, over recorded time. */
function claimsOfAssignments(moved: string | null): string[] {
  return moved === null ? [] : [...new Set(movedOf(moved).assignments.map(({ claim }) => claim))];
}
