import { z } from 'zod';

import { errorText } from '../errors.ts';
import { MODEL_LIST_BYTES } from '../limits/models.ts';
import { timeLimit } from '../time-limit.ts';
import type { ModelRole } from '../../schemas/usage.ts';
import type { Log } from '../log.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { Provider } from './preset.ts';

/** Time for an endpoint to list its models, once after the start, milliseconds: whoever looks at the readiness waits for it. */
export const MODEL_PROBE_MS = 5000;

/**
 * What was found where a model is to be asked. `listed`: the endpoint answers and lists the model. `unlisted`: its list lacks the model.
 * `answers`: it answers, and tells no list, so that only a question finds out. `away`: it cannot be asked, with the reason.
 */
export type ProbeFinding =
  | { readonly is: 'listed' | 'unlisted' | 'answers' }
  | { readonly is: 'away'; readonly reason: string };

/** What is asked for its list of models. */
export interface ProbedEndpoint {
  /** Base address of the OpenAI-compatible routes. */
  readonly url: string;
  /** Sent as bearer; null sends none. */
  readonly apiKey: string | null;
  readonly model: string;
  /** Left out where nothing is known of it beforehand. */
  readonly provider?: Provider | 'endpoint';
}

/** What a site is probed with. */
export interface SiteProbeParts {
  readonly role: ModelRole;
  readonly endpoint: ProbedEndpoint;
  readonly log: Log;
}

/** Looks once whether the endpoint of a call site is there, and keeps what was found. */
export class SiteProbe {
  private readonly parts: SiteProbeParts;
  private found: ProbeFinding | null = null;

  constructor(parts: SiteProbeParts) {
    this.parts = parts;
  }

  /** Null until it was looked for. */
  get finding(): ProbeFinding | null {
    return this.found;
  }

  /** Looks, and says in the log what was found. Never throws; nothing is kept where `signal` ended it. */
  async look(signal: AbortSignal): Promise<void> {
    const { role, endpoint, log } = this.parts;
    const finding = await probe(endpoint, signal);
    if (signal.aborted) return;
    this.found = finding;
    const { model, url } = endpoint;
    const reason = finding.is === 'away' ? { reason: finding.reason } : {};
    const outcome = { role, model, url, found: finding.is, ...reason };
    if (finding.is === 'away' || finding.is === 'unlisted')
      log.warn('a call site of models may not work', outcome);
    else log.info('a call site of models is there', outcome);
  }
}

const list = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Asks an endpoint for its list of models, which costs nothing. Never throws; `signal` ends it as `away`. */
async function probe(endpoint: ProbedEndpoint, signal: AbortSignal): Promise<ProbeFinding> {
  const limit = timeLimit(MODEL_PROBE_MS, signal);
  try {
    const headers = headersOf(endpoint);
    const fetched = boundedFetch(MODEL_LIST_BYTES);
    const response = await fetched(`${endpoint.url}/models`, { headers, signal: limit.signal });
    return await findingOf(response, endpoint.model);
  } catch (error) {
    const reason = limit.isOver ? `no answer within ${MODEL_PROBE_MS} ms` : 'the connection failed';
    return { is: 'away', reason: `${reason} (${errorText(error)})` };
  } finally {
    limit.end();
  }
}

async function findingOf(response: Response, model: string): Promise<ProbeFinding> {
  const { status } = response;
  const away = status === 401 || status === 403 || status === 429 || status >= 500;
  if (away || !response.ok) await response.body?.cancel();
  if (status === 401 || status === 403) return { is: 'away', reason: `it refuses the key with ${status}` };
  if (away) return { is: 'away', reason: `it answers ${status}` };
  if (!response.ok) return { is: 'answers' };
  const read = list.safeParse(await response.json().catch(() => null));
  if (!read.success) return { is: 'answers' };
  const isListed = read.data.data.some(({ id }) => id === model || id.endsWith(`/${model}`));
  return { is: isListed ? 'listed' : 'unlisted' };
}

function headersOf({ provider, apiKey }: ProbedEndpoint): Record<string, string> {
  if (apiKey === null) return {};
  // This list alone is no route of the OpenAI wire there.
  const own = provider === 'anthropic' ? { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' } : {};
  return { authorization: `Bearer ${apiKey}`, ...own };
}
