import type { AuditReader, ChainStart } from '../../graph/audit.ts';
import {
  AUDIT_ALGORITHM,
  auditChainQuery,
  auditChainVerifyRequest,
  auditListQuery,
  auditVerifyRequest,
  type AuditChain,
  type AuditChainVerification,
  type AuditListQuery,
  type AuditPage,
  type AuditRow,
  type AuditVerification,
} from '../../schemas/audit.ts';
import { passesRosters, tenantOfReads } from '../access/principal.ts';
import { rowsOf, whereIs, type OpenRow, type StoredBatch } from '../audit/batch.ts';
import { ChainCheck, chainedRows, hashHolds, type ChainHead } from '../audit/chain.ts';
import type { AuditSealer } from '../commit/audit-sealer.ts';
import type { RequestHash } from '../audit/request-hash.ts';
import { StrataError } from '../errors.ts';
import { AUDIT_READ_ROWS, AUDIT_SCAN_BATCHES } from '../limits.ts';
import { parseInput } from '../validation.ts';
import { othersTurn } from '../wakeup.ts';
import type { AccessService, Call } from './access.ts';
import { AuditListing } from './audit-listing.ts';
import { auditView, type AuditView } from './audit-view.ts';
import { parseQuery } from './query-input.ts';

/** Verifications of whole chains at once in one process, of one tenant one: each reads every row of a tenant. */
const AUDIT_VERIFICATIONS = 2;

/** Where a row stands, and what the caller sees of it. */
interface Located {
  readonly batch: StoredBatch;
  readonly place: number;
  readonly seen: OpenRow;
}

/** What the service needs. */
export interface AuditParts {
  readonly access: AccessService;
  readonly reader: AuditReader;
  readonly sealer: AuditSealer;
  readonly requestHash: Pick<RequestHash, 'ofBody'>;
}

/** Reads the audit log and checks it. Whoever may not read the rows of others reads his own. */
export class AuditService {
  private readonly parts: AuditParts;
  private readonly listing: AuditListing;
  /** Tenants whose chains are being verified. */
  private readonly verifying = new Set<string>();

  constructor(parts: AuditParts) {
    this.parts = parts;
    this.listing = new AuditListing(parts.reader);
  }

  /** A page of rows, newest first. Throws `INVALID_QUERY`, `POLICY_DENIED`. */
  async list(call: Call, query: unknown): Promise<AuditPage> {
    const parsed = parseQuery(auditListQuery, query);
    const actor = await this.readableActor(call, parsed.actor);
    const { tenant } = call.principal;
    await this.parts.sealer.upToDate(tenant);
    const filter: AuditListQuery = { ...parsed, ...(actor === null ? {} : { actor }) };
    const view = await auditView(this.parts.access, call);
    return this.listing.page({ tenant, query: filter, view, signal: call.signal });
  }

  /** One row. What is unknown or not for the caller to see is the same `NOT_FOUND`. */
  async get(call: Call, id: string): Promise<AuditRow> {
    await this.parts.access.authorize(call, 'audit.read', null);
    return rowAt(await this.located(call, id));
  }

  /** Whether a body is the one that a row tells of. Throws `NOT_FOUND`, `INVALID_BODY`, `POLICY_DENIED`. */
  async verify(call: Call, body: unknown): Promise<AuditVerification> {
    const { audit_id: id, body: text } = parseInput(auditVerifyRequest, body, 'INVALID_BODY');
    await this.parts.access.authorize(call, 'audit.read', null);
    const found = await this.located(call, id);
    const row = rowAt(found);
    const computed = text === '' ? null : this.hashOf(text, row.request_sha256);
    const holds = hashHolds(found.batch, found.place);
    return {
      valid: holds && computed === row.request_sha256,
      audit_id: id,
      request_sha256: row.request_sha256,
      computed_sha256: computed,
      row_hash_valid: holds,
    };
  }

  /** The hash of a body as rows hold it: a plain one where that is what a row of before holds. */
  private hashOf(text: string, held: string | null): string {
    const { keyed, plain } = this.parts.requestHash.ofBody(text);
    return held === plain ? plain : keyed;
  }

  /** Where the chain of the tenant is. Throws `INVALID_QUERY`, `POLICY_DENIED`. */
  async chain(call: Call, query: unknown): Promise<AuditChain> {
    const { actor } = parseQuery(auditChainQuery, query);
    await this.readableActor(call, actor);
    const { tenant } = call.principal;
    await this.parts.sealer.upToDate(tenant);
    const { chain, start } = await this.parts.reader.chain(tenant, 0);
    return chainOf(chain, start);
  }

  /**
   * Goes through the whole chain of the tenant. Throws `SERVER_BUSY` when it is being verified already, or as many chains are as
   * may be; `POLICY_DENIED`.
   */
  async verifyChain(call: Call, body: unknown): Promise<AuditChainVerification> {
    parseInput(auditChainVerifyRequest, body, 'INVALID_BODY');
    await this.parts.access.authorize(call, 'audit.read', null);
    const { tenant } = call.principal;
    if (this.verifying.has(tenant)) {
      throw new StrataError('SERVER_BUSY', 'a verification of this chain is running; try again');
    }
    if (this.verifying.size >= AUDIT_VERIFICATIONS) {
      throw new StrataError('SERVER_BUSY', `${AUDIT_VERIFICATIONS} verifications are running; try again`);
    }
    this.verifying.add(tenant);
    try {
      return await this.verified(tenant, call.signal);
    } finally {
      this.verifying.delete(tenant);
    }
  }

  /** The cursor that continues a list after a row. */
  cursorOf(row: AuditRow): string {
    return this.listing.cursorOf(row);
  }

  /**
   * What is kept of a chain, looked at. Where rows are removed meanwhile, what stands for them has to join what was walked: the chain is walked
   * from there to the next place that is known, and farther only where everything that was walked is gone.
   */
  private async verified(tenant: string, signal: AbortSignal): Promise<AuditChainVerification> {
    const settled = await this.parts.sealer.upToDate(tenant);
    const { chain: kept, start: first } = await this.parts.reader.chain(tenant, 0);
    const to = Math.max(settled, kept.sealed_sequence);
    let start = first;
    let walk = await this.walked(tenant, { start, to }, signal);
    let joint: number | null = null;
    for (;;) {
      const { start: now } = await this.parts.reader.chain(tenant, 0);
      if (now.sequence === start.sequence) break;
      start = now;
      const known = walk.places.find(({ sequence }) => sequence >= now.sequence);
      const again = await this.walked(tenant, { start, to: known?.sequence ?? to }, signal);
      if (known === undefined) walk = again;
      joint = known === undefined ? null : brokenJoint(again.check, { start, known });
    }
    walk.check.end(kept);
    const brokenAt = joint ?? walk.check.brokenAt;
    return {
      valid: brokenAt === null,
      ...chainOf(kept, start),
      ...(brokenAt === null ? {} : { first_broken_index: brokenAt }),
    };
  }

  /**
   * Every batch up to a number, looked at; the chain's own word for where it ends is not relied upon. Others get their turn after
   * each batch.
   */
  private async walked(
    tenant: string,
    { start, to }: { readonly start: ChainStart; readonly to: number },
    signal: AbortSignal,
  ): Promise<ChainWalk> {
    const check = new ChainCheck(tenant, start);
    const places: ChainStart[] = [];
    const bounds = { scan: AUDIT_SCAN_BATCHES, rows: AUDIT_READ_ROWS };
    for (let after = start.sequence; after < to;) {
      signal.throwIfAborted();
      const batches = await this.parts.reader.oldest({ tenant, after, to, ...bounds });
      for (const batch of batches) {
        check.take(batch);
        await othersTurn();
      }
      if (check.brokenAt !== null) break;
      after = batches.at(-1)?.sequence ?? to;
      places.push({ ...check.head, sequence: after });
    }
    return { check, places };
  }

  /**
   * Where the row of an id stands, as the caller sees it; the operator finds those of every tenant. Nothing of a row is read that the
   * caller may not see: it takes the same round trips as one that does not exist.
   */
  private async located(call: Call, id: string): Promise<Located> {
    const view = await auditView(this.parts.access, call);
    const { batchId, place } = whereIs(id) ?? { batchId: id, place: 0 };
    if (!passesRosters(call.principal) && !(await this.admits(call, view, { batchId, place })))
      throw rowNotFound();
    const found = await this.parts.reader.batch(batchId, tenantOfReads(call.principal));
    const open = found === null ? undefined : rowsOf(found)[place];
    const known = open?.id === id && open.tenant_id === found?.tenant;
    const see = await view(known ? [open] : []);
    const seen = known ? see(open) : null;
    if (found === null || seen === null) throw rowNotFound();
    return { batch: await this.sealedBatch(found), place, seen };
  }

  /** Whether a row is for the caller to see, by where it lies. */
  private async admits(
    { principal: { tenant } }: Call,
    view: AuditView,
    { batchId, place }: { readonly batchId: string; readonly place: number },
  ): Promise<boolean> {
    // Places are noted by what seals.
    await this.parts.sealer.upToDate(tenant);
    const found = await this.parts.reader.placeOf(batchId, place, tenant);
    if (found === 'unknown') return true;
    const see = await view(found === null ? [] : [found]);
    return found !== null && see(found) !== null;
  }

  private async sealedBatch(batch: StoredBatch): Promise<StoredBatch> {
    if (batch.prev_hash !== null) return batch;
    await this.parts.sealer.upToDate(batch.tenant);
    return (await this.parts.reader.batch(batch.id, batch.tenant)) ?? batch;
  }

  /** Whose rows to look for: those of the actor asked for, of everybody (null), or the caller's own. */
  private async readableActor(call: Call, asked: string | undefined): Promise<string | null> {
    const { access } = this.parts;
    await access.authorize(call, 'audit.read', null);
    const own = call.principal.actor;
    if (asked !== undefined && asked !== own) await access.authorize(call, 'audit.read.cross_actor', null);
    if (asked !== undefined) return asked;
    return (await this.readsOthers(call)) ? null : own;
  }

  private async readsOthers(call: Call): Promise<boolean> {
    const decision = await this.parts.access.decide(call, 'audit.read.cross_actor', null);
    return decision.outcome === 'allowed';
  }
}

/** A stretch of a chain that was looked at, and where it was after each page of it, as far as it holds together. */
interface ChainWalk {
  readonly check: ChainCheck;
  readonly places: readonly ChainStart[];
}

/** Place of the first row that does not join a place that was walked before; null where all do. */
function brokenJoint(
  { brokenAt, head }: ChainCheck,
  { start, known }: { readonly start: ChainStart; readonly known: ChainStart },
): number | null {
  if (brokenAt !== null) return brokenAt;
  const joins = head.head_hash === known.head_hash && head.length === known.length;
  return joins ? null : start.length;
}

function chainOf({ head_hash, length }: ChainHead, removed: ChainHead): AuditChain {
  return {
    head_hash,
    length,
    legacy_rows: 0,
    algorithm: AUDIT_ALGORITHM,
    removed_rows: removed.length,
    removed_hash: removed.head_hash,
  };
}

function rowAt({ batch, place, seen }: Located): AuditRow {
  const row = chainedRows(batch)[place];
  if (row === undefined) throw rowNotFound();
  return { ...row, ...seen };
}

function rowNotFound(): StrataError {
  return new StrataError('NOT_FOUND', 'audit row not found');
}
