import type { Driver } from 'neo4j-driver';

import { testDriver } from '../../support/database.ts';
import type { ModelEndpoint } from '../../support/model-endpoint.ts';
import { startWarmService, type TestService } from '../../support/service.ts';
import { allCases, drill, nameOf, someCases, type DrillParts, type Verdict } from './drill.ts';
import { modelSettings, startModel } from './model.ts';
import { apply, MUTATIONS, UNCHECKED } from './mutations.ts';

// Each way in by one selector and one removal (npm run drill:leak does all of them), and that the drill notices when a deletion is left out, as
// does the check of each step before it.

const answers = new Map<string, Record<string, unknown>>();
let endpoint: ModelEndpoint;
let service: TestService;
let driver: Driver;
let parts: DrillParts;

beforeAll(async () => {
  endpoint = await startModel(answers);
  service = await startWarmService(modelSettings(endpoint));
  driver = testDriver();
  parts = { client: service, answers, driver: () => driver };
});
afterAll(async () => {
  await driver.close();
  await service.stop();
  await endpoint.stop();
});

it('leaves nothing of what is removed, and changes nothing that was not foreseen', async () => {
  const verdicts = await drill(parts, someCases(), 'some');
  const isFaulty = ({ leaks, changed, void: why }: Verdict): boolean =>
    why !== null || leaks.length + changed.length > 0;
  expect(verdicts.filter(isFaulty)).toEqual([]);
});

it.each(MUTATIONS.map((mutation) => [mutation.name, mutation] as const))(
  'notices that a deletion is left out: %s',
  async (name, mutation) => {
    const one = allCases().find((known) => nameOf(known) === mutation.of.join(' / '));
    if (one === undefined) throw new Error(`there is no case ${mutation.of.join(' / ')}`);
    const [whole] = await drill(parts, [one], `whole-${name}`);
    expect(whole).toMatchObject({ void: null, leaks: [] });
    const restored = [apply(mutation)];
    try {
      if (mutation.refused !== undefined)
        await expect(drill(parts, [one], `refused-${name}`)).rejects.toThrow(`left in ${mutation.refused} (`);
      restored.push(apply(UNCHECKED));
      const [verdict] = await drill(parts, [one], `mutated-${name}`);
      expect(verdict?.void).toBeNull();
      expect(verdict?.leaks.map(({ place }) => place)).toContainEqual(expect.stringMatching(mutation.caught));
    } finally {
      for (const restore of restored) restore();
    }
  },
);
