import type { NearestTurns } from '../../graph/embedding/search.ts';
import { RecallVectors, type Nearest, RECALL_VECTORS_MS } from '../../src/services/recall-vectors.ts';
import { KNOWN_NOW } from '../../src/time/as-of.ts';
import { shortenWaits } from '../support/short-waits.ts';

shortenWaits(RECALL_VECTORS_MS);

type Parts = ConstructorParameters<typeof RecallVectors>[0];

const FOUND: NearestTurns = {
  vector: [
    {
      id: 'evt_1',
      score: 0.9,
      scope: 'user:a',
      observed_actor: 'user:a',
      observed_at: 1,
      thread: null,
      segment: null,
      outside: false,
    },
  ],
  window_vector: [],
};
const search: Parameters<RecallVectors['nearest']>[1] = {
  tenant: 'acme',
  selection: { scopes: ['a'], subtrees: [], check: null, withheld: 0, paths: ['user:a'] },
  filter: null,
  observed: null,
  recorded: null,
  refers: false,
  at: { valid: null, recorded: KNOWN_NOW },
  past: false,
};

function nearest(texts: readonly string[], parts: Partial<Parts> = {}): Promise<Nearest> {
  const vectors = new RecallVectors({
    embedder: {
      embedQuery: (text) =>
        text.trim() === '' ? Promise.reject(new RangeError('blank')) : Promise.resolve(Float32Array.of(1)),
    },
    reader: { nearest: () => Promise.resolve(FOUND) },
    usage: { spent: () => undefined, flush: () => Promise.resolve() },
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    model: () => ({ provider: 'local', model: 'm', dimensions: 1, generation: 1, ready: true }),
    ...parts,
  });
  return vectors.nearest(texts, search);
}

describe('what is nearest to a query', () => {
  it('is nothing for a blank formulation, and is found for the others in their places', async () => {
    const nothing = { vector: [], window_vector: [] };
    expect(await nearest(['', 'said', ' \n', 'told'])).toEqual({ found: [nothing, FOUND, nothing, FOUND] });
  });

  it.each([
    ['the vector of a query', { embedder: { embedQuery: () => new Promise<never>(() => undefined) } }],
    ['the search', { reader: { nearest: () => new Promise<never>(() => undefined) } }],
  ])('is left out where %s takes too long', async (_, parts) => {
    expect(await nearest(['said'], parts)).toEqual({ left_out: 'they took too long' });
  });

  it('is left out where the search fails', async () => {
    const reader = { nearest: () => Promise.reject(new Error('away')) };
    expect(await nearest(['said'], { reader })).toEqual({ left_out: 'they cannot be made or read now' });
  });
});
