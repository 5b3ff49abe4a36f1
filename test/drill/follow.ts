// The drill of the lifecycle: npm run drill:follow -- FILE [--readers 50]
// Fifty readers on two services follow the capture of a talk (capture envelopes, one a line); ends with 0 when every frame
// came to every reader exactly once, however its connection broke, and both transports told the same.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { residentMiB } from '../bench/proc.ts';
import { Service } from '../bench/service.ts';
import { readEnvelopes } from '../support/envelope-file.ts';
import { closeEvents, openEvents, type EventStream, type SentEvent } from '../support/event-stream.ts';
import { send } from '../support/client.ts';
import { eventually } from '../support/wait.ts';
import { differences, listedEvents, listedFrames, queriedEvents, sentFrame } from './listings.ts';
import { Subscription, type Frame } from './subscription.ts';
import { ingest } from './talk.ts';

const STALL_MS = '10000';
const PATIENCE_MS = 600_000;
const SAMPLE_MS = 5000;
const SHOWN = 20;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function gauge(url: string, name: string): Promise<number> {
  const { text } = await send(url, 'GET', '/v1/admin/metrics');
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

/** A stream that is broken off in the middle and goes on elsewhere. */
class BrokenStream {
  readonly taken: SentEvent[] = [];
  private stream: EventStream | null = null;

  async follow(url: string, scope: string): Promise<void> {
    const last = this.taken.at(-1)?.id;
    this.stream = await openEvents(url, { scope }, last === undefined ? {} : { 'last-event-id': last });
  }

  breakOff(): void {
    this.stream?.close();
    this.taken.push(...(this.stream?.events ?? []));
    this.stream = null;
  }

  get frames(): Frame[] {
    return [...this.taken, ...(this.stream?.events ?? [])].map(sentFrame);
  }
}

/** Opens the readers whose connections hold: they read from the two services by turns. */
async function openMany(urls: readonly string[], scope: string, count: number): Promise<EventStream[]> {
  const streams: EventStream[] = [];
  for (let i = 0; i < count; i += 1) streams.push(await openEvents(urls[i % urls.length] ?? '', { scope }));
  return streams;
}

/** A reader that takes nothing until it counts as stalled, hears where to resume, and goes on there. */
async function stallAndResume(url: string, scope: string, stalled: EventStream): Promise<() => Frame[]> {
  stalled.pause();
  await eventually(
    'the reader to stall',
    async () => (await gauge(url, 'strata_lifecycle_stalled_readers')) >= 1,
    PATIENCE_MS,
    500,
  );
  stalled.resume();
  await eventually('its end', () => stalled.ended !== null);
  const last = stalled.events.at(-1);
  if (stalled.ended !== 'end' || last?.event !== 'lagging' || last.data.resume_from !== last.id) {
    throw new Error(`the stalled reader ended with ${JSON.stringify(last)} (${stalled.ended ?? 'open'})`);
  }
  const taken = stalled.events.slice(0, -1);
  say(`the stalled reader took ${taken.length} frames and was told to resume from ${last.id ?? ''}`);
  const again = await openEvents(url, { scope }, { 'last-event-id': last.id ?? '' });
  return () => [...taken, ...again.events].map(sentFrame);
}

/** Captures the talk while everybody follows it; answers what is not as it has to be. */
async function run(a: Service, b: Service, talk: readonly object[], count: number): Promise<string[]> {
  const { scope } = talk[0] as { scope: string };
  const others = await openMany([a.url, b.url], scope, count - 3);
  const subscription = new Subscription(scope);
  const broken = new BrokenStream();
  await subscription.follow(a.url);
  await broken.follow(a.url, scope);
  const stalled = await openEvents(a.url, { scope });
  const [resumed] = await Promise.all([
    stallAndResume(a.url, scope, stalled),
    ingest([a.url, b.url], talk, async () => {
      subscription.breakOff();
      broken.breakOff();
      await subscription.follow(b.url);
      await broken.follow(b.url, scope);
    }),
  ]);
  await a.settled([scope]);
  const listed = await listedFrames(a.url, scope);
  const readers: readonly (readonly [string, () => Frame[]])[] = [
    ['the subscription', () => subscription.frames],
    ['the broken stream', () => broken.frames],
    ['the stalled stream', resumed],
    ...others.map((stream, i) => [`stream ${i}`, () => stream.events.map(sentFrame)] as const),
  ];
  say(`${talk.length} events, ${listed.length} frames, ${readers.length} readers`);
  const found = [...subscription.faults];
  for (const [name, frames] of readers) {
    await eventually(`all frames of ${name}`, () => frames().length >= listed.length, PATIENCE_MS, 500);
    found.push(...differences(name, frames(), listed));
  }
  return [
    ...found,
    ...differences('GraphQL', await queriedEvents(b.url, scope), await listedEvents(a.url, scope)),
  ];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { readers: { type: 'string', default: '50' } },
});
const [file] = positionals;
const count = Number(values.readers);
if (file === undefined || !(count >= 3))
  throw new Error('usage: npm run drill:follow -- FILE [--readers 50]');
const directory = mkdtempSync(join(tmpdir(), 'strata-follow-'));
const home = (name: string): string => {
  mkdirSync(join(directory, name));
  return join(directory, name);
};
const settings = { STRATA_LIFECYCLE_STALL_MS: STALL_MS };
const a = await Service.start(home('a'), null, settings);
const b = await Service.start(home('b'), a.address, settings);
const memory: number[] = [];
const watch = setInterval(() => memory.push(Math.round(residentMiB(a.pid) ?? 0)), SAMPLE_MS);
let found: string[];
try {
  found = await run(a, b, readEnvelopes(file), count);
} finally {
  clearInterval(watch);
  closeEvents();
  await b.stop();
  await a.stop();
}
say(`memory of a service every five seconds, MiB: ${memory.join(' ')}`);
for (const difference of found.slice(0, SHOWN)) say(`VIOLATION ${difference.slice(0, 600)}`);
say(found.length === 0 ? 'HELD' : `${found.length} violations`);
rmSync(directory, { recursive: true, force: true });
// The sockets of subscriptions are kept open by their client.
process.exit(found.length === 0 ? 0 : 1);
