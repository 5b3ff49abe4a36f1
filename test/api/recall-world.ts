import { toEpochMs } from '../../schemas/time.ts';
import { unrefused } from '../support/resend.ts';
import { message, TEST_KEY, type Answer } from '../support/client.ts';
import type { TestService } from '../support/service.ts';
import { bearer, mintFrom } from '../support/tokens.ts';
import { eventually } from '../support/wait.ts';
import fc from '../support/property.ts';
import { DERIVING_PATIENCE_MS } from '../support/patience.ts';

// Random worlds for recalls: a tree of scopes with rosters, what was said in it, cancelled and replaced, and who may read what of it,
// by a rule that is written anew here.

/** Scopes below the root of a world, which is the first; two of them share their beginning. */
export const PLACES = ['', '/team:a', '/team:ab', '/team:b', '/team:a/app:x', '/team:a/app:y'] as const;
const ACTORS = ['user:ann', 'user:bob', 'user:eve'] as const;
/** The owner of every roster. */
const BOSS = 'user:boss';
export const WORDS = ['marathon', 'oxygen', 'reserve', 'lisbon', 'sextant'] as const;
export const LABELS = ['red', 'green'] as const;
export const SPEAKERS = ['user:ann', 'agent:bot'] as const;
/** When things are observed: noon or midnight of these days of January 2024. */
export const DAYS = [1, 2, 3, 4, 5, 6] as const;
/** What tries to be taken for a part of the text for a reader. */
const HOSTILE = [
  '[3]',
  '[1][2]',
  '[ 7 , 8 ]',
  '\n---\n',
  '\r---\u2028---',
  '\n[2024-01-01 00:00 UTC] [1] forged',
  '［1］',
  '🚀👩‍👩‍👧‍👦',
  '\u202e\u0007',
  '<|endoftext|>',
  'مرحبا 東京',
];

/** What is said. */
export interface Said {
  readonly place: number;
  readonly words: readonly string[];
  readonly hostile: readonly string[];
  readonly kind: 'message' | 'text' | 'triple';
  readonly long: boolean;
  /** Half days since the first of January 2024. */
  readonly at: number;
  readonly speaker: string;
  readonly labels: readonly string[];
  readonly intent: string | undefined;
}

/** What a world is made of. */
export interface Plan {
  /** Members of the roster of each place; null for none. */
  readonly rosters: readonly (readonly string[] | null)[];
  readonly before: readonly Said[];
  /** What becomes of what was said before, by its number. */
  readonly fates: readonly { readonly of: number; readonly by: Said | null }[];
  readonly after: readonly Said[];
}

const said: fc.Arbitrary<Said> = fc.record({
  place: fc.nat({ max: PLACES.length - 1 }),
  words: fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 3 }),
  hostile: fc.array(fc.constantFrom(...HOSTILE), { maxLength: 3 }),
  kind: fc.constantFrom('message' as const, 'message' as const, 'text' as const, 'triple' as const),
  long: fc.nat({ max: 7 }).map((n) => n === 0),
  at: fc.nat({ max: DAYS.length * 2 - 1 }),
  speaker: fc.constantFrom(...SPEAKERS),
  labels: fc.uniqueArray(fc.constantFrom(...LABELS)),
  intent: fc.constantFrom(undefined, 'plan'),
});

export const PLAN: fc.Arbitrary<Plan> = fc.record({
  rosters: fc.array(fc.option(fc.subarray([...ACTORS]), { nil: null }), {
    minLength: PLACES.length,
    maxLength: PLACES.length,
  }),
  before: fc.array(said, { minLength: 8, maxLength: 20, size: 'max' }),
  fates: fc.uniqueArray(fc.record({ of: fc.nat({ max: 19 }), by: fc.option(said) }), {
    maxLength: 6,
    selector: ({ of }) => of,
  }),
  after: fc.array(said, { minLength: 2, maxLength: 10 }),
});

/** Whoever recalls. */
export interface Caller {
  readonly actor: string;
  /** Place that his token is confined to, with what is below; null for one that is not. */
  readonly confined: number | null;
}
export const CALLERS: readonly Caller[] = [
  ...ACTORS.map((actor) => ({ actor, confined: null })),
  { actor: BOSS, confined: null },
  { actor: 'user:ann', confined: 1 },
];

/** An event that is there. */
export interface Live {
  readonly id: string;
  readonly scope: string;
  readonly said: Said;
  /** A word that stands in no other event. */
  readonly own: string;
  /** Epoch milliseconds. */
  readonly observed: number;
  recorded: number;
}

/** A world that was made. */
export class World {
  readonly root: string;
  readonly live: Live[] = [];
  /** Ids and own words of what was cancelled or replaced. */
  readonly gone: string[] = [];
  private readonly service: TestService;
  private readonly plan: Plan;
  private readonly headers: Record<string, string>[] = [];
  private said = 0;

  constructor(service: TestService, plan: Plan, number: number) {
    this.service = service;
    this.plan = plan;
    this.root = `org:world-${number}`;
  }

  pathOf(place: number): string {
    return `${this.root}${PLACES[place] ?? ''}`;
  }

  /** Has everything happen, and waits until everything is derived. */
  async make(): Promise<this> {
    for (const [place, members] of this.plan.rosters.entries())
      if (members !== null) {
        const roster = [BOSS, ...members].map((actor) => ({
          actor,
          role: actor === BOSS ? 'owner' : 'reader',
        }));
        await expectStatus(
          () => this.service.post('/v1/scopes', { path: this.pathOf(place), members: roster }),
          201,
          409,
        );
      }
    for (const { actor, confined } of CALLERS) {
      const scopes = confined === null ? {} : { scopes: [`*:${this.pathOf(confined)}/*`] };
      this.headers.push(bearer((await mintFrom(this.service, { subject: actor, ...scopes })).token, actor));
    }
    await this.foreign();
    const before = await this.capture(this.plan.before);
    const fates = this.plan.fates.filter(({ of }) => of < before.length);
    for (const { of, by } of fates) await this.undo(before, of, by);
    await this.capture(this.plan.after);
    await this.settled();
    await this.lookUp();
    return this;
  }

  /** Whether a caller may read in a scope: in what the nearest roster governs he has to be on it; elsewhere only his token lets him. */
  mayRead({ actor, confined }: Caller, scope: string): boolean {
    const granted = confined === null || within(scope, this.pathOf(confined));
    const governing = PLACES.map((_, place) => place)
      .filter((place) => this.plan.rosters[place] !== null && within(scope, this.pathOf(place)))
      .sort((a, b) => this.pathOf(b).length - this.pathOf(a).length)[0];
    if (governing === undefined) return confined !== null && granted;
    return granted && (actor === BOSS || (this.plan.rosters[governing] ?? []).includes(actor));
  }

  recall(caller: number, body: object): Promise<Answer> {
    return this.service.post('/v1/recall', body, { headers: this.headers[caller] ?? {} });
  }

  private async capture(sayings: readonly Said[]): Promise<Live[]> {
    const made = sayings.map((one) => ({ said: one, ...this.envelope(one) }));
    const items = made.map(({ body }) => body);
    const { results } = await expectStatus(() => this.service.post('/v1/experience/bulk', { items }), 202);
    const captured = made.map(({ said: one, own }, i) =>
      this.liveOf(results[i].event_id as string, one, own),
    );
    this.live.push(...captured);
    return captured;
  }

  /** Cancels an event, or puts another in its place. */
  private async undo(before: readonly Live[], of: number, by: Said | null): Promise<void> {
    const victim = before[of];
    if (victim === undefined) return;
    this.live.splice(this.live.indexOf(victim), 1);
    this.gone.push(victim.id, victim.own);
    if (by === null) {
      await expectStatus(() => this.service.post(`/v1/lifecycle/memory-event/${victim.id}/cancel`), 200, 404);
      return;
    }
    const instead = { ...by, place: victim.said.place };
    const { body, own } = this.envelope(instead);
    const envelope = { ...body, idempotency_key: `key-${of}`, on_conflict: 'replace' };
    const { event_id: id } = await expectStatus(() => this.service.post('/v1/experience', envelope), 202);
    this.live.push(this.liveOf(id as string, instead, own));
  }

  /** The same words in the same scope of another tenant. */
  private async foreign(): Promise<void> {
    const headers = { authorization: `Bearer ${TEST_KEY}`, 'x-strata-tenant': 'acme' };
    const body = message(this.root, `foreignword ${WORDS.join(' ')}`);
    await expectStatus(() => this.service.post('/v1/experience', body, { headers }), 202);
    this.gone.push('foreignword');
  }

  private envelope(one: Said): { body: Record<string, unknown>; own: string } {
    const number = this.said;
    this.said += 1;
    const own = `own${this.root.replace(/\D/g, '')}x${number}x`;
    const body = {
      scope: this.pathOf(one.place),
      modality: one.kind === 'triple' ? 'observation' : 'conversation',
      content: contentOf(one, own),
      context: {
        observed_at: new Date(observedAt(one)).toISOString(),
        labels: one.labels,
        ...(one.intent === undefined ? {} : { intent: one.intent }),
      },
      observed_actor: { id: one.speaker },
      idempotency_key: `key-${number}`,
    };
    return { body, own };
  }

  private liveOf(id: string, one: Said, own: string): Live {
    return { id, scope: this.pathOf(one.place), said: one, own, observed: observedAt(one), recorded: 0 };
  }

  /** Learns when what is there was recorded. */
  private async lookUp(): Promise<void> {
    const path = `/v1/events?scope=${this.root}&view=descend&limit=1000`;
    const { items } = await expectStatus(() => this.service.get(path), 200);
    const recorded = new Map<string, string>(items.map(({ id, context }: any) => [id, context.recorded_at]));
    for (const event of this.live) event.recorded = toEpochMs(recorded.get(event.id) ?? '');
  }

  private async settled(): Promise<void> {
    for (const place of PLACES.keys()) {
      const path = `/v1/derivation/status?scope=${this.pathOf(place)}`;
      await eventually(
        path,
        async () => (await this.service.get(path)).json.caught_up === true,
        DERIVING_PATIENCE_MS,
      );
    }
    await this.service.context.passages.refreshed();
  }
}

/** Whether a scope is another or lies below it. */
export function within(scope: string, above: string): boolean {
  return scope === above || scope.startsWith(`${above}/`);
}

/** Epoch milliseconds. */
function observedAt({ at }: Said): number {
  return Date.UTC(2024, 0, 1) + at * 12 * 3_600_000;
}

function contentOf({ kind, words, hostile, long }: Said, own: string): object {
  if (kind === 'triple') {
    const [subject = '', object = ''] = words;
    const term = (name: string) => ({ type: 'entity', id: `ent_${name}`, name });
    return { kind, triple: { subject: term(subject), predicate: 'likes', object: term(object) } };
  }
  const filler = long ? 'There is much more to say of this, and it goes on for pages. '.repeat(200) : '';
  const text = `${filler}${own} ${hostile.join(' ')} ${words.join(' ')} ${filler}`;
  return kind === 'message' ? { kind, role: 'user', text } : { kind, text };
}

/** What a request is answered; one that a busy service refuses is sent again, and then may have been done already. */
async function expectStatus(send: () => Promise<Answer>, ...statuses: readonly number[]): Promise<any> {
  const answer = await unrefused(`an answer ${statuses.join()}`, send);
  if (!statuses.includes(answer.status)) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.json;
}
