import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { nodeOfImage } from './node-of-image.ts';

/** One Node process of a part. */
export interface Step {
  /** A script and its arguments. */
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  /** Path of the Node that runs it; default the one that runs the parts. */
  readonly node?: string;
}

/** What a part is run with. */
export interface Given {
  /** A folder for whatever it makes; gone at the end. */
  readonly scratch: string;
  readonly seed: string;
  /** Fires when the run is interrupted. */
  readonly signal: AbortSignal;
}

/** What a part runs, one after the other; a text says why it cannot run here. */
export type Steps = readonly Step[] | string;

/** A part of `npm run test:long`. */
export interface LongPart {
  readonly name: string;
  readonly what: string;
  /** How long it took on two cores, minutes. */
  readonly minutes: number;
  readonly steps: (given: Given) => Steps | Promise<Steps>;
}

const RUNNER = 'test/support/runner/run.ts';

const step = (args: readonly string[], env: Record<string, string> = {}): Step => ({ args, env });

/** Envelopes that the drill of the lifecycle follows, so many that a reader that stalls fills what its connection holds. */
const FOLLOWED = 12_000;

function followedFile(scratch: string): string {
  const file = join(scratch, 'talk.jsonl');
  const lines = Array.from({ length: FOLLOWED }, (_, i) => {
    const content = {
      kind: 'message',
      role: i % 2 === 0 ? 'user' : 'assistant',
      text: `Turn ${i} of a long talk`,
    };
    return JSON.stringify({ scope: 'org:follow/ws:talk', modality: 'conversation', content });
  });
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** The talk of Apollo 13 is no part of the repository: `STRATA_TALK` names the folder that has it. */
function withTalk(make: (folder: string) => readonly Step[]): Steps {
  const folder = process.env.STRATA_TALK ?? '';
  if (folder === '') return 'STRATA_TALK names no folder with apollo-13.jsonl and its statements';
  return existsSync(join(folder, 'apollo-13.jsonl')) ? make(folder) : `${folder} has no apollo-13.jsonl`;
}

/** Published clients are programs of Python: `STRATA_TEST_PYTHON` names it where it is not `python3`. */
function withPython(make: () => readonly Step[]): Steps {
  const python = process.env.STRATA_TEST_PYTHON ?? 'python3';
  const { status } = spawnSync(python, ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 10))']);
  return status === 0 ? make() : `${python} is no Python of version 3.10 or newer with venv`;
}

/** The whole suite on the Node of the image. What it starts by the name `node` is that one too. */
async function onNodeOfImage({ scratch, signal }: Given): Promise<Steps> {
  const fetched = await nodeOfImage(join(scratch, 'node'), signal);
  if (typeof fetched === 'string') return fetched;
  const { path } = fetched;
  const PATH = [dirname(path), process.env.PATH ?? ''].join(delimiter);
  return [{ ...step([RUNNER], { PATH }), node: path }];
}

/** All parts, in the order in which they are run. */
export const LONG_PARTS: readonly LongPart[] = [
  {
    name: 'deep',
    what: 'properties a thousandfold, random histories, whole tables, seeded plans, crashes, the local model, hidden alike in time',
    minutes: 40,
    steps: () => [step([RUNNER, '--deep'], { STRATA_TEST_LONG: '1' })],
  },
  {
    name: 'neo4j-5.26',
    what: 'the API tests, and those of statements, plans and commits, on the older line of Neo4j',
    minutes: 6,
    steps: () =>
      [
        ['--selectProjects', 'api'],
        ['test/graph', 'test/commit', '--selectProjects', 'exclusive'],
      ].map((args) => step([RUNNER, ...args], { STRATA_NEO4J_LINE: '5.26' })),
  },
  {
    name: 'node-lts',
    what: 'the whole suite of every day on the Node of the image, which npm fetches',
    minutes: 12,
    steps: onNodeOfImage,
  },
  {
    name: 'drill',
    what: 'service and managed database killed under load, three rounds; those of an external one are in deep',
    minutes: 2,
    steps: ({ seed }) => [step(['test/drill/run.ts', '--mode', 'managed', '--rounds', '3', '--seed', seed])],
  },
  {
    name: 'follow',
    what: 'fifty readers on two services, by stream and by subscription',
    minutes: 3,
    steps: ({ scratch }) => [step(['test/drill/follow.ts', followedFile(scratch)])],
  },
  {
    name: 'answers',
    what: 'the whole talk of Apollo 13 and what is known from it',
    minutes: 3,
    steps: () =>
      withTalk((folder) => [
        step([
          'test/drill/answers.ts',
          ...['apollo-13.jsonl', 'apollo-13.triples.jsonl', 'apollo-13.expected.json'].map((name) =>
            join(folder, name),
          ),
        ]),
      ]),
  },
  {
    name: 'recall',
    what: 'questions about the talk of Apollo 13 and where their evidence comes',
    minutes: 3,
    steps: () =>
      withTalk((folder) => [
        step([
          'test/drill/recall.ts',
          ...['apollo-13.jsonl', 'apollo-13.triples.jsonl'].map((name) => join(folder, name)),
          'test/drill/apollo-13.questions.json',
        ]),
      ]),
  },
  {
    name: 'browser',
    what: 'the IDE in a headless Chromium',
    minutes: 1,
    steps: () => [step(['test/browser/run.ts'])],
  },
  {
    name: 'clients',
    what: 'published clients as they are, which pip installs: forgets, erasures, files under keys',
    minutes: 3,
    steps: () => withPython(() => [step(['test/clients/run.ts'])]),
  },
  {
    name: 'fuzz',
    what: 'what the OpenAPI document allows and what it forbids, by schemathesis',
    minutes: 5,
    steps: ({ seed }) => [step(['test/fuzz/run.ts', '--seed', seed, '--max-examples', '20'])],
  },
];
