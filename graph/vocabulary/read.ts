import type { Integer } from 'neo4j-driver';

import type { Reader } from '../driver.ts';
import { int, statement } from '../statement.ts';
import { STORED_VOCABULARY, type StoredLayer, type StoredVocabulary } from './record.ts';

const byNames = statement<{ tenant: string; names: readonly string[] }, { vocabulary: StoredVocabulary }>(
  'vocabulary.by_names',
  'constraint vocabulary_name',
  `UNWIND $names AS name
   MATCH (v:Vocabulary {tenant: $tenant, name: name})
   RETURN ${STORED_VOCABULARY} AS vocabulary`,
);

/** Where a vocabulary holds, and its place in lists. */
export interface VocabularyPlace {
  readonly name: string;
  readonly number: number;
  /** Null: the whole tenant. */
  readonly scope: string | null;
}

const places = statement<{ tenant: string; to: Integer; limit: Integer }, VocabularyPlace>(
  'vocabulary.places',
  'constraint vocabulary_number, walked in order',
  `MATCH (v:Vocabulary) USING INDEX SEEK v:Vocabulary(tenant, number)
   WHERE v.tenant = $tenant AND v.number > 0 AND v.number <= $to
   WITH v ORDER BY v.tenant DESC, v.number DESC LIMIT $limit
   RETURN v.name AS name, v.number AS number, v.scope AS scope`,
);

/** What holds of one vocabulary. */
export interface HeldLayer extends Omit<StoredLayer, 'acts'> {
  /** Path of its scope; null: the whole tenant. */
  readonly scope: string | null;
  /** Tells one state of it from all others. */
  readonly version: string;
  /** JSON texts of what it says of predicates and of terms; null where this state is known. */
  readonly acts: string | null;
  readonly calls: string | null;
}

const inForce = statement<{ tenant: string; known: readonly string[]; limit: Integer }, HeldLayer>(
  'vocabulary.in_force',
  'constraint vocabulary_number',
  `MATCH (v:Vocabulary) USING INDEX SEEK v:Vocabulary(tenant, number) WHERE v.tenant = $tenant AND v.number > 0
   WITH v LIMIT $limit
   RETURN v.name AS name, v.scope AS scope, v.levels AS levels, v.changed_with AS version,
     CASE WHEN v.changed_with IN $known THEN null ELSE v.acts END AS acts,
     CASE WHEN v.changed_with IN $known THEN null ELSE v.calls END AS calls`,
);

/** Reads the vocabularies of tenants; every one was authorised before, or acts as a policy does. */
export class VocabularyReader {
  private readonly reader: Reader;

  constructor(reader: Reader) {
    this.reader = reader;
  }

  /** Those of the names that there are, by name; one round trip, none for no name. */
  async byNames(tenant: string, names: readonly string[]): Promise<ReadonlyMap<string, StoredVocabulary>> {
    if (names.length === 0) return new Map();
    const rows = await this.reader.read(byNames, { tenant, names });
    return new Map(rows.map(({ vocabulary }) => [vocabulary.name, vocabulary]));
  }

  /** At most so many vocabularies of a tenant whose number is `to` or less, those first that were made last. */
  places(tenant: string, to: number, limit: number): Promise<VocabularyPlace[]> {
    return this.reader.read(places, { tenant, to: int(to), limit: int(limit) });
  }

  /** What all vocabularies of a tenant say, at most `limit`, but for those whose states are known. */
  inForce(tenant: string, known: readonly string[], limit: number): Promise<HeldLayer[]> {
    return this.reader.read(inForce, { tenant, known, limit: int(limit) });
  }
}
