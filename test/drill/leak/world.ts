import { randomBytes } from 'node:crypto';

import type { Answer, Client, RequestOptions } from '../../support/client.ts';
import { eventually } from '../../support/wait.ts';
import { answerOrNull } from '../patient.ts';

/** How every planted value begins: nothing else has it. */
export const MARK = 'zqlk';

/** A planted value as it is found in texts, whatever its case. */
export const PLANTED = new RegExp(`${MARK}[0-9a-f]{12}7`, 'gi');

/** When what is planted was observed, and its bystanders. */
export const PLANTED_AT = '2024-03-05T06:07:08Z';
const BESIDE_AT = '2024-03-06T09:10:11Z';

/** The label, the entities and the predicate that what is planted has, unless the value itself stands there. */
export const LABEL = 'team:marked';
export const SUBJECT = { type: 'entity', id: 'ent_quill', name: 'Quill' };
export const PREDICATE = 'admires';
/** Whoever says everything in a world, in one session. */
export const SPEAKER = { id: 'user:speaker', session: 'a-morning' };
const ADA = { type: 'entity', id: 'ent_ada', name: 'Ada' };

/** A drill is one of many things that a machine does; it waits, milliseconds, rather than fails. */
export const DRILL_PATIENCE_MS = 600_000;

/** The header that names an upload by its key. */
export function keyHeader(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { 'x-strata-idempotency-key': key };
}

/** Whether an answer says to try again, by either transport. */
function isBusy({ status, json }: Answer): boolean {
  if ((status === 503 || status === 408) && json?.retriable !== false) return true;
  const errors = (json?.errors ?? []) as { extensions?: { retriable?: boolean; code?: string } }[];
  return errors.some(({ extensions }) => extensions?.retriable === true);
}

/** What a world is made with. */
export interface Tools {
  readonly client: Client;
  /** Has the model answer a statement about texts that hold a word. */
  readonly answers: Map<string, Record<string, unknown>>;
}

/** One scope in which one value is planted, next to bystanders. */
export class World {
  readonly scope: string;
  /** The unlikely value. */
  readonly value: string;
  readonly tools: Tools;
  /** Ids of the events that hold it. */
  readonly planted: string[] = [];
  /** Ids of its bystanders. */
  readonly bystanders: string[] = [];
  /** What the selectors go by; a way replaces what the value stands for. */
  readonly about = { subject: SUBJECT.id, predicate: PREDICATE, label: LABEL };
  /** Further things of it, by what they are called in paths. */
  readonly things: Record<string, string> = {};
  private captures = 0;

  constructor(tools: Tools, name: string) {
    this.tools = tools;
    this.value = `${MARK}${randomBytes(6).toString('hex')}7`;
    this.scope = `org:leak/ws:${name.replaceAll(/[^A-Za-z0-9_.-]/g, '-')}`;
  }

  /** Captures an event, and waits until it is consolidated; answers its id. */
  async capture(envelope: Record<string, unknown>): Promise<string> {
    const answer = await this.sent('POST', '/v1/experience?wait=consolidated', this.completed(envelope));
    return answer.event_id as string;
  }

  private completed(envelope: Record<string, unknown>): Record<string, unknown> {
    this.captures += 1;
    const key = `capture-${this.captures}`;
    return { scope: this.scope, modality: 'observation', idempotency_key: key, ...envelope };
  }

  /** Captures what holds the value: a statement about Quill, with a label and in the session, of which `envelope` replaces what it names. */
  async plant(envelope: Record<string, unknown> = {}): Promise<string> {
    const { context, ...more } = envelope as { context?: object };
    const id = await this.capture({
      content: { kind: 'triple', triple: this.triple() },
      subject: { id: this.about.subject, type: 'person' },
      observed_actor: SPEAKER,
      context: { observed_at: PLANTED_AT, labels: [LABEL], ...context },
      ...more,
    });
    this.planted.push(id);
    return id;
  }

  /** The statement that is planted, with other terms where some are given. */
  triple(more: Record<string, unknown> = {}): Record<string, unknown> {
    return { subject: SUBJECT, predicate: PREDICATE, object: ADA, ...more };
  }

  /** Bystanders: they share scope, entity, session and words with what is planted, and not the value. */
  async addBystanders(): Promise<void> {
    const beside = { observed_actor: SPEAKER, context: { observed_at: BESIDE_AT, labels: ['team:other'] } };
    const triple = (subject: object, predicate: string, object: object): object => ({
      content: { kind: 'triple', triple: { subject, predicate, object } },
    });
    const oslo = { type: 'entity', id: 'ent_oslo', name: 'Oslo' };
    const bo = { type: 'entity', id: 'ent_bo', name: 'Bo' };
    const text = 'Ada said that she admires the harbour of Oslo.';
    const said = { modality: 'conversation', content: { kind: 'message', role: 'user', text } };
    const all = [triple(ADA, 'lives_in', oslo), triple(bo, 'knows', ADA), said];
    const items = all.map((one) => this.completed({ ...beside, ...one }));
    const { results } = await this.sent('POST', '/v1/experience/bulk', { items });
    for (const { event_id } of results as { event_id: string | null }[]) {
      if (event_id === null) throw new Error(`${this.scope}: a bystander was refused`);
      this.bystanders.push(event_id);
    }
  }

  /** Sends a request that has to succeed. */
  async sent(
    method: string,
    path: string,
    body?: unknown,
    raw?: { body: string; type: string; key?: string },
  ): Promise<any> {
    const options =
      raw === undefined
        ? { ...(body === undefined ? {} : { body }) }
        : { raw: raw.body, headers: { 'content-type': raw.type, ...keyHeader(raw.key) } };
    const answer = await this.asked(method, path, options);
    if (answer.status >= 300)
      throw new Error(
        `${this.scope}: ${method} ${path} is answered ${answer.status} ${answer.text.slice(0, 300)}`,
      );
    return answer.json;
  }

  /**
   * Sends a request again while it is answered that it should be: on a busy machine a statement, or derivation, takes longer than a request
   * waits. A capture has a key.
   */
  asked(method: string, path: string, options: RequestOptions): Promise<Answer> {
    return eventually(
      `${this.scope}: ${method} ${path}`,
      async () => {
        const answer = await answerOrNull(this.tools.client.request(method, path, options));
        return answer !== null && !isBusy(answer) && answer;
      },
      DRILL_PATIENCE_MS,
    );
  }

  /** Waits until everything of the scope is derived, enriched and synthesised. */
  async settled(): Promise<void> {
    await eventually(
      `${this.scope} to be derived`,
      async () => {
        const status = await this.sent(
          'GET',
          `/v1/derivation/status?scope=${encodeURIComponent(this.scope)}`,
        );
        return status.caught_up === true;
      },
      DRILL_PATIENCE_MS,
    );
  }
}
