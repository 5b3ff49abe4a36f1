import type { AuditRow } from '../audit.ts';
import type { ExamplesOf } from '../example.ts';
import type { AUDIT_OPERATIONS } from '../operation/audit.ts';

const registered: AuditRow = {
  ts: '2026-11-27T04:46:36.679Z',
  actor: 'user:local',
  token_jti: null,
  tenant_id: 'default',
  scope: 'org:acme/project:pilot',
  endpoint: 'POST /v1/scopes',
  capability: 'scope.create',
  decision: 'allow',
  decided_by_tier: 'deployment',
  request_sha256: '7ae9a585ad5f5e3dc2e15e016d4822254c273887b6fd9efba1ffff8f4a9e7252',
  request_id: 'req_01a21b53a6757156a35bec7016cad76a',
  remote: null,
  elapsed_ms: 18,
  event_id: null,
  response_status: 201,
  id: 'audit_01a21b53a67c74f09e71aff898330000',
  prev_hash: '301c849354a4b305b9af586513fe451c0b0d92451755055a673ad0e82853ae65',
  hash: '3c3119451e1e9417bfb783d7ae27c661c27b28e62bc3df5eda7fbc18f1f69bd4',
};

/** An example of each of the operations on the audit log. */
export const AUDIT_EXAMPLES = {
  listAudit: {
    query: { capability: 'scope.create', limit: '1' },
    status: 200,
    answer: { items: [registered], has_more: true, next_cursor: '16-0' },
  },
  getAudit: { params: { id: 'audit_01a21b53a67c74f09e71aff898330000' }, status: 200, answer: registered },
  verifyAudit: {
    body: {
      audit_id: 'audit_01a21b53a67c74f09e71aff898330000',
      body: '{"path":"org:acme/project:pilot","owner":"user:local"}',
    },
    status: 200,
    answer: {
      valid: true,
      audit_id: 'audit_01a21b53a67c74f09e71aff898330000',
      request_sha256: '7ae9a585ad5f5e3dc2e15e016d4822254c273887b6fd9efba1ffff8f4a9e7252',
      computed_sha256: '7ae9a585ad5f5e3dc2e15e016d4822254c273887b6fd9efba1ffff8f4a9e7252',
      row_hash_valid: true,
    },
  },
  auditChain: {
    status: 200,
    answer: {
      head_hash: 'a8613fc2ca67bb6d94c183ae3f2e377c7aab00df944e883be429ba5141c2006b',
      length: 22,
      legacy_rows: 0,
      algorithm: 'sha256-chain-v1',
      removed_rows: 0,
      removed_hash: '0'.repeat(64),
    },
  },
  verifyAuditChain: {
    body: {},
    status: 200,
    answer: {
      valid: true,
      head_hash: 'a8613fc2ca67bb6d94c183ae3f2e377c7aab00df944e883be429ba5141c2006b',
      length: 22,
      legacy_rows: 0,
      algorithm: 'sha256-chain-v1',
      removed_rows: 0,
      removed_hash: '0'.repeat(64),
    },
  },
} satisfies ExamplesOf<typeof AUDIT_OPERATIONS>;
