import type { Call } from '../../src/services/access.ts';
import type { Services } from '../../src/services/operations.ts';
import { echoGraphs } from './echo-graphs.ts';

/** What is echoed here. */
type Echoed = Pick<
  Services,
  | 'recall'
  | 'answer'
  | 'compose'
  | 'event'
  | 'fact'
  | 'entity'
  | 'belief'
  | 'concept'
  | 'episode'
  | 'provenance'
  | 'graph'
  | 'graphExport'
  | 'forget'
  | 'erasure'
  | 'legalHold'
  | 'suppression'
  | 'retention'
>;

async function* linesOf<T>(...some: readonly T[][]): AsyncGenerator<readonly T[]> {
  for (const lines of await Promise.resolve(some)) yield lines;
}

/** Echoing what forgets, erases, and keeps from both. */
function echoForgetting(
  stand: (method: string) => (call: Call | null, ...input: unknown[]) => Promise<any>,
): Pick<Services, 'forget' | 'erasure' | 'suppression' | 'retention' | 'legalHold'> {
  return {
    forget: { forget: stand('forget.forget'), preview: stand('forget.preview') },
    erasure: {
      preview: stand('erasure.preview'),
      start: stand('erasure.start'),
      get: stand('erasure.get'),
      cancel: stand('erasure.cancel'),
      receipt: stand('erasure.receipt'),
      verify: stand('erasure.verify'),
      manifest: async (call, id) => {
        await stand('erasure.manifest')(call, id);
        return linesOf([{ layer: 'events' as const, id: 'evt_1', action: 'delete' as const }]);
      },
    },
    suppression: {
      list: stand('suppression.list'),
      lift: stand('suppression.lift'),
      cursorOf: () => 'cursor',
    },
    retention: {
      status: stand('retention.status'),
      sweep: stand('retention.sweep'),
      getPolicy: stand('retention.getPolicy'),
      setPolicy: stand('retention.setPolicy'),
      deletePolicy: stand('retention.deletePolicy'),
    },
    legalHold: {
      list: stand('legalHold.list'),
      get: stand('legalHold.get'),
      cursorOf: () => 'cursor',
      put: stand('legalHold.put'),
      remove: stand('legalHold.remove'),
    },
  };
}

/** Echoing events, facts, entities, episodes, beliefs and concepts, and what is written of them. */
export function echoRecords(
  stand: (method: string) => (call: Call | null, ...input: unknown[]) => Promise<any>,
): Echoed {
  const paged = (noun: string) => {
    return { list: stand(`${noun}.list`), get: stand(`${noun}.get`), cursorOf: () => 'cursor' };
  };
  return {
    recall: { recall: stand('recall.recall'), respond: stand('recall.respond') },
    ...echoWriting(stand),
    ...echoForgetting(stand),
    event: {
      list: stand('event.list'),
      get: stand('event.get'),
      getMany: stand('event.getMany'),
      cursorOf: () => 'cursor',
      cancel: stand('event.cancel'),
    },
    fact: {
      list: stand('fact.list'),
      get: stand('fact.get'),
      getMany: stand('fact.getMany'),
      why: stand('fact.why'),
      whyMany: stand('fact.whyMany'),
      timeline: stand('fact.timeline'),
      cursorOf: () => 'cursor',
    },
    belief: {
      list: stand('belief.list'),
      get: stand('belief.get'),
      history: stand('belief.history'),
      why: stand('belief.why'),
      declare: stand('belief.declare'),
      whyMany: stand('belief.whyMany'),
      getMany: stand('belief.getMany'),
      cursorOf: () => 'cursor',
    },
    concept: {
      ...paged('concept'),
      getMany: stand('concept.getMany'),
      history: stand('concept.history'),
      related: stand('concept.related'),
      coverage: stand('concept.coverage'),
      synthesize: stand('concept.synthesize'),
    },
    episode: { ...paged('episode'), getMany: stand('episode.getMany') },
    entity: {
      ...paged('entity'),
      edges: stand('entity.edges'),
      link: stand('entity.link'),
      unlink: stand('entity.unlink'),
    },
    ...echoGraphs(stand),
    provenance: {
      record: stand('provenance.record'),
      graph: stand('provenance.graph'),
      graphs: stand('provenance.graphs'),
      links: stand('provenance.links'),
    },
  };
}

/** Echoing answers and documents. */
function echoWriting(
  stand: (method: string) => (call: Call, body: unknown) => Promise<any>,
): Pick<Services, 'answer' | 'compose'> {
  return {
    answer: { answer: stand('answer.answer'), respond: stand('answer.respond') },
    compose: { compose: stand('compose.compose') },
  };
}
