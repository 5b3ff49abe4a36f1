import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { databaseSettings, testDatabase, wipe } from '../support/database.ts';
import { BUSY_MACHINE, START_PATIENCE_MS } from '../support/patience.ts';
import { inherited } from '../support/processes.ts';
import { eventually } from '../support/wait.ts';
import { blocksOf, shapeOf, START, stepsOf, type Step } from './page.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = [
  'README.md',
  'docs/quickstart.md',
  ...readdirSync(join(ROOT, 'docs/tutorials')).map((name) => `docs/tutorials/${name}`),
];
/** The one command that the pages start the service by; packages are there already. */
const START_COMMAND = 'npm ci && npm start';
/** Where the pages say that the service listens. */
const ADDRESS = 'http://127.0.0.1:3141';
const FILE_END = { sh: 'sh', python: 'py', ts: 'ts' } as const;

let directory: string;
let environment: Record<string, string>;
let service: ChildProcess;
let url = '';

beforeAll(async () => {
  await wipe(testDatabase());
  directory = mkdtempSync(join(tmpdir(), 'strata-pages-'));
  writeFileSync(join(directory, 'package.json'), '{"type": "module"}');
  environment = {
    ...inherited(),
    ...databaseSettings(testDatabase()),
    STRATA_PORT: '0',
    STRATA_DATA_DIR: join(directory, 'data'),
    STRATA_LOG_LEVEL: 'error',
    STRATA_EMBEDDING_PROVIDER: 'none',
    ...BUSY_MACHINE,
  };
  // A group of its own, which is ended as a terminal does.
  service = spawn('npm', ['start'], { cwd: ROOT, env: environment, detached: true });
  let said = '';
  for (const stream of [service.stdout, service.stderr])
    stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  url = await eventually(
    'the service to listen',
    () => {
      if (service.exitCode !== null) throw new Error(`npm start ended: ${said}`);
      return /listens on (\S+)/.exec(said)?.[1] ?? false;
    },
    START_PATIENCE_MS,
  );
});

afterAll(async () => {
  if (service.pid !== undefined && service.exitCode === null) {
    const ended = once(service, 'close');
    process.kill(-service.pid, 'SIGTERM');
    await ended;
  }
  rmSync(directory, { recursive: true, force: true });
});

/** What each step of a page printed, run one after the other in one shell. Throws at the first that fails. */
async function run(steps: readonly Step[], folder: string): Promise<string[]> {
  const script = steps.map(({ block }, i) => {
    const language = block.language as keyof typeof FILE_END;
    const file = join(folder, `${i}.${FILE_END[language]}`);
    writeFileSync(file, `${block.text.replaceAll(ADDRESS, url)}\n`);
    const command = { sh: '.', python: 'python3', ts: `'${process.execPath}' --import tsx` }[language];
    return `echo ${i} >'${folder}/at'; ${command} '${file}' >'${folder}/${i}.out'`;
  });
  const shell = spawn('bash', ['-c', ['set -euo pipefail', ...script].join('\n')], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  shell.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const [code] = (await once(shell, 'close')) as [number | null];
  if (code === 0) return steps.map((_, i) => readFileSync(join(folder, `${i}.out`), 'utf8').trim());
  const at = Number(readFileSync(join(folder, 'at'), 'utf8'));
  const printed = readFileSync(join(folder, `${at}.out`), 'utf8');
  throw new Error(`line ${steps[at]?.block.line} ended with ${code}: ${complaints}\n${printed}`);
}

describe.each(PAGES)('%s', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');

  it('says how the service is started', () => {
    const starts = blocksOf(text).filter(({ info }) => info.includes(START));
    for (const start of starts) expect(start.text).toBe(START_COMMAND);
  });

  it('shows what its commands and programs answer', async () => {
    const folder = join(directory, page.replaceAll('/', '-'));
    mkdirSync(folder);
    const steps = stepsOf(text);
    expect(steps.length).toBeGreaterThan(2);
    const printed = await run(steps, folder);
    const shown = steps.flatMap(({ block, answer }, i) =>
      answer === null
        ? []
        : [{ line: block.line, ...asTold(answer.language, answer.text, printed[i] ?? '') }],
    );
    expect(shown.map(({ line, found }) => ({ line, answer: found }))).toEqual(
      shown.map(({ line, told }) => ({ line, answer: told })),
    );
  });
});

/** What a page shows and what was printed, as far as the two have to agree: JSON in its shape, text to the letter. */
function asTold(language: string, shown: string, printed: string): { told: unknown; found: unknown } {
  if (language === 'text') return { told: shown, found: printed };
  return {
    told: shapeOf(JSON.parse(shown)),
    found: printed === '' ? 'nothing' : shapeOf(JSON.parse(printed)),
  };
}
