import type { ServerResponse } from 'node:http';

/** Writes and waits until the connection takes more, or is closed. */
export async function write(response: ServerResponse, piece: string | Uint8Array): Promise<void> {
  if (response.write(piece) || response.closed) return;
  await new Promise<void>((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.once('drain', go).once('close', go);
  });
}
