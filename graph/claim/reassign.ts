import { OPEN_END } from '../../schemas/time.ts';
import type { Reassignment } from '../../src/derive/claim/assignment.ts';
import type { StatementLimits } from '../../src/derive/claim/forgotten.ts';
import type { Transaction } from '../driver.ts';
import { storedInstantOrNull } from '../instant.ts';
import { intOrNull, statement, type Param } from '../statement.ts';

/** A stored statement of which links make something else than before, or that counts less far. */
export interface ReassignedStatement extends StatementLimits {
  readonly id: string;
  /** Left out where it stays in its claim. */
  readonly moved?: Reassignment;
  /** Whether its claim is not gone on with from its end. */
  readonly requires_full_replay: boolean;
}

const resolve = statement<{ premises: readonly Param[] }, { id: string }>(
  'claim.resolve_premises',
  'constraint premise_id',
  `UNWIND $premises AS row
   MATCH (p:Premise {id: row.id}) WHERE p.claim <> row.claim
   SET p.claim = row.claim
   RETURN p.id AS id`,
);

const assignments = statement<{ assignments: readonly Param[] }, { key: string }>(
  'claim.premise_homes',
  'constraints premise_id, premise_home_key',
  `UNWIND $assignments AS row
   MATCH (p:Premise {id: row.id})
   MERGE (h:PremiseHome {key: row.id + ' ' + row.claim}) ON CREATE SET h.claim = row.claim
   MERGE (h)-[:OF]->(p)
   RETURN h.key AS key`,
);

const reassign = statement<{ rows: readonly Param[] }, { id: string }>(
  'claim.rehome',
  'constraint statement_id',
  `UNWIND $rows AS row
   MATCH (s:Statement {id: row.id})
   SET s.moved = row.props.moved, s.known_at = ${storedInstantOrNull('row.props.known_at')}, s.left_at = ${storedInstantOrNull('row.props.left_at')},
     s.max_layer = row.props.max_layer, s.not_about = row.props.not_about
   FOREACH (qualifying IN CASE WHEN row.requires_full_replay AND NOT s.retracted THEN [s] ELSE [] END | SET qualifying:RequiresFullReplay)
   FOREACH (plain IN CASE WHEN row.requires_full_replay THEN [] ELSE [s] END | REMOVE plain:RequiresFullReplay)
   RETURN s.id AS id`,
);

/** Says which claim (or event) each name of a premise stands for, and, where links move what it stands for, which further ones. */
export function resolvePremises(
  transaction: Transaction,
  premises: readonly {
    readonly id: string;
    readonly claim: string;
    readonly assignments: readonly string[];
  }[],
): void {
  if (premises.length === 0) return;
  transaction.send(resolve, { premises: premises.map(({ id, claim }) => ({ id, claim })) });
  const further = premises.flatMap(({ id, assignments: all }) => all.map((claim) => ({ id, claim })));
  if (further.length > 0) transaction.send(assignments, { assignments: further });
}

/** Stores what links make of statements that are stored already, and how far these count. */
export function reassignWithin(transaction: Transaction, statements: readonly ReassignedStatement[]): void {
  if (statements.length === 0) return;
  const rows = statements.map(({ id, moved, requires_full_replay, max_layer, not_about }) => ({
    id,
    requires_full_replay,
    props: { ...movedRow(moved), max_layer: max_layer ?? null, not_about: not_about ?? null },
  }));
  transaction.send(reassign, { rows });
}

/** What links made of a statement: the text of it, since when it is about its claim, and since when it is not any more. */
export function movedRow(moved: Reassignment | undefined): Record<'moved' | 'known_at' | 'left_at', Param> {
  if (moved === undefined) return { moved: null, known_at: null, left_at: null };
  const [first, last] = [moved.assigned_during[0], moved.assigned_during.at(-1)];
  return {
    moved: JSON.stringify(moved),
    known_at: intOrNull(first?.from ?? null),
    left_at: intOrNull(last === undefined || last.to === OPEN_END ? null : last.to),
  };
}

/** Has the server plan the statements of this file by running them on nothing. */
export async function planClaimMoves(transaction: Transaction): Promise<void> {
  await transaction.run(resolve, { premises: [] });
  await transaction.run(assignments, { assignments: [] });
  await transaction.run(reassign, { rows: [] });
}
