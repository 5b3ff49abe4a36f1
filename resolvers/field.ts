import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';

import type { Operation } from '../schemas/operation/definition.ts';
import { capabilitiesOf, successOf } from '../schemas/operation.ts';
import type { LifecycleItem } from '../schemas/lifecycle.ts';
import type { LifecycleSubscription, RequestOrigin } from '../src/services/operations.ts';
import type { GraphqlContext, GraphqlOrigin } from './context.ts';
import { operationBehind } from './gate.ts';
import { wireArguments, type WireArguments } from './input.ts';

/** A resolver of this service. */
export type Resolver<Source = never> = GraphQLFieldResolver<Source, GraphqlContext>;

/** Resolvers by type and field. */
export type ResolverMap = Readonly<Record<string, Readonly<Record<string, Resolver>>>>;

/**
 * A root field: passes the gate of its operation, then calls a service with the arguments in wire form. Each is a request of
 * its own to the audit log, with the body of the whole operation.
 */
export function rootField(answer: (args: WireArguments, context: GraphqlContext) => unknown): Resolver {
  return (_root, args: object, context, info) => {
    const { services, call, origin } = context;
    const operation = operationBehind(info);
    const [capability, ...others] = capabilitiesOf(operation);
    return services.auditing.around(call, originOf(operation, info, origin), async (noted) => {
      if (capability !== undefined) await services.access.admit(noted, capability, ...others);
      const nulls = operation.method === 'PATCH';
      return answer(wireArguments(args, info, { nulls }), { ...context, call: noted });
    });
  };
}

/** A field of a subscription to frames; a reader who takes nothing for too long is cut off by its transport. */
export function framesField(
  open: (args: WireArguments, context: GraphqlContext) => Promise<LifecycleSubscription>,
): { readonly subscribe: Resolver; readonly resolve: (frame: LifecycleItem) => LifecycleItem } {
  return {
    subscribe: rootField(async (args, context) => {
      const frames = await open(args, context);
      frames.abandoned.addEventListener('abort', context.cut, { once: true });
      return frames;
    }),
    resolve: (frame) => frame,
  };
}

/** What the audit log is to say of a field. */
function originOf(
  operation: Operation,
  { parentType, fieldName }: GraphQLResolveInfo,
  { bodySha256, began }: GraphqlOrigin,
): RequestOrigin {
  const { access, audited = false } = operation;
  return {
    endpoint: `GraphQL ${parentType.name.toLowerCase()} ${fieldName}`,
    capability: 'capability' in access ? access.capability : null,
    audited,
    status: successOf(operation),
    bodySha256: () => bodySha256,
    began,
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
