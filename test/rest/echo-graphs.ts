import type { Call } from '../../src/services/access.ts';
import type { Services } from '../../src/services/operations.ts';
import { echoFrames } from './echo-frames.ts';

type Stand = (method: string) => (call: Call, ...input: unknown[]) => Promise<any>;

/** Echoing graphs. */
export function echoGraphs(stand: Stand): Pick<Services, 'graph' | 'graphExport'> {
  return {
    graph: {
      page: stand('graph.page'),
      diff: stand('graph.diff'),
      neighbours: stand('graph.neighbours'),
      subscribe: echoFrames(stand, 'graph'),
    },
    graphExport: echoFiles(stand),
  };
}

/** Answers a file that tells what was asked. */
function echoFiles(stand: Stand): Services['graphExport'] {
  const fileOf =
    (method: string) =>
    async (call: Call, ...input: unknown[]) => {
      const answer: unknown = await stand(method)(call, ...input);
      async function* pieces(): AsyncGenerator<string> {
        yield await Promise.resolve(JSON.stringify(answer));
      }
      return { mediaType: 'application/json', fileName: 'asked.json', pieces: pieces() };
    };
  return { graph: fileOf('graphExport.graph'), provenance: fileOf('graphExport.provenance') };
}
