import type {
  RecallPack,
  RecallPhase,
  RecalledBelief,
  RecalledConcept,
  RecalledEpisode,
  RecalledEvent,
  RecalledFact,
} from '../schemas/recall.ts';
import type { GraphqlContext } from './context.ts';
import { rootField, type Resolver, type ResolverMap } from './field.ts';

type Recalled = RecalledBelief | RecalledConcept | RecalledEpisode | RecalledFact;

/** A hit is the whole record; what hangs on it is read at the same instant. */
const itself: Resolver<Recalled> = (hit) => hit;

/** An event of a pack may be cut: the whole one is read, those of all hits together. */
const event: Resolver<RecalledEvent> = async (hit, _args, { loaders, readings }) => {
  const query = readings.queryOf(hit, {});
  return readings.note(await loaders.event.load({ id: hit.id, query }), query);
};

const values: Resolver<RecallPhase> = ({ phase: _phase, elapsed_ms: _elapsed, ...found }) => found;

/** A pack whose hits lead to their records as of the instant that it was recalled for. */
export function noted(pack: RecallPack, readings: GraphqlContext['readings']): RecallPack {
  const { recorded } = pack.as_of;
  const read = recorded === null ? {} : { as_of_recorded: recorded };
  for (const hits of Object.values(pack.layers)) readings.note(hits, read);
  return pack;
}

/** Fields of recall. */
export const RECALL_RESOLVERS: ResolverMap = {
  Query: {
    recall: rootField(async ({ input }, { services, call, budget, readings }) => {
      budget.takePage();
      return noted(await services.recall.recall(call, input), readings);
    }),
  },
  RecallPhase: { values },
  RecalledEvent: { event },
  RecalledFact: { fact: itself },
  RecalledBelief: { belief: itself },
  RecalledEpisode: { episode: itself },
  RecalledConcept: { concept: itself },
};
