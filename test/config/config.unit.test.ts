import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadConfig, loadSettings, type Config, type ConfigInput } from '../../src/config.ts';
import { printSettings } from '../../src/config/print.ts';
import { exposureWarning } from '../../src/main/exposure.ts';
import { flagOf, SETTING_KEYS, settingOf } from '../../src/config/settings.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'strata-config-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function load(input: Partial<ConfigInput> = {}): Config {
  return loadConfig({ environment: {}, directory, ...input });
}

function refusal(input: Partial<ConfigInput>): { message: string; exitCode: number } {
  try {
    load(input);
  } catch (error) {
    return error as { message: string; exitCode: number };
  }
  throw new Error('the configuration was taken');
}

function file(text: string, name = 'strata.toml'): void {
  writeFileSync(join(directory, name), text);
}

describe('a list', () => {
  it('of more entries than may be is refused with the bound', () => {
    const origins = (count: number): string =>
      Array.from({ length: count }, (_, i) => `https://app${i}.example.com`).join(',');
    expect(load({ environment: { STRATA_CORS_ORIGINS: origins(1000) } }).http.corsOrigins).toHaveLength(1000);
    const { message, exitCode } = refusal({ environment: { STRATA_CORS_ORIGINS: origins(1001) } });
    expect(message).toMatch(/^STRATA_CORS_ORIGINS must be a list of at most 1000 origins/);
    expect(exitCode).toBe(78);
  });
});

describe('dev_local on an address that others reach', () => {
  it('is warned of, and nothing else is', () => {
    const told = (environment: Record<string, string>): string | null =>
      exposureWarning(load({ environment }));
    for (const host of ['0.0.0.0', '::', '10.1.2.3', 'box.example'])
      expect(told({ STRATA_HOST: host })).toContain('STRATA_DEPLOYMENT_PRESET=cloud_shared_saas');
    for (const host of ['127.0.0.1', '127.9.9.9', '::1', 'localhost'])
      expect(told({ STRATA_HOST: host })).toBeNull();
    expect(told({ STRATA_HOST: '0.0.0.0', STRATA_DEPLOYMENT_PRESET: 'cloud_shared_saas' })).toBeNull();
    // Said by the open mode itself.
    const open = { STRATA_HOST: '0.0.0.0', STRATA_INSECURE_NO_AUTH: '1', STRATA_INSECURE_BIND_ALL: '1' };
    expect(told(open)).toBeNull();
  });
});

describe('precedence', () => {
  it('takes the compiled default when nothing is given', () => {
    const config = load();
    expect([config.host, config.port, config.dataDir]).toEqual(['127.0.0.1', 3141, join(directory, 'data')]);
    expect(config.http.headerAliases).toEqual(['Cortex']);
    expect(config.access).toEqual({
      open: false,
      bindAll: false,
      apiKey: null,
      preset: 'dev_local',
      tenants: [],
      policies: { tenant: {}, actor: {} },
    });
  });

  it('puts the file over defaults, the environment over the file, flags over the environment', () => {
    file('port = 1001\nhost = "localhost"\n[http]\nkeep_alive_ms = 1\n');
    expect(load().port).toBe(1001);
    expect(load({ environment: { STRATA_PORT: '1002' } }).port).toBe(1002);
    const config = load({ environment: { STRATA_PORT: '1002' }, flags: { port: '1003' } });
    expect([config.port, config.host, config.http.keepAliveMs]).toEqual([1003, 'localhost', 1]);
  });

  it('tells where each value came from', () => {
    file('port = 1001\n');
    const { origins } = loadSettings({
      environment: { STRATA_LOG_LEVEL: 'warn' },
      flags: { host: 'localhost' },
      directory,
    });
    expect([origins.port, origins['log.level'], origins.host, origins.data_dir]).toEqual([
      'file',
      'env',
      'flag',
      'default',
    ]);
  });

  it('reads the file that is named, and only then insists on one', () => {
    file('port = 1005\n', 'other.toml');
    expect(load({ file: 'other.toml' }).port).toBe(1005);
    expect(refusal({ file: 'missing.toml' })).toMatchObject({ exitCode: 78 });
  });

  it('counts an empty variable as not set', () => {
    expect(load({ environment: { STRATA_API_KEY: '', STRATA_PORT: '' } }).port).toBe(3141);
  });

  it('switches header aliases off by an empty list in the file, not by an empty variable', () => {
    const environment = { STRATA_HEADER_ALIASES: '' };
    expect(load({ environment }).http.headerAliases).toEqual(['Cortex']);
    file('header_aliases = []\n');
    expect(load({ environment }).http.headerAliases).toEqual([]);
  });

  it('freezes what it hands out, to any depth', () => {
    const config = load();
    expect(
      Object.isFrozen(config) && Object.isFrozen(config.http) && Object.isFrozen(config.access.tenants),
    ).toBe(true);
  });
});

describe('refusals name the culprit and what is allowed, with exit code 78', () => {
  it.each<[string, () => Partial<ConfigInput>, string[]]>([
    ['an unknown variable', () => ({ environment: { STRATA_PROT: '1' } }), ['STRATA_PROT', 'STRATA_PORT']],
    [
      'a bad number in a variable',
      () => ({ environment: { STRATA_PORT: '70000' } }),
      ['STRATA_PORT', '65535', '70000'],
    ],
    ['a number with rubbish', () => ({ environment: { STRATA_PORT: '31x' } }), ['STRATA_PORT']],
    ['a bad flag value', () => ({ flags: { port: '-1' } }), ['--port', '0 to 65535']],
    [
      'a word outside the list',
      () => ({ environment: { STRATA_LOG_LEVEL: 'loud' } }),
      ['STRATA_LOG_LEVEL', 'info'],
    ],
    [
      'a bad boolean',
      () => ({ environment: { STRATA_INSECURE_NO_AUTH: 'yes' } }),
      ['STRATA_INSECURE_NO_AUTH', 'true'],
    ],
    [
      'a bad amount of memory',
      () => ({ environment: { STRATA_NEO4J_HEAP: '1 GB' } }),
      ['STRATA_NEO4J_HEAP', '512m'],
    ],
    ['a bad database address', () => ({ environment: { NEO4J_URI: 'http://x' } }), ['NEO4J_URI', 'bolt+s']],
    [
      'trust in everybody',
      () => ({ environment: { STRATA_TRUST_PROXY: 'true' } }),
      ['STRATA_TRUST_PROXY', 'hops'],
    ],
    [
      'an unknown scope type',
      () => ({ environment: { STRATA_ALLOWED_SCOPE_TYPES: 'Org' } }),
      ['ALLOWED_SCOPE_TYPES'],
    ],
  ])('%s', (_what, input, named) => {
    const { message, exitCode } = refusal(input());
    expect(exitCode).toBe(78);
    for (const part of named) expect(message).toContain(part);
  });

  it.each<[string, string, string[]]>([
    ['an unknown key', 'prot = 1', ['prot', 'port']],
    ['an unknown key of a section', '[http]\nkeepalive = 1', ['http.keepalive', 'http.keep_alive_ms']],
    ['a value of another type', 'port = true', ['port in strata.toml', '65535']],
    ['a section where a value belongs', '[port]\nx = 1', ['port in strata.toml']],
    ['a date', 'host = 2026-01-01', ['host in strata.toml']],
    ['what is no TOML', 'port = = 1', ['TOML']],
  ])('%s in the file', (_what, text, named) => {
    file(text);
    const { message, exitCode } = refusal({});
    expect(exitCode).toBe(78);
    for (const part of named) expect(message).toContain(part);
  });

  it('does not repeat a secret', () => {
    const { message } = refusal({ environment: { STRATA_API_KEY: 'not one word' } });
    expect(message).toContain('STRATA_API_KEY');
    expect(message).not.toContain('not one word');
  });

  it('refuses an operator key that is too short, by name', () => {
    const { message, exitCode } = refusal({ environment: { STRATA_API_KEY: 'k'.repeat(23) } });
    expect([exitCode, message]).toEqual([78, expect.stringMatching(/^STRATA_API_KEY must be at least 24 /)]);
    const key = 'k'.repeat(24);
    expect(load({ environment: { STRATA_API_KEY: key } }).access.apiKey).toBe(key);
  });

  it('checks a value even where a stronger source overrides it', () => {
    file('port = "x"');
    expect(refusal({ environment: { STRATA_PORT: '1' } }).message).toContain('port in strata.toml');
  });
});

describe('the open posture', () => {
  const open = { STRATA_INSECURE_NO_AUTH: '1' };

  it.each(['127.0.0.1', '127.8.8.8', 'localhost', '::1'])('is taken on %s', (host) => {
    const config = load({ environment: { ...open, STRATA_HOST: host } });
    expect(config.access).toMatchObject({ open: true, preset: 'auth_disabled' });
  });

  it.each(['0.0.0.0', '::', '192.168.1.4', 'example.com', '127.0.0.1.example.com', '::2', '2001::1'])(
    'is refused on %s',
    (host) => {
      const { message } = refusal({ environment: { ...open, STRATA_HOST: host } });
      expect(message).toContain('STRATA_INSECURE_BIND_ALL');
    },
  );

  it('is taken anywhere when that is asked for too', () => {
    const environment = { ...open, STRATA_HOST: '0.0.0.0', STRATA_INSECURE_BIND_ALL: 'true' };
    expect(load({ environment }).access.open).toBe(true);
  });

  it.each([
    { ...open, STRATA_DEPLOYMENT_PRESET: 'cloud_strict' },
    { STRATA_DEPLOYMENT_PRESET: 'auth_disabled' },
  ])('does not go with another preset, nor its preset without it', (environment) => {
    expect(refusal({ environment }).message).toContain('STRATA_DEPLOYMENT_PRESET');
  });
});

describe('derived values', () => {
  it('looks at twenty wrong keys a minute from one address', () => {
    expect(load().rateLimit.wrongKeys).toBe(20);
  });

  it('leaves the segment types of published clients out of the cloud presets', () => {
    expect(load().allowedScopeTypes).toContain('verify');
    const cloud = load({ environment: { STRATA_DEPLOYMENT_PRESET: 'cloud_strict' } });
    expect(cloud.allowedScopeTypes).not.toContain('verify');
    expect(load({ environment: { STRATA_ALLOWED_SCOPE_TYPES: 'org, user' } }).allowedScopeTypes).toEqual([
      'org',
      'user',
    ]);
  });

  it('uses the server that is named, else one of its own', () => {
    expect(
      load({ environment: { NEO4J_URI: 'neo4j+s://db.example.com:7687', NEO4J_PASSWORD: 'p w' } }).database,
    ).toEqual({
      kind: 'external',
      uri: 'neo4j+s://db.example.com:7687',
      user: 'neo4j',
      password: 'p w',
      database: 'neo4j',
    });
    expect(load({ environment: { XDG_CACHE_HOME: join(directory, 'cache') } }).database).toMatchObject({
      kind: 'managed',
      cacheDir: join(directory, 'cache', 'strata'),
      line: undefined,
    });
  });

  it.each<[string, unknown]>([
    ['false', false],
    ['0', false],
    ['1', 1],
    ['loopback,10.0.0.0/8', ['loopback', '10.0.0.0/8']],
  ])('reads trust in proxies %s', (text, expected) => {
    expect(load({ environment: { STRATA_TRUST_PROXY: text } }).http.trustProxy).toEqual(expected);
  });
});

describe('the table of settings', () => {
  it('has no name twice', () => {
    const names = SETTING_KEYS.flatMap((key) => [settingOf(key).env, flagOf(key) ?? key]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('allows each of its own defaults', () => {
    for (const key of SETTING_KEYS) {
      const { kind, fallback } = settingOf(key);
      if (fallback !== undefined && fallback !== '') expect(kind.schema.parse(fallback)).toEqual(fallback);
    }
  });

  it('prints TOML with origins, and no secret', () => {
    const resolved = loadSettings({
      environment: {
        STRATA_API_KEY: 'tell-nobody-of-this-secret',
        NEO4J_PASSWORD: 'nor-this',
        NEO4J_URI: 'bolt://db',
      },
      directory,
    });
    const printed = printSettings(resolved);
    expect(printed).not.toMatch(/tell-nobody|nor-this/);
    expect(printed).toContain('api_key = "********" # env');
    file(printed.replaceAll(/^(api_key|password) .*$/gm, ''));
    expect(loadSettings({ environment: {}, directory }).values['neo4j.uri']).toBe('bolt://db');
  });
});
