import { fileURLToPath } from 'node:url';

import { bannedCalls } from './support/tidy/calls.ts';
import {
  cypherInGraph,
  declaredOnce,
  numberParameterErrors,
  onlyStatements,
  staticCypher,
} from './support/tidy/cypher.ts';
import { importCircles, importDirection, servicesApart } from './support/tidy/levels.ts';
import { fileLength, functionLength } from './support/tidy/sizes.ts';
import { repositorySources, sourceOf, type Rule } from './support/tidy/source.ts';
import { BAD, GOOD } from './support/tidy/samples.ts';
import { docComments, fileNames, noLeftovers, noMachines } from './support/tidy/texts.ts';

const RULES: readonly Rule[] = [
  importDirection,
  servicesApart,
  fileLength,
  functionLength,
  ...bannedCalls,
  cypherInGraph,
  staticCypher,
  declaredOnce,
  onlyStatements,
  docComments,
  fileNames,
  noMachines,
  noLeftovers,
];

/** A reviewed exception: so many breaches of a rule in a file, and why they are right there. */
interface Exception {
  readonly rule: string;
  readonly path: string;
  readonly breaches: number;
  readonly reason: string;
}

const EXCEPTIONS: readonly Exception[] = [
  {
    rule: 'string-built Cypher',
    path: 'graph/event.ts',
    breaches: 1,
    reason: 'one statement for each indexed level of scopes; the level is a number that the module counts',
  },
  {
    rule: 'string-built Cypher',
    path: 'graph/concept/walk.ts',
    breaches: 1,
    reason: 'one statement for each indexed level of scopes; the level is a number that the module counts',
  },
  {
    rule: 'string-built Cypher',
    path: 'graph/embedding/vector-index.ts',
    breaches: 4,
    reason:
      'schema commands take no parameters; the names are constants, and the length of vectors is a number',
  },
  {
    rule: 'string-built Cypher',
    path: 'graph/embedding/search.ts',
    breaches: 2,
    reason:
      'one statement for each vector and each indexed level of scopes; both are constants of the module',
  },
  {
    rule: 'string-built Cypher',
    path: 'graph/passage/window.ts',
    breaches: 4,
    reason:
      'one text for each size of window; the sizes are numbers of the same file, as are those of segments',
  },
  {
    rule: 'string-built Cypher',
    path: 'graph/drop.ts',
    breaches: 2,
    reason:
      'one statement for each kind of derived record, made when the module is loaded; the kinds are its table',
  },
  {
    rule: 'string-built Cypher',
    path: 'graph/migrate-instants.ts',
    breaches: 1,
    reason: 'one statement for each kind of node and edge; the kinds are its tables',
  },
  {
    rule: 'string-built Cypher',
    path: 'graph/recall-unindexed.ts',
    breaches: 1,
    reason: 'one statement for each indexed level of scopes; the level is a number that the module counts',
  },
  {
    rule: 'string-built Cypher',
    path: 'graph/belief/walk.ts',
    breaches: 1,
    reason: 'one statement for each indexed level of scopes; the level is a number that the module counts',
  },
  {
    rule: 'string-built Cypher',
    path: 'graph/episode/read.ts',
    breaches: 1,
    reason: 'one statement for each indexed level of scopes; the level is a number that the module counts',
  },
  {
    rule: 'string-built Cypher',
    path: 'graph/fact/walk.ts',
    breaches: 2,
    reason:
      'one statement for each indexed level of scopes, and one that names every level; the module counts them',
  },
  {
    rule: 'string-built Cypher',
    path: 'graph/entity/read.ts',
    breaches: 1,
    reason: 'it names every level of scopes; the module counts them',
  },
  {
    rule: 'string-built Cypher',
    path: 'graph/shard-step.ts',
    breaches: 1,
    reason: 'one text for each stage; stages are a closed type',
  },
  {
    rule: 'string-built Cypher',
    path: 'graph/stage-effect.ts',
    breaches: 1,
    reason: 'one statement for each stage, made when the module is loaded; stages are a closed type',
  },
  {
    rule: 'string-built Cypher',
    path: 'graph/stage.ts',
    breaches: 2,
    reason: 'one statement for each stage, made when the module is loaded; stages are a closed type',
  },
  {
    rule: 'string-built Cypher',
    path: 'graph/schema.ts',
    breaches: 4,
    reason: 'schema commands take no parameters; the names are those of the declared schema',
  },
  {
    rule: 'Cypher outside graph',
    path: 'src/local-neo4j/login.ts',
    breaches: 2,
    reason: 'the password of a fresh server is set before there is a database that graph/ could speak to',
  },
  {
    rule: 'machine-bound places',
    path: 'src/local-neo4j/java-places.ts',
    breaches: 1,
    reason: 'the folder of Homebrew, the same on every Linux',
  },
  {
    rule: 'machine-bound places',
    path: 'src/machine/maven.ts',
    breaches: 1,
    reason: 'the name of an XML vocabulary, which nobody fetches',
  },
  {
    rule: 'file names',
    path: 'src/derive/jstat.d.ts',
    breaches: 1,
    reason: 'types of a library that brings none have to stand in a declaration file',
  },
  {
    rule: 'module habits',
    path: 'src/derive/jstat.d.ts',
    breaches: 1,
    reason: 'it says how the library exports',
  },
  {
    rule: 'sleep in a test',
    path: 'test/support/wait.ts',
    breaches: 1,
    reason: 'the pause between two looks at a condition',
  },
  {
    rule: 'sleep in a test',
    path: 'test/local-neo4j/support.ts',
    breaches: 1,
    reason: 'the pause between two looks at a condition',
  },
];

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const sources = repositorySources();

/** What a rule finds beyond its exceptions, and exceptions that no longer match what is there. */
function breachesOf(rule: Rule): string[] {
  const findings = sources.filter(({ path }) => rule.applies(path)).flatMap((source) => rule.check(source));
  const exceptions = EXCEPTIONS.filter(({ rule: name }) => name === rule.name);
  const count = (path: string) => findings.filter((finding) => finding.path === path).length;
  const excused = exceptions.filter(({ path, breaches }) => count(path) === breaches).map(({ path }) => path);
  return [
    ...findings
      .filter(({ path }) => !excused.includes(path))
      .map(({ path, line, message }) => `${path}:${line}: ${message}`),
    ...exceptions
      .filter(({ path }) => !excused.includes(path))
      .map(({ path, breaches }) => `${path}: the exception is for ${breaches}, there are ${count(path)}`),
  ];
}

describe('the repository keeps its rules', () => {
  it.each(RULES.map((rule) => [rule.name, rule] as const))('%s', (_name, rule) => {
    expect(breachesOf(rule)).toEqual([]);
  });

  it('no circle of imports', () => {
    expect(importCircles(sources)).toEqual([]);
  });

  it('no raw number is a statement parameter', () => {
    expect(numberParameterErrors(ROOT)).toBe(4);
  });
});

describe('the rules see what they forbid', () => {
  it.each(BAD)('%s: %s', (name, path, text) => {
    const rule = RULES.find((candidate) => candidate.name === name);
    expect(rule?.applies(path)).toBe(true);
    expect(rule?.check(sourceOf(path, text)).length).toBeGreaterThan(0);
  });

  it.each(GOOD)('and let pass what they allow, %s: %s', (name, path, text) => {
    const rule = RULES.find((candidate) => candidate.name === name);
    expect(rule?.applies(path) === true ? rule.check(sourceOf(path, text)) : []).toEqual([]);
  });

  it('each has a sample', () => {
    const sampled = new Set(BAD.map(([name]) => name));
    expect(RULES.filter(({ name }) => !sampled.has(name))).toEqual([]);
  });

  it('a circle is told', () => {
    const circle = [
      sourceOf('src/log.ts', `import { a } from './ids.ts';`),
      sourceOf('src/ids.ts', `import { b } from './log.ts';`),
    ];
    expect(importCircles(circle)).toHaveLength(1);
  });
});
