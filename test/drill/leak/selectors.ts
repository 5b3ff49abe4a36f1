import { listPath, LISTS } from './lists.ts';
import { PLANTED_AT, type World } from './world.ts';

/** A selection of what is planted, and of nothing else, unless everything is selected. */
export interface Selector {
  readonly name: string;
  /** Whether it finds only what states something. */
  readonly ofStatements?: true;
  /** Whether it names records, and what is beside them of the same events is not meant. */
  readonly isExact?: true;
  /** What of a forget selects; null where this world has nothing of the kind. */
  readonly body: (world: World) => Promise<Record<string, unknown> | null>;
}

const by =
  (selector: (world: World) => Record<string, unknown>): Selector['body'] =>
  (world) =>
    Promise.resolve({ selector: selector(world) });

/** The instants at which what is planted was recorded, as a half-open pair. */
async function recorded(world: World): Promise<[string, string]> {
  const at: number[] = [];
  for (const id of world.planted) {
    // It says so of what was cancelled or replaced too.
    const { recorded_at } = await world.sent('GET', `/v1/experience/status?event_id=${id}`);
    at.push(Date.parse(recorded_at as string));
  }
  return [new Date(Math.min(...at)).toISOString(), new Date(Math.max(...at) + 1).toISOString()];
}

/** Ids of the derived records of what is planted. */
async function derived(world: World): Promise<string[]> {
  const ids: string[] = [];
  for (const list of [LISTS.facts, LISTS.beliefs]) {
    const { items } = await world.sent('GET', listPath(list, world));
    for (const { id } of items as { id: string }[]) {
      const named = JSON.stringify(await world.sent('GET', `/v1/provenance/${id}?direction=down`));
      if (world.planted.some((event) => named.includes(event))) ids.push(id);
    }
  }
  return ids;
}

export const SELECTORS: readonly Selector[] = [
  { name: 'events', body: by(({ planted }) => ({ memory_ids: planted })) },
  {
    name: 'records',
    ofStatements: true,
    isExact: true,
    body: async (world) => {
      const memory_ids = await derived(world);
      return memory_ids.length === 0 ? null : { selector: { memory_ids } };
    },
  },
  { name: 'subject', body: by(({ about }) => ({ about_subject: about.subject })) },
  { name: 'entity', body: by(({ about }) => ({ about_entity: about.subject })) },
  { name: 'entity of a label', body: by(({ about }) => ({ about_entity: about.label.split(':').at(-1) })) },
  { name: 'predicate', ofStatements: true, body: by(({ about }) => ({ predicate: about.predicate })) },
  { name: 'labels', body: by(({ about }) => ({ labels: [about.label] })) },
  {
    name: 'valid time',
    body: by(() => ({ valid_during: [PLANTED_AT, new Date(Date.parse(PLANTED_AT) + 1000).toISOString()] })),
  },
  {
    name: 'recorded time',
    body: async (world) => ({ selector: { recorded_during: await recorded(world) } }),
  },
  { name: 'everything', body: () => Promise.resolve({ confirm_all: true }) },
];
