import type { DuePassage, NewVectors } from '../../graph/embedding/work.ts';
import type { LeasedShard } from '../../graph/shard.ts';
import { silentLog } from '../../src/log.ts';
import { Metrics } from '../../src/metrics.ts';
import { EmbeddingCalls } from '../../src/pipeline/embedding-calls.ts';
import { Embedding, EMBEDDING_COUNT_MS } from '../../src/pipeline/embedding.ts';
import type { UsageLedger } from '../../src/pipeline/usage-ledger.ts';

// How often a provider is paid and a backlog is counted, over a store that fails as it is told.

const PINNED = { provider: 'endpoint', model: 'm', dimensions: 2, generation: 1, ready: true };
const SHARDS = [{ number: 0, epoch: 1 }] as unknown as LeasedShard[];

function passage(id: string): DuePassage {
  return {
    event_id: id,
    tenant: 't',
    scope_ref: 's',
    shard: 0,
    own: false,
    threaded: false,
    window: [id],
    bytes: 10,
  };
}

/** An embedder that answers everything, and notes what it was asked. */
function embedderOf(state: { restMs: number; asked: string[] }) {
  return {
    fault: null,
    get restMs() {
      return state.restMs;
    },
    embedHarmless: () => Promise.resolve(null),
    embedPassages: (texts: readonly string[]) => {
      state.asked.push(...texts);
      return Promise.resolve(texts.map(() => Float32Array.of(1, 0)));
    },
  };
}

function play(ids: string[]) {
  const state = {
    refuses: '',
    faults: [] as (readonly [string, string])[],
    now: 1000,
    asked: [] as string[],
    counts: 0,
    writeFails: false,
    restMs: 0,
    due: ids,
  };
  const embedder = embedderOf(state);
  const usage = { flush: () => Promise.resolve(), shared: () => undefined } as unknown as UsageLedger;
  const store = {
    due: () => Promise.resolve(state.due.map(passage)),
    envelopes: (events: readonly string[]) =>
      Promise.resolve(
        new Map(
          events.map((id) => [id, JSON.stringify({ content: { kind: 'text', text: `text of ${id}` } })]),
        ),
      ),
    write: (_shards: unknown, vectors: readonly NewVectors[]) => {
      if (state.writeFails) return Promise.reject(new Error('no write'));
      if (vectors.some(({ passage, vector }) => vector !== null && passage.event_id === state.refuses))
        return Promise.reject(
          Object.assign(new Error('no'), { code: 'Neo.ClientError.Statement.ArgumentError' }),
        );
      state.faults.push(
        ...vectors.flatMap(({ passage, fault }) =>
          fault === null ? [] : [[passage.event_id, fault] as const],
        ),
      );
      const written = new Set(vectors.map(({ passage: { event_id } }) => event_id));
      state.due = state.due.filter((id) => !written.has(id));
      return Promise.resolve(written);
    },
    lag: () => {
      state.counts += 1;
      return Promise.resolve({ due: state.due.length, oldest: null });
    },
  };
  const models = {
    pinned: () => Promise.resolve(PINNED),
    unmarked: () => Promise.resolve([]),
    mark: () => Promise.resolve(0),
    settle: () => Promise.resolve(PINNED),
  };
  const embedding = new Embedding({
    calls: new EmbeddingCalls({ embedder, usage, log: silentLog, batchTexts: 8 }),
    store,
    models,
    pinned: PINNED,
    clock: { now: () => state.now },
    log: silentLog,
    metrics: new Metrics({ version: '0', git_sha: '0', built_at: '0' }),
    take: (work) => work(),
  });
  return { state, round: () => embedding.round(SHARDS) };
}

describe('embedding', () => {
  it('pays for no text again because a write failed', async () => {
    const { state, round } = play(['a', 'b']);
    state.writeFails = true;
    await expect(round()).rejects.toThrow('no write');
    await expect(round()).rejects.toThrow('no write');
    expect(state.asked).toEqual(['text of a', 'text of b']);
    state.due = ['b', 'c'];
    state.writeFails = false;
    expect(await round()).toBe(true);
    expect(state.asked).toEqual(['text of a', 'text of b', 'text of c']);
    state.due = ['b'];
    await round();
    expect(state.asked).toHaveLength(4);
  });

  it('gives up the passage of which the database refuses the vectors, with the reason, and writes those of the others', async () => {
    const { state, round } = play(['a', 'b', 'c', 'd']);
    state.refuses = 'c';
    expect(await round()).toBe(true);
    expect(state.due).toEqual([]);
    expect(state.faults).toEqual([
      ['c', 'embedding failed 3 times: Neo.ClientError.Statement.ArgumentError'],
    ]);
    expect(state.asked).toHaveLength(4);
  });

  it('counts a backlog once in a while as long as there is one, and at once when there is none', async () => {
    const { state, round } = play(['a', 'b']);
    state.restMs = 1000;
    for (let i = 0; i < 5; i += 1) expect(await round()).toBe(false);
    expect(state.counts).toBe(1);
    state.now += EMBEDDING_COUNT_MS + 1;
    await round();
    expect(state.counts).toBe(2);
    state.restMs = 0;
    await round();
    expect(state.counts).toBe(2);
    await round();
    expect(state.counts).toBe(3);
  });
});
