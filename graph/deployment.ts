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

  /** Makes another operator key the deployment's own. */
  async replaceOperatorKeyHash(keyHash: string): Promise<void> {
    await this.writer.writeRepeatable(replace, { key_hash: keyHash });
  }
}
