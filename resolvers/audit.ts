import type { AuditPage } from '../schemas/audit.ts';
import { listing, rootField, type Resolver, type ResolverMap } from './field.ts';

const nodes: Resolver<AuditPage> = ({ items }) => items;
const edges: Resolver<AuditPage> = ({ items }, _args, { services }) =>
  items.map((node) => ({ node, cursor: services.audit.cursorOf(node) }));
const pageInfo: Resolver<AuditPage> = ({ items, has_more, next_cursor }, _args, { services }) => {
  const last = items.at(-1);
  return {
    hasNextPage: has_more,
    endCursor: next_cursor ?? (last === undefined ? null : services.audit.cursorOf(last)),
  };
};

/** Fields of the audit log. A verification changes nothing, so that it is a query. */
export const AUDIT_RESOLVERS: ResolverMap = {
  Query: {
    audit: rootField((args, { services, call, budget }) => {
      budget.takePage();
      return services.audit.list(call, listing(args, 'cursor'));
    }),
    auditRow: rootField(({ id }, { services, call }) => services.audit.get(call, id as string)),
    auditChain: rootField((query, { services, call }) => services.audit.chain(call, query)),
    verifyAudit: rootField(({ input }, { services, call }) => services.audit.verify(call, input)),
    verifyAuditChain: rootField((_args, { services, call, budget }) => {
      budget.takePage();
      return services.audit.verifyChain(call, {});
    }),
  },
  AuditConnection: { nodes, edges, pageInfo },
};
