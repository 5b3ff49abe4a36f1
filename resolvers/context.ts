import DataLoader from 'dataloader';

import type { EventItem } from '../schemas/event.ts';
import type { MemoryEventTrace } from '../schemas/lifecycle.ts';
import type { Call } from '../src/services/access.ts';
import type { Services } from '../src/services/operations.ts';
import { OperationBudget } from './budget.ts';

/** Reads that are gathered: what one step of an operation asks for is one round trip. Nothing is kept between steps. */
export interface Loaders {
  /** Events by id; null where there is none that the caller may read. */
  readonly event: DataLoader<string, EventItem | null>;
  /** What happened to events, by their id; null where there is none that the caller may read. */
  readonly trace: DataLoader<string, MemoryEventTrace | null>;
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
      event: gathering((ids) => services.event.getMany(call, ids)),
      trace: gathering((ids) => services.lifecycle.memoryEvents(call, ids)),
    },
    budget: new OperationBudget(),
  };
}

function gathering<Value>(
  read: (ids: readonly string[]) => Promise<readonly Value[]>,
): DataLoader<string, Value> {
  const batch = async (ids: readonly string[]): Promise<Value[]> => {
    const distinct = [...new Set(ids)];
    const values = await read(distinct);
    const byId = new Map(distinct.map((id, i) => [id, values[i] as Value]));
    return ids.map((id) => byId.get(id) as Value);
  };
  // A subscription keeps its context for hours: a cache would grow with it and answer what was true long ago.
  return new DataLoader(batch, { cache: false });
}
