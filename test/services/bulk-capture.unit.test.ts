import type { Committer } from '../../src/commit/committer.ts';
import { systemIds } from '../../src/ids.ts';
import { BulkCapture } from '../../src/services/bulk-capture.ts';
import type { CaptureCheck } from '../../src/services/capture-check.ts';
import { callBy, codeOf } from '../support/calls.ts';
import { turnsWhile } from '../support/turns.ts';

describe('a bulk', () => {
  it('is taken apart item by item, so that others have their turn', async () => {
    // None of its items is an envelope, so that nothing is checked or committed.
    const bulk = new BulkCapture({
      committer: {} as Committer,
      ids: systemIds,
      check: { check: () => Promise.resolve([]) } as unknown as CaptureCheck,
    });
    const metadata = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`field${i}`, [i, `${i}`]]));
    const items = Array.from({ length: 1000 }, () => ({ scope: 'org:a', metadata, content: { text: 7 } }));
    const turns = await turnsWhile(async () => {
      const capture = bulk.capture(callBy('user:a'), { items, ordering: 'strict_temporal' });
      expect(await codeOf(capture)).toBe('INVALID_BODY');
    });
    expect(turns).toBeGreaterThan(2);
  });
});
