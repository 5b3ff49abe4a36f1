import { readFileSync } from 'node:fs';

import { SETTING_KEYS, settingOf } from '../../src/config/settings.ts';

const compose = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8');
const service = /x-service: &service\n([\s\S]*?)\n\S/.exec(compose)?.[1] ?? '';

describe('the compose file', () => {
  it('hands one signing key to all services of the profile scale, which else make their own', () => {
    expect(service).toMatch(/^ {4}STRATA_TOKEN_SECRET_KEY: \$\{STRATA_TOKEN_SECRET_KEY:-\}$/m);
    expect(service).toMatch(/^ {4}STRATA_SUPPRESSION_KEY: \$\{STRATA_SUPPRESSION_KEY:-\}$/m);
    expect(compose.match(/<<: \*service/g)).toHaveLength(2);
  });

  it('takes further settings from a file that need not be there', () => {
    expect(service).toMatch(/^ {2}env_file:\n {4}- path: \.env\n {6}required: false$/m);
  });

  it('names no setting that there is not', () => {
    const known = SETTING_KEYS.map((key) => settingOf(key).env);
    const named = [...service.matchAll(/^ {4}((?:STRATA|NEO4J)_[A-Z0-9_]+):/gm)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(known).toEqual(expect.arrayContaining(named));
  });
});
