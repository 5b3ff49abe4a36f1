import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cli } from './host.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'strata-cli-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

/** Starts that the contract refuses, each by its settings: what standard error says. */
const REFUSED: readonly (readonly [what: string, environment: Record<string, string>, said: RegExp])[] = [
  [
    'a cluster of services',
    { STRATA_CLUSTER_MODE: '1' },
    /CLUSTER_MODE_UNSUPPORTED: cluster\.mode \(STRATA_CLUSTER_MODE\) .*NEO4J_URI/,
  ],
  [
    'a setting of a cluster, whatever it is',
    { STRATA_CLUSTER_PEERS: 'a:1,b:2' },
    /CLUSTER_MODE_UNSUPPORTED: STRATA_CLUSTER_PEERS /,
  ],
  [
    'the code plane',
    { STRATA_CODE_PLANE: '1' },
    /code\.plane \(STRATA_CODE_PLANE\) .* not part of this release.*CODE_PLANE_DISABLED/,
  ],
  [
    'an endpoint of embeddings without a key',
    { STRATA_EMBEDDING_URL: 'https://embed.example.org/v1' },
    /set STRATA_EMBEDDING_API_KEY/,
  ],
  ['embeddings that pretend', { STRATA_EMBEDDING_PROVIDER: 'mock' }, /STRATA_EMBEDDING_PROVIDER must be /],
  [
    'no key on an address of the network',
    { STRATA_INSECURE_NO_AUTH: '1', STRATA_HOST: '0.0.0.0' },
    /STRATA_INSECURE_BIND_ALL=1/,
  ],
  ['a key that is too short', { STRATA_API_KEY: 'short' }, /STRATA_API_KEY must be at least 24 /],
  ['a variable that is not known', { STRATA_PROT: '1' }, /the variable STRATA_PROT is not known/],
  ['a preset that is none', { STRATA_DEPLOYMENT_PRESET: 'cloud' }, /STRATA_DEPLOYMENT_PRESET must be /],
];

describe('strata start', () => {
  it.each(REFUSED)('refuses %s, with exit code 78 and one line', async (_what, environment, said) => {
    const { code, stdout, stderr } = await cli(['start'], { directory, environment });
    expect([code, stdout]).toEqual([78, '']);
    expect(stderr).toMatch(/^strata: [^\n]+\n$/);
    expect(stderr).toMatch(said);
  });

  it.each([
    [['--cluster-mode'], /CLUSTER_MODE_UNSUPPORTED/],
    [['--code-plane'], /CODE_PLANE_DISABLED/],
  ])('refuses %j as it refuses the variable', async (flags, said) => {
    const { code, stderr } = await cli(['start', ...flags], { directory });
    expect([code, stderr]).toEqual([78, expect.stringMatching(said)]);
  });
});
