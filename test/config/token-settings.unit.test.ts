import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadConfig, loadSettings } from '../../src/config.ts';
import { printSettings } from '../../src/config/print.ts';
import { TEST_TOKEN_KEY } from '../support/client.ts';

const ISSUER = {
  iss: 'https://id.example.com',
  kid: '2026-11',
  public_key: 'k4.public.CbtsmId_B4uuSm1ebRPSANdnS0sVt_3DnUBVdf31iyE',
  audience: 'strata',
  tenant: 'acme',
};

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'strata-config-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const load = (environment: Record<string, string> = {}) => loadConfig({ environment, directory });

describe('the settings of tokens', () => {
  it('hold no key, trust nobody and hand out nothing by default', () => {
    expect(load().tokens).toEqual({
      secretKeys: null,
      minter: false,
      signup: false,
      trustedIssuers: [],
    });
    expect(load({ STRATA_INSECURE_NO_AUTH: '1' }).tokens.minter).toBe(true);
    expect(load({ STRATA_V1_MINTER_ENABLE: '1' }).tokens.minter).toBe(true);
  });

  it.each([
    ['as minting on a loopback address', { STRATA_V1_MINTER_ENABLE: '1' }, true, true],
    [
      'not with minting on an address of the network',
      { STRATA_V1_MINTER_ENABLE: '1', STRATA_HOST: '0.0.0.0' },
      true,
      false,
    ],
    [
      'where it is named on an address of the network',
      { STRATA_V1_MINTER_ENABLE: '1', STRATA_SIGNUP_ENABLE: '1', STRATA_HOST: '::' },
      true,
      true,
    ],
    ['without minting where it is named', { STRATA_SIGNUP_ENABLE: '1' }, false, true],
    ['not where it is named off', { STRATA_V1_MINTER_ENABLE: '1', STRATA_SIGNUP_ENABLE: '0' }, true, false],
    ['not at a rate of none', { STRATA_SIGNUP_ENABLE: '1', STRATA_RATE_LIMIT_SIGNUP: '0' }, false, false],
    ['in the open posture', { STRATA_INSECURE_NO_AUTH: '1' }, true, true],
    [
      'in the open posture on an address of the network',
      { STRATA_INSECURE_NO_AUTH: '1', STRATA_INSECURE_BIND_ALL: '1', STRATA_HOST: '0.0.0.0' },
      true,
      true,
    ],
  ])('let strangers sign up %s', (_what, environment, minter, signup) => {
    expect(load(environment).tokens).toMatchObject({ minter, signup });
  });

  it('take several keys, and never print one', () => {
    const environment = { STRATA_TOKEN_SECRET_KEY: `${TEST_TOKEN_KEY},${TEST_TOKEN_KEY}` };
    expect(load(environment).tokens.secretKeys).toEqual([TEST_TOKEN_KEY, TEST_TOKEN_KEY]);
    expect(printSettings(loadSettings({ environment, directory }))).not.toContain('k4.secret');
    expect(() => load({ STRATA_TOKEN_SECRET_KEY: `${TEST_TOKEN_KEY}x` })).toThrow(
      /^STRATA_TOKEN_SECRET_KEY must be a list of at most 1000 secret keys.*; the value given is not$/,
    );
  });

  it('take issuers as tables of the file and as JSON elsewhere, and print what the file takes', () => {
    const fields = Object.entries(ISSUER).map(([name, value]) => `${name} = "${value}"`);
    writeFileSync(join(directory, 'strata.toml'), `[[trusted_issuers]]\n${fields.join('\n')}\n`);
    expect(load().tokens.trustedIssuers).toEqual([ISSUER]);
    const other = { ...ISSUER, kid: 'other' };
    expect(load({ STRATA_TRUSTED_ISSUERS: JSON.stringify([other]) }).tokens.trustedIssuers).toEqual([other]);
    const printed = printSettings(loadSettings({ environment: {}, directory }));
    writeFileSync(join(directory, 'strata.toml'), /^trusted_issuers.*$/m.exec(printed)?.[0] ?? '');
    expect(load().tokens.trustedIssuers).toEqual([ISSUER]);
  });

  it.each([
    ['no JSON', 'nonsense'],
    ['no list', '{}'],
    ['a field too many', JSON.stringify([{ ...ISSUER, admin: true }])],
    ['no tenant', JSON.stringify([{ ...ISSUER, tenant: undefined }])],
    ['a tenant that is none', JSON.stringify([{ ...ISSUER, tenant: 'a b' }])],
    ['a secret key', JSON.stringify([{ ...ISSUER, public_key: TEST_TOKEN_KEY }])],
    [
      'two keys under one name',
      JSON.stringify([ISSUER, { ...ISSUER, iss: 'x', public_key: `k4.public.${'A'.repeat(43)}` }]),
    ],
    ['the same twice', JSON.stringify([ISSUER, ISSUER])],
  ])('refuse %s', (_, value) => {
    expect(() => load({ STRATA_TRUSTED_ISSUERS: value })).toThrow(
      /^STRATA_TRUSTED_ISSUERS must be a JSON list/,
    );
  });
});
