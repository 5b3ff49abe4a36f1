import { message, send } from '../support/client.ts';
import { eventually } from '../support/wait.ts';
import { answerOrNull } from './patient.ts';
import { Random } from './random.ts';

/** How long a writer tries to get one write acknowledged, milliseconds. */
const PATIENCE_MS = 300_000;
const MAX_BULK = 20;

/** An event whose write was acknowledged, as the writer knows it. */
export interface Acknowledged {
  readonly id: string;
  readonly offset: number;
  readonly scope: string;
  readonly key: string;
  readonly text: string;
  /** A word of the text that no other event has. */
  readonly word: string;
}

/** What a load writes, and where to. */
export interface LoadOptions {
  /** Addresses to write to; empty while there is none. */
  readonly urls: () => readonly string[];
  readonly scopes: readonly string[];
  readonly writers: number;
  readonly seed: number;
}

type Item = Omit<Acknowledged, 'id' | 'offset'>;

/** Writers that resend every write under the same key until it is acknowledged, and remember what they were told. */
export class Load {
  /** By idempotency key. */
  readonly acknowledged = new Map<string, Acknowledged>();
  /** Requests that were sent again. */
  resent = 0;
  /** Answers that no writer may ever get. */
  readonly violations: string[] = [];
  /** When the latest acknowledged request was sent, by `performance.now()`. */
  newestSent = 0;
  private readonly options: LoadOptions;
  private running: Promise<void>[] = [];
  private stopping = false;
  private written = 0;

  constructor(options: LoadOptions) {
    this.options = options;
  }

  start(): void {
    this.stopping = false;
    this.running = Array.from({ length: this.options.writers }, (_, writer) =>
      this.write(new Random(this.options.seed * 1000 + this.written * 50 + writer)),
    );
  }

  /** Resolves when every writer has had its last write acknowledged. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.running);
  }

  /** Resolves when so many events are acknowledged. */
  async reach(count: number): Promise<void> {
    await this.until(`${count} events`, () => this.acknowledged.size >= count);
  }

  /** Waits for a condition while the writers write; fails when one of them has failed. */
  async until(what: string, condition: () => boolean): Promise<void> {
    await Promise.race([eventually(what, condition, PATIENCE_MS), Promise.all(this.running)]);
    if (!condition()) throw new Error(`the writers ended before: ${what}`);
  }

  private async write(random: Random): Promise<void> {
    while (!this.stopping) {
      const bulk = random.below(10) < 3;
      const count = bulk ? 2 + random.below(MAX_BULK - 1) : 1;
      const items = Array.from({ length: count }, () => this.item(random));
      const wait = random.below(10) === 0 ? '?wait=indexed' : '';
      await this.deliver(bulk, items, wait, random);
    }
  }

  private item(random: Random): Item {
    this.written += 1;
    const word = `s${this.options.seed}n${this.written}`;
    return {
      scope: random.pick(this.options.scopes),
      key: `key-${word}`,
      text: `${word} "quoted" käse 東京 ${'x'.repeat(random.below(300))}`,
      word,
    };
  }

  private async deliver(bulk: boolean, items: readonly Item[], wait: string, random: Random): Promise<void> {
    const envelopes = items.map((item) => message(item.scope, item.text, { idempotency_key: item.key }));
    const [path, body] = bulk
      ? ['/v1/experience/bulk', { items: envelopes }]
      : ['/v1/experience', envelopes[0]];
    let tries = 0;
    const { answer, sent } = await eventually(
      `an acknowledgement of ${items[0]?.key ?? ''}`,
      async () => {
        const urls = this.options.urls();
        if (urls.length === 0) return null;
        tries += 1;
        const started = performance.now();
        const got = await answerOrNull(send(random.pick(urls), 'POST', path + wait, { body }));
        if (got !== null && got.status !== 202 && got.status !== 503 && got.status !== 408) {
          this.violations.push(`${items[0]?.key ?? ''}: answered ${got.status} ${got.text.slice(0, 300)}`);
        }
        return got?.status === 202 ? { answer: got, sent: started } : null;
      },
      PATIENCE_MS,
    );
    this.resent += tries - 1;
    this.newestSent = Math.max(this.newestSent, sent);
    this.remember(bulk ? answer.json.results : [answer.json], items);
  }

  private remember(results: { event_id: string; wal_offset: number }[], items: readonly Item[]): void {
    items.forEach((item, i) => {
      const { event_id: id, wal_offset: offset } = results[i] ?? { event_id: 'none', wal_offset: 0 };
      this.acknowledged.set(item.key, { ...item, id, offset });
    });
  }
}
