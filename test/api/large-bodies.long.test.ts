import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { openSocket } from '../resolvers/socket-client.ts';
import { clientOf, message, TEST_KEY, TEST_TOKEN_KEY, type Answer, type Client } from '../support/client.ts';
import { databaseSettings, wipe } from '../support/database.ts';
import { inDepth } from '../support/depth.ts';
import { startServiceProcess, type ServiceProcess } from '../support/processes.ts';
import { openRaw, type RawConnection } from '../support/raw-http.ts';
import { bearer } from '../support/tokens.ts';
import { eventually } from '../support/wait.ts';

const MIB = 1024 * 1024;
/** About twenty-two million. */
const ITEMS = 21 * MIB;
/** What a process may take beside what it had: what the bodies of everybody together may, and a quarter for its own work. */
const MORE_BYTES = 512 * MIB;

const directory = mkdtempSync(join(tmpdir(), 'strata-large-'));
let service: ServiceProcess;
let client: Client;

interface Stranger {
  readonly headers: Record<string, string>;
  readonly scope: string;
}

async function signUp(): Promise<Stranger> {
  const { status, json } = await client.post('/v1/auth/signup', {}, { headers: { authorization: null } });
  expect(status).toBe(201);
  return { headers: bearer(json.token as string, json.user_id as string), scope: json.user_id as string };
}

/** Bytes of memory that the process has. */
function memory(): number {
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

/** Does something while the memory of the process is looked at; what it had most, beside what it had before. */
async function watched(work: () => Promise<void>): Promise<number> {
  const before = memory();
  let most = before;
  const look = setInterval(() => (most = Math.max(most, memory())), 20);
  try {
    await work();
  } finally {
    clearInterval(look);
  }
  return most - before;
}

/** A hundred small requests of three tenants, one after the other for each: their statuses, and how long each took. */
async function others(stranger: Stranger): Promise<{ statuses: number[]; delaysMs: number[] }> {
  const delaysMs: number[] = [];
  const callers = [
    { headers: { 'x-strata-tenant': 'acme' }, scope: 'app:other' },
    { headers: { 'x-strata-tenant': 'globex' }, scope: 'app:other' },
    stranger,
    stranger,
  ];
  const timed = async (request: () => Promise<Answer>): Promise<number> => {
    const began = performance.now();
    const { status } = await request();
    delaysMs.push(performance.now() - began);
    return status;
  };
  const sent = callers.map(async ({ headers, scope }, caller) => {
    const statuses: number[] = [];
    for (let i = 0; i < 25; i += 1) {
      const write = () => client.post('/v1/experience', message(scope, `small ${caller} ${i}`), { headers });
      const read = () => client.get(`/v1/events?scope=${scope}&limit=1`, { headers });
      statuses.push(await timed(i % 2 === 0 ? write : read));
    }
    return statuses;
  });
  return { statuses: (await Promise.all(sent)).flat(), delaysMs };
}

/** Delays are told, not judged. */
function tell(what: string, delaysMs: readonly number[], moreBytes: number): void {
  const sorted = [...delaysMs].sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0);
  process.stderr.write(
    `${what}: others waited ${at(0.5)} ms (median), ${at(0.95)} ms (p95), ${at(1)} ms at most; memory grew by ${(moreBytes / MIB).toFixed(0)} MiB\n`,
  );
}

function expectAllAnswered({ statuses }: { statuses: readonly number[] }): void {
  expect(statuses).toHaveLength(100);
  expect(statuses.filter((status) => status !== 200 && status !== 202)).toEqual([]);
}

/** A body of a block that comes again and again, packed once: gzip may have several members, and is as large as in one. */
function repeating(head: string, block: Uint8Array, times: number, tail: string): Uint8Array<ArrayBuffer> {
  const member = gzipSync(block);
  const members = Array.from({ length: times }, () => member);
  return new Uint8Array(Buffer.concat([gzipSync(head), ...members, gzipSync(tail)]));
}

/** Values and blanks in turns, which pack no better than words do, so that they pass as honest until they are counted. */
function dense(): Buffer {
  const block = Buffer.alloc(MIB, ' ');
  for (let state = 1, end = 0; end < block.length - 4;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    end += block.write(['{},', '[],', '0,', '{},\n'][Math.floor(state / 65_536) % 4] ?? '', end);
  }
  return block;
}

const PACKED = { 'content-type': 'application/json', 'content-encoding': 'gzip' };

function bombs(): { path: string; raw: Uint8Array<ArrayBuffer> }[] {
  const objects = Buffer.alloc(3 * MIB, '{},');
  const values = dense();
  const routes = [
    ['/graphql', '{"query":"{__typename}","variables":{"captureMany":[', '0]}}'],
    ['/v1/experience/bulk', '{"items":[', '0]}'],
  ] as const;
  return routes.flatMap(([path, head, tail]) => [
    { path, raw: repeating(head, objects, ITEMS / MIB, tail) },
    { path, raw: repeating(head, values, 60, tail) },
  ]);
}

/** Sends bodies again and again, each by a caller of its own, until told to stop; what was answered. */
function attack(bodies: readonly { path: string; raw: Uint8Array<ArrayBuffer> }[], by: readonly Stranger[]) {
  const statuses: number[] = [];
  let stopped = false;
  const running = bodies.map(async ({ path, raw }, i) => {
    const headers = { ...by[i % by.length]?.headers, ...PACKED };
    while (!stopped) statuses.push((await client.post(path, undefined, { raw, headers })).status);
  });
  return {
    statuses,
    stop: async () => {
      stopped = true;
      await Promise.all(running);
    },
  };
}

/** A packed body of a MiB of which the last byte never comes. */
async function hold({ headers }: Stranger, packed: Buffer): Promise<RawConnection> {
  const connection = await openRaw(client.url);
  const lines = Object.entries({ ...headers, ...PACKED, host: 'a', 'content-length': String(packed.length) });
  connection.write(
    `POST /v1/experience/bulk HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
  connection.write(packed.subarray(0, -1));
  return connection;
}

/** Shows blanks before what is no key, over HTTP and to sockets, again and again until told to stop; what was answered. */
function showBlanks() {
  const answers: string[] = [];
  let stopped = false;
  const toHttp = async (): Promise<string> => {
    const connection = await openRaw(client.url);
    const shown = `Authorization: Bearer${' '.repeat(31_000)}\u2028x`;
    connection.write(
      `GET /v1/events?scope=app:other HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${shown}\r\n\r\n`,
    );
    return /"error_code":"(\w+)"/.exec(await connection.answer)?.[1] ?? 'none';
  };
  const toSocket = async (): Promise<string> => {
    const socket = await openSocket(client.url);
    socket.send({
      type: 'connection_init',
      payload: { authorization: `Bearer${' '.repeat(64_000)}\u2028x` },
    });
    return (await socket.closed).reason.replace('Forbidden: ', '');
  };
  const running = [toHttp, toHttp, toSocket, toSocket].map(async (show) => {
    while (!stopped) answers.push(await show());
  });
  return {
    answers,
    stop: async () => {
      stopped = true;
      await Promise.all(running);
    },
  };
}

const heaps = [1024, null].slice(0, inDepth(1, 2));

describe.each(heaps)('a service with a heap of %s MiB', (heap) => {
  let attackers: Stranger[];
  let other: Stranger;

  beforeAll(async () => {
    await wipe();
    service = await startServiceProcess({
      ...databaseSettings(),
      STRATA_API_KEY: TEST_KEY,
      STRATA_TOKEN_SECRET_KEY: TEST_TOKEN_KEY,
      STRATA_DATA_DIR: join(directory, String(heap)),
      STRATA_LOG_LEVEL: 'error',
      STRATA_TENANTS: 'acme,globex',
      STRATA_V1_MINTER_ENABLE: '1',
      ...(heap === null ? {} : { NODE_OPTIONS: `--max-old-space-size=${heap}` }),
    });
    client = clientOf(service.url);
    attackers = await Promise.all([signUp(), signUp(), signUp(), signUp()]);
    other = await signUp();
    expectAllAnswered(await others(other));
  });
  afterAll(async () => {
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('answers a hundred small requests of others while millions of values are sent to it', async () => {
    const attacking = attack(bombs(), attackers);
    let seen: number[] = [];
    const more = await watched(async () => {
      await eventually('the attack', () => attacking.statuses.length > 8);
      const answered = await others(other);
      expectAllAnswered(answered);
      seen = answered.delaysMs;
      await attacking.stop();
    });
    tell('values', seen, more);
    expect([...new Set(attacking.statuses)]).toEqual([413]);
    expect(more).toBeLessThan(MORE_BYTES);
  });

  it('answers a hundred small requests of others while bodies are held that never end', async () => {
    let seen: number[] = [];
    const connections: RawConnection[] = [];
    const packed = gzipSync(`{"items":[${' '.repeat(MIB - 20)}`);
    const bodyBytes = async () =>
      Number(/strata_body_bytes (\d+)/.exec((await client.get('/v1/admin/metrics')).text)?.[1]);
    const more = await watched(async () => {
      // Those that came first are given up where it takes long until there are as many.
      await eventually('bodies to be held', async () => {
        const more = attackers.flatMap((attacker) =>
          Array.from({ length: 50 }, () => hold(attacker, packed)),
        );
        connections.push(...(await Promise.all(more)));
        return (await bodyBytes()) > 150 * MIB;
      });
      const answered = await others(other);
      expectAllAnswered(answered);
      seen = answered.delaysMs;
      const large = {
        items: Array.from({ length: 4 }, (_, i) => message(other.scope, `${i}${'x'.repeat(MIB / 2)}`)),
      };
      await eventually(
        'a large body of another sign-up to find room',
        async () =>
          (await client.post('/v1/experience/bulk', large, { headers: other.headers })).status === 202,
      );
    });
    tell('held', seen, more);
    expect(more).toBeLessThan(MORE_BYTES);
    await eventually('what is held to be given up', async () => (await bodyBytes()) < MIB);
    const told = await Promise.all(connections.map(({ answer }) => answer));
    for (const text of told) expect(text).toMatch(/^HTTP\/1.1 (408|503) /);
  });

  it('answers a hundred small requests of others while blanks are shown to it for keys', async () => {
    const attacking = showBlanks();
    let seen: number[] = [];
    const more = await watched(async () => {
      await eventually('the attack', () => attacking.answers.length > 8);
      const answered = await others(other);
      expectAllAnswered(answered);
      seen = answered.delaysMs;
      await attacking.stop();
    });
    tell('blanks', seen, more);
    // The first wrong keys from an address are looked at, and then none for a minute.
    expect(new Set(attacking.answers)).toEqual(new Set(['INVALID_TOKEN_SIGNATURE', 'RATE_LIMITED']));
    expect(more).toBeLessThan(MORE_BYTES);
  });
});
