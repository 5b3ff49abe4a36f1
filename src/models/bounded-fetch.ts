import { AnswerTooLong } from './failure.ts';

/** A `fetch` whose answers fail to be read from the byte on that is one too many: nobody can fill the memory by answering. */
export function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    // What is sent to an endpoint is meant for it alone: where it names another place, that is told as a failure.
    const response = await fetch(input, { ...init, redirect: 'error' });
    if (response.body === null) return response;
    const signal = init?.signal;
    let bytes = 0;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        start(controller) {
          // The runtime forgets the signal of a request once its answer has begun, as soon as garbage is collected.
          signal?.addEventListener('abort', () => {
            controller.error(signal.reason);
          });
        },
        transform(chunk, controller) {
          bytes += chunk.byteLength;
          if (bytes > maxBytes) controller.error(new AnswerTooLong(maxBytes));
          else controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(counted, { status, statusText, headers });
  };
}
