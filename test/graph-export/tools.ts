import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { runMaven } from '../../src/machine/maven.ts';

const PYTHON = process.env.STRATA_TEST_PYTHON ?? 'python3';
const PYTHON_PACKAGES = ['networkx==3.6.1', 'prov==3.2.3', 'xmlschema==4.3.2'];
const NODE_PACKAGES = ['jsonld@9.0.0', 'mermaid@12.3.0', 'jsdom@26.1.0', '@viz-js/viz@3.31.0'];
const PROV_TOOLBOX = {
  groupId: 'org.openprovenance.prov',
  artifactId: 'prov-interop',
  version: '2.2.1',
};

/**
 * A folder with the XML schema of GEXF 1.3 (gexf.xsd, dynamics.xsd, viz.xsd: the folder specs/1.3 of the repository gephi/gexf, under
 * CC BY 4.0), which no package has; empty where `STRATA_GEXF_XSD` names none.
 */
export const GEXF_SCHEMA = process.env.STRATA_GEXF_XSD ?? '';

/** Throws where there is no Python that the tools run on. */
export function requirePython(): void {
  const version = 'import sys, venv; sys.exit(sys.version_info < (3, 11))';
  if (spawnSync(PYTHON, ['-c', version]).status !== 0)
    throw new Error(
      `${PYTHON} is no Python of version 3.11 or newer with venv; STRATA_TEST_PYTHON names one`,
    );
}

/** What the tools found in the files of a folder. */
export interface ReadBack {
  readonly python: { readonly faults: readonly string[] };
  readonly node: {
    readonly jsonld: { readonly summaries: readonly string[]; readonly edges: number };
    readonly dot: { readonly errors: readonly unknown[]; readonly nodes: number; readonly edges: number };
    readonly mermaid?: { readonly nodes: number; readonly edges: number };
  };
  readonly provToolbox: Readonly<Record<string, number>>;
}

/** The tools that exports are for, installed into a folder of their own. */
export class GraphTools {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Installs them: minutes, most of it for what Mermaid brings along. */
  async install(): Promise<void> {
    const { folder } = this;
    await run(PYTHON, ['-m', 'venv', join(folder, 'python')]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    await run(this.python, [...pip, ...PYTHON_PACKAGES]);
    writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}\n');
    const npm = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
    await run('npm', [...npm, '--loglevel=error', ...NODE_PACKAGES]);
    copyFileSync(own('read_back.mjs'), join(folder, 'read_back.mjs'));
    await runMaven(
      { executable: 'mvn' },
      {
        artefact: PROV_TOOLBOX,
        what: 'ProvToolbox',
        goal: 'copy-dependencies',
        properties: [`outputDirectory=${join(folder, 'jars')}`],
      },
      {},
    );
  }

  /** Has all of them read the files of a folder. */
  async readBack(files: string): Promise<ReadBack> {
    const schema = GEXF_SCHEMA === '' ? [] : [GEXF_SCHEMA];
    const jars = join(this.folder, 'jars', '*');
    const notation = join(files, 'graph.provn');
    return {
      python: lastLine(await run(this.python, [own('read_back.py'), files, ...schema])),
      node: lastLine(await run(process.execPath, [join(this.folder, 'read_back.mjs'), files])),
      provToolbox: lastLine(await run('java', ['-cp', jars, own('ReadProvN.java'), notation])),
    };
  }

  private get python(): string {
    return join(this.folder, 'python', 'bin', 'python');
  }
}

function own(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Runs a program to its end; answers what it printed. Throws where it does not end with 0. */
async function run(program: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, NODE_OPTIONS: '', PYTHONDONTWRITEBYTECODE: '1' };
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const printed: Buffer[] = [];
  const told: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => printed.push(part));
  child.stderr.on('data', (part: Buffer) => told.push(part));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return Buffer.concat(printed).toString('utf8');
  const reason = Buffer.concat([...told, ...printed])
    .toString('utf8')
    .slice(-3_000);
  throw new Error(`${program} ${args.join(' ')} ended with ${code ?? 'a signal'}: ${reason}`);
}

function lastLine(text: string): any {
  return JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
}
