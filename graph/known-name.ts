import type { KnownForm } from '../src/derive/known-names.ts';
import type { Transaction } from './driver.ts';
import { statement, type Param } from './statement.ts';

interface SoughtParams {
  sought: readonly Param[];
  keys: readonly string[];
  [name: string]: Param;
}

const known = statement<SoughtParams, KnownForm>(
  'name.known',
  'indexes entity_name_scope, entity_name_order; as many rows as the entities of a name have names',
  `CALL () {
     UNWIND $sought AS one
     MATCH (m:EntityName) USING INDEX SEEK m:EntityName(scope_ref, normalised_name)
     WHERE m.scope_ref = one.scope_ref AND m.normalised_name = one.normalised_name
     RETURN m.entity_key AS key
     UNION
     UNWIND $keys AS key
     RETURN key
   }
   WITH DISTINCT key
   CALL (key) {
     MATCH (m:EntityName) USING INDEX SEEK m:EntityName(entity_key, recorded_at, position, normalised_name)
     WHERE m.entity_key = key AND m.recorded_at > -9007199254740992 AND m.position >= 0 AND m.normalised_name >= ''
     RETURN m
   }
   RETURN m.scope_ref AS scope_ref, m.id AS id, m.normalised_name AS normalised_name, m.given AS given, m.position AS position,
     m.recorded_at AS recorded_at`,
);

const keep = statement<{ rows: readonly Param[] }, { kept: number }>(
  'name.keep',
  'constraint event_id',
  `UNWIND $rows AS row
   MATCH (e:Event {id: row.event_id}) WHERE e.redacted_at IS NULL
   SET e.resolved = row.resolved
   RETURN count(*) AS kept`,
);

/** All forms of the entities that go by normalised names in their scopes, or have one of the keys. */
export async function knownForms(
  transaction: Pick<Transaction, 'run'>,
  sought: readonly { readonly scope_ref: string; readonly normalised_name: string }[],
  keys: readonly string[],
): Promise<KnownForm[]> {
  const rows = sought.map(({ scope_ref, normalised_name }) => ({ scope_ref, normalised_name }));
  return transaction.run(known, { sought: rows, keys });
}

/** Keeps what the names of events were found to stand for (JSON text: for each name the id, followed by what else it might), as long as their content is kept. */
export function keepResolved(
  transaction: Transaction,
  rows: readonly { readonly event_id: string; readonly resolved: string }[],
): void {
  if (rows.length > 0)
    transaction.send(keep, { rows: rows.map(({ event_id, resolved }) => ({ event_id, resolved })) });
}

/** Has the server plan the statements of this file by running them on nothing. */
export async function planKnownNames(transaction: Transaction): Promise<void> {
  await knownForms(transaction, [], []);
  await transaction.run(keep, { rows: [] });
}
