import { OPEN_END } from '../../schemas/time.ts';
import { revised, type Extent } from '../time/extent.ts';
import { EMPTY_CLAIM, learned, standing, type Claim, type Statement } from './claim.ts';

/** A fact over recorded time. */
export interface FactHistory {
  readonly id: string;
  readonly value: string;
  /** Ordered by recorded time; empty for one that was never true for any time. */
  readonly extents: readonly Extent[];
}

/** A claim with the history of its facts. */
export interface ClaimHistory {
  readonly claim: Claim;
  readonly facts: ReadonlyMap<string, FactHistory>;
}

/** The history of a claim about which nothing is known. */
export const EMPTY_HISTORY: ClaimHistory = { claim: EMPTY_CLAIM, facts: new Map() };

/** The history after the next statement of the log; what changes by it changes at its recorded instant. */
export function recorded(history: ClaimHistory, statement: Statement): ClaimHistory {
  const claim = learned(history.claim, statement);
  const facts = new Map(history.facts);
  if (statement.kind === 'asserted') {
    const id = claim.factOf.get(statement.id) ?? statement.id;
    if (!facts.has(id)) facts.set(id, { id, value: statement.value, extents: [] });
  }
  const stands = new Map(standing(claim).map((fact) => [fact.id, fact]));
  for (const { id, value } of stands.values()) {
    if (!facts.has(id)) facts.set(id, { id, value, extents: [] });
  }
  const at = { now: statement.recorded_at, openEnd: OPEN_END };
  for (const [id, fact] of facts) {
    const extents = revised(fact.extents, stands.get(id)?.valid ?? null, at);
    if (extents !== fact.extents) facts.set(id, { ...fact, extents });
  }
  return { claim, facts };
}

/** The history that a log of statements about one claim makes. */
export function historyOf(statements: readonly Statement[]): ClaimHistory {
  return statements.reduce(recorded, EMPTY_HISTORY);
}
