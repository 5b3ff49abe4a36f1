import type { ScopeChange, ScopeChanges, ScopeStore, StoredScope } from '../../graph/scope-record.ts';
import type { Capability } from '../../schemas/policy.ts';
import { MAX_INHERITED_SCOPES, type ScopePolicies } from '../../schemas/scope-policy.ts';
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
import type { ChangeAudit } from '../commit/change-audit.ts';
import { StrataError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { parseInput } from '../validation.ts';
import type { AccessFeed } from './access-feed.ts';
import type { AccessService, Call } from './access.ts';
import { policyChangeOf } from './policy-change.ts';
import { parseQuery } from './query-input.ts';
import type { RecordGate } from './record-gate.ts';
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
  readonly feed: AccessFeed;
  readonly store: ScopeStore;
  readonly types: ScopeTypes;
  readonly listing: ScopeListing;
  readonly removal: ScopeRemoval;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly changes: ChangeAudit;
  /** Told of the newest frame of each change that wrote one, once it is committed. */
  readonly onFrames: (newestFrame: number) => void;
}

/** A scope that is changed, and what it is to state; left out when that stays. */
interface Target {
  readonly path: string;
  readonly policies?: ScopePolicies | undefined;
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
    const found = await this.changing(call, request, async (changes, before, id) => {
      this.parts.access.requireAt(call, 'scope.create', withoutOwn(before.place));
      requireUnregistered(before.own);
      if (before.own !== null) this.parts.access.requireAt(call, 'scope.write', before.place);
      const members = rosterOf(call, namedMembers(request), before);
      const change = { members, id, policies: policyChange(tenant, request.policies ?? {}) };
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
    });
    return this.answer(call, found, request.policies);
  }

  /** A scope with what it inherits. Throws `INVALID_QUERY`, `POLICY_DENIED`, `NOT_FOUND`. */
  async get(call: Call, query: unknown): Promise<ScopeRecord> {
    const { path } = parseQuery(scopeQuery, query);
    const { access, gate, store } = this.parts;
    const { place, there } = await gate.scope(call, path);
    if (!access.seesAt(call, 'scope.read', place) || !there) throw scopeNotFound();
    const found = foundAt(path, await store.read(levelRefs(call.principal.tenant, path)));
    if (found.own === null) throw scopeNotFound();
    return toRecord(found.own, found, await access.readableNow(call, sourcesOf(found)));
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
    target: Target,
    changeOf: (before: ScopeFound) => Omit<ScopeChange, 'id'>,
  ): Promise<ScopeRecord> {
    const { place: known, there } = await this.parts.gate.scope(call, target.path);
    if (!this.parts.access.requireSeenAt(call, 'scope.manage', known) || !there) throw scopeNotFound();
    const found = await this.changing(call, target, async (changes, before, id) => {
      const { own, place } = before;
      this.parts.access.requireAt(call, 'scope.manage', place);
      if (own === null || own.auto_provisioned) throw scopeNotFound();
      requireNotDeleting(own);
      await changes.change(own.ref, { ...changeOf(before), id });
    });
    return this.answer(call, found, target.policies);
  }

  /**
   * Changes one scope under the lock of access, and leaves the entry of the log and the row of the audit log in the same transaction;
   * what is found afterwards is known to this process.
   */
  private async changing(
    call: Call,
    { path, policies }: Target,
    work: (changes: ScopeChanges, before: ScopeFound, id: string) => Promise<void>,
  ): Promise<ScopeFound> {
    const { access, changes: audit, clock, feed, ids, onFrames, store } = this.parts;
    const { tenant, actor } = call.principal;
    const refs = levelRefs(tenant, path);
    const named = (policies?.inherit_from ?? []).map((other) => ({ tenant, path: other }));
    const mayRead = named.length === 0 ? () => false : await access.readableNow(call, named);
    const row = audit.of(call);
    const id = ids.entry();
    const { outcome, newestAudit, newestFrame } = await store.changing(async (changes) => {
      const before = foundAt(path, await changes.read(refs));
      // The answer to an earlier try may have been lost, and with it the right to change anything.
      const isNew = before.own?.change_id !== id;
      if (isNew) await work(changes, before, id);
      const after = await changes.read(refs);
      const stated = { before: policiesOf(before.own?.policies ?? null), after: policies ?? {}, mayRead };
      const change =
        isNew && policies !== undefined
          ? policyChangeOf({ scope: { tenant, path }, ...stated }, { id, actor })
          : null;
      if (change !== null) await changes.log(change, clock.now());
      await changes.tell(row.batches(), clock.now());
      return after;
    });
    row.committed(newestAudit);
    if (newestFrame > 0) onFrames(newestFrame);
    await feed.refresh();
    return foundAt(path, outcome);
  }

  /** The scope as it is now, with what of the policies that were sent has no effect yet. */
  private async answer(call: Call, found: ScopeFound, sent: ScopePolicies = {}): Promise<ScopeRecord> {
    if (found.own === null) throw new Error('a scope that was just written is not there');
    const record = toRecord(found.own, found, await this.parts.access.readableNow(call, sourcesOf(found)));
    const isRetaining = Object.keys(sent.retention ?? {}).length > 0;
    return isRetaining ? { ...record, warnings: ['retention_not_enforced'] } : record;
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

function policyChange(tenant: string, policies: ScopePolicies): NonNullable<ScopeChange['policies']> {
  const { allow, deny } = policies.capabilities ?? {};
  const from = [...new Set(policies.inherit_from ?? [])].slice(0, MAX_INHERITED_SCOPES);
  return {
    text: JSON.stringify(policies),
    allow: allow ?? null,
    deny: deny ?? null,
    inheritRefs: from.map((path) => scopeRef(tenant, path)),
  };
}
