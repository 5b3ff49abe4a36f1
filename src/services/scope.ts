import type { ScopeChange, ScopeStore, StoredScope } from '../../graph/scope-record.ts';
import type { Capability } from '../../schemas/policy.ts';
import type { ScopePolicies } from '../../schemas/scope-policy.ts';
import {
  MAX_MEMBERS,
  registerScopeRequest,
  scopeQuery,
  setScopeMembersRequest,
  setScopePoliciesRequest,
  type PruneScopesResponse,
  type RegisterScopeRequest,
  type ScopeListItem,
  type ScopeMember,
  type ScopePage,
  type ScopeRecord,
} from '../../schemas/scope-record.ts';
import { governingRoster } from '../access/rules.ts';
import { hasOwner, seatedRoster } from '../access/roster.ts';
import { lockedOut } from '../access/scope-policy.ts';
import { levelRefs, scopeRef } from '../capture/scope-key.ts';
import type { Clock } from '../clock.ts';
import { StrataError } from '../errors.ts';
import { parseInput } from '../validation.ts';
import type { AccessService, Call } from './access.ts';
import { policyChange, statesOtherRetention } from './policy-change.ts';
import { parseQuery } from './query-input.ts';
import type { RecordGate } from './record-gate.ts';
import type { ChangedScope, ScopeChanging } from './scope-changing.ts';
import type { ScopeDirectory } from './scope-directory.ts';
import type { ScopeListing } from './scope-listing.ts';
import type { ScopeRemoval } from './scope-removal.ts';
import type { ScopeTypes } from './scope-types.ts';
import {
  foundAt,
  policiesOf,
  sourcesOf,
  scopeNotFound,
  toRecord,
  withoutOwn,
  type ScopeFound,
} from './scope-view.ts';

/** What the service needs. */
export interface ScopeParts {
  readonly access: AccessService;
  readonly gate: RecordGate;
  readonly directory: ScopeDirectory;
  readonly store: ScopeStore;
  readonly types: ScopeTypes;
  readonly listing: ScopeListing;
  readonly removal: ScopeRemoval;
  readonly changing: ScopeChanging;
  readonly clock: Clock;
  /** Days that events are kept of which nobody states anything; null for ever. */
  readonly retentionDays: number | null;
}

/**
 * Keeps the register of scopes. What it changes is decided by the rules as they are under the lock that every change of access
 * takes, and is known to this process when it answers, to the others within a second.
 */
export class ScopeService {
  private readonly parts: ScopeParts;

  constructor(parts: ScopeParts) {
    this.parts = parts;
  }

  /**
   * Registers a scope. Throws `INVALID_BODY`, `INVALID_RETENTION_POLICY`, `POLICY_DENIED`, `NOT_A_MEMBER`,
   * `UNREGISTERED_SCOPE_TYPE`, `SCOPE_REGISTRATION_EXISTS`, `DESTRUCTIVE_OPERATION_IN_PROGRESS`.
   */
  async register(call: Call, body: unknown): Promise<ScopeRecord> {
    const request = parseInput(registerScopeRequest, body, 'INVALID_BODY');
    requireManageable(request.policies);
    const { tenant } = call.principal;
    const [known] = await this.parts.directory.places([{ tenant, path: request.path }]);
    if (known === undefined) throw new Error('a scope without a place');
    this.parts.access.requireAt(call, 'scope.create', withoutOwn(known));
    await this.parts.types.check(tenant, request.path, 'path');
    const found = await this.parts.changing.run(call, request, async (changes, before, id) => {
      this.parts.access.requireAt(call, 'scope.create', withoutOwn(before.place));
      requireUnregistered(before.own);
      const stated = policiesOf(before.own?.policies ?? null);
      // What was stated of its retention before it was registered stays, unless something else is said.
      const policies = { ...stated, ...request.policies };
      this.requireRetention(call, withoutOwn(before.place), { before: stated, after: policies });
      if (before.own !== null) this.parts.access.requireAt(call, 'scope.write', before.place);
      const members = rosterOf(call, namedMembers(request), before);
      const change = { members, id, policies: policyChange(tenant, policies) };
      const levels = levelRefs(tenant, request.path);
      await changes.register(
        {
          ref: scopeRef(tenant, request.path),
          tenant,
          path: request.path,
          levels,
          created_by: call.principal.actor,
          now: this.parts.clock.now(),
        },
        change,
      );
      return policies;
    });
    return this.answer(call, found);
  }

  /** A scope with what it inherits. Throws `INVALID_QUERY`, `POLICY_DENIED`, `NOT_FOUND`. */
  async get(call: Call, query: unknown): Promise<ScopeRecord> {
    const { path } = parseQuery(scopeQuery, query);
    const { access, gate, store } = this.parts;
    const { place, there } = await gate.scope(call, path);
    if (!access.seesAt(call, 'scope.read', place) || !there) throw scopeNotFound();
    const found = foundAt(path, await store.read(levelRefs(call.principal.tenant, path)));
    if (found.own === null) throw scopeNotFound();
    return this.answer(call, found);
  }

  /**
   * Replaces what a registered scope states. Throws `INVALID_QUERY`, `INVALID_BODY`, `INVALID_RETENTION_POLICY`,
   * `POLICY_DENIED`, `NOT_A_MEMBER`, `NOT_FOUND`, `DESTRUCTIVE_OPERATION_IN_PROGRESS`.
   */
  async setPolicies(call: Call, query: unknown, body: unknown): Promise<ScopeRecord> {
    const { path } = parseQuery(scopeQuery, query);
    const { policies } = parseInput(setScopePoliciesRequest, body, 'INVALID_BODY');
    requireManageable(policies);
    const change = { policies: policyChange(call.principal.tenant, policies) };
    return this.change(call, { path, policies }, () => change);
  }

  /**
   * Replaces the roster of a registered scope; the owners of the roster that would govern it without its own stay owners. Throws `INVALID_QUERY`, `INVALID_BODY`, `POLICY_DENIED`, `NOT_A_MEMBER`,
   * `LAST_OWNER`, `NOT_FOUND`, `DESTRUCTIVE_OPERATION_IN_PROGRESS`.
   */
  async setMembers(call: Call, query: unknown, body: unknown): Promise<ScopeRecord> {
    const { path } = parseQuery(scopeQuery, query);
    const { members } = parseInput(setScopeMembersRequest, body, 'INVALID_BODY');
    return this.change(call, { path }, (before) => {
      requireOwner(members);
      return { members: rosterOf(call, members, before) };
    });
  }

  /** A page of the scopes that the caller may read. Throws `INVALID_QUERY`, `POLICY_DENIED`. */
  list(call: Call, query: unknown): Promise<ScopePage> {
    return this.parts.listing.page(call, query);
  }

  /** The cursor that continues a list after a scope of it. */
  cursorOf(call: Call, scope: ScopeListItem): string {
    return this.parts.listing.cursorOf(call, scope.path);
  }

  /**
   * Deletes a scope; resolves when all of it is done. Throws `INVALID_QUERY`, `POLICY_DENIED`, `NOT_A_MEMBER`, `NOT_FOUND`,
   * `SCOPE_HAS_RECORDS`.
   */
  delete(call: Call, query: unknown): Promise<void> {
    return this.parts.removal.delete(call, query);
  }

  /** Removes empty scopes that came into being by a write alone. Throws `POLICY_DENIED`. */
  prune(call: Call): Promise<PruneScopesResponse> {
    return this.parts.removal.prune(call);
  }

  private async change(
    call: Call,
    target: ChangedScope,
    changeOf: (before: ScopeFound) => Omit<ScopeChange, 'id'>,
  ): Promise<ScopeRecord> {
    const { place: known, there } = await this.parts.gate.scope(call, target.path);
    if (!this.parts.access.requireSeenAt(call, 'scope.manage', known) || !there) throw scopeNotFound();
    const found = await this.parts.changing.run(call, target, async (changes, before, id) => {
      const { own, place } = before;
      this.parts.access.requireAt(call, 'scope.manage', place);
      if (own === null || own.auto_provisioned) throw scopeNotFound();
      const { policies } = target;
      if (policies !== undefined)
        this.requireRetention(call, place, { before: policiesOf(own.policies), after: policies });
      requireNotDeleting(own);
      const by = { actor: call.principal.actor, now: this.parts.clock.now() };
      await changes.change(own.ref, { ...changeOf(before), id }, by);
      return policies;
    });
    return this.answer(call, found);
  }

  /** The scope as it is now. */
  private async answer(call: Call, found: ScopeFound): Promise<ScopeRecord> {
    const { access, retentionDays } = this.parts;
    if (found.own === null) throw new Error('a scope that was just written is not there');
    const mayRead = await access.readableNow(call, sourcesOf(found));
    return toRecord(found.own, found, { mayRead, retentionDays });
  }

  /** Who changes how long records are kept may have them erased. */
  private requireRetention(
    call: Call,
    place: ScopeFound['place'],
    { before, after }: { readonly before: ScopePolicies; readonly after: ScopePolicies },
  ): void {
    if (statesOtherRetention(before, after)) this.parts.access.requireAt(call, 'forget.gdpr', place);
  }
}

function namedMembers({ owner, members }: RegisterScopeRequest): readonly ScopeMember[] {
  return owner === undefined ? (members ?? []) : [{ actor: owner, role: 'owner' }];
}

/** The roster with everybody who has to be in it. */
function rosterOf(call: Call, named: readonly ScopeMember[], { place }: ScopeFound): ScopeMember[] {
  const roster = seatedRoster(named, call.principal.actor, governingRoster(withoutOwn(place)));
  if (roster.length <= MAX_MEMBERS) return roster;
  const reason = `with the owners who stay, the roster has ${roster.length} members; ${MAX_MEMBERS} at most`;
  throw new StrataError('INVALID_BODY', `members: ${reason}`, {
    details: { field_path: 'members', reason },
  });
}

function requireOwner(members: readonly ScopeMember[]): void {
  if (hasOwner(members)) return;
  throw new StrataError('LAST_OWNER', 'members: one of them has to be an owner', {
    details: { field_path: 'members', reason: 'no owner' },
  });
}

function requireUnregistered(own: StoredScope | null): void {
  if (own === null) return;
  requireNotDeleting(own);
  if (own.auto_provisioned) return;
  throw new StrataError('SCOPE_REGISTRATION_EXISTS', 'the scope is registered already');
}

function requireNotDeleting({ deleting_through }: StoredScope): void {
  if (deleting_through === null) return;
  throw new StrataError('DESTRUCTIVE_OPERATION_IN_PROGRESS', 'the scope is being deleted; try again');
}

function requireManageable(policies: ScopePolicies | undefined): void {
  const list = policies === undefined ? null : lockedOut(policies);
  if (list === null) return;
  const needed: Capability = 'scope.manage';
  const field = `policies.capabilities.${list}`;
  const reason = `takes ${needed} from everybody, so that nobody could change it back`;
  throw new StrataError('INVALID_BODY', `${field}: ${reason}`, { details: { field_path: field, reason } });
}
