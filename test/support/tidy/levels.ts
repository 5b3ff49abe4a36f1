import { posix } from 'node:path';

import ts from 'typescript';

import { at, isProduct, type Finding, type Rule, type Source } from './source.ts';

/** The rooms of the house by level; a room imports from lower levels only. ARCHITECTURE.md says why. */
const LEVELS: readonly (readonly string[])[] = [
  ['schemas'],
  [
    'src/errors',
    'src/limits',
    'src/clock',
    'src/ids',
    'src/log',
    'src/metrics',
    'src/validation',
    'src/version',
    'src/wakeup',
    'src/time-limit',
    'src/machine',
  ],
  [
    'src/time',
    'src/capture',
    'src/derive',
    'src/recall',
    'src/forget',
    'src/graph-export',
    'src/erasure',
    'src/access',
    'src/audit',
  ],
  ['graph', 'src/jobs', 'src/models', 'src/tokens', 'src/local-neo4j'],
  ['src/lifecycle', 'src/commit', 'src/pipeline'],
  ['src/services'],
  ['rest', 'resolvers'],
  ['src/config', 'src/context', 'src/main', 'src/cli', 'src/operator-key'],
  ['src/explorer'],
];
const PURE = 2;
const SERVICES = 5;
const ADAPTERS = 6;
const TOP = 7;
/** The web page: it speaks to the service over the wire only, and no other room knows it. */
const PAGE = 8;

/** Packages beside Node's own, and the rooms that may use them; one that is missing here is refused everywhere. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  zod: /./,
  'chrono-node': /^src\/time\/phrase\/chrono\.ts$/,
  canonicalize: /^src\/(capture|audit|derive)\//,
  'cli-progress': /^src\/(cli|local-neo4j)\//,
  jstat: /^src\/derive\/belief\/weight\.ts$/,
  express: /^rest\//,
  'gpt-tokenizer/encoding/o200k_base': /^src\/recall\/token-count\.ts$/,
  'gpt-tokenizer/encodingParams/constants': /^src\/recall\/token-count\.ts$/,
  'neo4j-driver': /^(graph\/|src\/local-neo4j\/)/,
  porter2: /^src\/capture\/search-words\.ts$/,
  pino: /^src\/log\.ts$/,
  'smol-toml': /^src\/config\//,
  uuid: /^src\/ids\.ts$/,
  graphql: /^resolvers\//,
  '@apollo/server': /^resolvers\//,
  '@apollo/server/plugin/disabled': /^resolvers\//,
  '@graphql-tools/schema': /^resolvers\//,
  '@escape.tech/graphql-armor-cost-limit': /^resolvers\//,
  '@escape.tech/graphql-armor-max-aliases': /^resolvers\//,
  '@escape.tech/graphql-armor-max-depth': /^resolvers\//,
  '@escape.tech/graphql-armor-max-directives': /^resolvers\//,
  'graphql-ws': /^(resolvers|src\/explorer)\//,
  preact: /^src\/explorer\//,
  'preact/hooks': /^src\/explorer\//,
  '@preact/signals': /^src\/explorer\//,
  cytoscape: /^src\/explorer\/views\/why\//,
  '@dagrejs/dagre': /^src\/explorer\/views\/why\//,
  'd3-scale': /^src\/explorer\/views\//,
  diff: /^src\/explorer\/views\//,
  'd3-selection': /^src\/explorer\/views\//,
  'd3-zoom': /^src\/explorer\/views\//,
  graphology: /^src\/explorer\/views\//,
  'graphology-layout-forceatlas2': /^src\/explorer\/views\//,
  sigma: /^src\/explorer\/views\//,
  'sigma/types': /^src\/explorer\/views\//,
  ws: /^resolvers\//,
  openai: /^src\/models\//,
  paseto: /^src\/tokens\//,
  'paseto/v4/public': /^src\/tokens\//,
  dataloader: /^resolvers\//,
  'lru-cache': /^(resolvers|src\/(recall|services|tokens))\//,
  'altair-static': /^resolvers\//,
  'rate-limiter-flexible': /^src\/services\/rate-limit\.ts$/,
  'prom-client': /^src\/metrics(\.ts|\/)/,
};
/** What of Node a pure room may use: it computes, and touches nothing outside. */
const PURE_NODE = new Set(['node:crypto', 'node:buffer', 'node:util']);

interface Import {
  readonly node: ts.Node;
  readonly specifier: string;
  readonly typeOnly: boolean;
}

function importsOf(source: Source): Import[] {
  const found: Import[] = [];
  const walk = (node: ts.Node): void => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier !== undefined
    ) {
      const { text: specifier } = node.moduleSpecifier as ts.StringLiteral;
      found.push({ node, specifier, typeOnly: isTypeOnly(node) });
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument && ts.isStringLiteral(argument))
        found.push({ node, specifier: argument.text, typeOnly: false });
    }
    ts.forEachChild(node, walk);
  };
  walk(source.tree);
  return found;
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  const clause = node.importClause;
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = clause.namedBindings;
  return (
    clause.name === undefined &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.every((element) => element.isTypeOnly)
  );
}

function roomOf(path: string): { level: number; room: string } | null {
  for (const [level, rooms] of LEVELS.entries()) {
    const room = rooms.find((name) => path === `${name}.ts` || path.startsWith(`${name}/`));
    if (room !== undefined) return { level, room };
  }
  return null;
}

function fault(path: string, target: string, typeOnly: boolean): string | null {
  const from = roomOf(path);
  const to = roomOf(target);
  if (from === null)
    return 'this file is in no room: put it into one, or add the room to test/support/tidy/levels.ts';
  if (to === null) return `${target} is in no room`;
  if ((from.level === PAGE || to.level === PAGE) && from.room !== to.room)
    return 'the explorer and the service know each other over the wire only';
  if (from.level === ADAPTERS && from.room !== to.room) return adapterFault(to, typeOnly);
  if (to.level < from.level || to.room === from.room) return null;
  if (to.level > from.level)
    return `${from.room} is below ${to.room}: hand it in, or move what is shared down`;
  if (from.level === 1 || from.level === TOP || to.room === 'src/time') return null;
  return `${from.room} and ${to.room} are on one level: move what they share down`;
}

function adapterFault(to: { level: number; room: string }, typeOnly: boolean): string | null {
  if (to.level <= 1 || (to.level === SERVICES && typeOnly)) return null;
  if (to.level === SERVICES) return 'an adapter imports types of services only: the service is handed in';
  return `an adapter does not import ${to.room}: call a service`;
}

function packageFault(path: string, name: string): string | null {
  const level = roomOf(path)?.level;
  if (name.startsWith('node:')) {
    if (level === 0) return 'schemas import zod only';
    return level === PURE && !PURE_NODE.has(name)
      ? `a pure room does not use ${name}: hand in what it gives`
      : null;
  }
  const rooms = PACKAGES[name];
  if (rooms === undefined)
    return `the package ${name} is not listed in test/support/tidy/levels.ts with its rooms`;
  if (level === 0 && name !== 'zod') return 'schemas import zod only';
  return rooms.test(path)
    ? null
    : `the package ${name} is used in ${String(rooms)} only: go through that room`;
}

/** Rooms import downwards, adapters only services' types, packages stay in their rooms. */
export const importDirection: Rule = {
  name: 'import direction',
  applies: isProduct,
  check: (source) =>
    importsOf(source).flatMap(({ node, specifier, typeOnly }): Finding[] => {
      const target = posix.join(posix.dirname(source.path), specifier);
      const message = specifier.startsWith('.')
        ? fault(source.path, target, typeOnly)
        : packageFault(source.path, specifier);
      return message === null ? [] : [at(source, node, message)];
    }),
};

/** Services get each other handed in: of another service a file imports types. */
export const servicesApart: Rule = {
  name: 'services apart',
  applies: (path) => path.startsWith('src/services/'),
  check: (source) =>
    source.tree.statements.flatMap((statement): Finding[] => {
      if (!ts.isImportDeclaration(statement) || isTypeOnly(statement)) return [];
      const named = statement.importClause?.namedBindings;
      const { text } = statement.moduleSpecifier as ts.StringLiteral;
      if (!text.startsWith('./') || named === undefined || !ts.isNamedImports(named)) return [];
      return named.elements
        .filter((element) => !element.isTypeOnly && element.name.text.endsWith('Service'))
        .map((element) =>
          at(source, element, `import type { ${element.name.text} } and take it in the constructor`),
        );
    }),
};

/** Circles of imports, those of types among them, each named once. */
export function importCircles(sources: readonly Source[]): string[] {
  const graph = new Map(
    sources
      .filter(({ path }) => isProduct(path))
      .map((source) => [
        source.path,
        importsOf(source)
          .filter(({ specifier }) => specifier.startsWith('.'))
          .map(({ specifier }) => posix.join(posix.dirname(source.path), specifier)),
      ]),
  );
  const circles: string[] = [];
  const finished = new Set<string>();
  const follow = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) circles.push([...trail.slice(start), path].join(' → '));
    if (start >= 0 || finished.has(path)) return;
    for (const next of graph.get(path) ?? []) follow(next, [...trail, path]);
    finished.add(path);
  };
  for (const path of graph.keys()) follow(path, []);
  return circles;
}
