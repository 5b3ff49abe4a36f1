// The calls of published clients, as they are: npm run test:clients
// Needs Python 3.10 or newer with `venv`, and a registry that pip is configured for. STRATA_TEST_PYTHON names the program where it is
// not `python3`. The packages go into a folder that goes with the run. Ends with 0 when every case holds.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { clientOf } from '../support/client.ts';
import { startServiceProcess } from '../support/processes.ts';
import { CLIENTS } from '../support/reference/clients.ts';
import { eventually } from '../support/wait.ts';

const MAIN = fileURLToPath(new URL('./main.py', import.meta.url));
const PYTHON = process.env.STRATA_TEST_PYTHON ?? 'python3';
const KEY = 'operator-key-of-published-clients';
const ACTOR = 'user:clients';

/** What the adapters that are tried stand upon, beside the clients themselves. */
const ADAPTED = ['langchain-core==1.8.3'];

/** Runs a program; fails where it does not end with 0. */
async function run(program: string, args: readonly string[], env = process.env): Promise<void> {
  const child = spawn(program, args, { stdio: 'inherit', env });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code ?? 'a signal'}`);
}

/** Installs the clients into a folder; answers the Python that has them. */
async function install(folder: string): Promise<string> {
  const pinned = CLIENTS.map(({ name, version }) => `${name.replace(' (PyPI)', '')}==${version}`);
  await run(PYTHON, ['-m', 'venv', folder]);
  const python = join(folder, 'bin', 'python');
  await run(python, [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    ...pinned,
    ...ADAPTED,
  ]);
  return python;
}

const WARM = { type: 'literal', datatype: 'string', value: 'warm' };

/** A cold database takes longer for its first captures and forgets than clients wait. */
async function warmUp(url: string): Promise<void> {
  const service = clientOf(url);
  const headers = { authorization: `Bearer ${KEY}` };
  const scope = 'user:clients/verify:warm';
  const triple = { subject: { type: 'entity', id: 'ent_a' }, predicate: 'is', object: WARM };
  const said = { scope, modality: 'observation', content: { kind: 'triple', triple } };
  const all = { scope, confirm_all: true, cascade: 'redact_events' };
  for (const [path, body] of [
    ['/v1/experience?wait=consolidated', said],
    ['/v1/forget', all],
    ['/v1/experience?wait=consolidated', said],
    ['/v1/erasures', { scope, confirm_all: true }],
  ] as const)
    await eventually(`${path} to be answered`, async () => {
      const { status } = await service.post(path, body, { headers });
      return status < 300;
    });
}

const scratch = mkdtempSync(join(tmpdir(), 'strata-clients-'));
try {
  const python = await install(join(scratch, 'clients'));
  const service = await startServiceProcess({
    STRATA_DATA_DIR: join(scratch, 'data'),
    STRATA_API_KEY: KEY,
    STRATA_LOG_LEVEL: 'error',
  });
  try {
    await warmUp(service.url);
    await run(python, [MAIN], {
      ...process.env,
      // What they keep at home goes with the run.
      HOME: scratch,
      XDG_CONFIG_HOME: join(scratch, 'config'),
      PYTHONDONTWRITEBYTECODE: '1',
      CORTEXDB_URL: service.url,
      CORTEXDB_ENDPOINT: service.url,
      CORTEXDB_API_KEY: KEY,
      CORTEXDB_ACTOR: ACTOR,
      CORTEXDB_SCOPE: ACTOR,
    });
  } finally {
    await service.stop();
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
