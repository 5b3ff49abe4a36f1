import { readFileSync } from 'node:fs';

// Sources lie in src/, compiled files in dist/src/: the nearest package.json above either is the service's own.
function readVersion(): string {
  for (const relative of ['../package.json', '../../package.json']) {
    try {
      const manifest = JSON.parse(readFileSync(new URL(relative, import.meta.url), 'utf8')) as {
        name: string;
        version: string;
      };
      if (manifest.name === 'strata') return manifest.version;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
    }
  }
  throw new Error('package.json of the service is missing');
}

/** Version of the service, from package.json. */
export const SERVICE_VERSION = readVersion();
