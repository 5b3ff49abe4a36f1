import {
  away,
  isAbort,
  refusalOfGraphql,
  refusalOfProblem,
  type GraphqlError,
  type Problem,
  type Refusal,
} from './errors.ts';
import type { Document } from './document.ts';

/** What came of sending a request once. */
export type Outcome<Data> =
  | { readonly is: 'answered'; readonly data: Data }
  /** There is no valid key or token. */
  | { readonly is: 'stranger'; readonly refusal: Refusal }
  /** Neither good nor bad: the service or its database cannot be reached now. */
  | { readonly is: 'away'; readonly refusal: Refusal }
  | { readonly is: 'refused'; readonly refusal: Refusal };

interface Body<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly GraphqlError[];
}

const ENDPOINT = '/graphql';

/** Sends a document once. Rejects only where `signal` was aborted. */
export async function send<Data, Variables>(
  document: Document<Data, Variables>,
  variables: Variables,
  { credential, signal }: { readonly credential: string | null; readonly signal: AbortSignal },
): Promise<Outcome<Data>> {
  try {
    const response = await fetch(ENDPOINT, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json',
        ...(credential === null ? {} : { Authorization: `Bearer ${credential}` }),
      },
      body: JSON.stringify({ query: document.text, variables }),
      signal,
    });
    return await read<Data>(response);
  } catch (error) {
    if (isAbort(error)) throw error;
    return { is: 'away', refusal: away('The service does not answer.') };
  }
}

async function read<Data>(response: Response): Promise<Outcome<Data>> {
  const body = (await response.json()) as Body<Data> | Problem;
  if ('error_code' in body) return refused(refusalOfProblem(body, retryAfter(response)), response.status);
  const [error] = body.errors ?? [];
  if (error !== undefined) return refused(refusalOfGraphql(error), response.status);
  if (body.data === undefined || body.data === null) throw new Error('an answer without data and errors');
  return { is: 'answered', data: body.data };
}

function refused(refusal: Refusal, status: number): Outcome<never> {
  if (status === 401) return { is: 'stranger', refusal };
  return { is: refusal.retriable ? 'away' : 'refused', refusal };
}

function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}
