import { readFileSync } from 'node:fs';

import { Database } from '../../graph/driver.ts';
import { testDatabase, testDriver } from '../support/database.ts';
import { derivedDump, unlike } from '../support/derived-dump.ts';
import { allDerived, askForRebuild, DERIVING_PATIENCE_MS } from '../support/rebuild.ts';
import { startTestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';

// STRATA_TEST_ENVELOPES names files of envelopes, one a line, with a colon between them: what is derived of them is dropped and derived
// again.

const files = (process.env.STRATA_TEST_ENVELOPES ?? '').split(':').filter((name) => name !== '');
const AT_ONCE = 200;

(files.length === 0 ? it.skip : it)(
  'what is derived of the envelopes of files is derived again to the byte',
  async () => {
    const service = await startTestService({ STRATA_PIPELINE_POLL_MS: '50' });
    const driver = testDriver();
    const waits = { acquisitionTimeoutMs: 5_000, connectTimeoutMs: 5_000, statementTimeoutMs: 60_000 };
    const database = new Database({ ...testDatabase(), ...waits, poolSize: 5 });
    try {
      const lines = files.flatMap((file) =>
        readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line !== ''),
      );
      const items = lines.map((line, i) => ({ idempotency_key: `line ${i}`, ...JSON.parse(line) }));
      for (let at = 0; at < items.length; at += AT_ONCE)
        await eventually('a bulk', async () => {
          const batch = items.slice(at, at + AT_ONCE);
          return (await service.post('/v1/experience/bulk', { items: batch })).status === 202;
        });
      await allDerived(driver);
      const before = await derivedDump(driver);
      await askForRebuild(database, null);
      await allDerived(driver);
      expect(unlike(before, await derivedDump(driver))).toEqual({ lost: [], new: [] });
      expect(before.length).toBeGreaterThan(items.length);
    } finally {
      await database.close();
      await driver.close();
      await service.stop();
    }
  },
  DERIVING_PATIENCE_MS,
);
