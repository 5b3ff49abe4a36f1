import { Envelopes } from '../bench/envelopes.ts';
import { Statements } from '../bench/statements.ts';
import { patientDatabase, testDriver } from '../support/database.ts';
import { derivedDump, unlike } from '../support/derived-dump.ts';
import { allDerived, askForRebuild } from '../support/rebuild.ts';
import { readEnvelopes } from '../support/envelope-file.ts';
import { startTestService } from '../support/service.ts';
import { eventually } from '../support/wait.ts';
import { inDepth } from '../support/depth.ts';

// What is derived of talk and of statements is dropped and derived again. STRATA_TEST_ENVELOPES names files of envelopes to do so with
// instead, one a line, with a colon between the files.

const SCOPE = 'org:again/ws:talk';
const files = (process.env.STRATA_TEST_ENVELOPES ?? '').split(':').filter((name) => name !== '');
const AT_ONCE = 200;
/** Pieces of each talk. */
const PIECES = inDepth(50, 200);

function ownItems(): Record<string, unknown>[] {
  const talk = new Envelopes('talk');
  const said = new Statements('said', { people: 20 });
  return [
    ...Array.from({ length: PIECES }, () => talk.next(SCOPE)),
    ...Array.from({ length: PIECES }, () => said.next(SCOPE)),
  ];
}

function itemsOfFiles(): Record<string, unknown>[] {
  return files.flatMap(readEnvelopes).map((one, i) => ({ idempotency_key: `line ${i}`, ...one }));
}

it('what is derived of talk and statements is derived again to the byte', async () => {
  const service = await startTestService({ STRATA_PIPELINE_POLL_MS: '200' });
  const driver = testDriver();
  const database = patientDatabase();
  try {
    const items = files.length === 0 ? ownItems() : itemsOfFiles();
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
});
