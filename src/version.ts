import { readFileSync } from 'node:fs';

/** What was built and when; `unknown` where nobody wrote it down. */
export interface BuildInfo {
  /** Commit that was built. */
  readonly git_sha: string;
  /** RFC 3339 instant of the build. */
  readonly built_at: string;
}

function readText(url: URL): string | null {
  try {
    return readFileSync(url, 'utf8');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw error;
  }
}

// Sources lie in src/, compiled files in dist/src/: the nearest package.json above either is the service's own.
function findManifest(): { url: URL; version: string } {
  for (const relative of ['../package.json', '../../package.json']) {
    const url = new URL(relative, import.meta.url);
    const text = readText(url);
    const manifest = text === null ? null : (JSON.parse(text) as { name: string; version: string });
    if (manifest?.name === 'strata') return { url, version: manifest.version };
  }
  throw new Error('package.json of the service is missing');
}

/** The build that the text of a `build-info.json` tells of; `null`, or a part that is missing or empty, is `unknown`. */
export function readBuildInfo(text: string | null): BuildInfo {
  const given: unknown = text === null ? {} : JSON.parse(text);
  if (typeof given !== 'object' || given === null) throw new Error('build-info.json is not a JSON object');
  const { git_sha: sha, built_at: instant } = given as { [Name in keyof BuildInfo]?: unknown };
  const known = (value: unknown): string => (typeof value === 'string' && value !== '' ? value : 'unknown');
  return { git_sha: known(sha), built_at: known(instant) };
}

const manifest = findManifest();

/** Version of the service, from package.json. */
export const SERVICE_VERSION = manifest.version;

/** What is running, from `build-info.json` beside package.json, which the image has. */
export const BUILD_INFO = readBuildInfo(readText(new URL('build-info.json', manifest.url)));
