import ts from 'typescript';

import { at, isProduct, isTest, visit, type Rule } from './source.ts';

const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 60;

const isCode = (path: string): boolean => isProduct(path) || isTest(path);

/** A file that is longer does more than one thing. */
export const fileLength: Rule = {
  name: 'file length',
  applies: isCode,
  check: ({ path, text }) => {
    const lines = text.trimEnd().split('\n').length;
    const message = `${lines} lines; ${MAX_FILE_LINES} at most, 200 is the aim: split it by what it does`;
    return lines > MAX_FILE_LINES ? [{ path, line: MAX_FILE_LINES + 1, message }] : [];
  },
};

/** A function that is longer hides its steps. The callback of a `describe` is a list, not a function. */
export const functionLength: Rule = {
  name: 'function length',
  applies: isCode,
  check: (source) =>
    visit(source, (node) => {
      if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined || isSuite(node))
        return [];
      const start = source.tree.getLineAndCharacterOfPosition(node.getStart(source.tree)).line;
      const lines = source.tree.getLineAndCharacterOfPosition(node.end).line - start + 1;
      const message = `${lines} lines; a function has at most ${MAX_FUNCTION_LINES}: give a step a name of its own`;
      return lines > MAX_FUNCTION_LINES ? [at(source, node, message)] : [];
    }),
};

function isSuite(node: ts.Node): boolean {
  const call = node.parent as ts.Node | undefined;
  return call !== undefined && ts.isCallExpression(call) && /^describe\b/.test(call.expression.getText());
}
