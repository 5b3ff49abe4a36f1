import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

/** One bound as it stands in the code. */
export interface Limit {
  readonly name: string;
  readonly value: number;
  /** Its doc comment, on one line. */
  readonly why: string;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Names of bounds beside schemas; the exceptions are instants and the widths of numbers. */
const SHAPE = /^(MAX_(?!U32)|DEFAULT_|LIMIT_)/;

/** The number that a sum or product of literals and known constants stands for; undefined for anything else. */
function numberOf(node: ts.Expression, known: ReadonlyMap<string, number>): number | undefined {
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isIdentifier(node)) return known.get(node.text);
  if (!ts.isBinaryExpression(node)) return undefined;
  const [left, right] = [numberOf(node.left, known), numberOf(node.right, known)];
  if (left === undefined || right === undefined) return undefined;
  if (node.operatorToken.kind === ts.SyntaxKind.AsteriskToken) return left * right;
  if (node.operatorToken.kind === ts.SyntaxKind.PlusToken) return left + right;
  return node.operatorToken.kind === ts.SyntaxKind.MinusToken ? left - right : undefined;
}

/** The number constants of a file, in its order; those without a doc comment have an empty `why`. */
export function constantsOf(path: string): Limit[] {
  const text = readFileSync(`${ROOT}${path}`, 'utf8');
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const known = new Map<string, number>();
  return tree.statements.flatMap((statement): Limit[] => {
    if (!ts.isVariableStatement(statement)) return [];
    const [declaration] = statement.declarationList.declarations;
    if (!declaration?.initializer || !ts.isIdentifier(declaration.name)) return [];
    const value = numberOf(declaration.initializer, known);
    if (value === undefined) return [];
    known.set(declaration.name.text, value);
    return [{ name: declaration.name.text, value, why: docOf(statement) }];
  });
}

function docOf(statement: ts.Statement): string {
  const doc = ts.getJSDocCommentsAndTags(statement).find((part) => ts.isJSDoc(part));
  const text = typeof doc?.comment === 'string' ? doc.comment : '';
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Files of bounds. */
const LIMIT_FILES = [
  'src/limits.ts',
  'src/limits/bodies.ts',
  'src/limits/forget.ts',
  'src/limits/models.ts',
  'src/limits/reading.ts',
  'src/limits/recall.ts',
  'src/limits/search.ts',
  'src/limits/temporal.ts',
];

/** Every fixed bound: those of src/limits, and those of the shapes of requests. */
export function fixedLimits(): { fixed: Limit[]; shapes: Limit[] } {
  const schemas = readdirSync(`${ROOT}schemas`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort();
  return {
    fixed: LIMIT_FILES.flatMap(constantsOf).filter(({ name }) => !/^[KM]IB$/.test(name)),
    shapes: schemas.flatMap((name) =>
      constantsOf(`schemas/${name}`).filter((limit) => SHAPE.test(limit.name)),
    ),
  };
}

function inUnits(value: number, units: readonly (readonly [number, string])[]): string {
  const [factor, unit] = units.find(([each]) => value >= each && value % each === 0) ?? [1, ''];
  return `${value / factor} ${unit}`.trim();
}

/** A value with the unit that its name says. */
export function valueText({ name, value }: Limit): string {
  if (name.endsWith('_MS'))
    return inUnits(value, [
      [60_000, 'min'],
      [1000, 's'],
      [1, 'ms'],
    ]);
  if (name.endsWith('_S'))
    return inUnits(value, [
      [60, 'min'],
      [1, 's'],
    ]);
  if (name.endsWith('BYTES'))
    return inUnits(value, [
      [1024 * 1024, 'MiB'],
      [1024, 'KiB'],
      [1, 'bytes'],
    ]);
  return String(value);
}

/** The fixed bounds as a table in markdown. */
export function limitsTable(): string {
  const { fixed, shapes } = fixedLimits();
  const rows = [...fixed, ...shapes].map(
    (limit) => `| \`${limit.name}\` | ${valueText(limit)} | ${limit.why.replaceAll('|', '\\|')} |`,
  );
  return ['| Limit | Value | What it bounds, and why |', '|---|---|---|', ...rows].join('\n');
}
