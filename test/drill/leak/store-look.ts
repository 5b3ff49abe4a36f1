import type { Driver } from 'neo4j-driver';

import { query } from '../../support/database.ts';
import { MARK, PLANTED } from './world.ts';

/** A place in which a planted value was found. */
export interface Find {
  readonly value: string;
  /** How it was looked for. */
  readonly by: 'store' | 'bytes' | 'rest' | 'graphql' | 'stream';
  /** Label and property, operation and path in its answer, or event. */
  readonly place: string;
  /** Ids of the records that it stands in, from outside to inside. */
  readonly within: readonly string[];
}

/** The planted values in a text, in small letters. */
export function valuesIn(text: string): string[] {
  return [...new Set([...text.matchAll(PLANTED)].map(([value]) => value.toLowerCase()))];
}

const STRINGS = `CALL () {
    MATCH (n) RETURN n, labels(n) AS kind, [] AS ends
    UNION ALL
    MATCH (a)-[n]->(b) RETURN n, [type(n)] AS kind, [a.id, b.id] AS ends
  }
  UNWIND [k IN keys(n) WHERE k <> 'bytes' OR valueType(n[k]) STARTS WITH 'STRING'] AS key
  WITH n, kind, ends, key, CASE
    WHEN valueType(n[key]) STARTS WITH 'LIST' THEN reduce(all = '', one IN n[key] | all + ' ' + coalesce(toStringOrNull(one), ''))
    ELSE toStringOrNull(n[key]) END AS said
  WHERE toLower(said) CONTAINS $mark
  RETURN kind, key, said, [x IN [n.id, n.event_id, n.fact_id, n.belief_id, n.concept_id, n.episode_id, n.erasure_id, n.plan_id] + ends WHERE x IS NOT NULL] AS ids,
    [x IN [n.scope_ref] WHERE x IS NOT NULL] AS refs`;

/** The ids of facts in a text. */
const FACT_IDS = /fact_[0-9a-f]{32}/g;

/** Where ids of facts that are gone may be named: for a while, and in the own text of events that stay, as of one that resolves a conflict. */
const NAMING_FACTS =
  /^(Pack|ForgetPreview|ForgetPreviewPart|ErasureManifest|ErasureManifestPart)\b|^Event\.envelope$/;

/** Where some facts that are gone are named in the store, by id: places with label and property. */
export async function lookForFacts(
  driver: Driver,
  gone: ReadonlySet<string>,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await query<{ kind: string[]; key: string; said: string }>(driver, STRINGS, { mark: 'fact_' });
  const places = new Map<string, Set<string>>();
  for (const { kind, key, said } of rows) {
    const place = `${kind.join(':')}.${key}`;
    if (NAMING_FACTS.test(place)) continue;
    for (const [id] of said.matchAll(FACT_IDS))
      if (gone.has(id)) places.set(id, (places.get(id) ?? new Set()).add(place));
  }
  return places;
}

/** Every string property of every node and edge that holds a planted value, and every byte of blobs. */
export async function lookIntoStore(driver: Driver): Promise<Find[]> {
  const rows = await query<{ kind: string[]; key: string; said: string; ids: string[] }>(driver, STRINGS, {
    mark: MARK,
  });
  const finds = rows.flatMap(({ kind, key, said, ids }) =>
    valuesIn(said).map((value): Find => ({
      value,
      by: 'store',
      place: `${kind.join(':')}.${key}`,
      within: ids,
    })),
  );
  const chunks = await query<{ bytes: Int8Array; body: string }>(
    driver,
    'MATCH (c:BlobChunk) MATCH (b:BlobBody {id: c.body_id}) WHERE b.remove_at IS NULL RETURN c.bytes AS bytes, c.body_id AS body',
  );
  return [
    ...finds,
    ...chunks.flatMap(({ bytes, body }) =>
      valuesIn(Buffer.from(bytes).toString('latin1')).map((value): Find => ({
        value,
        by: 'bytes',
        place: 'BlobChunk.bytes',
        within: [body],
      })),
    ),
  ];
}
