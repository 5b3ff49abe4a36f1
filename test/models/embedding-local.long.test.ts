import { copyFile, cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

import { silentLog } from '../../src/log.ts';
import { Metrics } from '../../src/metrics.ts';
import { sendSignal } from '../../src/machine/process-identity.ts';
import { EmbeddingCallSite } from '../../src/models/embedding/call-site.ts';
import { LocalVectors } from '../../src/models/embedding/local.ts';
import { LOCAL_MODEL } from '../../src/models/embedding/local-model.ts';
import { freshFolder, removeFolders } from '../local-neo4j/support.ts';

// The model itself: fetched into the cache of the service as the jars of the tests' database are, then run.

const CACHE = join(homedir(), '.cache', 'strata');
const TRIES = 3;

let now = 1_000_000;
const signal = new AbortController().signal;
const call = { signal };

function local(cacheDir: string) {
  const source = new LocalVectors({ provider: 'local', cacheDir, javaHome: undefined }, { log: silentLog });
  const clock = { now: () => now };
  const metrics = new Metrics({ version: '0', git_sha: '0', built_at: '0' });
  return { source, lane: new EmbeddingCallSite(source, { clock, log: silentLog, metrics }) };
}

const { source, lane } = local(CACHE);

/** A fetch may fail by the network: it is tried again, as the service does. */
beforeAll(async () => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await lane.embedPassages(['warm'], call);
      return;
    } catch (error) {
      if (attempt === TRIES) throw error;
      now += lane.restMs;
    }
  }
});
afterAll(async () => {
  await lane.close();
  await removeFolders();
});

const cosine = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  a && b ? a.reduce((sum, number, i) => sum + number * (b[i] ?? 0), 0) : NaN;

describe('the local model', () => {
  it('has alike vectors for what means the same', async () => {
    const [cat, paraphrase, other] = await lane.embedPassages(
      ['The cat sat on the mat.', 'A cat was sitting on a rug.', 'Interest rates rose in March.'],
      call,
    );
    expect(cosine(cat, paraphrase)).toBeGreaterThan(0.75);
    expect(cosine(cat, other)).toBeLessThan(0.5);
    expect(cosine(cat, cat)).toBeCloseTo(1, 6);
    expect(cat).toHaveLength(LOCAL_MODEL.dimensions);
  });

  it('finds the passage that a question is about', async () => {
    const passages = [
      'Ada moved from Turin to Oslo in the spring.',
      'The invoices of September are sent by hand.',
      'Bob is allergic to peanuts.',
    ];
    const vectors = await lane.embedPassages(passages, call);
    for (const [question, at] of [
      ['Which city does Ada live in?', 0],
      ['What must Bob not eat?', 2],
    ] as const) {
      const query = await lane.embedQuery(question, call);
      const scores = vectors.map((vector) => cosine(query, vector));
      expect(scores.indexOf(Math.max(...scores))).toBe(at);
    }
  });

  it('makes the same vector of a text every time, in whatever company', async () => {
    const text = 'Ada told the team that the migration would be moved to October.';
    const [alone] = await lane.embedPassages([text], call);
    const [, again, , third] = await lane.embedPassages(
      ['short', text, 'A longer one. '.repeat(60), text],
      call,
    );
    expect(again).toEqual(alone);
    expect(third).toEqual(alone);
    expect(await lane.embedQuery(text, call)).not.toEqual(alone);
  });

  it('takes any text, and of a long one the beginning', async () => {
    const long = 'word '.repeat(254);
    const [end, other, ...odd] = await lane.embedPassages(
      [
        `${long} one end`,
        `${long} another end`,
        '\ud83d',
        '你好，世界',
        '🙂'.repeat(5000),
        'x'.repeat(100_000),
        '\0',
      ],
      call,
    );
    expect(end).toEqual(other);
    expect(odd.every((vector) => vector.every(Number.isFinite))).toBe(true);
  });

  it('leaves the thread of the service free', async () => {
    const asked = lane.embedPassages(
      Array.from({ length: 20 }, () => 'A longer text. '.repeat(50)),
      call,
    );
    const before = performance.eventLoopUtilization();
    await asked;
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  });

  it('is started again when its process has died; what waited fails as an outage', async () => {
    const asked = lane.embedPassages(
      Array.from({ length: 50 }, () => 'A longer text. '.repeat(50)),
      call,
    );
    const failed = expect(asked).rejects.toMatchObject({ kind: 'outage' });
    sendSignal(source.pid ?? 0, 'SIGKILL');
    await failed;
    expect(lane.fault).toContain('SIGKILL');
    now += lane.restMs;
    expect(await lane.embedPassages(['text'], call)).toHaveLength(1);
    expect(lane.fault).toBeNull();
  });

  it('is refused when the cache holds another file', async () => {
    const cacheDir = await freshFolder();
    for (const name of await readdir(CACHE)) {
      if (!name.startsWith('embedding-')) continue;
      await mkdir(join(cacheDir, name));
      await cp(join(CACHE, name), join(cacheDir, name), { recursive: true });
    }
    const model = join(cacheDir, `embedding-${LOCAL_MODEL.name}`, 'model');
    const tampered = local(cacheDir);
    for (const file of [LOCAL_MODEL.weights.name, LOCAL_MODEL.tokenizer.name]) {
      await copyFile(join(model, file), join(model, 'kept'));
      await writeFile(join(model, file), 'x', { flag: 'a' });
      await expect(tampered.lane.embedPassages(['text'], call)).rejects.toThrow(
        `${file} in ${model} is not the file that was published`,
      );
      await copyFile(join(model, 'kept'), join(model, file));
      now += tampered.lane.restMs;
    }
    expect(await tampered.lane.embedPassages(['text'], call)).toHaveLength(1);
    await tampered.lane.close();
  });
});
