/** One thing that the operator of a database of their own has to do. */
export interface ForeignStep {
  readonly what: string;
  readonly how: string;
}

/** What removes deleted content from the files of a Neo4j that Strata does not run, in the order in which it is done. */
export const FOREIGN_STEPS: readonly ForeignStep[] = [
  {
    what: 'Transaction logs: keep them no longer than recovery needs them, and let them be cut.',
    how:
      'Set db.tx_log.rotation.retention_policy=keep_none (or a short time: 1 hours) and db.tx_log.rotation.size=64m.\n' +
      'Logs are cut at a checkpoint behind a rotation: restart the server, or CALL db.checkpoint() (Enterprise), after the log was rotated.',
  },
  {
    what: 'Store files: deleted records stay in their pages until these are used again.',
    how:
      'Enterprise: stop the database; neo4j-admin database copy neo4j purged; start Strata on the copy (NEO4J_DATABASE=purged), which creates\n' +
      'constraints and indexes at its start; then drop the old one. A dump or a backup copies the pages as they are, deleted records too.\n' +
      'Community has no such tool: write all nodes and edges into an empty database by means of your own, and delete the old one.',
  },
  {
    what: 'Indexes: segments keep deleted words and vectors until they are merged.',
    how:
      'With all processes of Strata stopped, drop the indexes passage_text, passage_vector and passage_window_vector.\n' +
      'The next start of Strata creates them anew. Not needed behind a copy.',
  },
  {
    what: 'Logs of the server: the query log has texts and parameters of queries.',
    how: 'Set db.logs.query.enabled=OFF, and delete logs/query.log* and logs/debug.log* that were written before.',
  },
  {
    what: 'Backups, dumps and snapshots of disks that were made before.',
    how: 'Delete them, or let them expire, and make new ones. On Aura: snapshots in the console, and what the vendor keeps.',
  },
];
