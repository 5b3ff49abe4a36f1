import type { GraphQLFieldResolver } from 'graphql';

import type { GraphqlContext } from './context.ts';
import { capabilityOf } from './gate.ts';
import { wireArguments, type WireArguments } from './input.ts';

/** A resolver of this service. */
export type Resolver<Source = never> = GraphQLFieldResolver<Source, GraphqlContext>;

/** Resolvers by type and field. */
export type ResolverMap = Readonly<Record<string, Readonly<Record<string, Resolver>>>>;

/** A root field: passes the gate of its operation, then calls a service with the arguments in wire form. */
export function rootField(answer: (args: WireArguments, context: GraphqlContext) => unknown): Resolver {
  return async (_root, args: object, context, info) => {
    const capability = capabilityOf(info);
    if (capability !== null) await context.services.access.admit(context.call, capability);
    return answer(wireArguments(args, info), context);
  };
}

/** The arguments of a connection under the names of a listing of REST. */
export function listing(
  { first, after, ...filters }: WireArguments,
  cursorName: string,
): Record<string, unknown> {
  return {
    ...filters,
    ...(first === undefined ? {} : { limit: first }),
    ...(after === undefined ? {} : { [cursorName]: after }),
  };
}
