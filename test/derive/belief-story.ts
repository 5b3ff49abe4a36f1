import type { Statement } from '../../src/derive/claim/statement.ts';
import { OPEN_END } from '../../schemas/time.ts';
import {
  beliefDifference,
  believed,
  planned,
  type BeliefPlan,
  type RevisedBelief,
  type StoredBelief,
} from '../../src/derive/belief/change.ts';
import type { BeliefRow, RevisionPolicy } from '../../src/derive/belief/revise.ts';
import { NOTHING_STANDS } from '../../src/derive/belief/evidence.ts';
import { scopeRef } from '../../src/capture/scope-key.ts';
import type { ClaimChange, ClaimSnapshot } from '../../src/derive/claim/change.ts';
import { EMPTY_CLAIM, addStatement, activeFactsOf } from '../../src/derive/claim/claim.ts';
import { KEYED_IDS } from '../support/keyed-ids.ts';
import fc from '../support/property.ts';

/** Instants of statements lie this far apart. */
export const STEP = 10;

/** A claim as it stood after each statement of its log; steps may share an instant. */
export interface Story {
  readonly statements: readonly Statement[];
  readonly steps: readonly ClaimSnapshot[];
  readonly policy: RevisionPolicy;
}

const instant = fc.integer({ min: 0, max: 6 }).map((n) => n * STEP);
/** A reason that a declaration names, and when it holds. */
const ground = fc
  .record({
    n: fc.constantFrom(1, 2),
    type: fc.constantFrom('fact' as const, 'event' as const),
    from: instant,
  })
  .map(({ n, type, from }) => ({ type, id: `${type} ${n}`, holds: [{ from, to: from + 2 * STEP }] }));
const said = fc.record({
  kind: fc.oneof(
    { weight: 7, arbitrary: fc.constant('asserted' as const) },
    { weight: 2, arbitrary: fc.constant('denied' as const) },
    { weight: 1, arbitrary: fc.constant('never' as const) },
  ),
  value: fc.constantFrom('x', 'y', 'z'),
  from: instant,
  length: fc.option(fc.integer({ min: 0, max: 3 }).map((n) => n * STEP)),
  pause: fc.constantFrom(0, STEP, STEP),
  confidence: fc.constantFrom(0, 0.1, 0.3, 0.5, 0.9, 1),
  sameEvent: fc.boolean(),
  /** The reasons of what is declared; null for what is stated. */
  grounds: fc.option(fc.uniqueArray(ground, { maxLength: 2, selector: ({ id }) => id }), { freq: 2 }),
  /** Which earlier statement falls with this one, or comes back with it, as a conclusion does; mostly none. */
  turns: fc.option(fc.nat(8), { freq: 3 }),
});

/** Logs of one claim, of which some statements fall and come back as what they rest on does. */
export const story: fc.Arbitrary<Story> = fc
  .record({
    all: fc.array(said, { minLength: 1, maxLength: 9 }),
    policy: fc.record({
      minChange: fc.constantFrom(0, 0.05, 0.2),
      cooldownMs: fc.constantFrom(0, 0, STEP, 3 * STEP),
    }),
  })
  .map(({ all, policy }) => {
    let now = 1000;
    const statements = all.map(
      ({ kind, value, from, length, pause, confidence, sameEvent, grounds }, i): Statement => {
        now += pause;
        const to = length === null || kind !== 'asserted' ? OPEN_END : from + length;
        // One that declares something does nothing else.
        const isJoined = sameEvent && pause === 0 && grounds === null && all[i - 1]?.grounds === null;
        const event_id = `e${isJoined ? i - 1 : i}`;
        const said_ = { id: `s${i}`, event_id, position: i + 1, recorded_at: now, kind, value, confidence };
        const declares = kind === 'asserted' && grounds !== null ? { grounds } : {};
        return { ...said_, valid: { from, to }, ...declares };
      },
    );
    const fallen = new Set<number>();
    const steps = all.map(({ turns }, i) => {
      if (turns !== null && turns < i && !fallen.delete(turns)) fallen.add(turns);
      const holding = statements.slice(0, i + 1).filter((_, k) => !fallen.has(k));
      return snapshotOf(holding, statements[i]);
    });
    return { statements, steps, policy };
  });

function snapshotOf(holding: readonly Statement[], by: Statement | undefined): ClaimSnapshot {
  const denials = holding.filter(({ kind }) => kind !== 'asserted');
  const stands = activeFactsOf(holding.reduce(addStatement, EMPTY_CLAIM));
  return { recorded_at: by?.recorded_at ?? 0, event_id: by?.event_id ?? '', activeFacts: stands, denials };
}

/** One moment for each instant: what was known last at it. */
export function merged(steps: readonly ClaimSnapshot[]): ClaimSnapshot[] {
  return [...new Map(steps.map((snapshot) => [snapshot.recorded_at, snapshot])).values()];
}

/** What became of a claim, apart from what the claim is. */
export type ChangePart = Pick<ClaimChange, 'replayed' | 'snapshots' | 'before'>;

/** A change of a claim whose values mean what they are called. */
export function changeOf(claim: string, part: ChangePart): ClaimChange {
  const place = { tenant: 'default', scope: 'user:a', scope_ref: scopeRef('default', 'user:a') };
  const terms = ['x', 'y', 'z'].map((value) => {
    const object = { type: 'literal', datatype: 'string', value } as const;
    return [value, { subject: { type: 'entity', id: 'ent_a' }, predicate: 'is', object }] as const;
  });
  return { claim, place, terms: new Map(terms), ...part };
}

/** The changes of a story that is told in parts, cut where `cuts` says; each goes on with what the ones before left. */
export function partsOf({ steps }: Story, cuts: readonly boolean[]): ChangePart[] {
  const parts: ChangePart[] = [];
  let begin = 0;
  for (let end = 1; end <= steps.length; end += 1) {
    if (end < steps.length && cuts[end] !== true) continue;
    const snapshots = merged(steps.slice(begin, end));
    const since = snapshots[0]?.recorded_at ?? 0;
    const before = steps.slice(0, begin).findLast(({ recorded_at }) => recorded_at < since);
    parts.push({ replayed: false, snapshots, before: before ?? NOTHING_STANDS });
    begin = end;
  }
  return parts;
}

/** A store of the beliefs about one claim that is given and gives only what the real one would. */
export class BeliefShelf {
  readonly beliefs = new Map<string, BeliefRow[]>();
  readonly policy: RevisionPolicy;

  constructor(policy: RevisionPolicy) {
    this.policy = policy;
  }

  /** Derives from the first moment on. */
  replay(snapshots: readonly ClaimSnapshot[]): RevisedBelief[] {
    return this.apply({ replayed: true, snapshots, before: NOTHING_STANDS });
  }

  /** Goes on, or begins anew. */
  apply(part: ChangePart): RevisedBelief[] {
    const plan = planned(changeOf('k', part), KEYED_IDS);
    const outcome = believed(plan, this.found(plan), this.policy);
    for (const belief of outcome) {
      const { opened, moved, removed } = beliefDifference(belief, part.replayed);
      const deleted = new Set([...moved, ...removed].map(keyOf));
      const rows = (this.beliefs.get(belief.value) ?? []).filter((row) => !deleted.has(keyOf(row)));
      this.beliefs.set(belief.value, [...rows, ...moved, ...opened]);
      if (rows.length + moved.length + opened.length === 0) this.beliefs.delete(belief.value);
    }
    return outcome;
  }

  private found({ change: { replayed, snapshots }, needs }: BeliefPlan): StoredBelief[] {
    const since = snapshots[0]?.recorded_at ?? OPEN_END;
    return [...this.beliefs].flatMap(([value, all]) => {
      const from = needs.find((need) => need.value === value)?.from ?? OPEN_END;
      const rows = all.filter(
        ({ valid, recorded }) =>
          replayed ||
          recorded.from === since ||
          recorded.to === since ||
          (recorded.to === OPEN_END && valid.to > from),
      );
      const made = all.filter(({ revised_at }) => revised_at < since).map(({ revision }) => revision);
      const revisions = Math.max(0, ...made);
      const touched = replayed || rows.length > 0 || needs.some((need) => need.value === value);
      return touched ? [{ id: `b-${value}`, value, rows, revisions }] : [];
    });
  }

  /** Everything that is stored, as text. */
  dump(): string {
    return dumped(this.beliefs);
  }
}

/** Beliefs with their rows, by value, as text: in one order, whatever the order in which they were found. */
export function dumped(beliefs: ReadonlyMap<string, readonly BeliefRow[]>): string {
  const all = [...beliefs].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(all.map(([value, rows]) => [value, [...rows].sort(inOrder)]));
}

function keyOf({ recorded, valid }: BeliefRow): string {
  return `${recorded.from} ${valid.from}`;
}

function inOrder(a: BeliefRow, b: BeliefRow): number {
  return a.recorded.from - b.recorded.from || a.valid.from - b.valid.from;
}
