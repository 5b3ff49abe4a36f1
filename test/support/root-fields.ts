import type { GraphQLObjectType } from 'graphql';

import { executableSchema } from '../../resolvers/schema.ts';

/** The sentences that the README has of the root fields of GraphQL. */
export function rootFields(): string {
  const schema = executableSchema();
  const sentence = (what: string, type: GraphQLObjectType | null | undefined): string => {
    const names = Object.keys(type?.getFields() ?? {}).map((name) => `\`${name}\``);
    return `${what}${names.length === 1 ? '' : 's'}: ${names.join(', ')}.`;
  };
  return [
    sentence('Query field', schema.getQueryType()),
    sentence('Mutation field', schema.getMutationType()),
    sentence('Subscription field', schema.getSubscriptionType()),
  ].join(' ');
}
