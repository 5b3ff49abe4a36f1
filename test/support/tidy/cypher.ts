import ts from 'typescript';

import { around, at, isProduct, visit, type Finding, type Rule, type Source } from './source.ts';

const CYPHER =
  /(^|\n)\s*(EXPLAIN\s+|PROFILE\s+)?((OPTIONAL\s+)?MATCH\s*[(\w]|MERGE\s*\(|UNWIND\s+\$?\w|FOREACH\s*\(|(DETACH\s+)?DELETE\s+\w|CALL\s+(db|dbms|\{|\()|CREATE\s*[(:]|RETURN\s+[\w$({]|(CREATE|DROP|ALTER|SHOW)\s+(FULLTEXT|RANGE|VECTOR|INDEX|CONSTRAINT|CURRENT|USER|DATABASE))/;

type Text = ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression | ts.BinaryExpression;

/** The outermost text expression at a node: literal, template, or concatenation. */
function isText(node: ts.Node): node is Text {
  if (isConcatenation(node.parent)) return false;
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || isConcatenation(node);
}

function isConcatenation(node: ts.Node | undefined): node is ts.BinaryExpression {
  return (
    node !== undefined && ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken
  );
}

/** What is written in a text expression, with a space for what is put in. */
function written(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => ` ${literal.text}`).join('');
  }
  return isConcatenation(node) ? written(node.left) + written(node.right) : ' ';
}

/**
 * Whether a text is the same in every run: literals, constants of the module that are such, constants (in capitals) of a file beside it,
 * what columns of rows say of constants, and what a function that only puts texts together makes of such.
 */
function isStatic(node: ts.Expression, source: Source, seen: ReadonlySet<string> = new Set()): boolean {
  const all = (...parts: readonly ts.Expression[]): boolean =>
    parts.every((part) => isStatic(part, source, seen));
  if (ts.isStringLiteralLike(node)) return true;
  if (isConcatenation(node)) return all(node.left, node.right);
  if (ts.isConditionalExpression(node)) return all(node.whenTrue, node.whenFalse);
  if (ts.isTemplateExpression(node)) return all(...node.templateSpans.map(({ expression }) => expression));
  if (isOfColumns(node, source)) return all(...node.arguments);
  if (ts.isCallExpression(node)) return all(...node.arguments) && putsTogether(node.expression, source, seen);
  if (!ts.isIdentifier(node)) return false;
  if (seen.has(PARAMETER + node.text)) return true;
  if (seen.has(node.text)) return false;
  if (/^[A-Z][A-Z_]*$/.test(node.text) && isImported(node.text, source)) return true;
  const initializer = moduleConstant(node.text, source);
  return initializer !== null && isStatic(initializer, source, new Set([...seen, node.text]));
}

/** Marks names of parameters among those that were seen: what is given to them is looked at where they are called. */
const PARAMETER = 'parameter ';

/** The texts that the function of texts takes in whose body a text stands, if it stands in one. */
function parametersOf(node: ts.Node): ReadonlySet<string> {
  const made = [...around(node)].find((outer) => ts.isArrowFunction(outer));
  const isOfModule =
    made !== undefined &&
    ts.isVariableDeclaration(made.parent) &&
    ts.isSourceFile(made.parent.parent.parent.parent);
  return new Set(isOfModule ? textsOf(made) : []);
}

/** Those of its parameters that it can do without: such texts narrow a statement down where one is given. */
function textsOf({ parameters }: ts.ArrowFunction): string[] {
  return parameters
    .filter(({ initializer, questionToken }) => initializer ?? questionToken)
    .map(({ name }) => PARAMETER + name.getText());
}

/** Whether it names a function of texts: one of a file beside this one, or of this module that makes a static text of its parameters. */
function putsTogether(node: ts.Expression, source: Source, seen: ReadonlySet<string>): boolean {
  if (!ts.isIdentifier(node) || seen.has(node.text)) return false;
  if (isImported(node.text, source)) return true;
  const made = moduleConstant(node.text, source);
  if (made === null || !ts.isArrowFunction(made) || ts.isBlock(made.body)) return false;
  const defaults = made.parameters.flatMap(({ initializer }) => initializer ?? []);
  const within = new Set([...seen, node.text, ...textsOf(made)]);
  return [made.body, ...defaults].every((part) => isStatic(part, source, within));
}

/** A call of what is, or stands in another file of graph as, `const NAME = new Columns([…])`. */
function isOfColumns(node: ts.Expression, source: Source): node is ts.CallExpression {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { expression: columns, name } = node.expression;
  if (!ts.isIdentifier(columns) || !['map', 'set', 'cell', 'values'].includes(name.text)) return false;
  const made = moduleConstant(columns.text, source);
  if (made === null) return /^[A-Z][A-Z_]*$/.test(columns.text) && isImported(columns.text, source);
  return ts.isNewExpression(made) && made.expression.getText() === 'Columns';
}

function isImported(name: string, source: Source): boolean {
  return source.tree.statements.some(
    (statement) =>
      ts.isImportDeclaration(statement) &&
      ts.isStringLiteral(statement.moduleSpecifier) &&
      /^\.\.?\/(?!src\/|schemas\/)[a-z]/u.test(statement.moduleSpecifier.text) &&
      statement.importClause?.namedBindings !== undefined &&
      ts.isNamedImports(statement.importClause.namedBindings) &&
      statement.importClause.namedBindings.elements.some((element) => element.name.text === name),
  );
}

function moduleConstant(name: string, source: Source): ts.Expression | null {
  for (const statement of source.tree.statements) {
    if (!ts.isVariableStatement(statement) || !(statement.declarationList.flags & ts.NodeFlags.Const))
      continue;
    const found = statement.declarationList.declarations.find(
      ({ name: declared }) => declared.getText() === name,
    );
    if (found?.initializer) return found.initializer;
  }
  return null;
}

/** Cypher stands in graph/ only. */
export const cypherInGraph: Rule = {
  name: 'Cypher outside graph',
  applies: (path) => isProduct(path) && !path.startsWith('graph/'),
  check: (source) =>
    visit(source, (node) =>
      isText(node) && CYPHER.test(written(node))
        ? [at(source, node, 'declare a statement in graph/ and call its reader or writer')]
        : [],
    ),
};

/** Cypher is never put together from values: those travel as parameters. */
export const staticCypher: Rule = {
  name: 'string-built Cypher',
  applies: isProduct,
  check: (source) =>
    visit(source, (node) => {
      if (isText(node) && CYPHER.test(written(node)) && !isStatic(node, source, parametersOf(node))) {
        return [at(source, node, 'send values as parameters ($name) of a statement with a constant text')];
      }
      return builtRun(node, source);
    }),
};

function builtRun(node: ts.Node, source: Source): Finding[] {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const [text] = node.arguments;
  if (node.expression.name.text !== 'run' || text === undefined || !isText(text) || isStatic(text, source))
    return [];
  return [at(source, text, 'run a declared statement; values travel as parameters')];
}

/** Statements are declared when the module is loaded, so that nothing of a request can be in their text. */
export const declaredOnce: Rule = {
  name: 'statements are module constants',
  applies: (path) => path.startsWith('graph/') && path.endsWith('.ts') && path !== 'graph/statement.ts',
  check: (source) =>
    visit(source, (node) => {
      if (!ts.isCallExpression(node) || node.expression.getText() !== 'statement') return [];
      const within = [...around(node)].find(
        (outer) =>
          ts.isFunctionDeclaration(outer) ||
          ts.isMethodDeclaration(outer) ||
          ts.isConstructorDeclaration(outer),
      );
      return within === undefined
        ? []
        : [at(source, node, 'declare the statement as a constant of the module')];
    }),
};

/** Texts run without the helper escape the plans that a test looks at. */
export const onlyStatements: Rule = {
  name: 'statements by the helper',
  applies: (path) => path.startsWith('graph/') && path.endsWith('.ts'),
  check: (source) =>
    visit(source, (node) => {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
      const [text] = node.arguments;
      const runs = ['run', 'executeQuery'].includes(node.expression.name.text);
      return runs && text !== undefined && ts.isStringLiteralLike(text)
        ? [
            at(
              source,
              text,
              'declare it with statement(name, index it relies on, text) of graph/statement.ts',
            ),
          ]
        : [];
    }),
};

/**
 * A number parameter reaches Neo4j as a float. Type errors of assigning plain numbers where a parameter belongs;
 * none means that the type of parameters lets numbers in.
 */
export function numberParameterErrors(root: string): number {
  const probe = `${root}graph/tidy-probe.ts`;
  const text = [
    `import type { Param, Params } from './statement.ts';`,
    'export const one: Param = 1;',
    'export const listed: Param = [1];',
    'export const named: Params = { limit: 1 };',
    'export const nested: Params = { row: { limit: 1 } };',
  ].join('\n');
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const onDisk = ts.createCompilerHost(options);
  host.fileExists = (path) => path === probe || onDisk.fileExists(path);
  host.getSourceFile = (path, ...rest) =>
    path === probe
      ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2023)
      : onDisk.getSourceFile(path, ...rest);
  const program = ts.createProgram([probe], options, host);
  return program.getSemanticDiagnostics(program.getSourceFile(probe)).filter(({ code }) => code === 2322)
    .length;
}
