import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import ts from 'typescript';

/** A file of the repository. */
export interface Source {
  /** Path from the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
  /** The tree of a TypeScript or JavaScript file; of others it is empty. */
  readonly tree: ts.SourceFile;
}

/** A breach of a rule. */
export interface Finding {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** What is wrong and what to do instead. */
  readonly message: string;
}

/** A rule that looks at one file at a time. */
export interface Rule {
  readonly name: string;
  /** Whether the rule speaks of files at this path. */
  readonly applies: (path: string) => boolean;
  readonly check: (source: Source) => Finding[];
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const LEFT_OUT = new Set(['.git', 'node_modules', 'dist', 'data', 'coverage', 'package-lock.json']);

/** A file from its path and text. */
export function sourceOf(path: string, text: string): Source {
  const code = /\.[jt]sx?$/.test(path) ? text : '';
  return { path, text, tree: ts.createSourceFile(path, code, ts.ScriptTarget.ES2023, true) };
}

/** Every file of the repository that is not generated. */
export function repositorySources(): Source[] {
  return namesBelow(ROOT).map((path) => sourceOf(path, readFileSync(join(ROOT, path), 'utf8')));
}

function namesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (LEFT_OUT.has(entry.name) || entry.name.endsWith('.log')) return [];
    return entry.isDirectory() ? namesBelow(path) : [relative(ROOT, path).replaceAll('\\', '/')];
  });
}

/** Whether a file is part of the product: not a test, not a tool. */
export function isProduct(path: string): boolean {
  return /^(src|graph|rest|resolvers|schemas)\/.*\.tsx?$/.test(path);
}

/** Whether a file belongs to the tests. */
export function isTest(path: string): boolean {
  return /^test\/.*\.[jt]s$/.test(path);
}

/** A finding at a node. */
export function at(source: Source, node: ts.Node, message: string): Finding {
  const { line } = source.tree.getLineAndCharacterOfPosition(node.getStart(source.tree));
  return { path: source.path, line: line + 1, message };
}

/** Findings of a look at every node of a file. */
export function visit(source: Source, look: (node: ts.Node) => Finding[]): Finding[] {
  const findings: Finding[] = [];
  const walk = (node: ts.Node): void => {
    findings.push(...look(node));
    ts.forEachChild(node, walk);
  };
  walk(source.tree);
  return findings;
}

/** The nodes around a node, innermost first. */
export function* around(node: ts.Node): Generator<ts.Node> {
  for (let outer: ts.Node | undefined = node.parent; outer as ts.Node | undefined; outer = outer.parent)
    yield outer;
}
