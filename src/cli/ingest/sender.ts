import { setTimeout as pause } from 'node:timers/promises';

import { errorText } from '../../errors.ts';
import { INGEST_ANSWER_MS } from '../../limits.ts';
import { postJson, type HttpAnswer } from './http.ts';
import type { Item } from './item.ts';
import { readResults, refusalOf, UnreachableError, type Refused, type SendOutcome } from './answer.ts';

/** Tries of the first request of an ingest: a service that is not there should be told of at once. */
const INGEST_FIRST_TRIES = 3;

/** Tries of later requests: with doubling pauses about a minute and a half, enough for a restart of the database. */
const INGEST_TRIES = 9;

/** First pause between tries, milliseconds; it doubles each time. */
const INGEST_FIRST_PAUSE_MS = 500;

/** Longest pause between tries, milliseconds; a longer `Retry-After` is cut to it. */
const INGEST_MAX_PAUSE_MS = 30_000;

/** Where and how envelopes are sent. */
export interface Destination {
  /** Base address of the service. */
  readonly url: URL;
  /** Bearer; null sends none. */
  readonly key: string | null;
  readonly tenant: string | null;
  readonly actor: string | null;
  /** Scope of envelopes that name none. */
  readonly scope: string | null;
  /** Stage that each batch is waited for. */
  readonly wait: string | null;
}

/** Codes that say: captured, but not at the wanted stage in time. */
const UNSETTLED = new Set(['WAIT_TIMEOUT', 'INDEXING_FAILED']);
/** Statuses that concern every request alike, so that sending the lines apart would not help. */
const HOPELESS = new Set([401, 403, 404, 405, 415]);
/** What a person can do about a refusal that concerns every request. */
const NAME_KEY =
  'Name the key with --key or STRATA_API_KEY (`strata key` prints it on the machine of the service).';
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['MISSING_TOKEN', NAME_KEY],
  ['INVALID_TOKEN_SIGNATURE', NAME_KEY],
  ['WRONG_TENANT', 'Name with --tenant one that the service has in STRATA_TENANTS, or none.'],
  ['ACTOR_MISMATCH', 'Name the caller with --actor.'],
  ['POLICY_DENIED', 'What is allowed follows from STRATA_DEPLOYMENT_PRESET of the service.'],
]);
const PASSING = new Set([408, 429, 502, 503, 504]);

/** Sends batches in order, repeating what may be repeated. */
export class BulkSender {
  private readonly to: Destination;
  private readonly wait: (ms: number) => Promise<unknown>;
  private reached = false;

  /** `wait` pauses between tries; the default is a real pause. */
  constructor(to: Destination, wait: (ms: number) => Promise<unknown> = (ms) => pause(ms)) {
    this.to = to;
    this.wait = wait;
  }

  /**
   * Captures the items of one batch. A batch that is refused as a whole is sent in halves, so that the line at fault
   * is found and the others are captured.
   *
   * @throws UnreachableError when the service stays away or refuses every request alike.
   */
  async send(items: readonly Item[]): Promise<SendOutcome> {
    const answer = await this.exchange(items, this.to.wait);
    if (answer.status >= 200 && answer.status < 300) return readResults(items, answer.text);
    const refused = refusalOf(answer);
    if (UNSETTLED.has(refused.code)) {
      const again = await this.exchange(items, null);
      if (again.status < 300) return { ...readResults(items, again.text), unsettled: describe(refused) };
    }
    if (HOPELESS.has(answer.status) || isPassing(answer, refused)) throw this.unusable(answer, refused);
    const [only] = items;
    if (items.length > 1) return this.halves(items);
    return {
      captured: 0,
      replayed: 0,
      refusals: only === undefined ? [] : [{ number: only.number, ...refused }],
      unsettled: null,
    };
  }

  private async halves(items: readonly Item[]): Promise<SendOutcome> {
    const middle = Math.ceil(items.length / 2);
    const first = await this.send(items.slice(0, middle));
    const second = await this.send(items.slice(middle));
    return {
      captured: first.captured + second.captured,
      replayed: first.replayed + second.replayed,
      refusals: [...first.refusals, ...second.refusals],
      unsettled: first.unsettled ?? second.unsettled,
    };
  }

  /** The first answer that is not worth another try, or the last of the tries. */
  private async exchange(items: readonly Item[], wait: string | null): Promise<HttpAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      const last = attempt >= (this.reached ? INGEST_TRIES : INGEST_FIRST_TRIES);
      let retryAfterSeconds: number | null = null;
      try {
        const answer = await this.post(items, wait);
        this.reached = true;
        const refused = answer.status < 300 ? null : refusalOf(answer);
        if (refused === null || last || !isPassing(answer, refused)) return answer;
        retryAfterSeconds = answer.retryAfterSeconds;
      } catch (error) {
        if (last) throw this.away(error);
      }
      const own = INGEST_FIRST_PAUSE_MS * 2 ** (attempt - 1);
      await this.wait(Math.min(INGEST_MAX_PAUSE_MS, Math.max(own, (retryAfterSeconds ?? 0) * 1000)));
    }
  }

  private post(items: readonly Item[], wait: string | null): Promise<HttpAnswer> {
    const { url: base, key, tenant, actor, scope } = this.to;
    const url = new URL(`${base.pathname.replace(/\/$/, '')}/v1/experience/bulk`, base);
    if (wait !== null) url.searchParams.set('wait', wait);
    const frame = JSON.stringify({ ordering: 'independent', ...(scope === null ? {} : { scope }) });
    const list = items.map(({ text }) => text).join(',');
    return postJson({
      url,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(tenant === null ? {} : { 'x-strata-tenant': tenant }),
        ...(actor === null ? {} : { 'x-strata-actor': actor }),
      },
      body: `${frame.slice(0, -1)},"items":[${list}]}`,
      timeoutMs: INGEST_ANSWER_MS,
    });
  }

  private away(cause: unknown): UnreachableError {
    const code = (cause as { code?: unknown }).code;
    const why = typeof code === 'string' ? code : errorText(cause);
    return new UnreachableError(
      `${this.to.url.origin} cannot be reached (${why}). ` +
        'Start the service with `strata start`, or name its address with --url.',
      { cause },
    );
  }

  private unusable(answer: HttpAnswer, refused: Refused): UnreachableError {
    const advice =
      ADVICE.get(refused.code) ?? 'Look at the log of the service, and whether --url names a Strata.';
    return new UnreachableError(
      `${this.to.url.origin} answers ${answer.status}: ${describe(refused)}. ${advice}`,
    );
  }
}

function isPassing(answer: HttpAnswer, { retriable }: Refused): boolean {
  return retriable ?? PASSING.has(answer.status);
}

function describe({ code, message }: Refused): string {
  return `${code}: ${message}`;
}
