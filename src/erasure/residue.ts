import type { ErasureReceipt } from '../../schemas/erasure.ts';
import { toRfc3339 } from '../../schemas/time.ts';

type ResiduePlace = ErasureReceipt['residue']['controlled'][number];

/** What decides how long bytes of what was erased may lie in places of ours. */
export interface ResidueTerms {
  /** Whether the database is run by the service itself. */
  readonly managed: boolean;
  /** Days that frames are kept. */
  readonly frameDays: number;
}

/** Where bytes, or ids, of what was erased may be for a while although nothing finds them any more, how long, and what takes them away. */
export function controlledPlaces(terms: ResidueTerms): ResiduePlace[] {
  return [...placesOfDatabase(terms), ...placesOfStrata(terms), ...copies()];
}

function placesOfDatabase({ managed }: ResidueTerms): ResiduePlace[] {
  const purge = managed
    ? 'strata erasure purge'
    : 'for the operator of the database: a copy into a new store, and the old files and logs deleted';
  return [
    {
      place: 'transaction logs of the database',
      what: 'writes of what was erased',
      until: managed
        ? 'two days, or until 512 MB of newer log, and the next checkpoint'
        : 'as db.tx_log.rotation.retention_policy says',
      purge,
    },
    {
      place: 'store files of the database',
      what: 'freed records that nothing has been written over yet',
      until: 'until they are written over',
      purge,
    },
    {
      place: 'index files of the database',
      what: 'entries and segments that are marked as deleted',
      until: 'until they are written over or merged',
      purge,
    },
  ];
}

function placesOfStrata({ frameDays }: ResidueTerms): ResiduePlace[] {
  return [
    place('packs of recalls', {
      what: 'what a recall brought before',
      until: 'two minutes; they are not handed out any more',
    }),
    place('previews and manifests', { what: 'ids of records', until: '24 hours from when they were made' }),
    place('memory of running processes', {
      what: 'events that were captured last, for nobody to read',
      until: 'until newer captures push them out, or the process ends',
    }),
    place('lifecycle frames', {
      what: 'ids of events, their place in the log and their scope; of events that stay, what came of them, by ids of entities and facts that are there, of episodes, and keyed ones of beliefs and concepts; in other scopes, ids of what was concluded from it there',
      until: `${frameDays} days`,
    }),
    {
      place: 'suppressed contents, where that was asked for',
      what: 'keyed hashes of contents',
      until: 'until it is lifted',
      purge: 'DELETE /v1/suppressions/{id}',
    },
    {
      place: 'keys of uploads, where files were uploaded under keys',
      what: 'a keyed hash of the key, and the id of the file, which is no hash of it',
      until: 'as long as the store: no key is used again',
      purge: 'none: the file could be uploaded again by a repeated import',
    },
    {
      place: 'links of entities',
      what: 'ids of entities that events which stay name, and of which not all is derived',
      until: 'as long as these events stay',
      purge: 'an erasure of these',
    },
    place('events that were forgotten before, without an erasure', {
      what: 'id, scope and instants of each, and nothing that it said',
      until: 'as long as the store',
    }),
    {
      place: 'events that stay',
      what: 'ids of erased events and facts that their own text names',
      until: 'as long as they stay',
      purge: 'an erasure of these',
    },
    {
      place: 'audit log',
      what: 'ids of events and records in rows about them, and keyed hashes of requests',
      until: 'as long as rows are kept (audit.retention_days; by default for ever)',
      purge: 'audit.retention_days: single rows are not removed, its chain would break',
    },
  ];
}

function place(name: string, { what, until }: Pick<ResiduePlace, 'what' | 'until'>): ResiduePlace {
  return { place: name, what, until, purge: 'goes by itself' };
}

function copies(): ResiduePlace[] {
  return [
    {
      place: 'copies of the data directory or of the database',
      what: 'everything as it was when they were made',
      until: 'as long as whoever made them keeps them',
      purge: 'for whoever made them',
    },
  ];
}

/** What was spent on a model for a scope. */
export interface ModelUse {
  readonly role: string;
  readonly model: string;
  /** First and last day, YYYY-MM-DD, UTC. */
  readonly first: string;
  readonly last: string;
}

/** That somebody was handed files with what was in a scope, first and last at instants of epoch milliseconds. */
export interface FileUse {
  readonly actor: string;
  readonly first: number;
  readonly last: number;
}

/** To whom content of a scope went before: models that were asked, and callers who exported it. */
export function holdersOf(
  models: readonly ModelUse[],
  files: readonly FileUse[],
): ErasureReceipt['residue']['uncontrollable'] {
  const sorted = [...models].sort((a, b) => (`${a.role} ${a.model}` < `${b.role} ${b.model}` ? -1 : 1));
  const callers = [...files].sort((a, b) => (a.actor < b.actor ? -1 : 1));
  return [
    ...sorted.map(({ role, model, first, last }) => ({
      holder: `model ${model}`,
      what: `texts of the scope, for ${role}`,
      from: `${first}T00:00:00.000Z`,
      until: `${last}T23:59:59.999Z`,
    })),
    ...callers.map(({ actor, first, last }) => ({
      holder: `caller ${actor}`,
      what: 'exports with what was in the scope',
      from: toRfc3339(first),
      until: toRfc3339(last),
    })),
  ];
}
