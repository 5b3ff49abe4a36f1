// The load generator: a process of its own that speaks HTTP to the service, and follows its frames.
import { eventually } from '../support/wait.ts';
import { obey } from './commands.ts';
import { Envelopes } from './envelopes.ts';
import { StreamReader, Subscriber, type Follower } from './followers.ts';
import { HttpConnection, Requests, type Reply } from './http-connection.ts';
import { closedLoop, OpenLoop, type Run } from './loops.ts';
import { Statements, type World } from './statements.ts';

/** What is to be sent. */
interface Supply {
  /** How many requests to make beforehand. */
  readonly count: number;
  /** Events of one request; 1 is a single capture. */
  readonly size: number;
  /** Keys begin with it. */
  readonly tag: string;
  /** Scopes to write into, one after another; default: those of the load, by chance. */
  readonly scopes?: readonly string[];
  /** Stage to wait for; default none. */
  readonly wait?: string;
  /** What structured statements are to be about, instead of talk; with `scopes`. */
  readonly statements?: World;
}

/** A follower that is to watch a paced load. */
export interface Watch {
  readonly kind: 'stream' | 'subscription';
  readonly url: string;
}

/** What a follower saw of a load, or why it saw nothing. */
export type Watched =
  | { readonly fault: string }
  | {
      /** Milliseconds from each acknowledgement to the frame; negative where the frame was first. */
      readonly afterAck: number[];
      /** Milliseconds from the instant that the frame states. */
      readonly afterTs: number[];
      readonly missed: number;
    };

/** How long frames may be under way after the last capture, milliseconds. */
const FRAME_PATIENCE_MS = 20_000;

let url = '';
let key = '';
let requests = new Requests('http://127.0.0.1:1', '');
let ready: Buffer[] = [];
let more: () => Buffer = () => Buffer.alloc(0);

const target = async (service: { url: string; key: string }): Promise<void> => {
  ({ url, key } = service);
  requests = new Requests(url, key);
  await Promise.resolve();
};

const prepare = async ({ count, size, tag, scopes, wait, statements }: Supply): Promise<void> => {
  const source = statements === undefined ? new Envelopes(tag) : new Statements(tag, statements);
  let made = 0;
  const next = (): Record<string, unknown> =>
    scopes === undefined ? source.next() : source.next(scopes[made++ % scopes.length]);
  const query = wait === undefined ? '' : `?wait=${wait}`;
  more =
    size === 1
      ? () => requests.post(`/v1/experience${query}`, next())
      : () => requests.post(`/v1/experience/bulk${query}`, { items: Array.from({ length: size }, next) });
  ready = Array.from({ length: count }, () => more()).reverse();
  await Promise.resolve();
};

async function withConnections<T>(
  count: number,
  work: (connections: HttpConnection[]) => Promise<T>,
): Promise<T> {
  const connections = await Promise.all(Array.from({ length: count }, () => HttpConnection.open(url)));
  try {
    return await work(connections);
  } finally {
    for (const connection of connections) connection.close();
  }
}

async function ask(connection: HttpConnection, request: Buffer, status: number): Promise<Reply> {
  const reply = await connection.send(request);
  if (reply.status === status) return reply;
  throw new Error(`answered ${reply.status}, not ${status}: ${reply.body.toString('utf8', 0, 500)}`);
}

function capture(connection: HttpConnection): Promise<Reply> {
  return ask(connection, ready.pop() ?? more(), 202);
}

function eventIdOf({ body }: Reply): string {
  return (JSON.parse(body.toString()) as { event_id: string }).event_id;
}

const closed = ({
  clients,
  seconds,
  size,
}: {
  clients: number;
  seconds: number;
  size: number;
}): Promise<Run> =>
  withConnections(clients, (connections) =>
    closedLoop({ clients, seconds, events: size }, async (client) => {
      await capture(connections[client]!);
    }),
  );

/** Sends what was prepared on two connections, again and again what was refused for a passing reason. */
const sendAll = (): Promise<void> =>
  withConnections(2, async (connections) => {
    await Promise.all(
      connections.map(async (connection) => {
        for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
          const request = next;
          await eventually('a capture to be taken', async () => {
            const { status, body } = await connection.send(request);
            if (status !== 202 && status !== 503) throw new Error(`answered ${status}: ${body.toString()}`);
            return status === 202;
          });
        }
      }),
    );
  });

function pacedCaptures(
  options: { rate: number; seconds: number },
  acknowledged: (reply: Reply) => void,
): Promise<Run> {
  return withConnections(16, (connections) => {
    const free = [...connections];
    return new OpenLoop(options, async () => {
      // In turn, so that none is idle for so long that the service closes it.
      let connection = free.shift();
      if (connection === undefined) connections.push((connection = await HttpConnection.open(url)));
      acknowledged(await capture(connection));
      free.push(connection);
    }).run();
  });
}

const paced = (options: { rate: number; seconds: number }): Promise<Run> =>
  pacedCaptures(options, () => undefined);

/** Captures one after another, each until a listing shows it; answers the milliseconds of each. */
const untilListed = ({ count, scope }: { count: number; scope: string }): Promise<number[]> =>
  withConnections(1, async ([connection]) => {
    const list = requests.get(`/v1/events?scope=${encodeURIComponent(scope)}&limit=1`);
    const durations: number[] = [];
    for (let i = 0; i < count; i += 1) {
      const began = performance.now();
      const id = eventIdOf(await capture(connection!));
      let shown = false;
      while (!shown) shown = (await ask(connection!, list, 200)).body.includes(id);
      durations.push(performance.now() - began);
    }
    return durations;
  });

/** Captures one after another, each with a word of its own, until a recall for that brings it; answers the milliseconds of each. */
const untilRecalled = ({
  count,
  scope,
  tag,
}: {
  count: number;
  scope: string;
  tag: string;
}): Promise<number[]> =>
  withConnections(1, async ([connection]) => {
    const envelopes = new Envelopes(tag);
    const durations: number[] = [];
    for (let i = 0; i < count; i += 1) {
      const word = wordOf(i);
      const content = { kind: 'message', role: 'user', text: `the signal was ${word} and we copied it` };
      const recall = requests.post('/v1/recall', { scope, query: `what was ${word}?`, include: ['events'] });
      const began = performance.now();
      const sent = requests.post('/v1/experience', { ...envelopes.next(scope), content });
      const id = eventIdOf(await ask(connection!, sent, 202));
      let found = false;
      while (!found) found = (await ask(connection!, recall, 200)).body.includes(id);
      durations.push(performance.now() - began);
    }
    return durations;
  });

/** A word of letters for a number, which no talk has. */
function wordOf(i: number): string {
  return `zq${String(i).replace(/\d/gu, (digit) => 'bcdfghjklm'[Number(digit)] ?? '')}x`;
}

/** Captures one after another, each timed until its answer. */
const oneByOne = ({ count }: { count: number }): Promise<number[]> =>
  withConnections(1, async ([connection]) => {
    const durations: number[] = [];
    for (let i = 0; i < count; i += 1) {
      const began = performance.now();
      await capture(connection!);
      durations.push(performance.now() - began);
    }
    return durations;
  });

/** Captures one after another, each until its `indexed` frame arrived; null where there is no stream. */
const untilFrame = async ({ count, scope }: { count: number; scope: string }): Promise<number[] | null> => {
  const reader = await StreamReader.open({ url, key, scope, event: 'indexed' });
  if (reader.fault !== null) return null;
  try {
    return await withConnections(1, async ([connection]) => {
      const durations: number[] = [];
      for (let i = 0; i < count; i += 1) {
        const began = performance.now();
        const id = eventIdOf(await capture(connection!));
        const { at } = await eventually(
          'the indexed frame',
          () => reader.arrivals.get(id),
          FRAME_PATIENCE_MS,
        );
        durations.push(at - began);
      }
      return durations;
    });
  } finally {
    reader.close();
  }
};

/** Reads each path in turn, so many rounds; answers the milliseconds of every reading by path. */
const read = (options: {
  reads: readonly { path: string; body?: unknown; caller?: { token: string; actor: string } }[];
  rounds: number;
}): Promise<number[][]> =>
  withConnections(1, async ([connection]) => {
    const made = options.reads.map(({ path, body, caller }) => {
      const theirs = caller === undefined ? requests : new Requests(url, caller.token, caller.actor);
      return body === undefined ? theirs.get(path) : theirs.post(path, body);
    });
    const durations: number[][] = made.map(() => []);
    for (let round = 0; round < options.rounds; round += 1) {
      for (const [i, request] of made.entries()) {
        const began = performance.now();
        await ask(connection!, request, 200);
        durations[i]?.push(performance.now() - began);
      }
    }
    return durations;
  });

/** Sends one request beside everything else; answers what came, and after how many milliseconds. */
const post = ({
  path,
  body,
  status,
}: {
  path: string;
  body: object;
  status: number;
}): Promise<{ answer: unknown; ms: number }> =>
  withConnections(1, async ([connection]) => {
    const began = performance.now();
    const reply = await ask(connection!, requests.post(path, body), status);
    return { answer: JSON.parse(reply.body.toString()), ms: performance.now() - began };
  });

/** Follows the `captured` frames of the load's scopes while captures are sent at a pace. */
const follow = async (options: {
  watches: readonly Watch[];
  rate: number;
  seconds: number;
  scope: string;
}): Promise<Watched[]> => {
  const followers = await Promise.all(
    options.watches.map(({ kind, url: at }): Promise<Follower> => {
      const following = { url: at, key, scope: options.scope, event: 'captured' };
      return kind === 'stream' ? StreamReader.open(following) : Subscriber.open(following);
    }),
  );
  try {
    await connected(followers);
    const acknowledged = new Map<string, number>();
    const there = followers.filter(({ fault }) => fault === null);
    if (there.length > 0)
      await pacedCaptures(options, (reply) => acknowledged.set(eventIdOf(reply), performance.now()));
    await allArrived(there, acknowledged);
    return followers.map((follower) => watched(follower, acknowledged));
  } finally {
    for (const follower of followers) follower.close();
  }
};

/** Captures until every follower has seen a frame or has a fault: a subscription is not confirmed in any other way. */
async function connected(followers: readonly Follower[]): Promise<void> {
  await withConnections(1, async ([connection]) => {
    await eventually('a first frame at every reader', async () => {
      await capture(connection!);
      return followers.every(({ arrivals, fault }) => arrivals.size > 0 || fault !== null);
    });
  });
}

async function allArrived(
  followers: readonly Follower[],
  acknowledged: ReadonlyMap<string, number>,
): Promise<void> {
  const end = performance.now() + FRAME_PATIENCE_MS;
  const whole = ({ arrivals, fault }: Follower): boolean =>
    fault !== null || [...acknowledged.keys()].every((id) => arrivals.has(id));
  await eventually(
    'all frames',
    () => followers.every(whole) || performance.now() > end,
    2 * FRAME_PATIENCE_MS,
  );
}

function watched({ arrivals, fault }: Follower, acknowledged: ReadonlyMap<string, number>): Watched {
  if (fault !== null) return { fault };
  const seen = [...acknowledged].flatMap(([id, at]) => {
    const arrival = arrivals.get(id);
    return arrival === undefined ? [] : [{ afterAck: arrival.at - at, afterTs: arrival.afterTs }];
  });
  return {
    afterAck: seen.map(({ afterAck }) => afterAck),
    afterTs: seen.map(({ afterTs }) => afterTs),
    missed: acknowledged.size - seen.length,
  };
}

const commands = {
  target,
  prepare,
  closed,
  sendAll,
  paced,
  untilListed,
  untilRecalled,
  oneByOne,
  untilFrame,
  read,
  post,
  follow,
};
/** What the load generator can be told to do. */
export type LoadCommands = typeof commands;

obey(commands, () => Promise.resolve());
