// Bounds of retention.

/** Events that one erasure of a sweep takes at most: one look around them, and ten transactions. */
export const RETENTION_PLAN_EVENTS = 2_500;
/** Events of a scope that are looked at in one statement. */
export const RETENTION_SCAN_PAGE = 1_000;
/** Scopes that a sweep reads in one statement, with what they state. */
export const RETENTION_SCOPE_PAGE = 100;
/** How long a sweep holds its tenant without a sign of life, milliseconds: longer than any erasure of it waits. */
export const RETENTION_LEASE_MS = 300_000;
/** Rest between two sweeps of a tenant that has more to go, milliseconds: captures come between. */
export const RETENTION_REST_MS = 1_000;
/** How long a request for a sweep waits for its end, milliseconds; then it goes on beside it. */
export const RETENTION_ANSWER_MS = 10_000;
/** Scopes of which a report says that something failed, at most. */
export const RETENTION_ERRORS = 100;
/** Rules that the status lists at most, and scopes that it looks at for them: a hundred short statements. */
export const RETENTION_POLICIES_LISTED = 1_000;
export const RETENTION_SCOPES_LISTED = 10_000;
