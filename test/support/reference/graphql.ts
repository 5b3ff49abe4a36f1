import { OPERATION_IDS, operationOf } from '../../../schemas/operation.ts';
import { executableSchema } from '../../../resolvers/schema.ts';
import { anchorOf } from './rest.ts';
import { codes, table } from './table.ts';

/** The root fields of GraphQL as tables in markdown: each with its arguments, and the operation of REST that does the same. */
export function rootFields(): string {
  const schema = executableSchema();
  const roots = [
    ['query', 'Queries', schema.getQueryType()],
    ['mutation', 'Mutations', schema.getMutationType()],
    ['subscription', 'Subscriptions', schema.getSubscriptionType()],
  ] as const;
  return roots
    .map(([kind, title, root]) => {
      const rows = Object.values(root?.getFields() ?? {}).map(({ name, args, type }) => [
        `\`${name}\``,
        codes(args.map((argument) => `${argument.name}: ${String(argument.type)}`)),
        `\`${String(type)}\``,
        counterpartOf(kind, name),
      ]);
      return `## ${title}\n\n${table(['Field', 'Arguments', 'Answer', 'REST'], rows)}`;
    })
    .join('\n\n');
}

function counterpartOf(kind: string, field: string): string {
  const id = OPERATION_IDS.find((one) => {
    const { graphql } = operationOf(one);
    return 'field' in graphql && graphql.kind === kind && graphql.field === field;
  });
  if (id === undefined) throw new Error(`no operation has the ${kind} field ${field}`);
  const { method, path } = operationOf(id);
  return `[\`${method} ${path}\`](rest.md#${anchorOf(id)})`;
}
