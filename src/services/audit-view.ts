import { covers } from '../access/capability.ts';
import { passesRosters } from '../access/principal.ts';
import type { OpenRow, AuditRowKey } from '../audit/batch.ts';
import type { AccessService, Call } from './access.ts';

/** What decides whether a row is seen, and what is left out of one that is. */
type Viewed = AuditRowKey & Partial<Pick<OpenRow, 'token_jti'>>;

/** A row of the audit log as one caller sees it; null for one that is not for him. */
export type SeenRow = <Row extends Viewed>(row: Row) => Row | null;

/** Decides how one caller sees the rows that lie in some places. */
export type AuditView = (places: readonly AuditRowKey[]) => Promise<SeenRow>;

/**
 * Everybody sees his own rows, a token confined to scopes those of scopes that it may read. With `audit.read.cross_actor` the
 * operator, and tokens whose `caps` name `admin`, see all of the tenant; others see those of scopes that they may read, without
 * the ids of tokens, by which they could be revoked. Where rosters bind the caller a look takes one round trip, whatever is in it.
 */
export async function auditView(access: AccessService, call: Call): Promise<AuditView> {
  const { principal } = call;
  const { outcome } = await access.decide(call, 'audit.read.cross_actor', null);
  const named = principal.caps?.some((pattern) => covers(pattern, 'admin')) === true;
  const confined = principal.grants !== null;
  if (outcome === 'allowed' && (passesRosters(principal) || (named && !confined)))
    return () => Promise.resolve((row) => row);
  return async (places) => {
    const mayRead = await access.readableNow(call, places.flatMap(scopesOf));
    return (row) => {
      const readable = scopesOf(row).some(mayRead);
      if (row.actor === principal.actor) return readable || !confined || row.scope === null ? row : null;
      return readable && outcome === 'allowed' ? { ...row, token_jti: null } : null;
    };
  };
}

/** The scope of a row, where it tells of one. */
function scopesOf({ scope: path, tenant_id: tenant }: AuditRowKey): { tenant: string; path: string }[] {
  return path === null ? [] : [{ tenant, path }];
}
