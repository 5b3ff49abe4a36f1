import type { Writer } from './driver.ts';
import { statement } from './statement.ts';

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

// The database makes the secret itself, so that it is never a parameter: those are what a query log shows.
const adoptSecret = statement<Record<string, never>, { secret: string }>(
  'deployment.id_key',
  'constraint deployment_id',
  `MERGE (d:Deployment {id: 'deployment'}) SET d.touched = 'id_secret'
   WITH d SET d.id_secret = coalesce(d.id_secret, randomUUID() + randomUUID())
   RETURN d.id_secret AS secret`,
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

  /** The secret by which ids of derived records are made: 244 random bits, made once and kept with the data. */
  async idSecret(): Promise<string> {
    const rows = await this.writer.writeRepeatable(adoptSecret, {});
    if (rows[0] === undefined) throw new Error('the database did not answer the secret of ids');
    return rows[0].secret;
  }

  /** Makes another operator key the deployment's own. */
  async replaceOperatorKeyHash(keyHash: string): Promise<void> {
    await this.writer.writeRepeatable(replace, { key_hash: keyHash });
  }
}
