import DataLoader from 'dataloader';

import type { BeliefItem, BeliefWhy } from '../schemas/belief.ts';
import type { ConceptItem } from '../schemas/concept.ts';
import type { EpisodeItem } from '../schemas/episode.ts';
import type { EventItem } from '../schemas/event.ts';
import type { FactItem, FactWhy } from '../schemas/fact.ts';
import type { MemoryEventTrace } from '../schemas/lifecycle.ts';
import type { ProvenanceGraph } from '../schemas/provenance.ts';
import type { Call } from '../src/services/access.ts';
import type { Services } from '../src/services/operations.ts';
import { OperationBudget } from './budget.ts';
import { Readings, type LinkKey, type ReadingQuery } from './reading.ts';

/** Reads that are gathered: what one step of an operation asks for is one round trip. Nothing is kept between steps. */
export interface Loaders {
  /** Events by id at some instants; null where there is none that the caller may read. */
  readonly event: DataLoader<LinkKey, EventItem | null>;
  /** What happened to events, by their id, as known at some instants; null where there is none that the caller may read. */
  readonly trace: DataLoader<LinkKey, MemoryEventTrace | null>;
  /** Facts by id at some instants; null where there is none that the caller may read. */
  readonly fact: DataLoader<LinkKey, FactItem | null>;
  /** Episodes by id at some instants; null where there is none that the caller may read. */
  readonly episode: DataLoader<LinkKey, EpisodeItem | null>;
  /** Beliefs by id at some instants; null where there is none that the caller may read. */
  readonly belief: DataLoader<LinkKey, BeliefItem | null>;
  /** Concepts by id at some instants; null where there is none that the caller may read. */
  readonly concept: DataLoader<LinkKey, ConceptItem | null>;
  /** Ids of the records that records are linked to, which the caller may read. */
  readonly links: DataLoader<LinkKey, string[]>;
  /** The graphs around records, by their id; null where there is none that the caller may read. */
  readonly graph: DataLoader<LinkKey, ProvenanceGraph | null>;
  /** Why facts are known, by their id; null where there is none that the caller may read. */
  readonly factWhy: DataLoader<LinkKey, FactWhy | null>;
  /** Why beliefs are held, by their id; null where there is none that the caller may read. */
  readonly beliefWhy: DataLoader<LinkKey, BeliefWhy | null>;
}

/** A request as its transport found it. */
export interface GraphqlOrigin {
  /** SHA-256 (hex) of the body or message; null without one. */
  readonly bodySha256: string | null;
  /** When it came in, milliseconds of the process's own clock. */
  readonly began: number;
}

/** What resolvers are given: made for each operation. */
export interface GraphqlContext {
  readonly call: Call;
  readonly origin: GraphqlOrigin;
  readonly services: Services;
  readonly loaders: Loaders;
  /** At which instants the records of the answer were read. */
  readonly readings: Readings;
  /** Closes the connection of a reader of a stream who takes nothing. */
  readonly cut: () => void;
  /** What the operation may still do. */
  readonly budget: OperationBudget;
}

/** The context of one operation of a caller; `cut` closes the connection, where one outlives its operations. */
export function graphqlContext(
  call: Call,
  services: Services,
  origin: GraphqlOrigin,
  cut: () => void = () => undefined,
): GraphqlContext {
  return {
    call,
    origin,
    services,
    cut,
    loaders: {
      event: gatheringAt((ids, query) => services.event.getMany(call, ids, query)),
      trace: gatheringAt((ids, query) => services.lifecycle.memoryEvents(call, ids, query)),
      fact: gatheringAt((ids, query) => services.fact.getMany(call, ids, query)),
      episode: gatheringAt((ids, query) => services.episode.getMany(call, ids, query)),
      belief: gatheringAt((ids, query) => services.belief.getMany(call, ids, query)),
      concept: gatheringAt((ids, query) => services.concept.getMany(call, ids, query)),
      links: gatheringAt((ids, query) => services.provenance.links(call, ids, query)),
      graph: gatheringAt((ids, query) => services.provenance.graphs(call, ids, query)),
      factWhy: gatheringAt((ids, query) => services.fact.whyMany(call, ids, query)),
      beliefWhy: gatheringAt((ids, query) => services.belief.whyMany(call, ids, query)),
    },
    readings: new Readings(),
    budget: new OperationBudget(),
  };
}

/** Gathers what is asked for by id: one round trip for each pair of instants, of which an operation hardly has several. */
function gatheringAt<Value>(
  read: (ids: readonly string[], query: ReadingQuery) => Promise<readonly Value[]>,
): DataLoader<LinkKey, Value> {
  const batch = async (keys: readonly LinkKey[]): Promise<(Value | Error)[]> => {
    const groups = new Map<string, LinkKey[]>();
    for (const key of keys) {
      const at = JSON.stringify(key.query);
      groups.set(at, [...(groups.get(at) ?? []), key]);
    }
    const values = new Map<LinkKey, Value | Error>();
    const readGroup = async (group: readonly LinkKey[]): Promise<void> => {
      const distinct = [...new Set(group.map(({ id }) => id))];
      const [first] = group;
      const found = await read(distinct, first?.query ?? {});
      const byId = new Map(distinct.map((id, i) => [id, found[i] as Value]));
      for (const key of group) values.set(key, byId.get(key.id) as Value);
    };
    await Promise.all(
      [...groups.values()].map((group) =>
        readGroup(group).catch((error: unknown) => {
          for (const key of group) values.set(key, error as Error);
        }),
      ),
    );
    return keys.map((key) => values.get(key) as Value | Error);
  };
  // A subscription keeps its context for hours: a cache would grow with it and answer what was true long ago.
  return new DataLoader(batch, { cache: false });
}
