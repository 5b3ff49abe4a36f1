import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureOperatorKey, loadOperatorKey, operatorKeyFile } from '../../src/operator-key.ts';

let dataDir = '';
beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'strata-key-')), 'data');
});
afterEach(() => {
  rmSync(join(dataDir, '..'), { recursive: true, force: true });
});

describe('the operator key', () => {
  it('is not there before it was made', () => {
    expect(loadOperatorKey(dataDir)).toBeNull();
  });

  it('is made once, for its owner alone, and leaves nothing else behind', () => {
    const first = ensureOperatorKey(dataDir);
    expect(first).toEqual({ key: expect.stringMatching(/^strata_[\w-]{43}$/), created: true });
    expect(ensureOperatorKey(dataDir)).toEqual({ key: first.key, created: false });
    expect(loadOperatorKey(dataDir)).toBe(first.key);
    expect(statSync(operatorKeyFile(dataDir)).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['operator-key']);
  });

  it.each(['\n', 'short\n', `${'k'.repeat(23)}\n`])(
    'is refused when the file holds %j, which is none',
    (text) => {
      ensureOperatorKey(dataDir);
      writeFileSync(operatorKeyFile(dataDir), text);
      expect(() => loadOperatorKey(dataDir)).toThrow(/holds no operator key/);
    },
  );
});
