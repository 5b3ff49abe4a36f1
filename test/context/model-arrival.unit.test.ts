import type { PinnedModel } from '../../graph/embedding/model.ts';
import { embeddingWords } from '../../src/context/embeddings.ts';
import { ModelArrival, type ModelArrivalParts } from '../../src/context/model-arrival.ts';
import { StartupError } from '../../src/errors.ts';
import { ModelFailure } from '../../src/models/failure.ts';
import { eventually } from '../support/wait.ts';
import { testJobs } from '../support/jobs.ts';

const PINNED: PinnedModel = { provider: 'local', model: 'm', dimensions: 1, generation: 1, ready: false };
const NOTHING = { pinned: null, words: null };

/** An arrival, and what became of it. */
function arriving(parts: Partial<ModelArrivalParts>) {
  const seen = { warnings: 0, pinned: [] as PinnedModel[] };
  const arrival = new ModelArrival({
    embedder: { model: 'm', embedHarmless: () => Promise.resolve(null) },
    adopt: () => Promise.resolve(PINNED),
    retryMs: 1,
    onArrival: (pinned) => seen.pinned.push(pinned),
    log: {
      debug: () => undefined,
      info: () => undefined,
      warn: () => (seen.warnings += 1),
      error: () => undefined,
    },
    ...parts,
  });
  return { arrival, seen, words: embeddingWords(NOTHING, arrival) };
}

describe('the local model that was chosen by itself', () => {
  it('takes over when it is there; until then words serve', async () => {
    let come = (): void => undefined;
    const arrived = new Promise<null>((resolve) => {
      come = () => {
        resolve(null);
      };
    });
    const embedHarmless = () => arrived;
    const { arrival, seen, words } = arriving({ embedder: { model: 'm', embedHarmless } });
    arrival.start(testJobs());
    expect([arrival.there, words.because()?.detail]).toEqual([false, expect.stringContaining('fetched')]);
    come();
    await eventually('its arrival', () => arrival.there);
    expect([seen.pinned, seen.warnings, words.because()]).toEqual([[PINNED], 0, null]);
    await arrival.stop();
  });

  it('that cannot be had is said once, with how to get it, and tried again', async () => {
    let tries = 0;
    const embedHarmless = () => {
      tries += 1;
      return Promise.resolve(tries < 4 ? new ModelFailure('outage', 'mvn is not on the PATH') : null);
    };
    const { arrival, seen, words } = arriving({ embedder: { model: 'm', embedHarmless } });
    arrival.start(testJobs());
    await eventually('the first failure', () => arrival.fault !== null || arrival.there);
    if (!arrival.there)
      expect(words.because()).toEqual({
        detail: expect.stringContaining('mvn is not on the PATH'),
        fix: expect.stringMatching(/mvn.*STRATA_EMBEDDING_URL.*none/),
      });
    await eventually('its arrival', () => arrival.there);
    expect([seen.warnings, tries, arrival.fault]).toEqual([1, 4, null]);
    await arrival.stop();
  });

  it('leaves it to words where the vectors in the database are of another one', async () => {
    const adopt = () => Promise.reject(new StartupError('they are of another model: reindex'));
    const { arrival, seen, words } = arriving({ adopt });
    arrival.start(testJobs());
    await eventually('the refusal', () => arrival.fault !== null);
    expect([seen.pinned, words.because()]).toEqual([
      [],
      { detail: expect.stringContaining('by their words'), fix: 'they are of another model: reindex' },
    ]);
    await arrival.stop();
  });

  it('is not waited for by a stop', async () => {
    const embedHarmless = ({ signal }: { signal: AbortSignal }) =>
      new Promise<null>((_, refuse) => {
        signal.addEventListener('abort', () => {
          refuse(new Error('stopped'));
        });
      });
    const { arrival, seen } = arriving({ embedder: { model: 'm', embedHarmless } });
    arrival.start(testJobs());
    await arrival.stop();
    expect([arrival.there, seen.warnings]).toEqual([false, 0]);
  });
});
