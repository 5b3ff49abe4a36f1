import type { IdeExamples } from './group.ts';

const ACCESS = `# Who calls, and what policy and credential leave the caller.
query Whoami {
  whoami { caller tenantId tier effectiveCapabilities token { jti iss exp } }
}

# A token that may only read, and only in one scope. Needs STRATA_V1_MINTER_ENABLE=1 on a server with a key.
mutation Mint($token: MintTokenInput!) {
  mintToken(input: $token) { token jti expiresAt }
}

# Takes a token back; within a second every process refuses it.
mutation Revoke($revoke: RevokeTokenInput!) {
  revokeToken(input: $revoke)
}

# Who wrote, minted, revoked or was refused. Put an "id" into the environment as "audit_id" to look at that row.
query Audit {
  audit(first: 20) {
    nodes { id ts actor endpoint capability decision responseStatus eventId }
    pageInfo { hasNextPage endCursor }
  }
}

# One row, with the hashes that chain it; by the "audit_id" of the environment.
query AuditRow($row: ID!) {
  auditRow(id: $row) { ts actor endpoint requestSha256 prevHash hash }
}

# Whether a row is as it was written, and tells of the body at hand.
query VerifyRow($verify: AuditVerifyInput!) {
  verifyAudit(input: $verify) { valid requestSha256 computedSha256 rowHashValid }
}

# The chain of the tenant, and whether it is whole.
query VerifyChain {
  auditChain { length headHash algorithm }
  verifyAuditChain { valid length }
}
`;

/** A working document for every operation on tokens and the audit log. */
export const ACCESS_EXAMPLES: IdeExamples = {
  name: 'access',
  document: ACCESS,
  variables: {
    token: {
      subject: 'user:local',
      ttlSeconds: 600,
      caps: ['scope.read'],
      scopes: ['scope.read:user:demo/*'],
    },
    revoke: { jti: 'tok_00000000000000000000000000000000', reason: 'an example' },
    row: '{{audit_id}}',
    verify: { auditId: '{{audit_id}}', body: '' },
  },
};
