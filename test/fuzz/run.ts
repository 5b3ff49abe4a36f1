// Fuzzing of the HTTP surface: npm run fuzz [-- arguments of schemathesis, such as --seed 7 --max-examples 1000]
// Needs Python and `pip install schemathesis`; SCHEMATHESIS names the program when it is not on the PATH.
// Ends with 0 when nothing was found that is not reviewed in hooks.py.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildClientSchema, getIntrospectionQuery, printSchema, type IntrospectionQuery } from 'graphql';

import { startServiceProcess } from '../support/processes.ts';

const HERE = fileURLToPath(new URL('./', import.meta.url));
const PROGRAM = process.env.SCHEMATHESIS ?? 'schemathesis';
const KEY = 'operator-key-of-the-fuzzing';

/** Runs schemathesis against the service; whether it found nothing. */
async function fuzz(what: string, key: string, args: readonly string[]): Promise<boolean> {
  process.stdout.write(`\n> ${what}\n`);
  const run = spawn(PROGRAM, ['--config-file', join(HERE, 'schemathesis.toml'), 'run', ...args], {
    cwd: HERE,
    stdio: 'inherit',
    env: { ...process.env, FUZZ_KEY: key },
  });
  run.once('error', () => {
    process.stderr.write(`${PROGRAM} cannot be run: pip install schemathesis, or name it by SCHEMATHESIS\n`);
  });
  const [code] = (await once(run, 'exit')) as [number | null];
  return code === 0;
}

/** The schema as the service tells it, as a file: introspection of today names places of directives that the tool has never heard of. */
async function writeSchema(url: string): Promise<string> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  });
  const { data } = (await answer.json()) as { data: IntrospectionQuery };
  const file = join(directory, 'schema.graphql');
  writeFileSync(file, printSchema(buildClientSchema(data)));
  return file;
}

const directory = mkdtempSync(join(tmpdir(), 'strata-fuzz-'));
let clean: boolean;
try {
  const service = await startServiceProcess({
    STRATA_DATA_DIR: directory,
    STRATA_API_KEY: KEY,
    STRATA_RATE_LIMIT_WRONG_KEYS: '0',
    STRATA_LOG_LEVEL: 'error',
  });
  try {
    const document = `${service.url}/v1/openapi.json`;
    const given = process.argv.slice(2);
    const keyed = await fuzz('REST, with the key', KEY, [document, ...given]);
    const unkeyed = await fuzz('REST, with a wrong key', `not-${KEY}`, [
      document,
      ...given,
      '--phases',
      'coverage',
    ]);
    const bearer = ['-H', `Authorization: Bearer ${KEY}`];
    const url = `${service.url}/graphql`;
    const graphql = await fuzz('GraphQL', KEY, [await writeSchema(url), '--url', url, ...bearer, ...given]);
    clean = keyed && unkeyed && graphql;
  } finally {
    await service.stop();
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
process.exitCode = clean ? 0 : 1;
