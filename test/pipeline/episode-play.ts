import type { EpisodeScope } from '../../graph/episode/load.ts';
import type { EpisodeEvent, SealEntry } from '../../src/derive/episode/episode.ts';
import type { EpisodeWork } from '../../src/pipeline/episodes.ts';
import fc from '../support/property.ts';

/** Milliseconds: what is within it is related. */
export const WINDOW = 10;

const captured = fc.record({
  kind: fc.constant('event' as const),
  /** Mostly close to the event before, sometimes far away, in the past too. */
  step: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 4 }) },
    { weight: 2, arbitrary: fc.integer({ min: 5, max: 25 }) },
    { weight: 2, arbitrary: fc.integer({ min: -30, max: -1 }) },
  ),
  session: fc.option(fc.constantFrom('s1', 's2', 's3')),
  subject: fc.constantFrom('x', 'y'),
  /** How many events before, for what it names as what led to it; 0 for nothing. */
  back: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 2 }),
  linked: fc.boolean(),
  /** Whether a stage gives it up at first, so that it comes later than it should. */
  held: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  pause: fc.integer({ min: 0, max: 3 }),
});
/** Mostly in the order of time, of one session, and without what led to it. */
const said = fc.record({
  kind: fc.constant('event' as const),
  step: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 0, max: 3 }) },
    { weight: 1, arbitrary: fc.integer({ min: 4, max: 14 }) },
    { weight: 1, arbitrary: fc.integer({ min: -12, max: -1 }) },
  ),
  session: fc.oneof(
    { weight: 8, arbitrary: fc.constant('s1') },
    { weight: 1, arbitrary: fc.constantFrom(null, 's2') },
  ),
  subject: fc.oneof({ weight: 8, arbitrary: fc.constant('x') }, { weight: 1, arbitrary: fc.constant('y') }),
  back: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 1 }),
  linked: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  held: fc.integer({ min: 0, max: 29 }).map((n) => n === 0),
  pause: fc.integer({ min: 0, max: 2 }),
});
const CANCEL = fc.record({ kind: fc.constant('cancel' as const), which: fc.nat(60) });
const SEAL = fc.record({ kind: fc.constant('seal' as const), idle: fc.integer({ min: 0, max: 8 }) });
const BATCH = fc.record({ kind: fc.constant('batch' as const) });
const REPEAT = fc.record({ kind: fc.constant('repeat' as const) });
const step = fc.oneof(
  { weight: 12, arbitrary: captured },
  { weight: 2, arbitrary: CANCEL },
  { weight: 2, arbitrary: SEAL },
  { weight: 4, arbitrary: BATCH },
  { weight: 1, arbitrary: REPEAT },
);
/** What happens to one scope, step by step. */
export const history = fc.array(step, { maxLength: 24 });

/** A talk of which some is taken out while it goes on, and afterwards. */
export const talk = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 14, arbitrary: said },
        { weight: 2, arbitrary: BATCH },
        { weight: 2, arbitrary: CANCEL },
        { weight: 1, arbitrary: SEAL },
      ),
      { minLength: 10, maxLength: 60 },
    ),
    fc.array(fc.oneof(CANCEL, BATCH), { maxLength: 12 }),
  )
  .map(([first, then]) => [...first, { kind: 'batch' as const }, ...then]);
type Step = (typeof history extends fc.Arbitrary<infer T> ? T : never)[number];

/** Where a history is played. */
export interface World {
  capture(event: EpisodeEvent): Promise<void>;
  cancel(id: string): Promise<void>;
  consolidate(work: EpisodeWork): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Seals what had no event recorded since an instant, or an earlier one; answers the entries that it left in the log. */
  seal(entry: SealEntry): Promise<readonly SealEntry[]>;
  /** The episode that an event is in. */
  episodeOf(id: string): Promise<string | undefined>;
}

/** Where a play takes place, so that several can be played in one store. */
export interface Stage {
  readonly place: EpisodeScope;
  /** What ids of events begin with. */
  readonly prefix: string;
  /** Places in the log, and recorded instants, begin behind these. */
  readonly offset: number;
  readonly now: number;
}

/** Plays a history in a world, batch by batch, and keeps the log of it. */
export class Play {
  readonly log: ({ event: EpisodeEvent } | { seal: SealEntry })[] = [];
  readonly events: EpisodeEvent[] = [];
  readonly cancelled = new Set<string>();
  private readonly world: World;
  private readonly stage: Stage;
  private batch: EpisodeEvent[] = [];
  private held: EpisodeEvent[] = [];
  private retracted: string[] = [];
  private at = 100;
  now: number;
  private sealedBefore: number;

  constructor(world: World, stage: Stage) {
    this.world = world;
    this.stage = stage;
    this.now = stage.now;
    this.sealedBefore = stage.now - 1000;
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const one of steps) await this.step(one);
    await this.repeat();
  }

  /** The log as if what was cancelled had never been said. */
  get remaining(): Play['log'] {
    return this.log.filter((entry) => !('event' in entry && this.cancelled.has(entry.event.id)));
  }

  private async step(one: Step): Promise<void> {
    switch (one.kind) {
      case 'event':
        return this.capture(one);
      case 'cancel':
        return this.cancel(one.which);
      case 'batch':
        return this.consolidate();
      case 'repeat':
        return this.repeat();
      case 'seal':
        return this.seal(one.idle);
    }
  }

  private async capture(one: Extract<Step, { kind: 'event' }>): Promise<void> {
    const { prefix, offset } = this.stage;
    this.at += one.step;
    this.now += one.pause;
    const number = this.events.length + 1;
    const event: EpisodeEvent = {
      id: `${prefix}${number}`,
      position: offset + number,
      recorded_at: this.now,
      observed_at: this.at,
      threads: [...(one.session === null ? [] : [one.session]), one.subject].map(
        (name) => `${prefix}${name}`,
      ),
      preceded_by: one.linked ? [...new Set(one.back)].map((back) => `${prefix}${number - back}`) : [],
      role: 'follow_up',
      quote: `text ${number}`,
    };
    this.events.push(event);
    this.log.push({ event });
    (one.held ? this.held : this.batch).push(event);
    await this.world.capture(event);
  }

  private async cancel(which: number): Promise<void> {
    const event = this.events[which % Math.max(1, this.events.length)];
    if (event === undefined || this.cancelled.has(event.id)) return;
    this.cancelled.add(event.id);
    this.retracted.push(event.id);
    await this.world.cancel(event.id);
  }

  /** Nothing is sealed while events are still to be consolidated; one that is held may come afterwards. */
  private async seal(idle: number): Promise<void> {
    await this.consolidate();
    const idle_before = Math.max(this.now - idle, this.sealedBefore + 1);
    if (idle_before > this.now) return;
    const after_offset = this.stage.offset + this.events.length;
    for (const seal of await this.world.seal({ after_offset, recorded_at: this.now, idle_before })) {
      this.sealedBefore = seal.idle_before;
      this.now = seal.recorded_at;
      this.log.push({ seal });
    }
  }

  private async repeat(): Promise<void> {
    await this.consolidate();
    this.batch.push(...this.held.splice(0));
    await this.consolidate();
  }

  private async consolidate(): Promise<void> {
    const due = this.batch.splice(0).filter(({ id }) => !this.cancelled.has(id));
    const events = due.map((event) => ({ place: this.stage.place, event }));
    const touched = await this.world.consolidate({ events, retracted: this.retracted.splice(0) });
    for (const { id } of due) expect(touched.get(id)?.[0]).toBe(await this.world.episodeOf(id));
  }
}
