import type { Closure } from '../../src/forget/closure.ts';
import type { Reader } from '../driver.ts';
import { statement, type Params } from '../statement.ts';

/** Ids in one statement. */
const SOUGHT = 1_000;

interface IdsParams extends Params {
  facts: readonly string[];
  beliefs: readonly string[];
  concepts: readonly string[];
}

const scopes = statement<IdsParams, { tenant: string; path: string }>(
  'erasure.scopes_of',
  'constraints statement_id, belief_id, concept_id',
  `CALL () {
     UNWIND $facts AS id MATCH (n:Statement {id: id}) RETURN n
     UNION UNWIND $beliefs AS id MATCH (n:Belief {id: id}) RETURN n
     UNION UNWIND $concepts AS id MATCH (n:Concept {id: id}) RETURN n
   }
   RETURN DISTINCT n.tenant AS tenant, n.scope AS path`,
);

/** The scopes of records of other scopes that go with what is erased, or are revised. */
export async function scopesElsewhere(
  reader: Reader,
  { gone, revised }: Closure['elsewhere'],
): Promise<{ tenant: string; path: string }[]> {
  const all = {
    facts: [...gone.facts, ...revised.facts],
    beliefs: [...gone.beliefs, ...revised.beliefs],
    concepts: [...gone.understanding, ...revised.understanding],
  };
  const longest = Math.max(all.facts.length, all.beliefs.length, all.concepts.length);
  const found = new Map<string, { tenant: string; path: string }>();
  for (let at = 0; at < longest; at += SOUGHT) {
    const some = (ids: readonly string[]): readonly string[] => ids.slice(at, at + SOUGHT);
    const params = { facts: some(all.facts), beliefs: some(all.beliefs), concepts: some(all.concepts) };
    for (const place of await reader.read(scopes, params)) found.set(`${place.tenant} ${place.path}`, place);
  }
  return [...found.values()];
}
