import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { SEED } from '../depth.ts';

/** What jest says of a run in its JSON file, as far as it is read here. */
export interface JestResult {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Lines of a failure that are kept, from its beginning and its end, and characters of each line. */
const KEPT_LINES = { first: 8, last: 19 };
const KEPT_CHARACTERS = 300;

/** What failed, each in at most 30 lines (the counterexample of a property can be longer than whatever else was printed). */
export function failuresOf({ testResults }: JestResult): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && failed.length === 0)
      return [`${file}\n${shortened(message)}\n${repeatOf(file)}`];
    return failed.map(({ ancestorTitles, title, failureMessages }) => {
      const name = [...ancestorTitles, title].join(' ');
      // What stands around tests is named in brackets, and is no test.
      const test = /^\((before|after)(All|Each)\)$/.test(title) ? undefined : name;
      return `${file}: ${name}\n${shortened(failureMessages.join('\n'))}\n${repeatOf(file, test)}`;
    });
  });
}

/** The command that runs one test alone with the seed and the settings of this run. */
export function repeatOf(file: string, test?: string): string {
  const set = ['STRATA_TEST_LONG', 'STRATA_NEO4J_LINE', 'STRATA_TEST_ORDER']
    .filter((name) => process.env[name] !== undefined)
    .map((name) => `${name}=${process.env[name] ?? ''} `)
    .join('');
  const pattern = test?.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll("'", String.raw`'\''`);
  const only = pattern === undefined ? '' : ` -t '^${pattern}$'`;
  return `again: ${set}STRATA_TEST_SEED=${SEED} npm test -- ${file}${only}`;
}

function shortened(message: string): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => !/^\s+at .*node_modules/.test(line))
    .map((line) => (line.length > KEPT_CHARACTERS ? `${line.slice(0, KEPT_CHARACTERS)} …` : line));
  const { first, last } = KEPT_LINES;
  if (lines.length <= first + last) return lines.join('\n');
  return [...lines.slice(0, first), '…', ...lines.slice(-last)].join('\n');
}
