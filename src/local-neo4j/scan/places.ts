/** What kind of place a find lies in; each has its own way of being purged. */
export type PlaceClass =
  | 'store'
  | 'transaction_log'
  | 'index_segment'
  | 'database_log'
  | 'database_file'
  | 'purge_rest'
  | 'own_file';

/** A class of places. */
export interface PlaceKind {
  /** For people. */
  readonly title: string;
  /** What removes finds from such a place. */
  readonly purgedBy: string;
}

const PURGE = 'strata erasure purge';

/** What the classes of places are, and how they are purged. */
export const PLACES: Readonly<Record<PlaceClass, PlaceKind>> = {
  store: {
    title: 'page of the store (of a live record, or one that was deleted: the bytes do not tell)',
    purgedBy: `${PURGE}; what is found again behind it is of a live record, and has to be forgotten first`,
  },
  transaction_log: {
    title: 'transaction log',
    purgedBy: `${PURGE}; by itself when the log is older than two days or behind the newest 512 MB`,
  },
  index_segment: {
    title: 'segment of an index',
    purgedBy: `${PURGE}; by itself when segments are merged, or pages used again`,
  },
  database_log: { title: 'log of the database', purgedBy: PURGE },
  database_file: { title: 'other file of the database', purgedBy: PURGE },
  purge_rest: {
    title: 'store that a purge has not removed yet',
    purgedBy: 'the next start of the service, or strata erasure purge: either finishes what was cut short',
  },
  own_file: {
    title: 'file of Strata',
    purgedBy: 'deleting it by hand, where it is none that the service needs',
  },
};

/** The class of a file by its path within the data directory, with slashes. */
export function placeOf(path: string): PlaceClass {
  if (path.startsWith('neo4j-new/') || path.startsWith('neo4j-old/')) return 'purge_rest';
  if (!path.startsWith('neo4j/')) return 'own_file';
  if (path.startsWith('neo4j/data/transactions/')) return 'transaction_log';
  if (/^neo4j\/data\/databases\/[^/]+\/schema\/index\//.test(path)) return 'index_segment';
  if (path.startsWith('neo4j/data/databases/')) return 'store';
  return path.startsWith('neo4j/logs/') || /^neo4j\/(?:hs_err|java_)/.test(path)
    ? 'database_log'
    : 'database_file';
}

/** Whether a folder of the data directory is none of its own but a cache that was put there: models, and the jars of the database. */
export function isCache(name: string): boolean {
  return /^(?:embedding-|neo4j-\d)/.test(name);
}

/** Whether a file is of a full-text index, which keeps of words in a row only what the one before has not: not every word stands in it whole. */
export function sharesPrefixes(path: string): boolean {
  return /\/schema\/index\/fulltext[^/]*\//.test(path);
}
