import { Kind, parse, type OperationDefinitionNode } from 'graphql';

import type { IdeExamples } from './group.ts';

/** One operation as a tab of the IDE shows it. */
export interface IdeOperation {
  /** What its noun is called. */
  readonly group: string;
  /** Its own name, which no other has. */
  readonly name: string;
  readonly type: 'mutation' | 'query' | 'subscription';
  /** What it is for: the comment before it. */
  readonly about: string;
  /** The comment and the operation. */
  readonly document: string;
  /** Those that it declares. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The operations of the documents, each by itself, in their order. */
export function operationsOf(examples: readonly IdeExamples[]): IdeOperation[] {
  return examples.flatMap((group) =>
    parse(group.document)
      .definitions.filter((node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION)
      .map((node) => operationOf(group, node)),
  );
}

function operationOf(
  { name, document, variables }: IdeExamples,
  node: OperationDefinitionNode,
): IdeOperation {
  const [start, end] = [node.loc?.start ?? 0, node.loc?.end];
  const comment = commentBefore(document.slice(0, start));
  const declared = new Set((node.variableDefinitions ?? []).map(({ variable }) => variable.name.value));
  return {
    group: name,
    name: node.name?.value ?? '',
    type: node.operation,
    about: comment.map((line) => line.replace(/^#\s*/, '')).join('\n'),
    document: `${[...comment, document.slice(start, end)].join('\n')}\n`,
    variables: Object.fromEntries(Object.entries(variables).filter(([key]) => declared.has(key))),
  };
}

/** The lines of comment that a text ends with. */
function commentBefore(text: string): string[] {
  const lines = text.trimEnd().split('\n');
  const first = lines.findLastIndex((line) => !line.startsWith('#')) + 1;
  return lines.slice(first);
}
