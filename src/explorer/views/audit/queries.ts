import { query, type Page } from '../../api/document.ts';

/** One row of the audit log. */
export interface AuditRow {
  readonly id: string;
  readonly ts: string;
  readonly actor: string | null;
  readonly tokenJti: string | null;
  readonly scope: string | null;
  readonly endpoint: string;
  readonly capability: string | null;
  readonly decision: 'allow' | 'deny';
  readonly decidedByTier: string | null;
  readonly requestSha256: string | null;
  readonly responseStatus: number;
  readonly eventId: string | null;
  readonly requestId: string;
  readonly remote: string | null;
  readonly elapsedMs: number;
  readonly prevHash: string;
  readonly hash: string;
}

const ROW = `
  id ts actor tokenJti scope endpoint capability decision decidedByTier requestSha256 responseStatus eventId requestId remote
  elapsedMs prevHash hash`;

/** Which rows are wanted. */
export interface Wanted {
  readonly actor: string | null;
  readonly capability: string | null;
  readonly decision: 'allow' | 'deny' | null;
  readonly scope: string | null;
  readonly since: string | null;
}

export const AUDIT = query<
  { readonly audit: Page<AuditRow> | null },
  Wanted & { readonly after: string | null }
>(`
  query Audit(
    $actor: String, $capability: String, $decision: AuditDecision, $scope: String, $since: DateTime, $after: String
  ) {
    audit(
      actor: $actor, capability: $capability, decision: $decision, scope: $scope, since: $since, first: 50, after: $after
    ) {
      nodes { ${ROW} }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const AUDIT_ROW = query<{ readonly auditRow: AuditRow | null }, { readonly id: string }>(`
  query AuditRow($id: ID!) {
    auditRow(id: $id) { ${ROW} }
  }
`);

/** What one row says of a request body. */
export interface RowVerification {
  readonly valid: boolean;
  readonly requestSha256: string | null;
  readonly computedSha256: string | null;
  readonly rowHashValid: boolean;
}

export const VERIFY_ROW = query<
  { readonly verifyAudit: RowVerification | null },
  { readonly id: string; readonly body: string }
>(`
  query VerifyRow($id: ID!, $body: String!) {
    verifyAudit(input: { auditId: $id, body: $body }) { valid requestSha256 computedSha256 rowHashValid }
  }
`);

/** Where the chain of all rows is. */
export interface Chain {
  readonly headHash: string;
  readonly length: number;
  readonly removedRows: number;
}

export const CHAIN = query<{ readonly auditChain: Chain | null }>(`
  query Chain { auditChain { headHash length removedRows } }
`);

/** What a verification of all rows found. */
export interface ChainVerification extends Chain {
  readonly valid: boolean;
  readonly firstBrokenIndex: number | null;
}

export const VERIFY_CHAIN = query<{ readonly verifyAuditChain: ChainVerification | null }>(`
  query VerifyChain { verifyAuditChain { valid headHash length removedRows firstBrokenIndex } }
`);

/** Requests and tokens. */
export interface Spent {
  readonly calls: number;
  readonly failedCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What was spent at one call site on one model. */
export interface UsageItem extends Spent {
  readonly role: string;
  readonly model: string;
}

export const USAGE = query<
  {
    readonly usage: {
      readonly from: string | null;
      readonly to: string;
      readonly items: readonly UsageItem[];
      readonly totals: Spent;
    } | null;
  },
  { readonly period: string; readonly role: string | null; readonly scope: string | null }
>(`
  query Usage($period: UsagePeriod, $role: ModelRole, $scope: String) {
    usage(period: $period, role: $role, scope: $scope) {
      from to
      items { role model calls failedCalls inputTokens outputTokens }
      totals { calls failedCalls inputTokens outputTokens }
    }
  }
`);
