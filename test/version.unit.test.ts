import { readFileSync } from 'node:fs';

import { readBuildInfo, SERVICE_VERSION } from '../src/version.ts';

describe('what is running', () => {
  it('has the version of package.json', () => {
    const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
    expect(SERVICE_VERSION).toBe((JSON.parse(text) as { version: string }).version);
  });

  it('has commit and instant of the build where they were written down', () => {
    const info = { git_sha: 'a1b2c3', built_at: '2026-11-21T05:41:16Z' };
    expect(readBuildInfo(JSON.stringify(info))).toEqual(info);
  });

  it.each([null, '{}', '{"git_sha":"","built_at":null}'])('is unknown by %j', (text) => {
    expect(readBuildInfo(text)).toEqual({ git_sha: 'unknown', built_at: 'unknown' });
  });

  it.each(['', '{', 'null', '"a"'])('is not guessed from %j', (text) => {
    expect(() => readBuildInfo(text)).toThrow(/JSON/);
  });
});
