import ts from 'typescript';

import { at, isProduct, isTest, type Finding, type Rule, type Source } from './source.ts';

const isDocumented = (path: string): boolean => /^(src|graph|rest|schemas)\/.*\.tsx?$/.test(path);

/** Exported names carry their contract: meaning, unit, default, limits, failures. */
export const docComments: Rule = {
  name: 'doc comments',
  applies: isDocumented,
  check: (source) =>
    source.tree.statements.flatMap((statement): Finding[] => {
      const documented =
        ts.isFunctionDeclaration(statement) ||
        ts.isClassDeclaration(statement) ||
        ts.isInterfaceDeclaration(statement);
      if (!documented || !isExported(statement) || ts.getJSDocCommentsAndTags(statement).length > 0)
        return [];
      const name = statement.name?.text ?? 'the export';
      return [at(source, statement, `say in a doc comment what ${name} means, its limits and its failures`)];
    }),
};

function isExported(node: ts.HasModifiers): boolean {
  return (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

/** Names of files are kebab-case, so that they are the same on every file system. */
export const fileNames: Rule = {
  name: 'file names',
  applies: (path) => isProduct(path) || isTest(path),
  check: ({ path }) =>
    /\/[a-z0-9]+(-[a-z0-9]+)*(\.(unit|int|exclusive|long))?(\.test)?\.[jt]sx?$/.test(path)
      ? []
      : [{ path, line: 1, message: 'name the file in kebab-case: a-z, 0-9 and hyphens' }],
};

/** Written in pieces, so that this file is not what it looks for. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(String.raw`(?<![\w.~}\])-])/(home|Users|work|mnt|srv)/[\w.-]`),
    'a path of one machine: take it from a setting, or relative to the file',
  ],
  [
    new RegExp(String.raw`https?://[\w.-]*(registry|npmjs|artifactory|nexus|maven|pypi|mirror)[\w.-]*`),
    'a registry: leave it to the configuration of npm and Maven',
  ],
];

/** Nothing in the repository names the machine it was written on. */
export const noMachines: Rule = {
  name: 'machine-bound places',
  applies: () => true,
  check: (source) => PLACES.flatMap(([pattern, message]) => linesWith(source, pattern, message)),
};

/** Work is finished or in the issue tracker. */
export const noLeftovers: Rule = {
  name: 'leftovers',
  applies: (path) => isProduct(path) || isTest(path),
  check: (source) =>
    linesWith(
      source,
      new RegExp(String.raw`\b(TO` + 'DO|FIX' + String.raw`ME|X` + String.raw`XX)\b`),
      'finish it, or open an issue',
    ),
};

function linesWith(source: Source, pattern: RegExp, message: string): Finding[] {
  return source.text
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [{ path: source.path, line: index + 1, message }] : []));
}
