import { Deployment } from './deployment.ts';
import { ErasureDrill, nameOf, type Target } from './erasure-drill.ts';

// Some rounds of the erasure drill (npm run drill:erasure runs as many as wanted, over every phase) with small erasures.

const deployment = new Deployment('external');
const drill = new ErasureDrill(deployment, { seed: 5, events: 2_000 });

beforeAll(async () => {
  await deployment.start();
  await drill.begin();
});

afterAll(() => deployment.stop());

const ROUNDS: readonly [number, Target][] = (
  [
    { phase: 'removing', victim: 'service' },
    { phase: 'removing', victim: 'database' },
    { phase: 'sealing', victim: 'service' },
    { phase: 'verifying', victim: 'database' },
  ] as const
).map((target, i) => [i + 1, target]);

describe('a kill while it erases', () => {
  it.each(ROUNDS)('round %i: $victim while $phase, ends once and verifies', async (round, target) => {
    const report = await drill.round(round, target);
    expect(report.violations).toEqual([]);
    // A short phase may be over before it is killed.
    if (target.phase === 'removing') expect(report.killedIn).not.toBeNull();
  });

  it('came before the end', () => {
    expect(drill.unmet.map(nameOf)).not.toContain('service while removing');
  });
});
