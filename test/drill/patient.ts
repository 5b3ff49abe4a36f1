import { clientOf, type Answer, type Client } from '../support/client.ts';
import { RETRIES_PATIENCE_MS } from '../support/patience.ts';
import { eventually } from '../support/wait.ts';

/** The client of a service that sends each request again while it is answered 503, or not at all: for requests that may be repeated. */
export function patientClient(url: string): Client {
  const once = clientOf(url);
  const request: Client['request'] = (method, path, options) =>
    eventually(
      `an answer to ${method} ${path}`,
      async () => {
        const answer = await answerOrNull(once.request(method, path, options));
        return answer?.status === 503 ? null : answer;
      },
      RETRIES_PATIENCE_MS,
      200,
    );
  return {
    url,
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, body, options) => request('POST', path, { ...options, body }),
  };
}

/** Sends one request as {@link patientClient} does. */
export function sendPatiently(url: string, ...request: Parameters<Client['request']>): Promise<Answer> {
  return patientClient(url).request(...request);
}

/** An answer; null when the connection failed, which says nothing about whether anything happened. */
export async function answerOrNull(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if ((error as { name?: unknown }).name === 'TypeError') return null;
    throw error;
  }
}
