import { z } from 'zod';

import { actorId } from './actor.ts';
import { pageLimit } from './listing.ts';
import { CAPABILITIES, POLICY_TIERS } from './policy.ts';
import { scopeFilter } from './scope.ts';
import { answeredInstant, instant } from './time.ts';

/** How rows are chained: SHA-256 over the hash before, a line feed and the row as canonical JSON (RFC 8785). */
export const AUDIT_ALGORITHM = 'sha256-chain-v1';

/** What a decision of the policy came to. */
export const AUDIT_DECISIONS = ['allow', 'deny'] as const;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in hex');

/** One row of the audit log; nothing of what was stored is in it. */
export const auditRow = z.strictObject({
  id: z.string().describe('`audit_` and 32 hex digits.'),
  ts: answeredInstant.describe('When the row was made, RFC 3339 UTC.'),
  actor: z
    .string()
    .nullable()
    .describe('Actor id of the caller; null where a key was refused that nobody knows.'),
  token_jti: z
    .string()
    .nullable()
    .describe(
      'Id of the token; null with the operator key, and in rows of others for whoever is neither the operator nor holds a token that names admin.',
    ),
  tenant_id: z.string().describe('Tenant that the row, and the chain it is in, belongs to.'),
  scope: z
    .string()
    .nullable()
    .describe('Scope that it was about; null for none in particular, or for several.'),
  endpoint: z
    .string()
    .describe(
      'Method and path pattern, such as `POST /v1/experience`; over GraphQL `GraphQL mutation capture`; `job audit_retention` and the like for what the service does by itself.',
    ),
  capability: z.string().nullable().describe('Capability that was used, or refused.'),
  decision: z.enum(AUDIT_DECISIONS).describe('`deny` for what the policy refused, else `allow`.'),
  decided_by_tier: z
    .enum(POLICY_TIERS)
    .nullable()
    .describe('Tier of the policy stack that refused, or the innermost one that allowed.'),
  request_sha256: z
    .string()
    .nullable()
    .describe(
      'Keyed hash (HMAC-SHA-256 over the SHA-256, hex) of the body as sent, unpacked where it came packed: `POST /v1/audit/verify` compares a body with it, and nobody else can, so that nothing which was erased can be guessed by it. Rows of before hold the plain SHA-256. Null without a body, for the upload of a blob, or where the request was refused before its body was read.',
    ),
  response_status: z
    .int()
    .describe(
      'HTTP status of what was done; what a `wait` after a capture came to is not in it. 202 for the beginning of a deletion of which another row tells the end.',
    ),
  event_id: z.string().nullable().describe('Event that was written, repeated or cancelled; null for a bulk.'),
  request_id: z.string().describe('The `request_id` of answers and log lines.'),
  remote: z
    .string()
    .nullable()
    .describe('Address that a refused key came from; null in rows of recognised callers.'),
  elapsed_ms: z.int().describe('Milliseconds from the request to the row. Not part of the hash.'),
  prev_hash: z.string().describe('Hash of the row before; of the first row 64 zeros.'),
  hash: z.string().describe('SHA-256 (hex) over `prev_hash` and the row.'),
});
export type AuditRow = z.infer<typeof auditRow>;

const cursor = z.string().regex(/^[0-9]{1,15}-[0-9]{1,5}$/, 'is no cursor of this list');

/** Query of the list of rows. */
export const auditListQuery = z.strictObject({
  actor: actorId
    .optional()
    .describe('Only rows of this actor; others than the caller need audit.read.cross_actor.'),
  capability: z
    .string()
    .refine((name) => CAPABILITIES.some((known) => known === name), 'is not the name of a capability')
    .optional()
    .describe('Only rows of this capability, by its name.'),
  decision: z.enum(AUDIT_DECISIONS).optional().describe('Only rows with this decision.'),
  scope: scopeFilter.optional().describe('Only rows of this scope; `<path>/*` also of everything below it.'),
  since: instant.optional().describe('Only rows made at or after this RFC 3339 instant.'),
  limit: pageLimit,
  cursor: cursor.optional().describe('Where to go on: `next_cursor` of the page before.'),
});
export type AuditListQuery = z.infer<typeof auditListQuery>;

/** A page of rows, newest first. */
export const auditPage = z.strictObject({
  items: z.array(auditRow),
  next_cursor: z.string().optional().describe('Send as `cursor` to go on; absent at the end.'),
  has_more: z
    .boolean()
    .describe('Whether older rows may follow; a page may be short or empty and still have more after it.'),
});
export type AuditPage = z.infer<typeof auditPage>;

/** Body of the verification of one row. */
export const auditVerifyRequest = z.strictObject({
  audit_id: z.string().min(1).max(64).describe('Id of the row.'),
  body: z.string().describe('The body of the request, as it was sent; empty for none.'),
});

/** What one row says of a request body. */
export const auditVerification = z.strictObject({
  valid: z
    .boolean()
    .describe('Whether the body is the one that the row tells of, and the row is as it was written.'),
  audit_id: z.string().describe('Id of the row.'),
  request_sha256: z
    .string()
    .nullable()
    .describe('The keyed hash in the row; null for a request without a body and for the upload of a blob.'),
  computed_sha256: z
    .string()
    .nullable()
    .describe('The same hash of the body at hand; null when it is empty.'),
  row_hash_valid: z
    .boolean()
    .describe('Whether the hash of the row is that of its content and of the row before.'),
});
export type AuditVerification = z.infer<typeof auditVerification>;

/** Query of the chain. */
export const auditChainQuery = z.strictObject({
  actor: actorId
    .optional()
    .describe(
      'Who asks; another actor than the caller needs audit.read.cross_actor. There is one chain a tenant, whoever asks.',
    ),
});

/** Body of the verification of the chain: nothing is to be said. */
export const auditChainVerifyRequest = z.strictObject({}).describe('An empty object.');

const chainState = {
  head_hash: sha256.describe(
    'Hash of the newest row; 64 zeros when there is none. Kept elsewhere, it proves later that no row before it was changed.',
  ),
  length: z.int().describe('Rows in the chain, with those that are kept no more.'),
  legacy_rows: z.int().describe('Rows that are not chained: always 0.'),
  algorithm: z.string().describe(`How rows are hashed: ${AUDIT_ALGORITHM}.`),
  removed_rows: z
    .int()
    .describe(
      'Of `length`, rows at the beginning that are kept no more (setting `audit.retention_days`); 0 without any.',
    ),
  removed_hash: sha256.describe(
    'Hash of the last row that was removed, and `prev_hash` of the first that is kept; 64 zeros without any.',
  ),
};

/** Where the chain of the tenant is. */
export const auditChain = z.strictObject(chainState);
export type AuditChain = z.infer<typeof auditChain>;

/** What a verification of the whole chain found. */
export const auditChainVerification = z.strictObject({
  valid: z.boolean().describe('Whether every row is there, unchanged and in its place.'),
  ...chainState,
  first_broken_index: z
    .int()
    .optional()
    .describe(
      'Place of the first row that is changed, missing or misplaced, counted from 0; absent when valid.',
    ),
});
export type AuditChainVerification = z.infer<typeof auditChainVerification>;
