import type { Reader } from './driver.ts';
import { VISIBLE } from './event.ts';
import { statement } from './statement.ts';

/** Where a record lies that others may be concluded from. */
export interface PremisePlace {
  readonly tenant: string;
  readonly path: string;
}

const visiblePremises = statement<{ ids: readonly string[]; tenant: string }, PremisePlace & { id: string }>(
  'premise.visible_among',
  'constraints event_id, statement_id, belief_id',
  `UNWIND $ids AS id
   OPTIONAL MATCH (e:Event {id: id}) WHERE e.tenant = $tenant AND ${VISIBLE}
   OPTIONAL MATCH (s:Statement {id: id}) WHERE s.tenant = $tenant AND s.withdrawn = false
   OPTIONAL MATCH (b:Belief {id: id}) WHERE b.tenant = $tenant
   WITH id, coalesce(e, s, b) AS found WHERE found IS NOT NULL
   RETURN id, found.tenant AS tenant, found.scope AS path`,
);

/** Reads what conclusions may name. */
export class PremiseReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** Those of the ids that are events, facts or beliefs of the tenant that are there, with the scopes that they are in. */
  async visibleAmong(ids: readonly string[], tenant: string): Promise<Map<string, PremisePlace>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reader.read(visiblePremises, { ids, tenant });
    return new Map(rows.map(({ id, ...place }) => [id, place]));
  }
}
