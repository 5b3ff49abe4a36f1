import { Deployment, type Victim } from './deployment.ts';
import { Drill } from './drill.ts';

// Two rounds of the crash drill (npm run drill runs as many as wanted) on a database of their own, which is killed too.

const deployment = new Deployment('external');
let drill: Drill;

beforeAll(async () => {
  await deployment.start();
  drill = new Drill(deployment, { seed: 3, writers: 6, events: 120 });
});

afterAll(() => deployment.stop());

describe('a kill under load', () => {
  it.each<[number, Victim]>([
    [1, 'service'],
    [2, 'database'],
  ])('round %i: of the %s loses, doubles and strands nothing', async (round, victim) => {
    const report = await drill.round(round, victim);
    expect(report.violations).toEqual([]);
    expect(report.acknowledged).toBeGreaterThanOrEqual(240);
  });

  it('leaves no process behind', async () => {
    expect(await drill.finish()).toEqual([]);
  });
});
