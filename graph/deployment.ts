import type { Integer } from 'neo4j-driver';

import { ID_DIGITS } from '../src/derive/keyed-ids.ts';
import type { Writer } from './driver.ts';
import { int, statement } from './statement.ts';

const adopt = statement<{ key_hash: string }, { key_hash: string }>(
  'deployment.adopt_key',
  'constraint deployment_id',
  `MERGE (d:Deployment {id: 'deployment'}) ON CREATE SET d.operator_key_hash = $key_hash
   RETURN coalesce(d.operator_key_hash, $key_hash) AS key_hash`,
);

const replace = statement<{ key_hash: string }, { key_hash: string }>(
  'deployment.replace_key',
  'constraint deployment_id',
  `MERGE (d:Deployment {id: 'deployment'}) SET d.operator_key_hash = $key_hash RETURN d.operator_key_hash AS key_hash`,
);

/** How ids of derived records are made on a store. */
export interface IdSecret {
  /** 244 random bits. */
  readonly secret: string;
  /** Hex digits of an id. */
  readonly digits: number;
}

/** Hex digits of the ids of a store that does not say how many they have. */
const DIGITS_OF_BEFORE = 32;

// The database makes the secret itself, so that it is never a parameter: those are what a query log shows.
const adoptSecret = statement<{ digits: Integer; of_before: Integer }, IdSecret>(
  'deployment.id_key',
  'constraint deployment_id',
  `MERGE (d:Deployment {id: 'deployment'}) SET d.touched = 'id_secret'
   WITH d, d.id_secret IS NULL AS is_new
   SET d.id_digits = CASE WHEN is_new THEN $digits ELSE coalesce(d.id_digits, $of_before) END,
     d.id_secret = coalesce(d.id_secret, randomUUID() + randomUUID())
   RETURN d.id_secret AS secret, d.id_digits AS digits`,
);

const adoptSuppressionKey = statement<{ key_hash: string | null }, { key_hash: string | null }>(
  'deployment.suppression_key',
  'constraint deployment_id',
  `MERGE (d:Deployment {id: 'deployment'}) SET d.touched = 'suppression_key'
   WITH d SET d.suppression_key_hash = coalesce(d.suppression_key_hash, $key_hash)
   RETURN d.suppression_key_hash AS key_hash`,
);

const replaceSuppressionKey = statement<{ key_hash: string }, { key_hash: string }>(
  'deployment.replace_suppression_key',
  'constraint deployment_id',
  `MERGE (d:Deployment {id: 'deployment'}) SET d.suppression_key_hash = $key_hash RETURN d.suppression_key_hash AS key_hash`,
);

/** What all processes on one database have to agree on. */
export class DeploymentStore {
  private readonly writer: Writer;

  constructor(writer: Writer) {
    this.writer = writer;
  }

  /** The hash of the operator key that the database knows; the given one becomes it when there is none yet. */
  async operatorKeyHash(candidate: string): Promise<string> {
    const rows = await this.writer.writeRepeatable(adopt, { key_hash: candidate });
    return rows[0]?.key_hash ?? candidate;
  }

  /** The hash of the suppression key that the database knows, null for none; a given one becomes it when there is none yet. */
  async suppressionKeyHash(candidate: string | null): Promise<string | null> {
    const rows = await this.writer.writeRepeatable(adoptSuppressionKey, { key_hash: candidate });
    return rows[0]?.key_hash ?? null;
  }

  /** The secret by which ids of derived records are made, made once and kept with the data, and how long they are. */
  async idSecret(): Promise<IdSecret> {
    const digits = { digits: int(ID_DIGITS), of_before: int(DIGITS_OF_BEFORE) };
    const rows = await this.writer.writeRepeatable(adoptSecret, digits);
    if (rows[0] === undefined) throw new Error('the database did not answer the secret of ids');
    return rows[0];
  }

  /** Makes another suppression key the deployment's own. */
  async replaceSuppressionKeyHash(keyHash: string): Promise<void> {
    await this.writer.writeRepeatable(replaceSuppressionKey, { key_hash: keyHash });
  }

  /** Makes another operator key the deployment's own. */
  async replaceOperatorKeyHash(keyHash: string): Promise<void> {
    await this.writer.writeRepeatable(replace, { key_hash: keyHash });
  }
}
