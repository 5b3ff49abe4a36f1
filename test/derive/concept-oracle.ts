import type { ActiveFact } from '../../src/derive/claim/statement.ts';
import { judged } from '../../src/derive/belief/weight.ts';
import { BOUNDS, momentsOf, termsOf, type Tale } from './concept-story.ts';

/** What of a version the oracle finds out. */
export interface Told {
  readonly at: number;
  readonly facts: readonly string[];
  readonly stances: readonly string[];
  readonly count: number;
  readonly independent: number;
}

interface Known {
  readonly fact: string;
  readonly position: number;
  readonly stance: string;
  readonly confidence: number;
  readonly events: string;
  readonly newest: number;
  /** Whether it says of the entity what another one has to do with it. */
  readonly related: boolean;
}

/** The versions of the concept of an entity, found out by looking at everything at every instant. */
export function toldOf(entity: string, { spoken, syntheses }: Tale): Told[] {
  const instants = [
    ...new Set([
      ...spoken.map(({ statement }) => statement.recorded_at),
      ...syntheses.map(({ recorded_at }) => recorded_at),
    ]),
  ].sort((a, b) => a - b);
  let shown = new Map<string, Known>();
  let said = '';
  const versions: Told[] = [];
  for (const at of instants) {
    const before = shown;
    shown = new Map(knownAt(entity, spoken, at).map((one) => [one.fact, settled(before.get(one.fact), one)]));
    const now = versionAt(at, shown);
    const forced = syntheses.some(
      ({ recorded_at, topics, force }) =>
        recorded_at === at && force && (topics === null || topics.includes(entity)),
    );
    if (versions.length === 0 && now.count === 0) continue;
    const says = JSON.stringify({ ...now, at: 0, cited: now.facts.map((id) => shown.get(id)) });
    if (says === said && !forced) continue;
    said = says;
    versions.push(now);
  }
  return versions;
}

function knownAt(entity: string, spoken: Tale['spoken'], at: number): Known[] {
  return [...new Set(spoken.map(({ claim }) => claim))].flatMap((claim) => {
    const log = spoken.flatMap((one) =>
      one.claim === claim && one.statement.recorded_at <= at ? [one.statement] : [],
    );
    const stands = momentsOf(log).at(-1)?.activeFacts ?? [];
    return stands.flatMap((fact) => {
      const { subject, object } = termsOf(claim).get(fact.value)!;
      const isObject = object.type === 'entity' && object.id === entity;
      const [own, other] =
        subject.id === entity ? (['subject', 'object'] as const) : (['object', 'subject'] as const);
      if (own === 'object' && !isObject) return [];
      const related = object.type === 'entity' && seenFrom(other, fact).length > 0;
      return seenFrom(own, fact).map((seen) => known(seen, related));
    });
  });
}

/** A fact with the statements that are about an entity of it; none where it is not the newest value by these. */
function seenFrom(side: 'subject' | 'object', fact: ActiveFact): ActiveFact[] {
  const supports = fact.supports.filter(({ not_about }) => not_about !== side);
  return supports.at(-1)?.valid.to === fact.valid.to ? [{ ...fact, supports }] : [];
}

function known({ id, supports }: ActiveFact, related: boolean): Known {
  const inOrder = [...supports].sort((a, b) => a.position - b.position);
  const byEvent = new Map<string, number>();
  for (const one of inOrder)
    byEvent.set(one.event_id, Math.max(one.confidence, byEvent.get(one.event_id) ?? 0));
  const weight = [...byEvent.values()].sort((a, b) => b - a).reduce((sum, one, i) => sum + one / (i + 1), 0);
  const { stance, confidence } = judged([{ type: 'fact', id, weight, polarity: 'supports' }]);
  return {
    fact: id,
    position: inOrder[0]!.position,
    stance,
    confidence,
    events: [...byEvent.keys()].slice(0, 3).join(),
    newest: Math.max(...supports.map(({ recorded_at }) => recorded_at)),
    related,
  };
}

/** What is shown of a fact: as before, where nothing of it has moved far. */
function settled(before: Known | undefined, now: Known): Known {
  if (before === undefined) return now;
  const far =
    before.stance !== now.stance ||
    before.position !== now.position ||
    before.events !== now.events ||
    before.related !== now.related ||
    Math.abs(before.confidence - now.confidence) >= 0.05 - 1e-9 ||
    Math.abs(before.newest - now.newest) >= 86_400_000;
  return far ? now : before;
}

function versionAt(at: number, shown: ReadonlyMap<string, Known>): Told {
  const newest = [...shown.values()]
    .sort((a, b) => b.position - a.position || (a.fact < b.fact ? 1 : -1))
    .slice(0, BOUNDS.facts);
  return {
    at,
    facts: newest.map(({ fact }) => fact),
    stances: newest.map(({ stance }) => stance),
    count: shown.size,
    independent: Math.min(3, new Set(newest.flatMap(({ events }) => events.split(','))).size),
  };
}
