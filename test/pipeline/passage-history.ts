import { MAX_EXCERPT_LENGTH } from '../../src/pipeline/turn-passage.ts';
import { SESSION_PASSAGE_TURNS } from '../../graph/passage/window.ts';
import type { Driver } from 'neo4j-driver';

import { scopeRef } from '../../src/capture/scope-key.ts';
import { indexTerms } from '../../src/capture/search-words.ts';
import { query } from '../support/database.ts';
import { unrefused } from '../support/resend.ts';
import { message, type Answer, type Client } from '../support/client.ts';
import fc from '../support/property.ts';

/** Where an event is said. */
interface Said {
  readonly scope: number;
  /** 0: in no session. */
  readonly session: number;
  readonly long: boolean;
  /** In a structured statement, which stands by itself. */
  readonly stated: boolean;
}

/** One thing that somebody does; `of` picks an event among those that were captured until then. */
export type Deed =
  | { readonly does: 'capture'; readonly said: readonly Said[] }
  | { readonly does: 'replace'; readonly of: number }
  | { readonly does: 'cancel'; readonly of: number };

const said = fc.record({
  scope: fc.nat({ max: 1 }),
  session: fc.nat({ max: 2 }),
  long: fc.nat({ max: 15 }).map((n) => n === 0),
  stated: fc.nat({ max: 5 }).map((n) => n === 0),
});
const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('capture' as const),
      said: fc.array(said, { minLength: 1, maxLength: 1 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('capture' as const),
      said: fc.array(said, { minLength: 2, maxLength: 30 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('replace' as const), of: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('cancel' as const), of: fc.nat() }) },
);

/** Deeds, some of them at the same time. */
export const HISTORY = fc.array(fc.array(deed, { minLength: 1, maxLength: 6 }), {
  minLength: 4,
  maxLength: 10,
  size: 'max',
});

/** A live event of a history. */
interface Live {
  readonly key: string;
  readonly said: Said;
  id: string;
  text: string;
}

/** Plays histories against a service, and knows which events are there. */
export class PassagePlay {
  readonly live: Live[] = [];
  readonly scopes: readonly string[];
  private readonly service: Client;
  private readonly name: string;
  private words = 0;

  constructor(service: Client, name: string) {
    this.service = service;
    this.name = name;
    this.scopes = [0, 1].map((scope) => `org:${name}/user:u${scope}`);
  }

  async play(history: readonly (readonly Deed[])[]): Promise<void> {
    for (const together of history) await Promise.all(together.map((one) => this.do(one)));
    for (const scope of [0, 1])
      await this.capture([{ scope, session: 0, long: false, stated: false }], '?wait=indexed');
  }

  private async do(one: Deed): Promise<void> {
    if (one.does === 'capture') return this.capture(one.said, '');
    const [event] = this.live.splice(one.of % Math.max(1, this.live.length), 1);
    if (event === undefined) return;
    if (one.does === 'cancel') {
      await this.cancel(event.id);
      return;
    }
    const text = this.text(event.said);
    const { event_id } = await this.ok(() =>
      this.service.post('/v1/experience', {
        ...this.body(event.said, text, event.key),
        on_conflict: 'replace',
      }),
    );
    this.live.push({ ...event, id: String(event_id), text });
  }

  private async capture(said: readonly Said[], wait: string): Promise<void> {
    const made = said.map((one) => {
      const text = this.text(one);
      return { said: one, text, key: `${this.name}-${this.words}` };
    });
    const bodies = made.map((one) => this.body(one.said, one.text, one.key));
    const ids: unknown[] =
      bodies.length === 1
        ? [(await this.ok(() => this.service.post(`/v1/experience${wait}`, bodies[0]))).event_id]
        : (
            await this.ok(() => this.service.post(`/v1/experience/bulk${wait}`, { items: bodies }))
          ).results.map(({ event_id }: { event_id: unknown }) => event_id);
    this.live.push(...made.map((one, i) => ({ ...one, id: String(ids[i]) })));
  }

  private async cancel(id: string): Promise<void> {
    let tries = 0;
    const { status, text } = await unrefused('a cancel', () => {
      tries += 1;
      return this.service.post(`/v1/lifecycle/memory-event/${id}/cancel`);
    });
    // One that was refused may have been done.
    if (status !== 200 && (status !== 404 || tries === 1)) throw new Error(`${status} ${text}`);
  }

  private async ok(send: () => Promise<Answer>): Promise<any> {
    const { status, text, json } = await unrefused('a capture', send);
    if (status >= 300) throw new Error(`${status} ${text}`);
    return json;
  }

  private text({ long }: Said): string {
    this.words += 1;
    return `${long ? 'padding '.repeat(MAX_EXCERPT_LENGTH / 8) : ''}${this.name}${this.words} adopting`;
  }

  private body({ scope, session, stated }: Said, text: string, key: string): Record<string, unknown> {
    const actor = { id: 'user:caroline', ...(session === 0 ? {} : { session: `s${session}` }) };
    const object = { kind: 'literal', datatype: 'string', value: text };
    const triple = { subject: { kind: 'entity', id: `ent_${key}`, name: 'dog' }, predicate: 'said', object };
    return message(this.scopes[scope] ?? '', text, {
      observed_actor: actor,
      idempotency_key: key,
      ...(stated ? { content: { kind: 'triple', triple } } : {}),
    });
  }

  /** What is indexed of an event that is there. */
  indexed({ said: { stated }, text }: Live): string {
    return indexTerms(`${stated ? 'dog said' : 'caroline'} ${text}`).join(' ');
  }
}

/** A stored turn of a thread. */
interface Turn {
  readonly event_id: string;
  readonly thread: string;
  readonly place: number;
  readonly segment: number;
  readonly wal_offset: number;
  readonly text: string;
  readonly window_1: string;
  readonly window_3: string;
}

/** What stands in the windows and sessions of a scope, and what a naive telling of its turns makes of them. */
export async function passagesOf(driver: Driver, scope: string) {
  const ref = scopeRef('default', scope);
  const stored = await query<{ p: Turn }>(
    driver,
    "MATCH (p:Passage {scope_ref: $ref, kind: 'turn'}) RETURN properties(p) AS p ORDER BY p.thread, p.place",
    { ref },
  ).then((rows) => rows.map(({ p }) => p));
  const turns = stored.filter(({ thread }) => (thread as string | undefined) !== undefined);
  const alone = stored.filter((one) => !turns.includes(one));
  const sessions = await query<{ thread: string; segment: number; text: string }>(
    driver,
    `MATCH (p:SessionPassage {scope_ref: $ref, kind: 'session'}) WHERE p:Passage AND p.scope_tokens IS NOT NULL
     RETURN p.thread AS thread, p.segment AS segment, p.session_text AS text ORDER BY thread, segment`,
    { ref },
  );
  return { turns, alone, sessions, naive: naive(turns) };
}

const short = (text: string): string =>
  text.length <= MAX_EXCERPT_LENGTH ? text : text.slice(0, text.lastIndexOf(' ', MAX_EXCERPT_LENGTH));

function naive(turns: readonly Turn[]) {
  const threads = new Map<string, Turn[]>();
  for (const turn of turns) threads.set(turn.thread, [...(threads.get(turn.thread) ?? []), turn]);
  const windows = [...threads.values()].flatMap((thread) =>
    thread.map((turn, i) => {
      const window = (size: number): string =>
        thread
          .slice(Math.max(0, i - size), i + size + 1)
          .map((other) => (other === turn ? other.text : short(other.text)))
          .join(' ');
      const segment = Math.floor(turn.place / SESSION_PASSAGE_TURNS);
      return { ...turn, segment, window_1: window(1), window_3: window(3) };
    }),
  );
  const segments = new Map<string, { thread: string; segment: number; text: string }>();
  for (const { thread, segment, text } of windows) {
    const known = segments.get(`${thread} ${segment}`);
    const told = known === undefined ? short(text) : `${known.text} ${short(text)}`;
    segments.set(`${thread} ${segment}`, { thread, segment, text: told });
  }
  return { windows, sessions: [...segments.values()] };
}
