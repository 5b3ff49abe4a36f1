import type { Capability, PolicyTier } from '../../schemas/policy.ts';
import type { Decision } from './decide.ts';

/** A request as its transport found it. */
export interface RequestOrigin {
  /** `POST /v1/experience`; over GraphQL `GraphQL mutation capture`. */
  readonly endpoint: string;
  /** Capability that the operation needs before any other; null when it is not known. */
  readonly capability: Capability | null;
  /** Whether the operation leaves a row when it succeeds; `unless_off`: where not every scope that it is about states `audit: off`. */
  readonly audited: boolean | 'unless_off';
  /** Status that REST answers the operation with when it succeeds. */
  readonly status: number;
  /** SHA-256 (hex) of the body as sent, unpacked; null without one, and as long as it was not read. */
  readonly bodySha256: () => string | null;
  /** When the request came in, milliseconds of the process's own clock. */
  readonly began: number;
}

/** What the gate decided, and for which scope. */
export interface Decided {
  readonly capability: Capability;
  /** Null: no scope in particular, or several. */
  readonly scope: string | null;
  readonly decidedBy: PolicyTier;
}

/** What is known of one request for the audit log: where it came from, and what the gate decided while it was served. */
export class RequestRecord {
  readonly origin: RequestOrigin;
  /** The scope that a change names, with what it takes to change it; noted whether or not the caller gets to see such a scope. */
  named: Omit<Decided, 'decidedBy'> | null = null;
  /** Whether a row of the request is written already, together with what it did. */
  recorded = false;
  #allowed: Decided | null = null;
  #refused: Decided | null = null;
  #severalScopes = false;
  /** What the scopes state that it is about; null while it is about none. */
  #audit: 'on' | 'off' | null = null;

  constructor(origin: RequestOrigin) {
    this.origin = origin;
  }

  /** What let the request do what it did; of several scopes none is named. */
  get allowed(): Decided | null {
    return this.#allowed;
  }

  /** Whether it leaves a row when it does what it was allowed. */
  get leavesRow(): boolean {
    const { audited } = this.origin;
    return audited === 'unless_off' ? this.#audit !== 'off' : audited;
  }

  /** The first refusal that was told; null when there was none. */
  get refused(): Decided | null {
    return this.#refused;
  }

  /** Says that it reads or writes a scope of which uses are recorded, or are not: one that is recorded is enough for a row. */
  concerns(audit: 'on' | 'off'): void {
    if (this.#audit !== 'on') this.#audit = audit;
  }

  /** Notes a decision that was acted upon. The capability of the operation counts before any further one. */
  note(decision: Decision, scope: string | null): void {
    const { outcome, capability, decidedBy } = decision;
    const decided = { capability, scope, decidedBy };
    if (outcome !== 'allowed') {
      this.#refused ??= decided;
      return;
    }
    const kept = this.#allowed;
    if (kept === null || (kept.capability !== capability && capability === this.origin.capability)) {
      this.#allowed = decided;
    } else if (kept.capability === capability && scope !== null && kept.scope !== scope) {
      // The gate asks for no scope in particular before the service asks for one.
      this.#severalScopes ||= kept.scope !== null;
      this.#allowed = { ...decided, scope: this.#severalScopes ? null : scope };
    }
  }
}
