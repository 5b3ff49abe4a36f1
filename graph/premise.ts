import type { Integer } from 'neo4j-driver';

import { PREMISES_OF_CLAIM, RESTS_ON_OTHERS } from './claim/read.ts';
import type { Reader } from './driver.ts';
import { VISIBLE } from './event.ts';
import { NameReader, type SoughtName } from './known-name.ts';
import { PolicyLogReader, type PolicyPosition } from './policy-log.ts';
import type { KnownForm } from '../src/derive/known-names.ts';
import type { DerivationRules } from '../src/derive/policy-log.ts';
import { int, statement } from './statement.ts';

/** Where a record lies that others may be concluded from. */
export interface PremiseKey {
  readonly tenant: string;
  readonly path: string;
  /** The claim that it is a value of; null for an event, which rests on nothing. */
  readonly claim: string | null;
}

const visiblePremises = statement<{ ids: readonly string[]; tenant: string }, PremiseKey & { id: string }>(
  'premise.visible_among',
  'constraints event_id, statement_id, belief_id',
  `UNWIND $ids AS id
   OPTIONAL MATCH (e:Event {id: id}) WHERE e.tenant = $tenant AND ${VISIBLE}
   OPTIONAL MATCH (s:Statement {id: id}) WHERE s.tenant = $tenant AND s.retracted = false
   OPTIONAL MATCH (b:Belief {id: id}) WHERE b.tenant = $tenant
   WITH id, coalesce(e, s, b) AS found, coalesce(s.claim, b.claim) AS claim WHERE found IS NOT NULL
   RETURN id, found.tenant AS tenant, found.scope AS path, claim`,
);

const restingOn = statement<{ claims: readonly string[]; limit: Integer }, { on: string; claim: string }>(
  'premise.resting_on',
  'indexes premise_claim, premise_home_claim',
  `UNWIND $claims AS claim
   CALL (claim) {
     ${PREMISES_OF_CLAIM}
     MATCH (p)<-[:RESTS_ON]-(s:Statement) WHERE ${RESTS_ON_OTHERS}
     RETURN DISTINCT s.claim AS resting LIMIT $limit
   }
   RETURN claim AS on, resting AS claim LIMIT $limit`,
);

/** Reads what conclusions may name. */
export class PremiseReader {
  private readonly reader: Reader;
  private readonly policies = new PolicyLogReader();
  private readonly names: NameReader;

  constructor(reader: Reader) {
    this.reader = reader;
    this.names = new NameReader(reader);
  }

  /** Those of the ids that are events, facts or beliefs of the tenant that are there, with the scopes that they are in. */
  async visibleAmong(ids: readonly string[], tenant: string): Promise<Map<string, PremiseKey>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reader.read(visiblePremises, { ids, tenant });
    return new Map(rows.map(({ id, ...place }) => [id, place]));
  }

  /** The claims of which something was concluded from any of these, with the claim that it was concluded from; `limit` pairs at most. */
  restingOn(claims: readonly string[], limit: number): Promise<{ on: string; claim: string }[]> {
    if (claims.length === 0) return Promise.resolve([]);
    return this.reader.read(restingOn, { claims, limit: int(limit) });
  }

  /** Forms of entities by which it is told what names stand for; see {@link NameReader.forms}. */
  namedForms(sought: readonly SoughtName[]): Promise<KnownForm[]> {
    return this.names.forms({ sought });
  }

  /** What derivation goes by at places of the log. */
  rulesAt(places: readonly PolicyPosition[]): Promise<readonly DerivationRules[]> {
    const { reader } = this;
    return this.policies.policiesAt({ run: (text, params) => reader.read(text, params) }, places);
  }
}
