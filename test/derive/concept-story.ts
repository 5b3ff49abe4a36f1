import type { Statement } from '../../src/derive/claim/statement.ts';
import { scopeRef } from '../../src/capture/scope-key.ts';
import { NOTHING_STANDS } from '../../src/derive/belief/evidence.ts';
import type { ClaimChange, ClaimSnapshot, ScopeKey, ValueTerms } from '../../src/derive/claim/change.ts';
import { EMPTY_CLAIM, addStatement, activeFactsOf } from '../../src/derive/claim/claim.ts';
import {
  replayedConcept,
  type ConceptBounds,
  type ConceptReplayInput,
  type CitingVersion,
  type Synthesis,
} from '../../src/derive/concept/evolve.ts';
import {
  staleConcepts,
  supportChange,
  supportKey,
  supportsNeeded,
  type SupportChange,
  type SupportRow,
} from '../../src/derive/concept/support.ts';
import { leaving, supportCount, replayInputAfter } from '../../src/derive/concept/replay-input.ts';
import { OPEN_END } from '../../schemas/time.ts';
import { KEYED_IDS } from '../support/keyed-ids.ts';
import fc from '../support/property.ts';

/** Instants of statements lie this far apart. */
export const STEP = 10;
/** Few, so that bounds are met. */
export const BOUNDS: ConceptBounds = { facts: 3, edges: 2 };
export const PLACE = { tenant: 'default', scope: 'user:a', scope_ref: scopeRef('default', 'user:a') };

/** A statement and the claim that it is about. */
export interface Spoken {
  readonly claim: string;
  readonly statement: Statement;
}

/** What is said about the concepts of a scope, and when they were to be brought up to date. */
export interface Tale {
  /** In the order of the log. */
  readonly spoken: readonly Spoken[];
  readonly syntheses: readonly Synthesis[];
}

const CLAIMS = ['k0', 'k1', 'k2', 'k3', 'k4', 'k5'];
const instant = fc.integer({ min: 0, max: 3 }).map((n) => n * STEP);
const said = fc.record({
  claim: fc.constantFrom(...CLAIMS),
  kind: fc.oneof(
    { weight: 8, arbitrary: fc.constant('asserted' as const) },
    { weight: 1, arbitrary: fc.constant('denied' as const) },
    { weight: 1, arbitrary: fc.constant('never' as const) },
  ),
  value: fc.constantFrom('x', 'y', 'z'),
  from: instant,
  pause: fc.constantFrom(0, STEP, STEP, 86_400_000),
  confidence: fc.constantFrom(0.1, 0.5, 1),
  sameEvent: fc.boolean(),
  not_about: fc.constantFrom(null, null, null, 'subject' as const, 'object' as const),
  synthesis: fc.option(
    fc.record({
      topics: fc.option(fc.subarray(['ent_a', 'ent_b', 'ent_c'])),
      force: fc.boolean(),
    }),
    { freq: 5 },
  ),
});

/** Logs about a handful of claims, with syntheses in between. */
export const tale: fc.Arbitrary<Tale> = fc.array(said, { minLength: 1, maxLength: 14 }).map((all) => {
  let now = 1000;
  const spoken: Spoken[] = [];
  const syntheses: Synthesis[] = [];
  for (const [i, { claim, pause, sameEvent, synthesis, not_about, ...one }] of all.entries()) {
    now += pause;
    const before = spoken.at(-1)?.statement;
    const joins = sameEvent && pause === 0 && before !== undefined;
    const event = joins
      ? { event_id: before.event_id, position: before.position }
      : { event_id: `e${String(i).padStart(2, '0')}`, position: i + 1 };
    const { kind, value, confidence, from } = one;
    const valid = { from, to: OPEN_END };
    const id = `f${String(i).padStart(2, '0')}`;
    const limits = not_about === null ? {} : { not_about };
    const statement = { id, ...event, recorded_at: now, kind, value, confidence, valid, ...limits };
    spoken.push({ claim, statement });
    if (synthesis !== null) syntheses.push({ id: `job${i}`, recorded_at: now, ...synthesis });
  }
  return { spoken, syntheses };
});

/** What the values of a claim mean: most are about one entity. */
export function termsOf(claim: string): ReadonlyMap<string, ValueTerms> {
  const [id, predicate] = claim === 'k5' ? ['ent_b', 'is_a'] : ['ent_a', `says_${claim}`];
  const subject = { type: 'entity', id, ...(claim === 'k1' ? { name: 'Ada' } : {}) } as const;
  return new Map<string, ValueTerms>([
    ['x', { subject, predicate, object: { type: 'entity', id: 'ent_b', name: 'Bo' } }],
    ['y', { subject, predicate, object: { type: 'entity', id: 'ent_c' } }],
    ['z', { subject, predicate, object: { type: 'literal', datatype: 'string', value: 'zed' } }],
  ]);
}

/** A claim as it stood after each instant of its log. */
export function momentsOf(log: readonly Statement[]): ClaimSnapshot[] {
  const instants = [...new Set(log.map(({ recorded_at }) => recorded_at))];
  return instants.map((recorded_at) => {
    const known = log.filter((one) => one.recorded_at <= recorded_at);
    return {
      recorded_at,
      event_id: known.at(-1)?.event_id ?? '',
      activeFacts: activeFactsOf(known.reduce(addStatement, EMPTY_CLAIM)),
      denials: [],
    };
  });
}

/** What was said about claims so far, and what became of them by it. */
export class ClaimLogs {
  private readonly logs = new Map<string, Statement[]>();
  private readonly place: ScopeKey;

  constructor(place: ScopeKey) {
    this.place = place;
  }

  /** The changes of one transaction: what is said now, and whose statements are taken out. */
  changes(spoken: readonly Spoken[], retracted: ReadonlySet<string> = new Set()): ClaimChange[] {
    return CLAIMS.flatMap((claim) => this.changeOf(claim, spoken, retracted) ?? []);
  }

  private changeOf(
    claim: string,
    spoken: readonly Spoken[],
    retracted: ReadonlySet<string>,
  ): ClaimChange | null {
    const old = this.logs.get(claim) ?? [];
    const fresh = spoken.flatMap((one) => (one.claim === claim ? [one.statement] : []));
    const left = old.filter(({ id }) => !retracted.has(id));
    if (fresh.length === 0 && left.length === old.length) return null;
    const log = [...left, ...fresh].sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
    this.logs.set(claim, log);
    const newest = old.at(-1)?.position ?? -1;
    const late = fresh.some(({ position }) => position < newest);
    const replayed = left.length < old.length || late;
    const since = replayed ? 0 : Math.min(...fresh.map(({ recorded_at }) => recorded_at));
    const snapshots = momentsOf(log).filter(({ recorded_at }) => recorded_at >= since);
    const place = log.length === 0 ? { tenant: '', scope: '', scope_ref: '' } : this.place;
    const key = `${this.place.scope} ${claim}`;
    return { claim: key, place, replayed, before: NOTHING_STANDS, snapshots, terms: termsOf(claim) };
  }
}

/** Rows and versions as a text that is the same for the same. */
export function dumped(
  rows: readonly SupportRow[],
  versions: ReadonlyMap<string, readonly CitingVersion[]>,
): string {
  const plain = (value: object): string => JSON.stringify(Object.entries(value).sort(byName));
  return JSON.stringify({
    rows: rows.map(plain).sort(),
    versions: [...versions].sort(byName).map(([id, all]) => [id, all.map(plain)]),
  });
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** A store of supports and concepts that is given and gives only what the real one would. */
export class ConceptShelf {
  readonly versions = new Map<string, CitingVersion[]>();
  private readonly logs: ClaimLogs;
  private rows: SupportRow[] = [];
  private readonly entities = new Map<string, string>();
  private readonly syntheses: Synthesis[] = [];

  constructor(place = PLACE) {
    this.logs = new ClaimLogs(place);
  }

  /** One transaction: what is said now, and whose statements are taken out. */
  apply(spoken: readonly Spoken[], retracted?: ReadonlySet<string>): void {
    const since = new Map<string, number>();
    const before = this.rows;
    const changes: SupportChange[] = [];
    for (const change of this.logs.changes(spoken, retracted)) {
      const found = this.rows.filter(
        (row) => row.claim === change.claim && row.recorded.to >= supportsNeeded(change),
      );
      const result = supportChange(change, found, KEYED_IDS);
      changes.push(result);
      const deleted = new Set([...result.removed, ...result.moved].map(supportKey));
      this.rows = [
        ...this.rows.filter((row) => !deleted.has(supportKey(row))),
        ...result.moved,
        ...result.opened,
      ];
      for (const { concept_id: id, entity_id, since: at } of staleConcepts(result, found)) {
        this.entities.set(id, entity_id);
        since.set(id, Math.min(at, since.get(id) ?? OPEN_END));
      }
    }
    for (const [id, at] of since) {
      this.checkTelling(id, at, before, changes);
      this.tell(id, at);
    }
  }

  /** What was stored before comes, with the changes, to what is stored after them. */
  private checkTelling(
    id: string,
    since: number,
    before: readonly SupportRow[],
    changes: readonly SupportChange[],
  ): void {
    const change = ownChange(id, changes);
    const most = BOUNDS.facts + leaving(since, change);
    const { kept, kept_count, ...found } = this.telling(id, since, before, most);
    const open = kept_count + found.changing.filter(isOpen).length;
    const stored = { ...found, newest: kept, open };
    const after = replayInputAfter(stored, change, BOUNDS.facts);
    const expected = this.telling(id, since, this.rows);
    const sorted = (value: object): string => JSON.stringify(Object.entries(value).sort(byName));
    const plain = ({ changing, ...rest }: ConceptReplayInput): string =>
      sorted({ ...rest, changing: changing.map(sorted).sort() });
    if (plain(after) !== plain(expected)) throw new Error(`${id} is not told from what its supports are`);
    // Those that are removed may be gone with their facts by then.
    const removed = new Set(change.removed.map(supportKey));
    const changing = found.changing.filter((row) => !removed.has(supportKey(row)));
    if (plain(replayInputAfter({ ...stored, changing }, change, BOUNDS.facts)) !== plain(expected))
      throw new Error(`${id} is told otherwise where what is removed is gone`);
    const count = this.rows.filter((row) => row.concept_id === id && isOpen(row)).length;
    if (supportCount(after) !== count) throw new Error(`${id} does not have ${supportCount(after)} supports`);
  }

  /** Brings concepts up to date. */
  synthesize(synthesis: Synthesis): void {
    this.enter(synthesis);
    for (const id of this.entities.keys()) this.tell(id, synthesis.recorded_at);
  }

  /** Has an entry in the log that is carried out later. */
  enter(synthesis: Synthesis): void {
    this.syntheses.push(synthesis);
  }

  /** What was believed of the facts that a version of a concept cites, as its supports say. */
  stancesOf(id: string, { recorded_from: at, facts }: CitingVersion): string[] {
    const known = this.rows.filter(
      ({ concept_id, recorded }) => concept_id === id && recorded.from <= at && at < recorded.to,
    );
    return facts.flatMap((fact) => known.flatMap((row) => (row.fact_id === fact ? [row.stance] : [])));
  }

  dump(): string {
    return dumped(this.rows, this.versions);
  }

  private tell(id: string, since: number): void {
    const telling = this.telling(id, since, this.rows);
    const before = (this.versions.get(id) ?? []).filter(({ recorded_from }) => recorded_from < since);
    const versions = [...before, ...replayedConcept(telling, BOUNDS).versions];
    if (versions.length > 0) this.versions.set(id, versions);
    else this.versions.delete(id);
  }

  /** What a concept is told from where these are the supports. */
  private telling(
    id: string,
    since: number,
    rows: readonly SupportRow[],
    most: number = BOUNDS.facts,
  ): ConceptReplayInput {
    const before = (this.versions.get(id) ?? []).filter(({ recorded_from }) => recorded_from < since);
    const own = rows.filter(({ concept_id }) => concept_id === id);
    const kept = own.filter((row) => row.recorded.from < since && isOpen(row));
    const newest = [...kept].sort((a, b) => b.position - a.position || (a.fact_id < b.fact_id ? 1 : -1));
    return {
      entity_id: this.entities.get(id) ?? '',
      since,
      last: before.at(-1) ?? null,
      kept: newest.slice(0, most),
      kept_count: kept.length,
      changing: own.filter(
        ({ recorded }) => recorded.from >= since || (recorded.to >= since && recorded.to < OPEN_END),
      ),
      syntheses: this.syntheses.filter(({ recorded_at }) => recorded_at >= since),
    };
  }
}

function isOpen({ recorded }: SupportRow): boolean {
  return recorded.to === OPEN_END;
}

/** What changes do to the supports of one concept. */
function ownChange(id: string, changes: readonly SupportChange[]): SupportChange {
  const of = (kind: keyof SupportChange): SupportRow[] =>
    changes.flatMap((change) => change[kind].filter(({ concept_id }) => concept_id === id));
  return { opened: of('opened'), moved: of('moved'), removed: of('removed') };
}
