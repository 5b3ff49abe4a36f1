import ts from 'typescript';

import { around, at, isProduct, isTest, visit, type Rule } from './source.ts';

interface Ban {
  readonly name: string;
  readonly applies: (path: string) => boolean;
  /** Whether a node is what is banned. */
  readonly is: (node: ts.Node) => boolean;
  /** What to write instead. */
  readonly instead: string;
}

function ban({ name, applies, is, instead }: Ban): Rule {
  return {
    name,
    applies,
    check: (source) => visit(source, (node) => (is(node) ? [at(source, node, instead)] : [])),
  };
}

function isMember(node: ts.Node, object: string, name?: string): boolean {
  if (ts.isPropertyAccessExpression(node)) {
    return node.expression.getText() === object && (name === undefined || node.name.text === name);
  }
  return (
    ts.isElementAccessExpression(node) &&
    node.expression.getText() === object &&
    (name === undefined ||
      (ts.isStringLiteral(node.argumentExpression) && node.argumentExpression.text === name))
  );
}

function isImportOf(node: ts.Node, module: string, name: string): boolean {
  return (
    ts.isImportSpecifier(node) &&
    (node.propertyName ?? node.name).text === name &&
    (node.parent.parent.parent.moduleSpecifier as ts.StringLiteral).text === module
  );
}

function isPresentInstant(node: ts.Node): boolean {
  const bare =
    (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'Date';
  return (
    isMember(node, 'Date', 'now') ||
    (bare && (ts.isCallExpression(node) || (node.arguments?.length ?? 0) === 0))
  );
}

function isSleep(node: ts.Node): boolean {
  if (['setTimeout', 'scheduler'].some((name) => isImportOf(node, 'node:timers/promises', name))) return true;
  if (!ts.isCallExpression(node) || node.expression.getText() !== 'setTimeout') return false;
  return [...around(node)].some(
    (outer) => ts.isNewExpression(outer) && outer.expression.getText() === 'Promise',
  );
}

function isEmptyCatch(node: ts.Node): boolean {
  if (ts.isCatchClause(node)) return node.block.statements.length === 0;
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const [handler] = node.arguments;
  if (node.expression.name.text !== 'catch' || handler === undefined || !ts.isArrowFunction(handler))
    return false;
  return ts.isBlock(handler.body)
    ? handler.body.statements.length === 0
    : handler.body.getText() === 'undefined';
}

function isImportFrom(node: ts.Node, module: RegExp): boolean {
  return (
    ts.isImportDeclaration(node) &&
    node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword &&
    module.test((node.moduleSpecifier as ts.StringLiteral).text)
  );
}

/** Whether time that has passed is expected to be short; that it is long enough holds on every machine. */
function isAssertedTime(node: ts.Node): boolean {
  if (!ts.isPropertyAccessExpression(node) || !node.name.text.startsWith('toBeLess')) return false;
  return node.expression.getText().startsWith('expect(performance.now() -');
}

function isPartialRun(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) {
    return (
      ['only', 'skip', 'todo'].includes(node.name.text) &&
      /^(describe|it|test)\b/.test(node.expression.getText())
    );
  }
  return ts.isIdentifier(node) && ['fit', 'xit', 'fdescribe', 'xdescribe', 'xtest'].includes(node.text);
}

/** Calls and forms that have a better counterpart, each named with it. */
export const bannedCalls: readonly Rule[] = [
  ban({
    name: 'present instant',
    applies: (path) => isProduct(path) && !['src/clock.ts', 'src/explorer/clock.ts'].includes(path),
    is: isPresentInstant,
    instead: 'take a Clock (src/clock.ts) and ask it for now()',
  }),
  ban({
    name: 'chance',
    applies: isProduct,
    is: (node) => isMember(node, 'Math', 'random'),
    instead: 'take Ids (src/ids.ts), or node:crypto for secrets',
  }),
  ban({
    name: 'environment',
    applies: (path) => isProduct(path) && path !== 'src/cli.ts',
    is: (node) => isMember(node, 'process', 'env') || isImportOf(node, 'node:process', 'env'),
    instead: 'declare a setting (src/config/settings.ts) and take its value from Config',
  }),
  ban({
    name: 'console',
    applies: isProduct,
    is: (node) => isMember(node, 'console'),
    instead: 'take a Log (src/log.ts); a command writes to the streams of its CliProcess',
  }),
  ban({
    name: 'empty catch',
    applies: (path) => isProduct(path) || isTest(path),
    is: isEmptyCatch,
    instead: 'handle the error that is expected by its code, and throw the others on',
  }),
  ban({
    name: 'sleep in a test',
    applies: isTest,
    is: isSleep,
    instead: 'wait for a condition (test/support/wait.ts)',
  }),
  ban({
    name: 'own seed',
    applies: (path) => isTest(path) && path !== 'test/support/property.ts',
    is: (node) => isImportFrom(node, /^fast-check$/) || isMember(node, 'Math', 'random'),
    instead: 'take fc from test/support/property.ts, or SEED from test/support/depth.ts',
  }),
  ban({
    name: 'own service',
    applies: (path) => path.endsWith('.int.test.ts'),
    is: (node) => isImportFrom(node, /support\/service\.ts$/),
    instead: 'use sharedService(), or name the file *.exclusive.test.ts',
  }),
  ban({
    name: 'asserted time',
    applies: isTest,
    is: isAssertedTime,
    instead: 'assert what happens; what should not be waited for is given longer than a test may take',
  }),
  ban({
    name: 'lost time limit',
    applies: (path) => isProduct(path) || isTest(path),
    is: (node) => isMember(node, 'AbortSignal', 'timeout') || isMember(node, 'AbortSignal', 'any'),
    instead: 'use timeLimit() or joinSignals() (src/time-limit.ts): a garbage collection can lose the others',
  }),
  ban({ name: 'partial run', applies: isTest, is: isPartialRun, instead: 'run every test, or remove it' }),
  ban({
    name: 'module habits',
    applies: isProduct,
    is: (node) =>
      ts.isExportAssignment(node) ||
      (ts.isExportDeclaration(node) && node.exportClause === undefined) ||
      (ts.canHaveModifiers(node) &&
        (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)),
    instead: 'export by name, from the file that declares it',
  }),
];
