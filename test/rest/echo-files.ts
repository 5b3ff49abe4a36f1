import type { Call } from '../../src/services/access.ts';
import type { Services } from '../../src/services/operations.ts';

/** Answers a file that tells what was asked. */
export function echoFiles(
  stand: (method: string) => (call: Call, ...input: unknown[]) => Promise<unknown>,
): Services['graphExport'] {
  const fileOf =
    (method: string) =>
    async (call: Call, ...input: unknown[]) => {
      const answer = await stand(method)(call, ...input);
      async function* pieces(): AsyncGenerator<string> {
        yield await Promise.resolve(JSON.stringify(answer));
      }
      return { mediaType: 'application/json', fileName: 'asked.json', pieces: pieces() };
    };
  return { graph: fileOf('graphExport.graph'), provenance: fileOf('graphExport.provenance') };
}
